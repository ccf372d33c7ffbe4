"""The players in a table: colours, dirhams, halves that can be seen, score, rugs left."""

from __future__ import annotations

from rich.style import Style
from rich.text import Text

from companion.games.marrakech import Colour, Standing
from companion.simulator.canvas import style_of
from companion.simulator.cloth import RUG, SWATCH, THREAD
from companion.table.pages import Conversation, SettingUp, Stage
from companion.words.message import Message, Who
from companion.words.speech import Speech

_WIDE = ("dirhams", "halves", "score", "rugs")
_NARROW = ("dh", "½", "sum", "rug")
_BEFORE = 4
"""Columns before a name: an arrow, two of cloth, a space."""
_NAME = Style(color="#fff6e0")
_FAINT = Style(color="#9a8c79")
_MOVER = Style(color="#ffe9b0", bold=True)


def swatch(colours: tuple[Colour, ...]) -> Text:
    """A snippet of each cloth."""
    text = Text()
    for colour in colours:
        weave = SWATCH[colour] if len(colours) == 1 else SWATCH[colour][0]
        text.append(weave, style_of(THREAD[colour], RUG[colour]))
    return text


def name_of(speech: Speech, who: Who) -> str:
    if who.name:
        return who.name
    names = [speech.say(Message(f"player.{colour.label}")) for colour in who.colours]
    return " & ".join(names)


def players_table(conversation: Conversation, speech: Speech, width: int) -> Text:
    """One line for each player, with an arrow at the mover's."""
    page = conversation.page
    if isinstance(page, SettingUp):
        return _seats(page, speech)
    state = conversation.playing.state
    names = [
        name_of(speech, conversation.who(player)) for player in range(len(state.setup.players))
    ]
    last = 5 if state.setup.has_two_colours else 2
    heads, columns = _NARROW, _columns(_NARROW, last)
    if width - _BEFORE - sum(_columns(_WIDE, last)) >= max(map(len, names)):
        heads, columns = _WIDE, _columns(_WIDE, last)
    room = max(width - _BEFORE - sum(columns), 3)
    text = Text(no_wrap=True)
    text.append(" " * (room + _BEFORE) + _in_columns(heads, columns), _FAINT)
    for row in sorted(state.ranking(), key=lambda row: row.player):
        is_mover = row.player == state.mover and not state.is_over
        text.append("\n▶" if is_mover else "\n ", _MOVER)
        text.append_text(swatch(state.setup.players[row.player]))
        name = names[row.player]
        name = name if len(name) <= room else name[: room - 1] + "…"
        style = _FAINT if row.is_out else _MOVER if is_mover else _NAME
        left = [str(state.left[colour]) for colour in state.setup.players[row.player]]
        values = (*_count(row), "–" if row.is_out else "+".join(left))
        text.append(f" {name:{room}}{_in_columns(values, columns)}", style)
    return text


def _count(row: Standing) -> tuple[str, str, str]:
    return str(row.dirhams), str(row.visible), "out" if row.score is None else str(row.score)


def _columns(heads: tuple[str, ...], last: int) -> list[int]:
    """How wide the columns are: a space, and their head or their numbers."""
    digits = (3, 2, 3, last)
    return [1 + max(len(head), most) for head, most in zip(heads, digits, strict=True)]


def _in_columns(values: tuple[str, ...], columns: list[int]) -> str:
    return "".join(f"{value:>{width}}" for value, width in zip(values, columns, strict=True))


def _seats(page: SettingUp, speech: Speech) -> Text:
    """Who will play with what, as far as it is agreed on."""
    lines = []
    for seat in range(page.players):
        line = Text(f"  seat {seat + 1}  ", _FAINT)
        if page.stage in (Stage.COLOURS, Stage.SETTING):
            colours = page.seats[seat]
            line.append_text(swatch(colours))
            line.append(f" {name_of(speech, Who('', colours))}", _NAME)
        lines.append(line)
    return Text("\n", no_wrap=True).join(lines)
