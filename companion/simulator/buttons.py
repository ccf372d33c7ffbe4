"""The buttons on the screen. A mouse button keeps the contact closed while it is down."""

from __future__ import annotations

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Horizontal
from textual.message import Message
from textual.widgets import Static

from companion.games.marrakech import PIPS
from companion.i18n.message import Message as TableMessage
from companion.i18n.message import message
from companion.i18n.renderer import TextRenderer
from companion.simulator.controls import ROLL_KEY, ButtonId
from companion.table.inputs import Button
from companion.table.scenes.stage_scenes import LinkState

_BUTTON_LABELS: dict[ButtonId, str] = {
    Button.NORTH: "▲ N",
    Button.WEST: "◀ W",
    Button.EAST: "E ▶",
    Button.SOUTH: "▼ S",
    ROLL_KEY: "ROLL",
}
"""The same in every language."""


class ScreenButton(Static):
    """A button, or a die key on the pad or on the Pi's pins."""

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
        """The mouse button went down on the button, or up."""

        def __init__(self, button_id: ButtonId, *, is_down: bool) -> None:
            super().__init__()
            self.button_id = button_id
            self.is_down = is_down

    def __init__(self, button_id: ButtonId) -> None:
        name = button_id.value if isinstance(button_id, Button) else f"die-{button_id}"
        super().__init__(_BUTTON_LABELS.get(button_id, str(button_id)), id=name)
        self.button_id = button_id
        self._is_pressed = False

    def label(self, renderer: TextRenderer) -> None:
        """Write the keyboard keys onto OK and BACK, which have room for them."""
        hold = renderer.render(message("sim.hold"))
        if self.button_id is Button.OK:
            self.update(Text(f"OK\n{renderer.render(message('sim.enter'))}\nO {hold}"))
        elif self.button_id is Button.BACK:
            self.update(Text(f"BACK\n⌫\nB {hold}"))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        event.stop()
        self.capture_mouse()
        self._is_pressed = True
        self.post_message(self.Moved(self.button_id, is_down=True))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        event.stop()
        self.release()

    def release(self) -> None:
        """Release the button, also when the terminal loses the mouse."""
        if self._is_pressed:
            self._is_pressed = False
            self.release_mouse()
            self.post_message(self.Moved(self.button_id, is_down=False))


class PadLine(Static):
    """The die pad's state: its LED, and its link to the companion."""

    def show(
        self, renderer: TextRenderer, *, is_plugged_in: bool, is_lit: bool, link: LinkState
    ) -> None:
        led = Text("● ", "bold #ffd75f") if is_lit else Text("○ ", "#6f6255")
        ink = "#cdbfa6" if is_plugged_in and link is LinkState.UP else "#ffb48a"
        text = renderer.render(_pad_state(link, is_plugged_in=is_plugged_in))
        self.update(Text.assemble(led, (text, ink), no_wrap=True, overflow="ellipsis"))


def _pad_state(link: LinkState, *, is_plugged_in: bool) -> TableMessage:
    if not is_plugged_in:
        return message("sim.pad_off")
    match link:
        case LinkState.UP:
            return message("sim.pad_up")
        case LinkState.DOWN:
            return message("sim.pad_down")
        case LinkState.NONE:
            return message("sim.pad_none")


class Buttons(Container):
    """The direction buttons, OK and BACK, and the die keys below them."""

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

    def label(self, renderer: TextRenderer) -> None:
        """Update all text that depends on the language."""
        for button in self.query(ScreenButton):
            button.label(renderer)
        if not self._has_pad:
            self.pad_line.update(Text(renderer.render(message("sim.die_keys"))))

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
