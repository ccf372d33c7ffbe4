"""The die pad on a serial port: finds and opens the port, and reconnects after unplugging.

The event loop never blocks: the port is opened and closed in a thread, and reads and writes are
non-blocking.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from secrets import randbelow
from threading import Thread
from typing import TypeVar

from companion.adapters.pad_health import PadHealth, PadState
from companion.adapters.pad_port import (
    OPEN_ERRORS,
    Port,
    close_port,
    find_ports,
    open_error_message,
    open_port,
)
from companion.adapters.pad_transport import PadTransport
from companion.errors import SettingError, unknown
from companion.i18n.message import Message, message
from companion.pad.events import (
    Connected,
    KeyPressed,
    LinkLost,
    LinkQuiet,
    LinkRestored,
    PadEvent,
    PadWasReset,
    RollPressed,
    WrongVersion,
)
from companion.pad.link import PadLink
from companion.pad.messages import MAX_NUMBER, Flash, Mode, next_number
from companion.table.inputs import ROLL, Input, die_key, pad_roll

_T = TypeVar("_T")

ROLL_SETTINGS = ("pad", "host")
MIN_RETRY_S = 0.5
MAX_RETRY_S = 5.0


class SerialPad:
    """Delivers `die_key(pips)` for keys 1 to 4, and for ROLL an input as `roll` says.

    With `roll="pad"` the pad rolls and ROLL is `pad_roll(pips)`; with "host" it is `ROLL`.
    `deliver` and `on_health` are called on the loop, the latter whenever the state, the port or the
    message changes. `port` is a path, a glob pattern, or "" to find the pad by its name.
    `find_ports` and `open_port` are replaced in tests and for virtual pads.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        deliver: Callable[[Input], object],
        on_health: Callable[[PadHealth], None],
        *,
        port: str = "",
        roll: str = "pad",
        find_ports: Callable[[str], Sequence[str]] = find_ports,
        open_port: Callable[[str], Port] = open_port,
        new_session: Callable[[], int] = lambda: randbelow(MAX_NUMBER) + 1,
    ) -> None:
        if roll not in ROLL_SETTINGS:
            raise SettingError(unknown("roll", roll, ROLL_SETTINGS))
        self._loop = loop
        self._deliver = deliver
        self._on_health = on_health
        self._port_setting = port
        self._is_pad_rolling = roll == "pad"
        self._find_ports = find_ports
        self._open_port = open_port
        self._new_session = new_session
        self._link = PadLink()
        self._health = PadHealth()
        self._is_running = False
        self._transport: PadTransport | None = None
        self._path = ""
        self._last_good = ""
        self._untried: deque[str] = deque()
        self._first_error: Message | None = None
        """Why the first port of this search was not a pad."""
        self._retry_s = MIN_RETRY_S
        self._timer: asyncio.TimerHandle | None = None

    @property
    def health(self) -> PadHealth:
        """The last reported health, with current counts."""
        return replace(self._health, link=self._link.health)

    # --- Starting and stopping --------------------------------------------------------

    def start(self) -> None:
        """Start searching for the pad."""
        assert not self._is_running, "already started"
        self._is_running = True
        self._set_health(PadState.SEARCHING, message("pad.searching"))
        self._search()

    def close(self) -> None:
        """Close the port. Nothing is delivered or reported afterwards. Idempotent."""
        self._is_running = False
        self._stop_timer()
        port = self._detach()
        if port is not None:
            # In a thread, with a timeout: a driver may block while it closes a stuck port.
            closing = Thread(target=close_port, args=(port,), daemon=True)
            closing.start()
            closing.join(1.0)

    # --- Output -----------------------------------------------------------------------

    def set_mode(self, mode: Mode) -> None:
        """Show on the pad what the table waits for. Kept while no pad is connected."""
        self._link.set_mode(mode)
        self._write()

    def flash(self, flash: Flash) -> None:
        """Show how the last key was handled. Lost while no pad is connected."""
        self._link.flash(flash)
        self._write()

    # --- Finding a port ---------------------------------------------------------------

    def _search(self) -> None:
        self._timer = None
        if not self._is_running:
            return  # closed by a callback
        self._path = ""
        self._first_error = None
        self._run_in_thread(partial(self._find_ports, self._port_setting), self._handle_ports)

    def _handle_ports(self, paths: Sequence[str] | Exception) -> None:
        if isinstance(paths, Exception):
            self._first_error = open_error_message(self._port_setting, paths)
            paths = ()
        # The last working port first. The sort is stable: the others keep their order.
        self._untried = deque(sorted(paths, key=lambda path: path != self._last_good))
        self._try_next()

    def _try_next(self) -> None:
        if not self._untried:
            self._retry_later()
            return
        self._path = self._untried.popleft()
        self._run_in_thread(partial(self._open_port, self._path), self._handle_open_port)

    def _handle_open_port(self, port: Port | Exception) -> None:
        if isinstance(port, Exception):
            self._keep_first_error(open_error_message(self._path, port))
            self._try_next()
            return
        self._transport = PadTransport(self._loop, port, self._receive, self._handle_loss)
        session = self._new_session()
        if session == self._link.session:  # the pad may still have it
            session = next_number(session)
        self._link.open(self._now_ms(), session)
        self._process([])

    def _retry_later(self) -> None:
        """All ports were tried: report it and retry, with increasing delays."""
        error = self._first_error
        if error is None:
            port = self._port_setting
            error = message("pad.missing", port=port) if port else message("pad.absent")
        if self._health.state is not PadState.LOST:
            self._set_health(PadState.SEARCHING, error)
        elif error.key in _FIXABLE:
            self._set_health(PadState.LOST, error)
        else:  # a missing or silent port is expected then
            self._set_health(PadState.LOST, message("pad.lost"))
        self._timer = self._loop.call_later(self._retry_s, self._search)
        self._retry_s = min(self._retry_s * 2, MAX_RETRY_S)

    def _keep_first_error(self, error: Message) -> None:
        if self._first_error is None:
            self._first_error = error

    def _run_in_thread(self, job: Callable[[], _T], done: Callable[[_T | Exception], None]) -> None:
        """Run `job` in a thread; `done` gets its result or error on the loop."""

        def on_done(future: asyncio.Future[_T | Exception]) -> None:
            if future.cancelled():
                return
            result = future.result()
            if self._is_running:
                done(result)
            elif isinstance(result, Port):
                close_port(result)  # close() was called meanwhile

        self._loop.run_in_executor(None, _result_or_error, job).add_done_callback(on_done)

    # --- An open port -----------------------------------------------------------------

    def _receive(self, data: bytes) -> None:
        self._process(self._link.receive(data, self._now_ms()))

    def _on_timer(self) -> None:
        self._timer = None
        # The loop may call a timer slightly early.
        due_ms = self._link.due_ms()
        self._process(self._link.pass_time(max(self._now_ms(), due_ms or 0.0)))

    def _process(self, events: list[PadEvent]) -> None:
        """Handle events, send pending data, and restart the timer."""
        for event in events:
            self._handle_event(event)
            if self._transport is None:
                return  # lost, or closed by a callback
        self._write()
        if self._transport is not None:
            self._stop_timer()
            due_ms = self._link.due_ms()
            assert due_ms is not None
            self._timer = self._loop.call_at(due_ms / 1000, self._on_timer)

    def _handle_event(self, event: PadEvent) -> None:
        match event:
            case KeyPressed(pips):
                self._deliver(die_key(pips))
            case RollPressed(pips):
                self._deliver(pad_roll(pips) if self._is_pad_rolling else ROLL)
            case Connected():
                self._retry_s = MIN_RETRY_S
                self._last_good = self._path
                self._set_health(PadState.CONNECTED, None)
            case WrongVersion(theirs, ours, _):
                self._set_health(PadState.WRONG_VERSION, _version_message(theirs, ours))
            case LinkQuiet():
                self._set_health(PadState.QUIET, message("pad.lost"))
            case LinkRestored():
                self._set_health(PadState.CONNECTED, None)
            case PadWasReset():
                pass  # `Connected` or `LinkLost` follows
            case LinkLost():
                self._handle_loss()

    def _write(self) -> None:
        data = self._link.data_to_send()
        if self._transport is not None:
            self._transport.write(data)

    # --- Losing the port --------------------------------------------------------------

    def _handle_loss(self) -> None:
        """Unplugged, or silent for too long. If it was not a pad, the next port is tried."""
        self._stop_timer()
        port = self._detach()
        assert port is not None
        self._run_in_thread(partial(close_port, port), self._handle_closed)
        self._keep_first_error(message("pad.silent", port=self._path))
        if self._health.state in _ANSWERED:
            self._untried.clear()
            self._set_health(PadState.LOST, message("pad.lost"))

    def _handle_closed(self, _: object) -> None:
        """Only now, because a port that is still open is busy."""
        self._try_next()

    def _detach(self) -> Port | None:
        transport, self._transport = self._transport, None
        self._link.close()
        return None if transport is None else transport.detach()

    # --- Health -----------------------------------------------------------------------

    def _set_health(self, state: PadState, text: Message | None) -> None:
        health = PadHealth(
            state, self._path or self._port_setting, self._link.identity, text, self._link.health
        )
        is_changed = health != self._health
        self._health = health
        if is_changed:
            self._on_health(health)

    def _now_ms(self) -> float:
        return self._loop.time() * 1000

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


_ANSWERED = (PadState.CONNECTED, PadState.QUIET, PadState.WRONG_VERSION)
"""A pad has answered on this port."""
_FIXABLE = ("pad.denied", "pad.busy", "pad.unusable")
"""Errors that are reported for a lost pad, because players can fix them."""


def _result_or_error(job: Callable[[], _T]) -> _T | Exception:
    """The result of the job, or its error if it is one of `OPEN_ERRORS`."""
    try:
        return job()
    except OPEN_ERRORS as error:
        return error


def _version_message(theirs: int, ours: int) -> Message:
    if theirs < ours:
        return message("pad.version_old", theirs=theirs, ours=ours)
    return message("pad.version_new", theirs=theirs, ours=ours)
