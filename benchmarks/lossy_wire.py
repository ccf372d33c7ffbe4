"""A wire that loses, changes, doubles, delays and swaps bytes, on virtual time.

Both sides of the die pad's protocol talk over it: a player presses keys, and what the host believes
must be just those keys, once each and in order. Nothing here waits: time is a number.

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
from companion.pad.padside import KEYS, MOST_WAITING, VirtualPadLogic

BYTE_MS = 10 / 57.6
"""Ten bits at 57 600 baud."""
LATE_MS = 30.0
"""How much later a byte comes at most that is held up."""
FAULTS = ("lost", "changed", "doubled", "delayed", "swapped")
HELD_MS = 20.0
"""How long a key is held."""
LONGEST_MS = 24 * 3_600_000.0
"""How long a run may last: something is wrong with what does not end."""
GAP_MS = 150.0
"""How long a player waits between two keys, on the average; much less in a hurry."""


class PadSide(Protocol):
    """A pad without its wires: `VirtualPadLogic`, or another implementation of it."""

    @property
    def waiting(self) -> int: ...
    def press(self, key: int, now_ms: float) -> None: ...
    def release(self, key: int, now_ms: float) -> None: ...
    def receive(self, data: bytes, now_ms: float) -> None: ...
    def pass_time(self, now_ms: float) -> None: ...
    def due_ms(self) -> float: ...
    def to_send(self) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Press:
    """A key, and when it was pressed or heard of."""

    key: int
    at_ms: float


@dataclass(frozen=True, slots=True)
class LossyRun:
    fault_rate: float
    pressed: list[Press]
    heard: list[Press]
    sessions: int
    """How often they were connected."""
    silences: int
    """How often the host said that the link is down, and kept the session."""
    spent_ms: float
    faults: int
    untrue: int
    """Keys that the host believed and the pad had not reported with that number."""

    @property
    def is_exact(self) -> bool:
        """Every key once, in order, with the pips that the pad gave it."""
        return _keys(self.pressed) == _keys(self.heard) and not self.untrue

    @property
    def delays_ms(self) -> list[float]:
        """From press to host, debouncing included; of an exact run."""
        assert self.is_exact
        return [
            heard.at_ms - pressed.at_ms
            for pressed, heard in zip(self.pressed, self.heard, strict=True)
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
    """Host, wire, pad and player. `fault_rate` is the chance of each byte, both ways."""

    def __init__(
        self,
        random: Random,
        fault_rate: float,
        *,
        make_pad: Callable[[], PadSide] | None = None,
    ) -> None:
        self._random = random
        self._rate = fault_rate
        self._now_ms = 0.0
        self._order = count()
        self._arrivals: list[tuple[float, int, bool, bytes]] = []
        """When, a tie-break, whether to the pad, and what."""
        self._free_ms = {True: 0.0, False: 0.0}
        """When each direction has sent what it was given."""
        self.faults = 0
        self._pad = make_pad() if make_pad else VirtualPadLogic(0.0, self._roll)
        self._link = PadLink()
        self._pressed: list[Press] = []
        self._heard: list[Press] = []
        self._sessions = 0
        self._silences = 0
        self._heard_in_session = 0
        self._witness = FrameReader()
        """Hears what the pad says before the wire spoils it."""
        self._told: set[tuple[int, int, int, int]] = set()
        self._untrue = 0

    def press(self, presses: int) -> LossyRun:
        """Press this many keys, and go on until all that can arrive has arrived."""
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
            assert now_ms < LONGEST_MS, "keys still wait after a day"
            self._arrive()
            if releases and releases[0][0] <= now_ms:
                self._pad.release(releases.pop()[1], now_ms)
            if may_press and next_press_ms <= now_ms:
                key = self._random.choice(KEYS)
                self._pressed.append(Press(key, now_ms))
                self._pad.press(key, now_ms)
                releases.append((now_ms + HELD_MS, key))
                next_press_ms = now_ms + 2 * HELD_MS + self._random.expovariate(1 / GAP_MS)
            self._pad.pass_time(now_ms)
            self._take(self._link.pass_time(now_ms))
            self._send()
        return LossyRun(
            self._rate,
            self._pressed,
            self._heard,
            self._sessions,
            self._silences,
            self._now_ms,
            self.faults,
            self._untrue,
        )

    # --- The player -------------------------------------------------------------------

    def _may_press(self) -> bool:
        """A key that could not be reported is not pressed: the LED of the pad would say so."""
        return self._link.identity is not None and self._pad.waiting < MOST_WAITING

    def _roll(self) -> int:
        return self._random.choice((1, 2, 2, 3, 3, 4))

    # --- The host ---------------------------------------------------------------------

    def _open(self) -> None:
        self._link.opened(self._now_ms, self._random.randint(1, 0xFFFF))

    def _take(self, events: list[PadEvent]) -> None:
        for event in events:
            match event:
                case Connected():
                    self._sessions += 1
                    self._heard_in_session = 0
                case KeyPressed(pips) | RollPressed(pips):
                    self._heard_in_session += 1
                    key = ROLL_KEY if isinstance(event, RollPressed) else pips
                    told = (self._link.session, self._heard_in_session, key, pips)
                    self._untrue += told not in self._told
                    self._heard.append(Press(key, self._now_ms))
                case LinkLost():
                    self._open()
                case LinkQuiet():
                    self._silences += 1
                case _:
                    pass

    # --- The wire ---------------------------------------------------------------------

    def _send(self) -> None:
        if data := self._link.to_send():
            self._transmit(data, to_pad=True)
        if data := self._pad.to_send():
            for frame in self._witness.feed(data, self._now_ms):
                if isinstance(report := from_frame(frame), Report):
                    self._told.add((report.session, report.number, report.key, report.pips))
            self._transmit(data, to_pad=False)

    def _arrive(self) -> None:
        while self._arrivals and self._arrivals[0][0] <= self._now_ms:
            _, _, to_pad, data = heappop(self._arrivals)
            if to_pad:
                self._pad.receive(data, self._now_ms)
            else:
                self._take(self._link.receive(data, self._now_ms))

    def _transmit(self, data: bytes, *, to_pad: bool) -> None:
        """Put bytes on the wire behind those that are still on it, each with its fault or none."""
        chance = self._random
        at_ms = max(self._now_ms, self._free_ms[to_pad])
        piece = bytearray()
        for byte in data:
            at_ms += BYTE_MS
            if chance.random() >= self._rate:
                piece.append(byte)
                continue
            self.faults += 1
            match chance.randrange(len(FAULTS)):
                case 0:  # lost
                    pass
                case 1:  # changed
                    piece.append(byte ^ chance.randint(1, 255))
                case 2:  # doubled
                    piece += bytes((byte, byte))
                case 3:  # delayed, and everything behind it
                    self._push(at_ms, to_pad, piece)
                    at_ms += chance.uniform(0, LATE_MS)
                    piece = bytearray((byte,))
                case _:  # swapped: what is behind it comes first
                    late_ms = at_ms + chance.uniform(0, LATE_MS)
                    self._push(late_ms, to_pad, bytearray((byte,)))
        self._push(at_ms, to_pad, piece)
        self._free_ms[to_pad] = at_ms

    def _push(self, at_ms: float, to_pad: bool, piece: bytearray) -> None:
        if piece:
            heappush(self._arrivals, (at_ms, next(self._order), to_pad, bytes(piece)))
