"""The buttons on the screen: a mouse that is down on one holds its contact closed."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Horizontal
from textual.message import Message
from textual.widgets import Static

from companion.games.marrakech import PIPS
from companion.simulator.fingers import Contact
from companion.table.inputs import Button

_FACES: dict[Contact, str] = {
    Button.NORTH: "▲ N",
    Button.WEST: "◀ W",
    Button.EAST: "E ▶",
    Button.SOUTH: "▼ S",
    Button.OK: "OK\nenter\nO hold",
    Button.BACK: "BACK\n⌫\nB hold",
}


class Pad(Static):
    """One button."""

    DEFAULT_CSS = """
    Pad {
        background: #4a3d33; color: #f2e6cf; text-style: bold;
        width: 1fr; height: 100%; text-align: center; content-align: center middle;
    }
    Pad:hover { background: #63513f; }
    Pad.-down { background: #ffe9b0; color: #231815; }
    Pad.-stuck { background: #b3261e; color: #ffffff; }
    Pad#ok { background: #2f5d46; }
    Pad#back { background: #5d3a35; }
    Pad#ok.-down, Pad#back.-down { background: #ffe9b0; }
    Pad#ok.-stuck, Pad#back.-stuck { background: #b3261e; }
    """

    class Moved(Message):
        """The mouse went down on it, or up again."""

        def __init__(self, contact: Contact, *, is_down: bool) -> None:
            super().__init__()
            self.contact = contact
            self.is_down = is_down

    def __init__(self, contact: Contact) -> None:
        name = contact.value if isinstance(contact, Button) else f"die-{contact}"
        super().__init__(_FACES.get(contact, str(contact)), id=name)
        self.contact = contact
        self._is_held = False

    def on_mouse_down(self, event: events.MouseDown) -> None:
        event.stop()
        self.capture_mouse()
        self._is_held = True
        self.post_message(self.Moved(self.contact, is_down=True))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        event.stop()
        self.let_go()

    def let_go(self) -> None:
        """Also when the mouse is gone for another reason: a button must not stay held."""
        if self._is_held:
            self._is_held = False
            self.release_mouse()
            self.post_message(self.Moved(self.contact, is_down=False))


class Pads(Container):
    """A compass, OK and BACK, and under them the keys of the die."""

    DEFAULT_CSS = """
    Pads { height: auto; margin: 1 1 0 0; }
    Pads #compass {
        layout: grid; grid-size: 5 3; grid-columns: 1fr 1fr 1fr 2fr 2fr; grid-gutter: 0 1;
        height: 3;
    }
    Pads #ok, Pads #back { row-span: 3; }
    Pads #die { height: 1; margin: 1 0 0 0; }
    Pads #die Pad { margin: 0 0 0 1; }
    Pads #die #die-name { width: 4; color: #b5a68f; }
    Pads.-lofty { margin: 1 1 1 0; }
    Pads.-roomy #compass { height: 9; }
    Pads.-roomy #die { height: 3; }
    Pads.-roomy #die #die-name { padding: 1 0 0 0; }
    """

    def __init__(self, has_die: bool) -> None:
        super().__init__()
        self._has_die = has_die

    def compose(self) -> ComposeResult:
        with Container(id="compass"):
            yield Static()
            yield Pad(Button.NORTH)
            yield Static()
            yield Pad(Button.OK)
            yield Pad(Button.BACK)
            yield Pad(Button.WEST)
            yield Static()
            yield Pad(Button.EAST)
            yield Static()
            yield Pad(Button.SOUTH)
        if self._has_die:
            with Horizontal(id="die"):
                yield Static("die", id="die-name")
                for pips in PIPS:
                    yield Pad(pips)
