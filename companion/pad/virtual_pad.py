"""The pad's side of the link: what firmware/core does in C, for the virtual pad and for tests.

Bytes and key presses in, bytes and the state of the LED out. Times are passed in.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from companion.pad.frames import FrameReader, encode
from companion.pad.messages import (
    NO_SESSION,
    ROLL_KEY,
    VERSION,
    Ack,
    Alive,
    Flash,
    Hello,
    HostState,
    Identity,
    Mode,
    Report,
    WireMessage,
    from_frame,
    next_number,
    to_frame,
)

KEYS = (1, 2, 3, 4, ROLL_KEY)
DEBOUNCE_MS = 8
REPEAT_MS = 100
ALIVE_MS = 500
SILENCE_MS = 2000
MAX_WAITING = 16
CAPABILITIES = 0b111
"""Keys 1 to 4, ROLL and an LED."""

HALF_BLINK_MS = 500
ACCEPTED_MS = 400
REFUSED_MS = 80
LOST_MS = 50
LOST_PERIOD_MS = 2000


@dataclass(slots=True)
class _KeyContact:
    is_closed: bool = False
    since_ms: float = 0.0
    is_debounced_closed: bool = False


class VirtualPadLogic:
    """The logic of a powered pad. `roll` returns the number for the ROLL key."""

    def __init__(
        self,
        now_ms: float,
        roll: Callable[[], int],
        *,
        board: bytes = b"VPAD",
        firmware: tuple[int, int, int] = (1, 0, 0),
        version: int = VERSION,
        boots: int = 1,
    ) -> None:
        self.board = board
        self.firmware = firmware
        self.version = version
        self.boots = boots
        self._roll = roll
        self._contacts = {key: _KeyContact() for key in KEYS}
        self._out = bytearray()
        self._start(now_ms)

    def _start(self, now_ms: float) -> None:
        self.session = NO_SESSION
        self.unreported = 0
        """Keys pressed while 16 reports waited, or without a session."""
        self._reader = FrameReader()
        self._sequence = 0
        self._waiting: deque[Report] = deque()
        self._number = 0
        self._repeat_ms = now_ms
        self._alive_ms = self._received_ms = now_ms
        self._mode, self._mode_ms = int(Mode.NOTHING), now_ms
        self._flash, self._flash_ms = int(Flash.NONE), now_ms
        self._flash_count = 0

    def reset(self, now_ms: float) -> None:
        """Power on, or the reset line. Only the identity and the boot count are kept.

        A key that is held down counts as pressed again.
        """
        self.boots = (self.boots + 1) & 0xFFFF
        self._out.clear()
        for contact in self._contacts.values():
            contact.is_debounced_closed = False
            contact.since_ms = now_ms
        self._start(now_ms)

    @property
    def waiting(self) -> int:
        """The number of reports waiting for an ACK."""
        return len(self._waiting)

    # --- Keys -------------------------------------------------------------------------

    def press(self, key: int, now_ms: float) -> None:
        self._set_contact(key, True, now_ms)

    def release(self, key: int, now_ms: float) -> None:
        self._set_contact(key, False, now_ms)

    def _set_contact(self, key: int, is_closed: bool, now_ms: float) -> None:
        self.pass_time(now_ms)
        contact = self._contacts[key]
        if contact.is_closed != is_closed:
            contact.is_closed = is_closed
            contact.since_ms = now_ms

    def _debounce(self, now_ms: float) -> None:
        """Accept the contacts that have been stable, in the order in which they changed."""
        changed = sorted(
            (contact.since_ms, key)
            for key, contact in self._contacts.items()
            if contact.is_closed != contact.is_debounced_closed
        )
        for since_ms, key in changed:
            if now_ms >= since_ms + DEBOUNCE_MS:
                contact = self._contacts[key]
                contact.is_debounced_closed = contact.is_closed
                if contact.is_closed:
                    self._report(key, now_ms)

    def _report(self, key: int, now_ms: float) -> None:
        if self.session == NO_SESSION or len(self._waiting) == MAX_WAITING:
            self.unreported += 1
            self._flash, self._flash_ms = Flash.REFUSED, now_ms
            return
        self._number = next_number(self._number)
        pips = self._roll() if key == ROLL_KEY else key
        self._waiting.append(Report(self.session, self.boots, self._number, key, pips))
        if len(self._waiting) == 1:
            self._send_oldest(now_ms)

    def _send_oldest(self, now_ms: float) -> None:
        self._repeat_ms = now_ms + REPEAT_MS
        self._send(self._waiting[0])

    # --- Bytes and time ---------------------------------------------------------------

    def receive(self, data: bytes, now_ms: float) -> None:
        self.pass_time(now_ms)
        for frame in self._reader.feed(data, now_ms):
            self._received_ms = now_ms
            self._handle(from_frame(frame), now_ms)

    def pass_time(self, now_ms: float) -> None:
        """Handle timeouts. Call it at `due_ms`; calling it earlier is harmless."""
        for frame in self._reader.pass_time(now_ms):
            self._received_ms = now_ms
            self._handle(from_frame(frame), now_ms)
        self._debounce(now_ms)
        if self._waiting and now_ms >= self._repeat_ms:
            self._send_oldest(now_ms)
        if now_ms >= self._alive_ms:
            self._alive_ms = now_ms + ALIVE_MS
            self._send(Alive(self.session, self.boots, len(self._waiting)))

    def due_ms(self) -> float:
        """When `pass_time` must be called next. The LED does not need it."""
        due = [self._alive_ms]
        if self._waiting:
            due.append(self._repeat_ms)
        reader_due_ms = self._reader.due_ms()
        if reader_due_ms is not None:
            due.append(reader_due_ms)
        due += [
            contact.since_ms + DEBOUNCE_MS
            for contact in self._contacts.values()
            if contact.is_closed != contact.is_debounced_closed
        ]
        return min(due)

    def data_to_send(self) -> bytes:
        """Bytes to write to the port. Each is returned once."""
        data = bytes(self._out)
        self._out.clear()
        return data

    # --- Messages ---------------------------------------------------------------------

    def _send(self, message: WireMessage) -> None:
        self._out += encode(to_frame(message, self._sequence))
        self._sequence = (self._sequence + 1) % 256

    def _handle(self, message: WireMessage | None, now_ms: float) -> None:
        match message:
            case Hello(version, session):
                self._answer_hello(version, session, now_ms)
            case Ack(session, number) if session == self.session and self._waiting:
                if number == self._waiting[0].number:
                    self._waiting.popleft()
                    if self._waiting:
                        self._send_oldest(now_ms)
            case HostState(session, mode, flash, count) if session == self.session != NO_SESSION:
                if mode != self._mode:
                    self._mode, self._mode_ms = mode, now_ms
                if count != self._flash_count:
                    self._flash_count = count
                    if flash in (Flash.ACCEPTED, Flash.REFUSED):
                        self._flash, self._flash_ms = flash, now_ms
            case _:
                pass  # not for a pad, or another session

    def _answer_hello(self, version: int, session: int, now_ms: float) -> None:
        if version == self.version:
            if session == NO_SESSION:
                return
            if session != self.session:
                self._waiting.clear()
                self._number = 0
                self.session = session
                self._mode, self._mode_ms = int(Mode.NOTHING), now_ms
                self._flash_count = 0
        else:
            session = NO_SESSION
        self._send(self._identity(session))

    def _identity(self, session: int) -> Identity:
        return Identity(self.version, session, self.firmware, self.board, CAPABILITIES, self.boots)

    # --- The LED ----------------------------------------------------------------------

    def is_led_on(self, now_ms: float) -> bool:
        """Whether the LED is lit. A flash has priority over a lost link, that over the mode."""
        flashing_ms = now_ms - self._flash_ms
        if self._flash == Flash.ACCEPTED and flashing_ms < ACCEPTED_MS:
            return True
        if self._flash == Flash.REFUSED and flashing_ms < 5 * REFUSED_MS:
            return flashing_ms // REFUSED_MS % 2 == 0
        lost_ms = now_ms - self._received_ms - SILENCE_MS
        if lost_ms >= 0:
            return lost_ms % LOST_PERIOD_MS < LOST_MS
        blinking_ms = now_ms - self._mode_ms
        return self._mode == Mode.NUMBER and blinking_ms % (2 * HALF_BLINK_MS) < HALF_BLINK_MS
