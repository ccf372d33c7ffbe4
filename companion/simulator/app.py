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
from companion.adapters.hardware import VirtualHardware, pins_of
from companion.adapters.virtual.pad import VirtualPad
from companion.adapters.virtual.spi import Light
from companion.config.model import Config
from companion.control.table_language import TableLanguage
from companion.daemon.controller import TableView
from companion.daemon.trouble import lost_text
from companion.daemon.wiring import Table, open_table
from companion.errors import CompanionError
from companion.games.marrakech import PIPS
from companion.i18n.message import Message, message
from companion.simulator.banner import Banner
from companion.simulator.board import cardboard_of
from companion.simulator.buttons import Buttons, ScreenButton
from companion.simulator.controls import ROLL_KEY, Contact, Controls
from companion.simulator.faults import RECIPES, Fault, Faults
from companion.simulator.help import HelpScreen
from companion.simulator.layout import layout_for
from companion.simulator.market import Market
from companion.simulator.panel import WHITE, Panel
from companion.simulator.press_timing import TAP_MS, PressTiming
from companion.table.conversation import Conversation
from companion.table.inputs import Button
from companion.testing.moody_disk import MoodyDisk

if TYPE_CHECKING:
    from companion.adapters.hardware import MakePad
    from companion.simulator.remote_clients import AddressOf, PageLink, RemoteClients

