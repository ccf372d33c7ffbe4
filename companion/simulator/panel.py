"""The panel beside the market: title, phases, instructions, news, problems and players."""

from __future__ import annotations

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.color import Color
from textual.containers import Vertical
from textual.widgets import Static

from companion.games.marrakech import Colour
from companion.i18n.message import Message, message
from companion.i18n.renderer import TextRenderer
from companion.simulator.board_view.canvas import Pixel, readable, style_of
from companion.simulator.board_view.palette import RUG, SWATCH, THREAD
from companion.simulator.players import players_table
from companion.table.conversation import Auditing, Conversation, Resuming, SettingUp, Stage
from companion.table.text.prompts import prompts_of
from companion.table.view import TableView

Step = tuple[Message, tuple[Stage, ...]]
"""A name and the stages that belong to it."""
_SETTING_UP: tuple[Step, ...] = (
    (message("sim.step_players"), (Stage.PLAYERS,)),
    (message("sim.step_booklet"), (Stage.BOOKLET,)),
    (message("sim.step_colours"), (Stage.COLOURS,)),
    (message("sim.step_board"), (Stage.SETTING,)),
)
_ABOUT_ASSAM = (Stage.AUDIT_ASSAM, Stage.AUDIT_FACING)
_AUDIT: tuple[Step, ...] = (
    (message("sim.step_assam"), _ABOUT_ASSAM),
    (message("sim.step_rugs"), (Stage.AUDIT_RUGS, Stage.SQUARE, Stage.TOP, Stage.JOIN)),
    (message("sim.step_dirhams"), (Stage.AUDIT_DIRHAMS,)),
)
_UPPER_PARTS = ("title", "phases", "todo", "refused", "news")
_LOWER_PARTS = ("trouble", "hint", "faults", "players")
"""Stay in place when the upper parts grow."""
WHITE: Pixel = (255, 255, 255)
PLAIN: Pixel = (58, 47, 40)
"""Background of a title that is not about a player."""


class Panel(Vertical):
    """Scrollable messages above, players below."""

    DEFAULT_CSS = """
    Panel { width: 1fr; height: 1fr; padding: 0 1 0 0; }
    Panel #words {
        height: 1fr; overflow-y: auto; scrollbar-size-vertical: 1;
        scrollbar-color: #6f6255; scrollbar-background: #231c18;
    }
    Panel Static { width: 1fr; height: auto; }
    Panel #title { text-style: bold; margin: 0 0 1 0; background: #3a2f28; }
    Panel #phases { margin: 0 0 1 0; }
    Panel #todo { color: #fff6e0; text-style: bold; }
    Panel #news { color: #cdbfa6; margin: 1 0 0 0; }
    Panel #refused {
        background: #b3261e; color: #ffffff; text-style: bold; padding: 0 1; margin: 1 0 0 0;
    }
    Panel #hint { color: #ffb48a; margin: 1 0 0 0; }
    Panel #trouble {
        background: #ffb300; color: #231815; text-style: bold; padding: 0 1; margin: 1 0 0 0;
        max-height: 7;
    }
    Panel #faults { color: #ffb48a; margin: 1 0 0 0; }
    Panel #players { margin: 1 0 0 0; }
    Panel.-tight #title, Panel.-tight #phases { margin: 0; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._parts = {part: Static(id=part) for part in (*_UPPER_PARTS, *_LOWER_PARTS)}

    def compose(self) -> ComposeResult:
        with Vertical(id="words"):
            yield from (self._parts[part] for part in _UPPER_PARTS)
        yield from (self._parts[part] for part in _LOWER_PARTS)

    def show(
        self,
        view: TableView,
        renderer: TextRenderer,
        *,
        start_messages: list[str],
        faults: list[str],
        hint: str = "",
    ) -> None:
        """Update everything. `start_messages` are shown with the news."""
        conversation, render = view.conversation, renderer.render
        prompts = prompts_of(conversation)
        todo = "\n".join(map(render, prompts.todo))
        news = [*map(render, prompts.news), *start_messages]
        if conversation.stage is Stage.PUT_BACK:  # the news are the instructions
            todo, news = "\n".join((*map(render, prompts.news), todo)), []
        if view.shows_code:  # instead of the instructions
            todo = render(message("pair.shown"))
        self._show_title(conversation, render(prompts.title))
        self._show_part("phases", phases(conversation, renderer))
        self._show_part("todo", todo)
        self._show_part("refused", f"✗ {render(view.refusal)}" if view.refusal else "")
        self._show_part("hint", f"☞ {hint}" if hint else "")
        self._show_part("trouble", "\n".join(f"! {render(problem)}" for problem in view.trouble))
        self._show_part("news", "\n".join(f"✓ {one}" for one in news))
        self._show_part("faults", "\n".join(f"⚡ {fault}" for fault in faults))
        width = self.content_size.width or 27
        self._show_part("players", players_table(conversation, renderer, width))

    def _show_title(self, conversation: Conversation, title: str) -> None:
        """Show the title on the colour of its player, with the pattern of the rug."""
        colour = colour_of(conversation)
        ground = PLAIN if colour is None else RUG[colour]
        text = Text(f" {title}", style_of(readable(WHITE, ground, 130), ground) + Style(bold=True))
        if colour is not None:
            text = Text(f" {SWATCH[colour]}", style_of(THREAD[colour], ground)) + text
        self._show_part("title", text)
        self._parts["title"].styles.background = Color(*ground)

    def _show_part(self, part: str, text: str | Text) -> None:
        widget = self._parts[part]
        widget.update(Text(text) if isinstance(text, str) else text)
        widget.display = bool(text)


def colour_of(conversation: Conversation) -> Colour | None:
    match conversation.activity:
        case SettingUp() as page:
            is_seat = page.stage is Stage.COLOURS
            return page.seats[page.seat][0] if is_seat else None
        case Auditing() as page if page.stage in _ABOUT_ASSAM:
            return None
        case Auditing() as page:
            return conversation.active_game.state.setup.players[page.player][0]
    state = conversation.active_game.state
    if state.is_over:
        return state.setup.players[state.ranking()[0].player][0]
    return state.hand if state.hand is not None else state.setup.players[state.mover][0]


def phases(conversation: Conversation, renderer: TextRenderer) -> Text:
    """The steps with the current one highlighted: `turn + roll › pay › lay`."""
    text = Text()
    for number, (name, stages) in enumerate(_steps(conversation)):
        if number:
            text.append(" › ", "#6f6255")
        is_now = conversation.stage in stages
        text.append(renderer.render(name), "bold #231815 on #e9cf8f" if is_now else "#9a8c79")
    return text


def _steps(conversation: Conversation) -> tuple[Step, ...]:
    match conversation.activity:
        case SettingUp():
            return _SETTING_UP
        case Auditing():
            return _AUDIT
        case Resuming():
            return ()
    if conversation.stage in (Stage.OVER, Stage.PUT_BACK):
        return ()
    setup = conversation.active_game.state.setup
    first: Step = (message("sim.step_turn_roll"), (Stage.ORIENT, Stage.ROLL))
    if setup.is_pivot_last:
        first = (message("sim.step_roll"), (Stage.ROLL,))
    draw = (message("sim.step_draw"), (Stage.DRAW,))
    pivot = (message("sim.step_pivot"), (Stage.PIVOT,))
    return (
        first,
        (message("sim.step_pay"), (Stage.PAY,)),
        *((draw,) if setup.has_two_colours else ()),
        (message("sim.step_lay"), (Stage.LAY, Stage.RETURN)),
        *((pivot,) if setup.is_pivot_last else ()),
    )
