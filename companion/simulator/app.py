"""The simulator: a Textual app with the real daemon on virtual hardware.

The daemon runs on the app's event loop. Keyboard and mouse close mock pins and keys of a virtual
die pad, the LEDs are read from the virtual chip, and text and money come from the controller's
view. Nothing here knows the rules.
"""

from __future__ import annotations

import asyncio
import logging
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from companion.adapters.die import SystemRandomSource
from companion.adapters.hardware import VirtualHardware, pins_of
from companion.adapters.virtual.pad import VirtualPad
from companion.adapters.virtual.spi import Light
from companion.config.model import Config
from companion.control.table_language import TableLanguage
from companion.daemon.trouble import lost_text
from companion.daemon.wiring import Table, open_table
from companion.errors import CompanionError
from companion.i18n.message import Message, message
from companion.logs import ROOT
from companion.simulator.banner import Banner
from companion.simulator.board_view.board import cardboard_of
from companion.simulator.board_view.layout import layout_for
from companion.simulator.board_view.market import Market
from companion.simulator.buttons import Buttons, ScreenButton
from companion.simulator.controls import ButtonId, Controls
from companion.simulator.faults import Fault, Faults
from companion.simulator.help import HelpScreen
from companion.simulator.keymap import KEY_BINDINGS
from companion.simulator.log_handler import LogHandler
from companion.simulator.notices import Notices
from companion.simulator.panel import WHITE, Panel
from companion.simulator.press_timing import TAP_MS, PressTiming
from companion.simulator.presses import Presses
from companion.table.inputs import Button
from companion.table.view import TableView
from companion.testing.faulty_filesystem import FaultyFilesystem

if TYPE_CHECKING:
    from companion.adapters.hardware import MakePad
    from companion.simulator.remote_clients import AddressOf, PageLink, RemoteClients

POLL_INTERVAL_S = 1 / 30
HOLD_MARGIN_MS = 100
MIN_PANEL_WIDTH = 27
BAR_LINES = 2
"""The banner at the top and the key bar at the bottom."""


def connect_virtual_pad(loop: asyncio.AbstractEventLoop) -> VirtualPad:
    """The default die pad."""
    return VirtualPad(loop, SystemRandomSource().roll)


