"""The buttons on the screen: a mouse that is down on one holds its contact closed."""

from __future__ import annotations

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Horizontal
from textual.message import Message
from textual.widgets import Static

from companion.games.marrakech import PIPS
from companion.i18n.message import Message as Said
from companion.i18n.message import message
from companion.i18n.renderer import TextRenderer
from companion.simulator.controls import ROLL_KEY
from companion.table.inputs import Button
from companion.table.scenes.stage_scenes import Link

_FACES: dict[Button | int, str] = {
    Button.NORTH: "▲ N",
    Button.WEST: "◀ W",
    Button.EAST: "E ▶",
    Button.SOUTH: "▼ S",
    ROLL_KEY: "ROLL",
}
"""As they are written on the buttons, in every language."""


class ScreenButton(Static):
    """One button, or a key of the die: of the pad, or wired to the Pi."""

    DEFAULT_CSS = """
    ScreenButton {
        background: #4a3d33; color: #f2e6cf; text-style: bold;
        width: 1fr; height: 100%; text-align: center; content-align: center middle;
    }
    ScreenButton:hover { background: #63513f; }
    ScreenButton.-down { background: #ffe9b0; color: #231815; }
    ScreenButton.-stuck { background: #b3261e; color: #ffffff; }
    ScreenButton.-off { background: #231c18; color: #6f6255; }
    ScreenButton#ok { background: #2f5d46; }
    ScreenButton#back { background: #5d3a35; }
    ScreenButton#ok.-down, ScreenButton#back.-down { background: #ffe9b0; }
    ScreenButton#ok.-stuck, ScreenButton#back.-stuck { background: #b3261e; }
    """

    class Moved(Message):
        """The mouse went down on it, or up again."""

        def __init__(self, meant: Button | int, *, is_down: bool) -> None:
            super().__init__()
            self.meant = meant
            self.is_down = is_down

    def __init__(self, meant: Button | int) -> None:
        name = meant.value if isinstance(meant, Button) else f"die-{meant}"
        super().__init__(_FACES.get(meant, str(meant)), id=name)
        self.meant = meant
        self._is_held = False

    def label(self, speech: TextRenderer) -> None:
        """OK and BACK have room for the keys that press and hold them."""
        hold = speech.say(message("sim.hold"))
        if self.meant is Button.OK:
            self.update(Text(f"OK\n{speech.say(message('sim.enter'))}\nO {hold}"))
        elif self.meant is Button.BACK:
            self.update(Text(f"BACK\n⌫\nB {hold}"))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        event.stop()
        self.capture_mouse()
        self._is_held = True
        self.post_message(self.Moved(self.meant, is_down=True))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        event.stop()
        self.let_go()

    def let_go(self) -> None:
        """Also when the mouse is gone for another reason: a button must not stay held."""
        if self._is_held:
            self._is_held = False
            self.release_mouse()
            self.post_message(self.Moved(self.meant, is_down=False))


class PadLine(Static):
    """How the die pad is: its LED, and whether the companion hears it."""

    def show(self, speech: TextRenderer, *, is_plugged_in: bool, is_lit: bool, link: Link) -> None:
        led = Text("● ", "bold #ffd75f") if is_lit else Text("○ ", "#6f6255")
        ink = "#cdbfa6" if is_plugged_in and link is Link.UP else "#ffb48a"
        said = speech.say(_pad_state(link, is_plugged_in=is_plugged_in))
        self.update(Text.assemble(led, (said, ink), no_wrap=True, overflow="ellipsis"))


def _pad_state(link: Link, *, is_plugged_in: bool) -> Said:
    if not is_plugged_in:
        return message("sim.pad_off")
    match link:
        case Link.UP:
            return message("sim.pad_up")
        case Link.DOWN:
            return message("sim.pad_down")
        case Link.NONE:
            return message("sim.pad_none")


class Buttons(Container):
    """A compass, OK and BACK, and under them the keys of the die."""

    DEFAULT_CSS = """
    Buttons { height: auto; margin: 1 1 0 0; }
    Buttons #compass {
        layout: grid; grid-size: 5 3; grid-columns: 1fr 1fr 1fr 2fr 2fr; grid-gutter: 0 1;
        height: 3;
    }
    Buttons #ok, Buttons #back { row-span: 3; }
    Buttons #pad { height: 1; color: #b5a68f; }
    Buttons #die { height: 1; }
    Buttons #die ScreenButton { margin: 0 0 0 1; }
    Buttons #die #die-1 { margin: 0; }
    Buttons #die #die-5 { width: 2fr; }
    Buttons.-lofty { margin: 1 1 1 0; }
    Buttons.-roomy #compass { height: 9; }
    Buttons.-roomy #die { height: 3; }
    Buttons.-lofty #pad { height: 2; padding: 1 0 0 0; }
    """

    def __init__(self, *, has_die: bool, has_pad: bool) -> None:
        super().__init__()
        self._has_die = has_die
        self._has_pad = has_pad
        self.pad_line = PadLine(id="pad")

    def label(self, speech: TextRenderer) -> None:
        """Whatever is written on it in words."""
        for button in self.query(ScreenButton):
            button.label(speech)
        if not self._has_pad:
            self.pad_line.update(Text(speech.say(message("sim.die_keys"))))

    def compose(self) -> ComposeResult:
        with Container(id="compass"):
            yield Static()
            yield ScreenButton(Button.NORTH)
            yield Static()
            yield ScreenButton(Button.OK)
            yield ScreenButton(Button.BACK)
            yield ScreenButton(Button.WEST)
            yield Static()
            yield ScreenButton(Button.EAST)
            yield Static()
            yield ScreenButton(Button.SOUTH)
        if not (self._has_die or self._has_pad):
            return
        yield self.pad_line
        with Horizontal(id="die"):
            for pips in PIPS:
                yield ScreenButton(pips)
            if self._has_pad:
                yield ScreenButton(ROLL_KEY)
