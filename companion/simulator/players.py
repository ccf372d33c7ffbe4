"""The players in a table: colours, dirhams, halves that can be seen, score, rugs left."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size
from rich.style import Style
from rich.text import Text

from companion.games.marrakech import Colour, Standing
from companion.i18n.message import Message, Who, message
from companion.i18n.renderer import TextRenderer
from companion.simulator.canvas import style_of
from companion.simulator.palette import RUG, SWATCH, THREAD
from companion.table.conversation import Conversation, SettingUp, Stage

_WIDE = (
    message("sim.head_dirhams"),
    message("sim.head_visible"),
    message("sim.head_score"),
    message("sim.head_rugs"),
)
_NARROW = (
    message("sim.short_dirhams"),
    message("sim.short_visible"),
    message("sim.short_score"),
    message("sim.short_rugs"),
)
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


def players_table(conversation: Conversation, speech: TextRenderer, width: int) -> Text:
    """One line for each player, with an arrow at the mover's."""
    page = conversation.page
    if isinstance(page, SettingUp):
        return _seats(page, speech)
    state = conversation.playing.state
    names = [speech.word(conversation.who(player)) for player in range(len(state.setup.players))]
    out = speech.say(message("sim.out"))
    most = (3, 2, max(3, cell_len(out)), 5 if state.setup.has_two_colours else 2)
    heads, wide = _said(_NARROW, speech), _said(_WIDE, speech)
    if width - _BEFORE - sum(_columns(wide, most)) >= max(map(cell_len, names)):
        heads = wide
    columns = _columns(heads, most)
    room = max(width - _BEFORE - sum(columns), 3)
    text = Text(no_wrap=True)
    text.append(" " * (room + _BEFORE) + _in_columns(heads, columns), _FAINT)
    for row in sorted(state.ranking(), key=lambda row: row.player):
        is_mover = row.player == state.mover and not state.is_over
        text.append("\n▶" if is_mover else "\n ", _MOVER)
        text.append_text(swatch(state.setup.players[row.player]))
        name = _cut(names[row.player], room)
        style = _FAINT if row.is_out else _MOVER if is_mover else _NAME
        left = [str(state.left[colour]) for colour in state.setup.players[row.player]]
        values = (*_count(row, out), "–" if row.is_out else "+".join(left))
        text.append(f" {name}{_in_columns(values, columns)}", style)
    return text


def _said(heads: tuple[Message, ...], speech: TextRenderer) -> tuple[str, ...]:
    return tuple(map(speech.say, heads))


def _count(row: Standing, out: str) -> tuple[str, str, str]:
    return str(row.dirhams), str(row.visible), out if row.score is None else str(row.score)


def _columns(heads: tuple[str, ...], most: tuple[int, ...]) -> list[int]:
    """How wide the columns are: a space, and their head or the most of their values."""
    return [1 + max(cell_len(head), least) for head, least in zip(heads, most, strict=True)]


def _in_columns(values: tuple[str, ...], columns: list[int]) -> str:
    """Each at the right of its column; some letters take two places."""
    return "".join(
        " " * (width - cell_len(value)) + value
        for value, width in zip(values, columns, strict=True)
    )


def _cut(name: str, room: int) -> str:
    """A name in its place, with a sign that there was more of it."""
    return (
        set_cell_size(name, room) if cell_len(name) <= room else set_cell_size(name, room - 1) + "…"
    )


def _seats(page: SettingUp, speech: TextRenderer) -> Text:
    """Who will play with what, as far as it is agreed on."""
    lines = []
    for seat in range(page.players):
        line = Text(f"  {speech.say(message('sim.seat', seat=seat + 1))}  ", _FAINT)
        if page.stage in (Stage.COLOURS, Stage.SETTING):
            colours = page.seats[seat]
            line.append_text(swatch(colours))
            line.append(f" {speech.word(Who('', colours))}", _NAME)
        lines.append(line)
    return Text("\n", no_wrap=True).join(lines)
