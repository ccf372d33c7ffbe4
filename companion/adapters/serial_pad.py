"""The die pad on a serial port: found, opened, listened to, and found again after any unplugging.

The loop never waits for the port: it is opened and closed in a thread, read when there is something
to read, and written as far as it takes.
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
    open_port,
    why_not,
)
from companion.adapters.pad_transport import PadTransport
from companion.errors import SettingError, unknown
from companion.i18n.message import Message, message
from companion.pad.events import (
    Connected,
    KeyPressed,
    LinkBack,
    LinkLost,
    LinkQuiet,
    PadEvent,
    PadWasReset,
    RollPressed,
    WrongVersion,
)
from companion.pad.link import PadLink
from companion.pad.messages import LAST, Flash, Mode, following
from companion.table.inputs import ROLL, Input, die_key, pad_roll

_T = TypeVar("_T")

ROLLS = ("pad", "host")
FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 5.0


class SerialPad:
    """Delivers `die_key(pips)` for keys 1 to 4, and ROLL as `roll` says who rolls.

    `deliver` and `tell` are called on the loop; `tell` whenever the state of the pad, its port or
    what is to be said of it changes. `port` is a path, a pattern, or "" for whatever looks like a
    pad. What finds and opens ports is given where there are none.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        deliver: Callable[[Input], None],
        tell: Callable[[PadHealth], None],
        *,
        port: str = "",
        roll: str = "pad",
        find_ports: Callable[[str], Sequence[str]] = find_ports,
        open_port: Callable[[str], Port] = open_port,
        new_session: Callable[[], int] = lambda: randbelow(LAST) + 1,
    ) -> None:
        if roll not in ROLLS:
            raise SettingError(unknown("roll", roll, ROLLS))
        self._loop = loop
        self._deliver = deliver
        self._tell_health = tell
        self._wanted = port
        self._is_pad_rolling = roll == "pad"
        self._find_ports = find_ports
        self._open_port = open_port
        self._new_session = new_session
        self._link = PadLink()
        self._health = PadHealth()
        self._is_running = False
        self._line: PadTransport | None = None
        self._path = ""
        self._last_good = ""
        self._untried: deque[str] = deque()
        self._trouble: Message | None = None
        """Why the first port of this round was none."""
        self._wait_s = FIRST_WAIT_S
        self._timer: asyncio.TimerHandle | None = None

    @property
    def health(self) -> PadHealth:
        """As it was told last, with the counts of now."""
        return replace(self._health, link=self._link.health)

    # --- Starting and stopping --------------------------------------------------------

    def start(self) -> None:
        """Begin to look for the pad."""
        assert not self._is_running, "it has been started"
        self._is_running = True
        self._tell(PadState.SEARCHING, message("pad.searching"))
        self._search()

    def close(self) -> None:
        """Let go of the port. Nothing is delivered or told any more; twice is no trouble."""
        self._is_running = False
        self._stop_timer()
        port = self._let_go()
        if port is not None:
            # In a thread, and not for ever: a driver may take its time to close a stuck port.
            closing = Thread(target=close_port, args=(port,), daemon=True)
            closing.start()
            closing.join(1.0)

    # --- What the table says ----------------------------------------------------------

    def show(self, mode: Mode) -> None:
        """What the table waits for. Kept until there is a pad to show it."""
        self._link.show(mode)
        self._write()

    def flash(self, flash: Flash) -> None:
        """How the last key was taken; without a pad, nobody sees it."""
        self._link.flash(flash)
        self._write()

    # --- Finding a port ---------------------------------------------------------------

    def _search(self) -> None:
        self._timer = None
        if not self._is_running:
            return  # whoever was told the last news has closed it
        self._path = ""
        self._trouble = None
        self._in_thread(partial(self._find_ports, self._wanted), self._found)

    def _found(self, paths: Sequence[str] | Exception) -> None:
        if isinstance(paths, Exception):
            self._trouble = why_not(self._wanted, paths)
            paths = ()
        # The one that was right the last time first; a stable sort keeps the others as they are.
        self._untried = deque(sorted(paths, key=lambda path: path != self._last_good))
        self._try_next()

    def _try_next(self) -> None:
        if not self._untried:
            self._rest()
            return
        self._path = self._untried.popleft()
        self._in_thread(partial(self._open_port, self._path), self._opened)

    def _opened(self, port: Port | Exception) -> None:
        if isinstance(port, Exception):
            self._note(why_not(self._path, port))
            self._try_next()
            return
        self._line = PadTransport(self._loop, port, self._receive, self._lose)
        session = self._new_session()
        if session == self._link.session:  # one that the pad still has would be no new one
            session = following(session)
        self._link.opened(self._now_ms(), session)
        self._go_on([])

    def _rest(self) -> None:
        """All ports were tried: say so, and try again later, and then later still."""
        trouble = self._trouble
        if trouble is None:
            wanted = self._wanted
            trouble = message("pad.missing", port=wanted) if wanted else message("pad.absent")
        if self._health.state is not PadState.LOST:
            self._tell(PadState.SEARCHING, trouble)
        elif trouble.key in _CURABLE:
            self._tell(PadState.LOST, trouble)
        else:  # that the port is gone or silent, too, is no news
            self._tell(PadState.LOST, message("pad.lost"))
        self._timer = self._loop.call_later(self._wait_s, self._search)
        self._wait_s = min(self._wait_s * 2, LONGEST_WAIT_S)

    def _note(self, trouble: Message) -> None:
        if self._trouble is None:
            self._trouble = trouble

    def _in_thread(self, job: Callable[[], _T], done: Callable[[_T | Exception], None]) -> None:
        """Do what may block in a thread; what it returned or raised comes back to the loop."""

        def came(future: asyncio.Future[_T | Exception]) -> None:
            if future.cancelled():
                return
            result = future.result()
            if self._is_running:
                done(result)
            elif isinstance(result, Port):
                close_port(result)  # all was closed while this was being opened

        self._loop.run_in_executor(None, _tried, job).add_done_callback(came)

    # --- An open port -----------------------------------------------------------------

    def _receive(self, data: bytes) -> None:
        self._go_on(self._link.receive(data, self._now_ms()))

    def _pass_time(self) -> None:
        self._timer = None
        # The loop's clock may be a hair before what it was wound for.
        due_ms = self._link.due_ms()
        self._go_on(self._link.pass_time(max(self._now_ms(), due_ms or 0.0)))

    def _go_on(self, events: list[PadEvent]) -> None:
        """Tell what came of it, send what is to be sent, and wind the timer for the rest."""
        for event in events:
            self._take(event)
            if self._line is None:
                return  # lost, or closed by whoever was told
        self._write()
        if self._line is not None:
            self._stop_timer()
            due_ms = self._link.due_ms()
            assert due_ms is not None
            self._timer = self._loop.call_at(due_ms / 1000, self._pass_time)

    def _take(self, event: PadEvent) -> None:
        match event:
            case KeyPressed(pips):
                self._deliver(die_key(pips))
            case RollPressed(pips):
                self._deliver(pad_roll(pips) if self._is_pad_rolling else ROLL)
            case Connected():
                self._wait_s = FIRST_WAIT_S
                self._last_good = self._path
                self._tell(PadState.CONNECTED, None)
            case WrongVersion(theirs, ours, _):
                self._tell(PadState.WRONG_VERSION, _disagreement(theirs, ours))
            case LinkQuiet():
                self._tell(PadState.QUIET, message("pad.lost"))
            case LinkBack():
                self._tell(PadState.CONNECTED, None)
            case PadWasReset():
                pass  # it is connected again in a moment, or lost
            case LinkLost():
                self._lose()

    def _write(self) -> None:
        data = self._link.to_send()
        if self._line is not None:
            self._line.write(data)

    # --- Losing it --------------------------------------------------------------------

    def _lose(self) -> None:
        """Unplugged, or silent for too long. The other ports of this round are tried at once."""
        self._stop_timer()
        port = self._let_go()
        assert port is not None
        self._in_thread(partial(close_port, port), self._closed)
        self._note(message("pad.silent", port=self._path))
        if self._health.state in _MET:
            self._untried.clear()
            self._tell(PadState.LOST, message("pad.lost"))

    def _closed(self, _: object) -> None:
        """Only now: a port that is still open is busy."""
        self._try_next()

    def _let_go(self) -> Port | None:
        line, self._line = self._line, None
        self._link.closed()
        return None if line is None else line.let_go()

    # --- Telling ----------------------------------------------------------------------

    def _tell(self, state: PadState, said: Message | None) -> None:
        told = PadHealth(
            state, self._path or self._wanted, self._link.identity, said, self._link.health
        )
        is_news = told != self._health
        self._health = told
        if is_news:
            self._tell_health(told)

    def _now_ms(self) -> float:
        return self._loop.time() * 1000

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


_MET = (PadState.CONNECTED, PadState.QUIET, PadState.WRONG_VERSION)
"""A pad has answered on this port."""
_CURABLE = ("pad.denied", "pad.busy", "pad.unusable")
"""What is worth saying of a pad that is gone: somebody can do something about it."""


def _tried(job: Callable[[], _T]) -> _T | Exception:
    """What a job returns, or its error if ports have such errors."""
    try:
        return job()
    except OPEN_ERRORS as error:
        return error


def _disagreement(theirs: int, ours: int) -> Message:
    if theirs < ours:
        return message("pad.version_old", theirs=theirs, ours=ours)
    return message("pad.version_new", theirs=theirs, ours=ours)
