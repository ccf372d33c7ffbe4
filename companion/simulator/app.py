"""The simulator: the laptop's face of a virtual table.

It runs the very daemon, on its own loop. Keyboard and mouse close the mock pins and the keys of a
virtual die pad, the light is read from the virtual chip, words and money are what the daemon shows:
nothing here knows the rules.
"""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from companion.adapters.die import Chance
from companion.adapters.virtual_pad import VirtualPad
from companion.adapters.virtual_spi import Light
from companion.daemon.config import Config
from companion.daemon.daemon import View
from companion.daemon.hardware import VirtualHardware, pins_of
from companion.daemon.reading import torn_text
from companion.daemon.trouble import lost_text
from companion.daemon.wiring import Table, open_table
from companion.errors import CompanionError
from companion.games.marrakech import PIPS
from companion.simulator.banner import Banner
from companion.simulator.board import cardboard_of
from companion.simulator.buttons import Buttons, ScreenButton
from companion.simulator.faults import RECIPES, Fault, Faults
from companion.simulator.fingers import TAP_MS, Fingers
from companion.simulator.hands import ROLL_KEY, Contact, Hands
from companion.simulator.help import HelpScreen
from companion.simulator.market import Market
from companion.simulator.moody_disk import MoodyDisk
from companion.simulator.panel import WHITE, Panel
from companion.simulator.plan import plan_for
from companion.table.inputs import Button
from companion.table.pages import Conversation

if TYPE_CHECKING:
    from companion.daemon.hardware import MakePad

LOOK_S = 1 / 30
"""How often to look whether the chip was sent anything."""
HOLD_LONGER_MS = 100
NARROWEST_PANEL = 27
LINES_AROUND = 2
"""The banner and the keys."""
_KEYS = "arrows · enter OK · ⌫ BACK · 1-4 die · R roll · O/B/P hold · F1 help · q quit"


def plug_in_virtual_pad(loop: asyncio.AbstractEventLoop) -> VirtualPad:
    """The die pad that is there unless another is asked for."""
    return VirtualPad(loop, Chance().roll)