class Simulator(App[None]):
    """The screen of `marrakech play`. Opens a table on mount and closes it on unmount."""

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
    BINDINGS: ClassVar[list[BindingType]] = KEY_BINDINGS

    def __init__(
        self,
        config: Config,
        folder: Path,
        *,
        origin: str = "",
        make_pad: MakePad | None = connect_virtual_pad,
        address_of: AddressOf | None = None,
    ) -> None:
        """With `address_of`, opens the control socket and serves the page for phones too."""
        super().__init__()
        self.config = config
        self.folder = folder
        self.origin = origin
        self.hardware = VirtualHardware(config, make_pad=make_pad)
        self.filesystem = FaultyFilesystem()
        wired = tuple(pins_of(config))
        self._matrix_layout = config.matrix.layout()
        self.controls = Controls(self.hardware, wired)
        self.faults = Faults(self.controls, self.hardware.spi, self.filesystem)
        self._notices = Notices()
        self.table: Table | None = None
        self._table_language = TableLanguage(config.language)
        self._log_handler = LogHandler(self._show_log_line)
        logging.getLogger(ROOT).addHandler(self._log_handler)
        self._renderer = self._table_language.renderer_for_booklet(config.game.booklet)
        self.stopped_by: BaseException | None = None
        """The error that stopped the simulator, if any."""
        self._banner = Banner(self._renderer)
        self._key_bar = Static(id="keys")
        self._market = Market()
        self._panel = Panel()
        self._buttons = Buttons(
            has_die=1 in wired, has_pad=make_pad is not None and config.pad.port != "none"
        )
        self._presses: Presses | None = None
        self._address_of = address_of
        self._remote_clients: RemoteClients | None = None
        self._is_warned_of_loss = False
        self._is_update_scheduled = False
        self._label_language = ""
        self._polled: tuple[object, ...] = ()
        self._poll_timer: asyncio.TimerHandle | None = None

    def compose(self) -> ComposeResult:
        yield self._banner
        with Horizontal(id="body"):
            yield self._market
            with Vertical(id="side"):
                yield self._panel
                yield self._buttons
        yield self._key_bar

    # --- Opening and closing ----------------------------------------------------------

    def on_mount(self) -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._stop_on_error)
        for number in (signal.SIGHUP, signal.SIGTERM):
            loop.add_signal_handler(number, self.exit)
        try:
            table = open_table(
                loop, self.config, self.hardware, self.folder, filesystem=self.filesystem
            )
        except (CompanionError, OSError) as error:
            self.stopped_by = error
            self.exit()
            return
        self.table = table
        self._presses = Presses(self.controls, PressTiming(loop, self.controls, self.faults))
        if table.torn_bytes:
            torn = message("sim.torn", count=table.torn_bytes)
            self._notices.show_start_messages((torn,), table.controller.view.conversation)
        table.controller.watch(self._update_screen_soon)
        self._update_screen()
        self._poll_hardware()
        if self._address_of is not None:
            self.call_after_refresh(self._start_remote_clients, self._address_of)

    def _start_remote_clients(self, address_of: AddressOf) -> None:
        """Called after the first screen is drawn, because starting them takes time."""
        if self.table is None or not self.is_running:
            return
        from companion.simulator.remote_clients import RemoteClients

        self._remote_clients = RemoteClients(
            asyncio.get_running_loop(),
            self.table,
            self.config,
            self.hardware,
            self.folder,
            address_of,
            on_change=self._update_screen_soon,
        )
        self._remote_clients.start()

    def _show_log_line(self, text: str) -> None:
        if self.table is None:
            self._notices.hint = text
            return
        self._notices.show_log_line(text, self.table.controller.view.conversation)
        self._update_screen_soon()

    def _stop_on_error(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Exit when a callback fails, because the table may be in an inconsistent state."""
        self.stopped_by = context.get("exception") or RuntimeError(context["message"])
        self.exit()

    async def on_unmount(self) -> None:
        if self._remote_clients is not None:
            await self._remote_clients.close()
        self.close()

    def close(self) -> None:
        """Close the table and the virtual pad. Idempotent."""
        if self._poll_timer is not None:
            self._poll_timer.cancel()
        if self._presses is not None:
            self._presses.close()
        if self.table is not None:
            self.table.close()
        if self.hardware.pad is not None:
            self.hardware.pad.close()
        logging.getLogger(ROOT).removeHandler(self._log_handler)

    async def action_quit(self) -> None:
        """Exit and print where the game is saved. If it is not saved, warn first."""
        controller = None if self.table is None else self.table.controller
        if controller is not None and controller.unsaved_error is not None:
            if self._is_warned_of_loss:
                self.exit()
            self._is_warned_of_loss = True
            self._show_hint(message("sim.unsaved"))
        elif controller is not None and controller.view.conversation.game is not None:
            saved = message("sim.stays", folder=str(self.folder))
            self.exit(message=Text(self._renderer.render(saved)))
        else:
            self.exit()

    # --- Buttons and die --------------------------------------------------------------

    def action_tap(self, button: str) -> None:
        self._tap(Button[button], TAP_MS)

    def action_tap_die(self, pips: int) -> None:
        self._tap(pips, TAP_MS)

    def action_hold(self, button: str) -> None:
        self._tap(Button[button], self.config.buttons.hold_ms + HOLD_MARGIN_MS)

    def action_hold_both(self) -> None:
        """Hold OK and BACK together, which shows the pairing code."""
        self.action_hold(Button.OK.name)
        self.action_hold(Button.BACK.name)

    def _tap(self, button_id: ButtonId, ms: float) -> None:
        if self._presses is not None:
            self._show_hint(self._presses.tap(button_id, ms))

    def on_screen_button_moved(self, event: ScreenButton.Moved) -> None:
        if self._presses is None:
            return
        if event.is_down:
            self._show_hint(self._presses.press(event.button_id))
        else:
            self._presses.release(event.button_id)
            self._update_screen_soon()

    def on_app_blur(self, _: events.AppBlur) -> None:
        """Release all buttons, because the mouse may go up outside the terminal."""
        for button in self._buttons.query(ScreenButton):
            button.release()

    # --- Faults, page and help --------------------------------------------------------

    def action_fault(self, name: str) -> None:
        self._toggle_fault(Fault[name])

    def _toggle_fault(self, fault: Fault | None) -> None:
        if fault is None:
            return
        if not self.faults.is_possible(fault):
            has_pad = self.controls.pad is not None
            self._show_hint(message("sim.no_power" if has_pad else "sim.no_pad"))
        else:
            self._show_hint(message("sim.pad_was_reset") if fault is Fault.RESET else None)
            self.faults.toggle(fault)

    def action_page(self) -> None:
        from companion.simulator.page_screen import PageScreen

        if (page_link := self._page_link) is not None:
            self.push_screen(PageScreen(page_link, self._renderer))
            return
        is_off = self._address_of is None or not self.config.web.enabled
        self._show_hint(message("sim.page_off" if is_off else "sim.page_none"))

    @property
    def _page_link(self) -> PageLink | None:
        return None if self._remote_clients is None else self._remote_clients.link

    def action_help(self) -> None:
        about = [message("sim.kept", folder=str(self.folder))]
        if self.origin:
            about.append(message("sim.settings", file=self.origin))
        screen = HelpScreen(self.faults, self._renderer.render_all(about), self._renderer)
        self.push_screen(screen, self._toggle_fault)

    def _show_hint(self, hint: Message | None) -> None:
        self._notices.hint = "" if hint is None else self._renderer.render(hint)
        self._update_screen_soon()

    # --- Updating the screen ----------------------------------------------------------

    def _update_screen_soon(self, _: TableView | None = None) -> None:
        """Schedule one update, because a press may change the view several times."""
        if not self._is_update_scheduled:
            self._is_update_scheduled = True
            self.call_later(self._update_screen)

    def _update_screen(self) -> None:
        self._is_update_scheduled = False
        if self.table is None or not self._panel.is_attached:
            return
        view, notices = self.table.controller.view, self._notices
        notices.remove_outdated(view.conversation)
        self._renderer = self._table_language.renderer(view.conversation)
        self._update_labels()
        self._panel.show(
            view,
            self._renderer,
            start_messages=list(map(self._renderer.render, notices.start_messages)),
            faults=self.faults.descriptions(self._renderer),
            hint=notices.hint or notices.log_line,
        )
        page_link = self._page_link
        self._banner.show_page(page_link.urls[0] if page_link else None, self._renderer)
        self._market.show_cardboard(cardboard_of(view.conversation), self._renderer)
        self._update_buttons()

    def _update_labels(self) -> None:
        """Update the text that depends on the language only."""
        if self._label_language == self._renderer.language:
            return
        self._label_language = self._renderer.language
        keys = self._renderer.render(message("sim.keys"))
        self._key_bar.update(Text(keys, no_wrap=True, overflow="ellipsis"))
        self._buttons.label(self._renderer)

    def _poll_hardware(self) -> None:
        """Redraw if the chip received data, a contact moved, or the pad or its LED changed."""
        self._poll_timer = asyncio.get_running_loop().call_later(
            POLL_INTERVAL_S, self._poll_hardware
        )
        if not self._market.is_attached:
            return
        polled = (
            self.hardware.spi.transfers,  # read before the LEDs, so that no transfer is missed
            *map(self._is_down, self._buttons.query(ScreenButton)),
            self.controls.is_pad_plugged_in,
            self._is_pad_lit(),
        )
        if polled != self._polled:
            self._polled = polled
            self._market.show_light(self._light())
            self._update_buttons()

    def _light(self) -> Light:
        """The LEDs of the chip; white without colours, because red would be a dark grey."""
        light = self._matrix_layout.from_chip(self.hardware.chip.light())
        return tuple(WHITE if any(led) else led for led in light) if self.no_color else light

    def _update_buttons(self) -> None:
        if self.table is None or self._presses is None:
            return
        for button in self._buttons.query(ScreenButton):
            contact = self._presses.contact_of(button.button_id)
            button.set_class(self._is_down(button), "-down")
            button.set_class(contact in self.faults.stuck, "-stuck")
            button.set_class(contact is None, "-off")
        if self.controls.pad is not None:
            self._buttons.pad_line.show(
                self._renderer,
                is_plugged_in=self.controls.is_pad_plugged_in,
                is_lit=self._is_pad_lit(),
                link=self.table.controller.view.status.link,
            )

    def _is_down(self, button: ScreenButton) -> bool:
        return self._presses is not None and self._presses.is_down(button.button_id)

    def _is_pad_lit(self) -> bool:
        return self.controls.pad is not None and self.controls.pad.is_led_on()

    def on_resize(self, event: events.Resize) -> None:
        width, height = event.size
        self._market.fit(
            layout_for(width, height - BAR_LINES, MIN_PANEL_WIDTH + 1, self._matrix_layout.rail)
        )
        self._buttons.set_class(height >= 32, "-lofty")
        self._buttons.set_class(height >= 40, "-roomy")
        self._panel.set_class(height < 31, "-tight")
        self.call_after_refresh(self._update_screen)


def run_simulator(
    config: Config,
    folder: Path,
    *,
    origin: str = "",
    make_pad: MakePad | None = connect_virtual_pad,
    address_of: AddressOf | None = None,
) -> int:
    """Run the simulator until the user quits. Raises the error that stopped it, if any."""
    app = Simulator(config, folder, origin=origin, make_pad=make_pad, address_of=address_of)
    try:
        app.run()
    finally:
        app.close()
    if app.stopped_by is not None:
        raise app.stopped_by
    if app.table is not None and (unsaved := app.table.controller.unsaved_error) is not None:
        raise CompanionError(lost_text(unsaved))
    return app.return_code or 0
