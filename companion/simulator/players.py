"""The table of players: colours, name, dirhams, visible halves, score and rugs left."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size
from rich.style import Style
from rich.text import Text

from companion.games.marrakech import Colour, Standing
from companion.i18n.message import Message, PlayerName, message
from companion.i18n.renderer import TextRenderer
from companion.simulator.board_view.canvas import style_of
from companion.simulator.board_view.palette import RUG, SWATCH, THREAD
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
_NAME_COLUMN = 4
"""After an arrow, two columns of swatch, and a space."""
_NAME = Style(color="#fff6e0")
_FAINT = Style(color="#9a8c79")
_MOVER = Style(color="#ffe9b0", bold=True)


def swatch(colours: tuple[Colour, ...]) -> Text:
    """A piece of each rug."""
    text = Text()
    for colour in colours:
        weave = SWATCH[colour] if len(colours) == 1 else SWATCH[colour][0]
        text.append(weave, style_of(THREAD[colour], RUG[colour]))
    return text


def players_table(conversation: Conversation, renderer: TextRenderer, width: int) -> Text:
    """One line per player, with an arrow at the player whose turn it is."""
    page = conversation.activity
    if isinstance(page, SettingUp):
        return _seats(page, renderer)
    state = conversation.active_game.state
    names = [
        renderer.render_value(conversation.player_name(player))
        for player in range(len(state.setup.players))
    ]
    out = renderer.render(message("sim.out"))
    most = (3, 2, max(3, cell_len(out)), 5 if state.setup.has_two_colours else 2)
    heads, wide = _render_all(_NARROW, renderer), _render_all(_WIDE, renderer)
    if width - _NAME_COLUMN - sum(_columns(wide, most)) >= max(map(cell_len, names)):
        heads = wide
    columns = _columns(heads, most)
    name_width = max(width - _NAME_COLUMN - sum(columns), 3)
    text = Text(no_wrap=True)
    text.append(" " * (name_width + _NAME_COLUMN) + _in_columns(heads, columns), _FAINT)
    for row in sorted(state.ranking(), key=lambda row: row.player):
        is_mover = row.player == state.mover and not state.is_over
        text.append("\n▶" if is_mover else "\n ", _MOVER)
        text.append_text(swatch(state.setup.players[row.player]))
        name = _cut(names[row.player], name_width)
        style = _FAINT if row.is_out else _MOVER if is_mover else _NAME
        left = [str(state.left[colour]) for colour in state.setup.players[row.player]]
        values = (*_count(row, out), "–" if row.is_out else "+".join(left))
        text.append(f" {name}{_in_columns(values, columns)}", style)
    return text


def _render_all(heads: tuple[Message, ...], renderer: TextRenderer) -> tuple[str, ...]:
    return tuple(map(renderer.render, heads))


def _count(row: Standing, out: str) -> tuple[str, str, str]:
    return str(row.dirhams), str(row.visible), out if row.score is None else str(row.score)


def _columns(heads: tuple[str, ...], most: tuple[int, ...]) -> list[int]:
    """Column widths: a space, and the wider of heading and values."""
    return [1 + max(cell_len(head), least) for head, least in zip(heads, most, strict=True)]


def _in_columns(values: tuple[str, ...], columns: list[int]) -> str:
    """Right-align each value in its column; some characters take two cells."""
    return "".join(
        " " * (width - cell_len(value)) + value
        for value, width in zip(values, columns, strict=True)
    )


def _cut(name: str, width: int) -> str:
    """Pad a name to `width` cells, or cut it with an ellipsis."""
    if cell_len(name) <= width:
        return set_cell_size(name, width)
    return set_cell_size(name, width - 1) + "…"


def _seats(page: SettingUp, renderer: TextRenderer) -> Text:
    """The seats during set-up, with the colours chosen so far."""
    lines = []
    for seat in range(page.players):
        line = Text(f"  {renderer.render(message('sim.seat', seat=seat + 1))}  ", _FAINT)
        if page.stage in (Stage.COLOURS, Stage.SETTING):
            colours = page.seats[seat]
            line.append_text(swatch(colours))
            line.append(f" {renderer.render_value(PlayerName('', colours))}", _NAME)
        lines.append(line)
    return Text("\n", no_wrap=True).join(lines)
