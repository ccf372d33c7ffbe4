"""The panel beside the market: whose turn, what to do, what happened, who has what."""

from __future__ import annotations

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.color import Color
from textual.containers import Vertical
from textual.widgets import Static

from companion.daemon.controller import TableView
from companion.games.marrakech import Colour
from companion.i18n.message import Message, message
from companion.i18n.renderer import TextRenderer
from companion.simulator.canvas import Pixel, readable, style_of
from companion.simulator.palette import RUG, SWATCH, THREAD
from companion.simulator.players import players_table
from companion.table.conversation import Auditing, Conversation, Resuming, SettingUp, Stage
from companion.table.text.prompts import words_of

Step = tuple[Message, tuple[Stage, ...]]
"""What it is called, and the stages that belong to it."""
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
_WORDS = ("title", "phases", "todo", "refused", "news")
_BELOW = ("trouble", "hint", "faults", "players")
"""They stay in their place, whatever is said above."""
WHITE: Pixel = (255, 255, 255)
PLAIN: Pixel = (58, 47, 40)
"""The band of a title that is about nobody."""


class Panel(Vertical):
    """Words on top, which may be many; players below them."""

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
        self._parts = {part: Static(id=part) for part in (*_WORDS, *_BELOW)}

    def compose(self) -> ComposeResult:
        with Vertical(id="words"):
            yield from (self._parts[part] for part in _WORDS)
        yield from (self._parts[part] for part in _BELOW)

    def show(
        self,
        view: TableView,
        speech: TextRenderer,
        *,
        told_once: list[str],
        faults: list[str],
        hint: str = "",
    ) -> None:
        """Say all of it anew. `told_once` is told beside the news, `hint` by the keyboard."""
        conversation, say = view.conversation, speech.say
        words = words_of(conversation)
        todo = "\n".join(map(say, words.todo))
        news = [*map(say, words.news), *told_once]
        if conversation.stage is Stage.PUT_BACK:  # what was taken back is what to do
            todo, news = "\n".join((*map(say, words.news), todo)), []
        if view.shows_code:  # and not what to do, until it is put away
            todo = say(message("pair.shown"))
        self._show_title(conversation, say(words.title))
        self._say("phases", phases(conversation, speech))
        self._say("todo", todo)
        self._say("refused", f"✗ {say(view.refused)}" if view.refused else "")
        self._say("hint", f"☞ {hint}" if hint else "")
        self._say("trouble", "\n".join(f"! {say(told)}" for told in view.trouble))
        self._say("news", "\n".join(f"✓ {told}" for told in news))
        self._say("faults", "\n".join(f"⚡ {fault}" for fault in faults))
        width = self.content_size.width or 27
        self._say("players", players_table(conversation, speech, width))

    def _show_title(self, conversation: Conversation, said: str) -> None:
        """A band in the colour, and with the weave, of whoever it is about."""
        colour = colour_of(conversation)
        ground = PLAIN if colour is None else RUG[colour]
        text = Text(f" {said}", style_of(readable(WHITE, ground, 130), ground) + Style(bold=True))
        if colour is not None:
            text = Text(f" {SWATCH[colour]}", style_of(THREAD[colour], ground)) + text
        self._say("title", text)
        self._parts["title"].styles.background = Color(*ground)

    def _say(self, part: str, said: str | Text) -> None:
        widget = self._parts[part]
        widget.update(Text(said) if isinstance(said, str) else said)
        widget.display = bool(said)


def colour_of(conversation: Conversation) -> Colour | None:
    match conversation.page:
        case SettingUp() as page:
            is_seat = page.stage is Stage.COLOURS
            return page.seats[page.seat][0] if is_seat else None
        case Auditing() as page if page.stage in _ABOUT_ASSAM:
            return None
        case Auditing() as page:
            return conversation.playing.state.setup.players[page.player][0]
    state = conversation.playing.state
    if state.is_over:
        return state.setup.players[state.ranking()[0].player][0]
    return state.hand if state.hand is not None else state.setup.players[state.mover][0]


def phases(conversation: Conversation, speech: TextRenderer) -> Text:
    """Where we are, among what there is: `turn + roll › pay › lay`."""
    text = Text()
    for number, (name, stages) in enumerate(_steps(conversation)):
        if number:
            text.append(" › ", "#6f6255")
        is_now = conversation.stage in stages
        text.append(speech.say(name), "bold #231815 on #e9cf8f" if is_now else "#9a8c79")
    return text


def _steps(conversation: Conversation) -> tuple[Step, ...]:
    match conversation.page:
        case SettingUp():
            return _SETTING_UP
        case Auditing():
            return _AUDIT
        case Resuming():
            return ()
    if conversation.stage in (Stage.OVER, Stage.PUT_BACK):
        return ()
    setup = conversation.playing.state.setup
    first: Step = (message("sim.step_turn_roll"), (Stage.ORIENT, Stage.ROLL))
    if setup.pivots_last:
        first = (message("sim.step_roll"), (Stage.ROLL,))
    draw = (message("sim.step_draw"), (Stage.DRAW,))
    pivot = (message("sim.step_pivot"), (Stage.PIVOT,))
    return (
        first,
        (message("sim.step_pay"), (Stage.PAY,)),
        *((draw,) if setup.has_two_colours else ()),
        (message("sim.step_lay"), (Stage.LAY, Stage.RETURN)),
        *((pivot,) if setup.pivots_last else ()),
    )