class Simulator(App[None]):
    """One virtual table, from opening it to closing it."""

    TITLE = "Marrakech"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    CSS = """
    Screen { background: #171311; color: #f2e6cf; }
    HelpScreen { background: rgba(10, 8, 7, 0.7); }
    #body { height: 1fr; }
    #side { width: 1fr; height: 100%; }
    #keys { dock: bottom; height: 1; background: #2a221d; color: #b5a68f; padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "tap('NORTH')"),
        Binding("right", "tap('EAST')"),
        Binding("down", "tap('SOUTH')"),
        Binding("left", "tap('WEST')"),
        Binding("enter,space", "tap('OK')"),
        Binding("backspace", "tap('BACK')"),
        Binding("O", "hold('OK')"),
        Binding("B", "hold('BACK')"),
        Binding("P", "hold_both"),
        *(Binding(str(pips), f"tap_die({pips})") for pips in PIPS),
        Binding("r,R", f"tap_die({ROLL_KEY})"),
        *(Binding(recipe.key, f"fault('{fault.name}')") for fault, recipe in RECIPES.items()),
        Binding("f1,question_mark", "help"),
        Binding("q", "quit"),
        Binding("ctrl+q,ctrl+c", "quit", priority=True),
    ]

    def __init__(
        self,
        config: Config,
        folder: Path,
        *,
        origin: str = "",
        make_pad: MakePad | None = plug_in_virtual_pad,
    ) -> None:
        super().__init__()
        self.config = config
        self.folder = folder
        self.origin = origin
        self.hardware = VirtualHardware(config, make_pad=make_pad)
        self.disk = MoodyDisk()
        wired = tuple(pins_of(config))
        self._layout = config.matrix.layout()
        self.hands = Hands(self.hardware, wired)
        self.faults = Faults(self.hands, self.hardware.spi, self.disk)
        self.table: Table | None = None
        self.stopped_by: BaseException | None = None
        """Why it had to stop, if it had to."""
        self._market = Market()
        self._panel = Panel()
        self._buttons = Buttons(
            has_die=1 in wired, has_pad=make_pad is not None and config.pad.port != "none"
        )
        self._fingers: Fingers | None = None
        self._under_mouse: dict[Button | int, Contact] = {}
        self._hint = ""
        """Why the last thing done at the keyboard did nothing, or what it did unseen."""
        self._first: Conversation | None = None
        """What was shown first; with it goes what is told once."""
        self._told_once: list[str] = []
        self._is_warned = False
        """Whether whoever wants to leave knows what is lost by it."""
        self._is_showing = False
        self._seen: tuple[object, ...] = ()
        self._looking: asyncio.TimerHandle | None = None

    def compose(self) -> ComposeResult:
        yield Banner()
        with Horizontal(id="body"):
            yield self._market
            with Vertical(id="side"):
                yield self._panel
                yield self._buttons
        yield Static(Text(_KEYS, no_wrap=True, overflow="ellipsis"), id="keys")

    # --- Opening and closing ----------------------------------------------------------

    def on_mount(self) -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._stop_for)
        for number in (signal.SIGHUP, signal.SIGTERM):
            loop.add_signal_handler(number, self.exit)
        try:
            table = open_table(loop, self.config, self.hardware, self.folder, disk=self.disk)
        except (CompanionError, OSError) as error:
            self.stopped_by = error
            self.exit()
            return
        self.table = table
        self._fingers = Fingers(loop, self.hands, self.faults)
        if table.cut_bytes:
            self._told_once = [f"{torn_text(table.cut_bytes, is_cut=True).capitalize()}."]
        self._first = table.daemon.view.conversation
        table.daemon.watch(self._changed)
        self._show()
        self._look()

    def _stop_for(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Something of ours failed in a callback: better to stop than to play on by half."""
        self.stopped_by = context.get("exception") or RuntimeError(context["message"])
        self.exit()

    def on_unmount(self) -> None:
        self.close()

    def close(self) -> None:
        """Take the table apart; twice is no trouble."""
        if self._looking is not None:
            self._looking.cancel()
        if self._fingers is not None:
            self._fingers.close()
        if self.table is not None:
            self.table.close()
        if self.hardware.pad is not None:
            self.hardware.pad.close()

    async def action_quit(self) -> None:
        """The game is in the journal; say where. What is not saved is not left without a word."""
        daemon = None if self.table is None else self.table.daemon
        if daemon is not None and daemon.unsaved_because is not None:
            if self._is_warned:
                self.exit()
            self._is_warned = True
            self._hint = "NOT SAVED: what was told last is lost if you leave. q leaves."
            self._changed()
        elif daemon is not None and daemon.view.conversation.game is not None:
            kept = Text(f"The game stays in {self.folder}: the next start goes on with it.")
            self.exit(message=kept)
        else:
            self.exit()

    # --- Hands ------------------------------------------------------------------------

    def action_tap(self, button: str) -> None:
        self._tap(Button[button], TAP_MS)

    def action_tap_die(self, pips: int) -> None:
        self._tap(pips, TAP_MS)

    def action_hold(self, button: str) -> None:
        self._tap(Button[button], self.config.buttons.hold_ms + HOLD_LONGER_MS)

    def action_hold_both(self) -> None:
        """Two fingers at once, for the code for phones."""
        self.action_hold(Button.OK.name)
        self.action_hold(Button.BACK.name)

    def _tap(self, meant: Button | int, ms: float) -> None:
        if self._fingers is not None and (contact := self._find(meant)) is not None:
            self._fingers.tap(contact, ms)

    def _find(self, meant: Button | int) -> Contact | None:
        """The contact that is meant, if there is one; else it is said why there is none."""
        contact = meant if isinstance(meant, Button) else self.hands.die(meant)
        self._hint = "" if contact is not None else self._why_nothing(meant)
        self._changed()
        return contact

    def _why_nothing(self, meant: Button | int) -> str:
        name = "ROLL is" if meant == ROLL_KEY else "The keys of the die are"
        if self.hands.pad is None:
            return f"{name} on a die pad, and there is none here."
        return f"{name} on the die pad: plug it in (F8)."

    def on_screen_button_moved(self, event: ScreenButton.Moved) -> None:
        if self._fingers is None:
            return
        if not event.is_down:
            if (contact := self._under_mouse.pop(event.meant, None)) is not None:
                self._fingers.lift(contact)
        elif (contact := self._find(event.meant)) is not None:
            self._under_mouse[event.meant] = contact
            self._fingers.press(contact)
        self._changed()

    def on_app_blur(self, _: events.AppBlur) -> None:
        """The mouse may come up where nobody tells."""
        for button in self._buttons.query(ScreenButton):
            button.let_go()

    # --- Faults and help --------------------------------------------------------------

    def action_fault(self, name: str) -> None:
        self._toggle(Fault[name])

    def _toggle(self, fault: Fault | None) -> None:
        if fault is None:
            return
        if not self.faults.is_possible(fault):
            has_pad = self.hands.pad is not None
            self._hint = "The die pad has no power: F8." if has_pad else "There is no die pad here."
        else:
            self._hint = "The die pad was reset." if fault is Fault.RESET else ""
            self.faults.toggle(fault)
        self._changed()

    def action_help(self) -> None:
        about = f"Games are kept in {self.folder}."
        if self.origin:
            about += f" Settings: {self.origin}."
        self.push_screen(HelpScreen(self.faults, about), self._toggle)

    # --- Showing ----------------------------------------------------------------------

    def _changed(self, _: View | None = None) -> None:
        """Show soon what there is then: a press may change the view several times."""
        if not self._is_showing:
            self._is_showing = True
            self.call_later(self._show)

    def _show(self) -> None:
        self._is_showing = False
        if self.table is None or not self._panel.is_attached:
            return
        view = self.table.daemon.view
        if view.conversation is not self._first:
            self._told_once = []
        self._panel.show(
            view, told_once=self._told_once, faults=self.faults.listed(), hint=self._hint
        )
        self._market.show_cardboard(cardboard_of(view.conversation))
        self._show_contacts()

    def _look(self) -> None:
        """Cheap while nothing happens: a count of transfers, the contacts and the pad's LED."""
        self._looking = asyncio.get_running_loop().call_later(LOOK_S, self._look)
        if not self._market.is_attached:
            return
        seen = (
            self.hardware.spi.transfers,  # before the light: what comes in between is seen next
            *map(self._is_down, self._buttons.query(ScreenButton)),
            self.hands.is_pad_plugged_in,
            self._is_pad_lit(),
        )
        if seen != self._seen:
            self._seen = seen
            self._market.show_light(self._light())
            self._show_contacts()

    def _light(self) -> Light:
        """What the chip shows. Where there are only greys, red would be a dark one."""
        light = self._layout.read(self.hardware.chip.light())
        return tuple(WHITE if any(led) else led for led in light) if self.no_color else light

    def _show_contacts(self) -> None:
        for button in self._buttons.query(ScreenButton):
            contact = self._contact_of(button)
            button.set_class(self._is_down(button), "-down")
            button.set_class(contact in self.faults.stuck, "-stuck")
            button.set_class(contact is None, "-off")
        pad, table = self.hands.pad, self.table
        if pad is not None and table is not None:
            self._buttons.pad_line.show(
                pad.kind,
                is_plugged_in=self.hands.is_pad_plugged_in,
                is_lit=self._is_pad_lit(),
                link=table.daemon.view.status.link,
            )

    def _contact_of(self, button: ScreenButton) -> Contact | None:
        """What it presses, or would."""
        meant = button.meant
        if isinstance(meant, Button):
            return meant
        return self._under_mouse.get(meant, self.hands.die(meant))

    def _is_down(self, button: ScreenButton) -> bool:
        contact = self._contact_of(button)
        return contact is not None and self.hands.is_down(contact)

    def _is_pad_lit(self) -> bool:
        return self.hands.pad is not None and self.hands.pad.led()

    def on_resize(self, event: events.Resize) -> None:
        width, height = event.size
        self._market.fit(
            plan_for(width, height - LINES_AROUND, NARROWEST_PANEL + 1, self._layout.rail)
        )
        self._buttons.set_class(height >= 32, "-lofty")
        self._buttons.set_class(height >= 40, "-roomy")
        self._panel.set_class(height < 31, "-tight")
        self.call_after_refresh(self._show)


def run_simulator(
    config: Config,
    folder: Path,
    *,
    origin: str = "",
    make_pad: MakePad | None = plug_in_virtual_pad,
) -> int:
    """Play at a virtual table until somebody quits. What stopped it otherwise is raised."""
    app = Simulator(config, folder, origin=origin, make_pad=make_pad)
    try:
        app.run()
    finally:
        app.close()
    if app.stopped_by is not None:
        raise app.stopped_by
    if app.table is not None and (unsaved := app.table.daemon.unsaved_because) is not None:
        raise CompanionError(lost_text(unsaved))
    return app.return_code or 0
