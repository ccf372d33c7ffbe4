"""The host's side of the link to a pad: connecting, sessions, keys and timeouts.

See firmware/PROTOCOL.md, "Connecting" to "The LED". Bytes in, events and bytes to send out. Times
are passed in, in milliseconds of a monotonic clock.

    CLOSED -> CONNECTING -> CONNECTED    an IDENTITY of our session arrived
                         -> MISMATCHED   a pad with another protocol version answered
    CONNECTED -> CONNECTING              the pad was reset: HELLO with a new session
    any stage -> CLOSED                  the pad is silent: the port must be opened again

Within a session every key arrives once and in order. Frames of other sessions are ignored. Ending a
session loses its waiting keys, so the link reports silence after two seconds, but ends the session
only after a minute.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from math import inf

from companion.pad.events import (
    Connected,
    KeyPressed,
    LinkHealth,
    LinkLost,
    LinkQuiet,
    LinkRestored,
    PadEvent,
    PadWasReset,
    RollPressed,
    WrongVersion,
)
from companion.pad.frames import Frame, FrameReader, encode
from companion.pad.messages import (
    FROM_PAD,
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
    is_ahead,
    next_number,
    to_frame,
)

HELLO_MS = 250
STATE_MS = 500
QUIET_MS = 2000
"""Silence until `LinkQuiet`. A pad sends four frames in this time."""
LOST_MS = 60_000
"""Silence until `LinkLost` when connected. On a line that damages one byte in five, gaps of half a
minute were measured, and the waiting keys still arrived."""
CONNECT_MS = 5000
"""How long a pad has to answer HELLO. Opening the port resets the pad, and the bootloader of an old
Nano takes two seconds: with a shorter timeout, the host would reset it again and again."""


class LinkStage(Enum):
    CLOSED = "closed"
    CONNECTING = "connecting"
    CONNECTED = "connected"
    MISMATCHED = "of another version"


class PadLink:
    """The link to one pad. After `LinkLost` it does nothing until `open` is called again."""

    def __init__(self) -> None:
        self.stage = LinkStage.CLOSED
        self.session = NO_SESSION
        self.identity: Identity | None = None
        self.is_quiet = False
        """Whether the pad is connected but silent."""
        self._reader = FrameReader()
        self._health = LinkHealth()
        self._out = bytearray()
        self._sequence = 0
        self._pad_sequence: int | None = None
        self._connecting_since_ms = 0.0
        self._received_ms = 0.0
        """When the last valid frame arrived."""
        self._send_due_ms = 0.0
        """When the next HELLO or STATE is due."""
        self._accepted = 0
        """The number of the last accepted report."""
        self._doubtful: Report | Alive | None = None
        """The last impossible message. Noise causes it once; a pad out of step repeats it."""
        self._mode = Mode.NOTHING
        self._flash = Flash.NONE
        self._flash_count = 0

    @property
    def health(self) -> LinkHealth:
        """A copy of the current counters."""
        return replace(self._health)

    # --- Opening and closing ----------------------------------------------------------

    def open(self, now_ms: float, session: int) -> None:
        """The port was opened. `session` is random, 1 to 65535, and not the previous one."""
        self.close()
        # From 0, so that no byte of the first HELLOs is a command to the bootloader.
        self._sequence = 0
        self._connect(now_ms, session)

    def close(self) -> None:
        """The port was closed. Bytes on their way are lost. Idempotent."""
        self._count_damaged()
        self.stage = LinkStage.CLOSED
        self.identity = None
        self.is_quiet = False
        self._reader = FrameReader()
        self._out.clear()
        self._pad_sequence = None

    def _connect(self, now_ms: float, session: int) -> None:
        self.stage = LinkStage.CONNECTING
        self.session = session
        self._connecting_since_ms = now_ms
        self._accepted = 0
        self._doubtful = None
        self._flash, self._flash_count = Flash.NONE, 0
        self._send_hello(now_ms)

    # --- State of the LED -------------------------------------------------------------

    def set_mode(self, mode: Mode) -> None:
        """What the table waits for. Sent now, or when the pad connects."""
        if mode is not self._mode:
            self._mode = mode
            self._send_state()

    def flash(self, flash: Flash) -> None:
        """Whether the last key was accepted. Dropped if no pad is connected."""
        if self.stage is LinkStage.CONNECTED:
            self._flash = flash
            self._flash_count = (self._flash_count + 1) % 256
            self._send_state()

    # --- Bytes and time ---------------------------------------------------------------

    def receive(self, data: bytes, now_ms: float) -> list[PadEvent]:
        """Handle bytes from the port."""
        if self.stage is LinkStage.CLOSED:
            return []
        return self._handle_frames(self._reader.feed(data, now_ms), now_ms)

    def pass_time(self, now_ms: float) -> list[PadEvent]:
        """Handle timeouts. Call it at `due_ms`; calling it earlier is harmless."""
        if self.stage is LinkStage.CLOSED:
            return []
        events = self._handle_frames(self._reader.pass_time(now_ms), now_ms)
        if now_ms >= self._lost_ms():
            self.close()
            return [*events, LinkLost()]
        if now_ms >= self._quiet_ms():
            self.is_quiet = True
            events.append(LinkQuiet())
        if now_ms >= self._send_due_ms:
            if self.stage is LinkStage.CONNECTED:
                self._send_due_ms = now_ms + STATE_MS
                self._send_state()
            else:
                self._send_hello(now_ms)
        return events

    def due_ms(self) -> float | None:
        """When `pass_time` must be called next; None while the port is closed."""
        if self.stage is LinkStage.CLOSED:
            return None
        due_ms = min(self._send_due_ms, self._quiet_ms(), self._lost_ms())
        reader_due_ms = self._reader.due_ms()
        return due_ms if reader_due_ms is None else min(due_ms, reader_due_ms)

    def data_to_send(self) -> bytes:
        """Bytes to write to the port. Each is returned once."""
        data = bytes(self._out)
        self._out.clear()
        return data

    def _lost_ms(self) -> float:
        """When the link gives up. While connecting, frames other than IDENTITY do not count."""
        if self.stage is LinkStage.CONNECTING:
            return self._connecting_since_ms + CONNECT_MS
        # A pad of another version has no keys that could be lost.
        return self._received_ms + (LOST_MS if self.stage is LinkStage.CONNECTED else QUIET_MS)

    def _quiet_ms(self) -> float:
        """When to report silence; never if it is already reported."""
        can_report = self.stage is LinkStage.CONNECTED and not self.is_quiet
        return self._received_ms + QUIET_MS if can_report else inf

    # --- Sending ----------------------------------------------------------------------

    def _send(self, message: WireMessage) -> None:
        self._out += encode(to_frame(message, self._sequence))
        self._sequence = (self._sequence + 1) % 256

    def _send_hello(self, now_ms: float) -> None:
        self._send_due_ms = now_ms + HELLO_MS
        self._send(Hello(VERSION, self.session))

    def _send_state(self) -> None:
        if self.stage is LinkStage.CONNECTED:
            self._send(HostState(self.session, self._mode, self._flash, self._flash_count))

    # --- Receiving --------------------------------------------------------------------

    def _handle_frames(self, frames: list[Frame], now_ms: float) -> list[PadEvent]:
        events: list[PadEvent] = []
        for frame in frames:
            if frame.kind & FROM_PAD:
                self._received_ms = now_ms
                if self.is_quiet:
                    self.is_quiet = False
                    events.append(LinkRestored())
                events += self._handle_frame(frame, now_ms)
            else:
                self._ignore()
        self._count_damaged()
        return events

    def _handle_frame(self, frame: Frame, now_ms: float) -> list[PadEvent]:
        self._count_frame(frame.sequence)
        message = from_frame(frame)
        match message:
            case Identity():
                return self._handle_identity(message, now_ms)
            case Report():
                return self._handle_report(message, now_ms)
            case Alive():
                return self._handle_alive(message, now_ms)
            case _:
                self._ignore()
                return []

    def _handle_identity(self, identity: Identity, now_ms: float) -> list[PadEvent]:
        if self.identity is not None and self.stage is LinkStage.CONNECTED:
            is_reset = identity.session == self.session and identity.boots != self.identity.boots
            return self._start_new_session(now_ms) if is_reset else []
        if identity.version != VERSION:
            is_reported = self.identity is not None and self.identity.version == identity.version
            self.stage = LinkStage.MISMATCHED
            self.identity = identity
            return [] if is_reported else [WrongVersion(identity.version, VERSION, identity)]
        if identity.session != self.session:
            return []  # the answer to an earlier HELLO
        self.stage = LinkStage.CONNECTED
        self.identity = identity
        self._send_due_ms = now_ms + STATE_MS
        self._send_state()
        return [Connected(identity)]

    def _handle_report(self, report: Report, now_ms: float) -> list[PadEvent]:
        if self.stage is not LinkStage.CONNECTED or report.session != self.session:
            return []
        assert self.identity is not None
        if report.boots != self.identity.boots or not report.is_valid:
            self._ignore()
            return []
        expected = next_number(self._accepted)
        if is_ahead(report.number, expected):
            # The pad may have the same session number from an earlier host, and continue its count.
            return self._doubt(report, now_ms)
        self._send(Ack(self.session, report.number))
        if report.number != expected:
            return []  # a repeat: our ACK was lost
        self._accepted = expected
        is_roll = report.key == ROLL_KEY
        return [RollPressed(report.pips) if is_roll else KeyPressed(report.pips)]

    def _handle_alive(self, alive: Alive, now_ms: float) -> list[PadEvent]:
        if self.stage is not LinkStage.CONNECTED:
            return []
        assert self.identity is not None
        if alive.session == NO_SESSION:
            return self._start_new_session(now_ms)
        if (alive.session, alive.boots) != (self.session, self.identity.boots):
            return self._doubt(replace(alive, waiting=0), now_ms)
        return []

    def _doubt(self, received: Report | Alive, now_ms: float) -> list[PadEvent]:
        """Start a new session if the same impossible message arrives twice. Once may be noise."""
        if received == self._doubtful:
            return self._start_new_session(now_ms)
        self._doubtful = received
        self._ignore()
        return []

    def _start_new_session(self, now_ms: float) -> list[PadEvent]:
        """The pad has lost our session."""
        self._health.resets += 1
        self.identity = None
        self._connect(now_ms, next_number(self.session))
        return [PadWasReset()]

    # --- Counting ---------------------------------------------------------------------

    def _count_frame(self, sequence: int) -> None:
        self._health.frames += 1
        if self._pad_sequence is not None:
            gap = (sequence - self._pad_sequence - 1) % 256
            # A long gap means a repeated frame, or a pad that restarted at 0.
            self._health.lost += gap if gap < 128 else 0
        self._pad_sequence = sequence

    def _ignore(self) -> None:
        self._health.ignored += 1

    def _count_damaged(self) -> None:
        self._health.damaged += self._reader.damaged
        self._reader.damaged = 0
