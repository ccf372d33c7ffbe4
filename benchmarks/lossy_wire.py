"""A simulated serial line that loses, changes, doubles, delays and swaps bytes.

Connects both sides of the die pad's protocol: a player presses keys, and the host must receive
exactly those keys, once each and in order. Time is virtual.

    run = LossyWire(Random(1), fault_rate=0.1).press(1000)
    run.is_exact, run.worst_ms
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from random import Random
from statistics import median
from typing import Protocol

from companion.pad.events import (
    Connected,
    KeyPressed,
    LinkLost,
    LinkQuiet,
    PadEvent,
    RollPressed,
)
from companion.pad.frames import FrameReader
from companion.pad.link import PadLink
from companion.pad.messages import ROLL_KEY, Report, from_frame
from companion.pad.virtual_pad import KEYS, MAX_WAITING, VirtualPadLogic

BYTE_MS = 10 / 57.6
"""Ten bits at 57 600 baud."""
LATE_MS = 30.0
"""The maximum delay of a delayed byte."""
FAULTS = ("lost", "changed", "doubled", "delayed", "swapped")
HOLD_MS = 20.0
"""How long a key is held."""
MAX_RUN_MS = 24 * 3_600_000.0
GAP_MS = 150.0
"""The mean pause between two keys; exponentially distributed."""


class PadSide(Protocol):
    """The interface of `VirtualPadLogic`, for other implementations."""

    @property
    def waiting(self) -> int: ...
    def press(self, key: int, now_ms: float) -> None: ...
    def release(self, key: int, now_ms: float) -> None: ...
    def receive(self, data: bytes, now_ms: float) -> None: ...
    def pass_time(self, now_ms: float) -> None: ...
    def due_ms(self) -> float: ...
    def data_to_send(self) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Press:
    """A key, and when it was pressed or received."""

    key: int
    at_ms: float


@dataclass(frozen=True, slots=True)
class LossyRun:
    fault_rate: float
    pressed: list[Press]
    received: list[Press]
    sessions: int
    """How often the link connected."""
    silences: int
    """How often the host reported silence and kept the session."""
    spent_ms: float
    faults: int
    invented: int
    """Keys that the host accepted and the pad had not reported with that number."""

    @property
    def is_exact(self) -> bool:
        """Every key arrived once, in order, with the pips that the pad reported."""
        return _keys(self.pressed) == _keys(self.received) and not self.invented

    @property
    def delays_ms(self) -> list[float]:
        """From press to host, including debouncing. Only for an exact run."""
        assert self.is_exact
        return [
            received.at_ms - pressed.at_ms
            for pressed, received in zip(self.pressed, self.received, strict=True)
        ]

    @property
    def worst_ms(self) -> float:
        return max(self.delays_ms)

    @property
    def typical_ms(self) -> float:
        return median(self.delays_ms)


def _keys(presses: list[Press]) -> list[int]:
    return [press.key for press in presses]


class LossyWire:
    """Host, line, pad and player. `fault_rate` is the probability of a fault in each byte."""

    def __init__(
        self,
        rng: Random,
        fault_rate: float,
        *,
        make_pad: Callable[[], PadSide] | None = None,
    ) -> None:
        self._rng = rng
        self._rate = fault_rate
        self._now_ms = 0.0
        self._order = count()
        self._arrivals: list[tuple[float, int, bool, bytes]] = []
        """Heap of (time, tie-break, whether to the pad, bytes)."""
        self._free_ms = {True: 0.0, False: 0.0}
        """When each direction of the line is free again."""
        self.faults = 0
        self._pad = make_pad() if make_pad else VirtualPadLogic(0.0, self._roll)
        self._link = PadLink()
        self._pressed: list[Press] = []
        self._received: list[Press] = []
        self._sessions = 0
        self._silences = 0
        self._received_in_session = 0
        self._pad_reader = FrameReader()
        """Reads the bytes of the pad before they get faults."""
        self._reported: set[tuple[int, int, int, int]] = set()
        self._invented = 0

    def press(self, presses: int) -> LossyRun:
        """Press this many keys, and continue until all have arrived."""
        self._open()
        next_press_ms = 0.0
        releases: list[tuple[float, int]] = []
        while len(self._pressed) < presses or self._pad.waiting or releases:
            due = [self._pad.due_ms()]
            link_ms = self._link.due_ms()
            assert link_ms is not None
            due.append(link_ms)
            if self._arrivals:
                due.append(self._arrivals[0][0])
            if releases:
                due.append(releases[0][0])
            may_press = len(self._pressed) < presses and self._may_press() and not releases
            if may_press:
                due.append(next_press_ms)
            self._now_ms = max(self._now_ms, min(due))
            now_ms = self._now_ms
            assert now_ms < MAX_RUN_MS, "keys are still waiting after a day"
            self._arrive()
            if releases and releases[0][0] <= now_ms:
                self._pad.release(releases.pop()[1], now_ms)
            if may_press and next_press_ms <= now_ms:
                key = self._rng.choice(KEYS)
                self._pressed.append(Press(key, now_ms))
                self._pad.press(key, now_ms)
                releases.append((now_ms + HOLD_MS, key))
                next_press_ms = now_ms + 2 * HOLD_MS + self._rng.expovariate(1 / GAP_MS)
            self._pad.pass_time(now_ms)
            self._handle(self._link.pass_time(now_ms))
            self._send()
        return LossyRun(
            self._rate,
            self._pressed,
            self._received,
            self._sessions,
            self._silences,
            self._now_ms,
            self.faults,
            self._invented,
        )

    # --- The player -------------------------------------------------------------------

    def _may_press(self) -> bool:
        """Players do not press keys that the pad cannot report: its LED shows that."""
        return self._link.identity is not None and self._pad.waiting < MAX_WAITING

    def _roll(self) -> int:
        return self._rng.choice((1, 2, 2, 3, 3, 4))

    # --- The host ---------------------------------------------------------------------

    def _open(self) -> None:
        self._link.open(self._now_ms, self._rng.randint(1, 0xFFFF))

    def _handle(self, events: list[PadEvent]) -> None:
        for event in events:
            match event:
                case Connected():
                    self._sessions += 1
                    self._received_in_session = 0
                case KeyPressed(pips) | RollPressed(pips):
                    self._received_in_session += 1
                    key = ROLL_KEY if isinstance(event, RollPressed) else pips
                    report = (self._link.session, self._received_in_session, key, pips)
                    self._invented += report not in self._reported
                    self._received.append(Press(key, self._now_ms))
                case LinkLost():
                    self._open()
                case LinkQuiet():
                    self._silences += 1
                case _:
                    pass

    # --- The line ---------------------------------------------------------------------

    def _send(self) -> None:
        if data := self._link.data_to_send():
            self._transmit(data, to_pad=True)
        if data := self._pad.data_to_send():
            for frame in self._pad_reader.feed(data, self._now_ms):
                if isinstance(report := from_frame(frame), Report):
                    self._reported.add((report.session, report.number, report.key, report.pips))
            self._transmit(data, to_pad=False)

    def _arrive(self) -> None:
        while self._arrivals and self._arrivals[0][0] <= self._now_ms:
            _, _, to_pad, data = heappop(self._arrivals)
            if to_pad:
                self._pad.receive(data, self._now_ms)
            else:
                self._handle(self._link.receive(data, self._now_ms))

    def _transmit(self, data: bytes, *, to_pad: bool) -> None:
        """Queue bytes behind those already on the line, and add faults."""
        rng = self._rng
        at_ms = max(self._now_ms, self._free_ms[to_pad])
        piece = bytearray()
        for byte in data:
            at_ms += BYTE_MS
            if rng.random() >= self._rate:
                piece.append(byte)
                continue
            self.faults += 1
            match rng.randrange(len(FAULTS)):
                case 0:  # lost
                    pass
                case 1:  # changed
                    piece.append(byte ^ rng.randint(1, 255))
                case 2:  # doubled
                    piece += bytes((byte, byte))
                case 3:  # delayed, with everything after it
                    self._push(at_ms, to_pad, piece)
                    at_ms += rng.uniform(0, LATE_MS)
                    piece = bytearray((byte,))
                case _:  # swapped: later bytes arrive first
                    late_ms = at_ms + rng.uniform(0, LATE_MS)
                    self._push(late_ms, to_pad, bytearray((byte,)))
        self._push(at_ms, to_pad, piece)
        self._free_ms[to_pad] = at_ms

    def _push(self, at_ms: float, to_pad: bool, piece: bytearray) -> None:
        if piece:
            heappush(self._arrivals, (at_ms, next(self._order), to_pad, bytes(piece)))