LOOK_S = 1 / 30
"""How often to look whether the chip was sent anything."""
HOLD_LONGER_MS = 100
NARROWEST_PANEL = 27
LINES_AROUND = 2
"""The banner and the keys."""


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
        Binding("a,A", "page"),
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
        address_of: AddressOf | None = None,
    ) -> None:
        """With `address_of`, which says where the page is, others can reach the table as well."""
        super().__init__()
        self.config = config
        self.folder = folder
        self.origin = origin
        self.hardware = VirtualHardware(config, make_pad=make_pad)
        self.disk = MoodyDisk()
        wired = tuple(pins_of(config))
        self._layout = config.matrix.layout()
        self.hands = Controls(self.hardware, wired)
        self.faults = Faults(self.hands, self.hardware.spi, self.disk)
        self._hint = ""
        """Why the last thing done at the keyboard did nothing, or what it did unseen."""
        self._tongue = TableLanguage(config.language, self._note)
        self._speech = self._tongue.speech_by(config.game.booklet)
        self.table: Table | None = None
        self.stopped_by: BaseException | None = None
        """Why it had to stop, if it had to."""
        self._banner = Banner(self._speech)
        self._keys = Static(id="keys")
        self._market = Market()
        self._panel = Panel()
        self._buttons = Buttons(
            has_die=1 in wired, has_pad=make_pad is not None and config.pad.port != "none"
        )
        self._fingers: PressTiming | None = None
        self._under_mouse: dict[Button | int, Contact] = {}
        self._told = ""
        """What a visitor, or the way in for them, has to tell; until something happens."""
        self._told_at: Conversation | None = None
        self._address_of = address_of
        self._visitors: RemoteClients | None = None
        self._first: Conversation | None = None
        """What was shown first; with it goes what is told once."""
        self._told_once: list[Message] = []
        self._is_warned = False
        """Whether whoever wants to leave knows what is lost by it."""
        self._is_showing = False
        self._labelled_in = ""
        self._seen: tuple[object, ...] = ()
        self._looking: asyncio.TimerHandle | None = None

    def compose(self) -> ComposeResult:
        yield self._banner
        with Horizontal(id="body"):
            yield self._market
            with Vertical(id="side"):
                yield self._panel
                yield self._buttons
        yield self._keys

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
        self._fingers = PressTiming(loop, self.hands, self.faults)
        if table.cut_bytes:
            self._told_once = [message("sim.torn", count=table.cut_bytes)]
        self._first = table.daemon.view.conversation
        table.daemon.watch(self._changed)
        self._show()
        self._look()
        if self._address_of is not None:
            self.call_after_refresh(self._let_visitors_in, self._address_of)

    def _let_visitors_in(self, address_of: AddressOf) -> None:
        """Not before the first screen is drawn: it takes time, and nobody waits for it."""
        if self.table is None or not self.is_running:
            return
        from companion.simulator.remote_clients import RemoteClients

        self._visitors = RemoteClients(
            asyncio.get_running_loop(),
            self.table,
            self.config,
            self.hardware,
            self.folder,
            address_of,
            tell=self._tell,
            changed=self._changed,
        )
        self._visitors.start()

    def _note(self, text: str) -> None:
        """That a language cannot be read, perhaps before there is a screen."""
        self._hint = text

    def _tell(self, text: str) -> None:
        """What is no part of the game, in a line; it goes when something happens at the table."""
        assert self.table is not None
        self._told, self._told_at = text, self.table.daemon.view.conversation
        self._changed()

    def _stop_for(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Something of ours failed in a callback: better to stop than to play on by half."""
        self.stopped_by = context.get("exception") or RuntimeError(context["message"])
        self.exit()

    async def on_unmount(self) -> None:
        if self._visitors is not None:
            await self._visitors.close()
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
            self._hint = self._speech.say(message("sim.unsaved"))
            self._changed()
        elif daemon is not None and daemon.view.conversation.game is not None:
            kept = message("sim.stays", folder=str(self.folder))
            self.exit(message=Text(self._speech.say(kept)))
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
        self._hint = "" if contact is not None else self._speech.say(self._why_nothing(meant))
        self._changed()
        return contact

    def _why_nothing(self, meant: Button | int) -> Message:
        if self.hands.pad is None:
            return message("sim.roll_nowhere" if meant == ROLL_KEY else "sim.die_nowhere")
        return message("sim.roll_unplugged" if meant == ROLL_KEY else "sim.die_unplugged")

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
            self._hint = self._speech.say(message("sim.no_power" if has_pad else "sim.no_pad"))
        else:
            was_reset = self._speech.say(message("sim.pad_was_reset"))
            self._hint = was_reset if fault is Fault.RESET else ""
            self.faults.toggle(fault)
        self._changed()

    def action_page(self) -> None:
        from companion.simulator.page_screen import PageScreen

        if (sign := self._sign) is not None:
            self.push_screen(PageScreen(sign, self._speech))
            return
        is_off = self._address_of is None or not self.config.web.enabled
        self._hint = self._speech.say(message("sim.page_off" if is_off else "sim.page_none"))
        self._changed()

    @property
    def _sign(self) -> PageLink | None:
        return None if self._visitors is None else self._visitors.sign

    def action_help(self) -> None:
        about = [message("sim.kept", folder=str(self.folder))]
        if self.origin:
            about.append(message("sim.settings", file=self.origin))
        screen = HelpScreen(self.faults, self._speech.say_all(about), self._speech)
        self.push_screen(screen, self._toggle)

    # --- Showing ----------------------------------------------------------------------

    def _changed(self, _: TableView | None = None) -> None:
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
        if view.conversation is not self._told_at:
            self._told = ""
        self._speech = self._tongue.speech(view.conversation)
        self._label()
        self._panel.show(
            view,
            self._speech,
            told_once=list(map(self._speech.say, self._told_once)),
            faults=self.faults.listed(self._speech),
            hint=self._hint or self._told,
        )
        self._banner.show_page(self._sign.urls[0] if self._sign else None, self._speech)
        self._market.show_cardboard(cardboard_of(view.conversation), self._speech)
        self._show_contacts()

    def _label(self) -> None:
        """What stays the same until another language is spoken."""
        if self._labelled_in == self._speech.language:
            return
        self._labelled_in = self._speech.language
        keys = self._speech.say(message("sim.keys"))
        self._keys.update(Text(keys, no_wrap=True, overflow="ellipsis"))
        self._buttons.label(self._speech)

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
                self._speech,
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
            layout_for(width, height - LINES_AROUND, NARROWEST_PANEL + 1, self._layout.rail)
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
    address_of: AddressOf | None = None,
) -> int:
    """Play at a virtual table until somebody quits. What stopped it otherwise is raised."""
    app = Simulator(config, folder, origin=origin, make_pad=make_pad, address_of=address_of)
    try:
        app.run()
    finally:
        app.close()
    if app.stopped_by is not None:
        raise app.stopped_by
    if app.table is not None and (unsaved := app.table.daemon.unsaved_because) is not None:
        raise CompanionError(lost_text(unsaved))
    return app.return_code or 0
