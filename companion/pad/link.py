"""The host's side of the wire: a session with a pad, from HELLO to the last key.

firmware/PROTOCOL.md, "Connecting" to "The LED". Bytes in, events out, and bytes to send; times are
passed in, in milliseconds of any clock that never goes back.

    CLOSED -> CONNECTING -> CONNECTED    an IDENTITY of our session came
                         -> MISMATCHED   a pad of another version answered
    CONNECTED -> CONNECTING              the pad was reset: HELLO with a new session
    anything -> CLOSED                   it stayed silent: the port is to be opened again

Within a session every key arrives once and in order. Nothing is believed that was not meant for it.
A session is not given up lightly, for its keys go with it: silence is told after two seconds, but
only a minute of it is the end.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from math import inf

from companion.pad.events import (
    Connected,
    KeyPressed,
    LinkBack,
    LinkHealth,
    LinkLost,
    LinkQuiet,
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
    Identity,
    Mode,
    Report,
    State,
    WireMessage,
    following,
    from_frame,
    is_ahead,
    to_frame,
)

HELLO_MS = 250
STATE_MS = 500
QUIET_MS = 2000
"""Of silence: a pad says something four times in this."""
LOST_MS = 60_000
"""Of silence once connected. A wire that spoils one byte in five lets a frame through now and then:
half a minute without any has been seen on it, and what waits on the pad still arrives."""
CONNECT_MS = 5000
"""How long a pad has to answer. Opening its port resets it, and the bootloader of an old Nano alone
takes two seconds: whoever opened the port again after those would reset it for ever."""


class Stage(Enum):
    CLOSED = "closed"
    CONNECTING = "connecting"
    CONNECTED = "connected"
    MISMATCHED = "of another version"


class PadLink:
    """The link to one pad. After `LinkLost` it says and hears nothing until `opened` again."""

    def __init__(self) -> None:
        self.stage = Stage.CLOSED
        self.session = NO_SESSION
        self.identity: Identity | None = None
        self.is_quiet = False
        """Connected, and not heard for a while."""
        self._reader = FrameReader()
        self._health = LinkHealth()
        self._out = bytearray()
        self._sequence = 0
        self._heard_sequence: int | None = None
        self._began_ms = self._heard_ms = self._speak_ms = 0.0
        """When connecting began, a good frame was heard, and HELLO or STATE is due."""
        self._believed = 0
        """The number of the last report that was believed."""
        self._doubt: Report | Alive | None = None
        """What cannot be. Noise says it once; a pad that is out of step says it again."""
        self._mode = Mode.NOTHING
        self._flash = Flash.NONE
        self._flash_count = 0

    @property
    def health(self) -> LinkHealth:
        """As it is now."""
        return replace(self._health)

    # --- Opening and closing ----------------------------------------------------------

    def opened(self, now_ms: float, session: int) -> None:
        """The port is open. `session` is 1 to 65535, by chance: never the one before."""
        self.closed()
        # From 0: no byte of the first HELLOs is a command to the bootloader that may hear them.
        self._sequence = 0
        self._connect(now_ms, session)

    def closed(self) -> None:
        """The port is closed: what was on its way is gone."""
        self._count_damaged()
        self.stage = Stage.CLOSED
        self.identity = None
        self.is_quiet = False
        self._reader = FrameReader()
        self._out.clear()
        self._heard_sequence = None

    def _connect(self, now_ms: float, session: int) -> None:
        self.stage = Stage.CONNECTING
        self.session = session
        self._began_ms = now_ms
        self._believed = 0
        self._doubt = None
        self._flash, self._flash_count = Flash.NONE, 0  # old ones mean nothing to a new session
        self._say_hello(now_ms)

    # --- What the table says ----------------------------------------------------------

    def show(self, mode: Mode) -> None:
        """What the table waits for; the pad hears it as soon as it is connected."""
        if mode is not self._mode:
            self._mode = mode
            self._say_state()

    def flash(self, flash: Flash) -> None:
        """How the last key was taken. Nobody is told later if there is no pad now."""
        if self.stage is Stage.CONNECTED:
            self._flash = flash
            self._flash_count = (self._flash_count + 1) % 256
            self._say_state()

    # --- Bytes and time ---------------------------------------------------------------

    def receive(self, data: bytes, now_ms: float) -> list[PadEvent]:
        """What these bytes come to."""
        if self.stage is Stage.CLOSED:
            return []
        return self._hear_all(self._reader.feed(data, now_ms), now_ms)

    def pass_time(self, now_ms: float) -> list[PadEvent]:
        """What the time has brought. Call it when `due_ms` is over; earlier does no harm."""
        if self.stage is Stage.CLOSED:
            return []
        events = self._hear_all(self._reader.pass_time(now_ms), now_ms)
        if now_ms >= self._lost_ms():
            self.closed()
            return [*events, LinkLost()]
        if now_ms >= self._quiet_ms():
            self.is_quiet = True
            events.append(LinkQuiet())
        if now_ms >= self._speak_ms:
            if self.stage is Stage.CONNECTED:
                self._speak_ms = now_ms + STATE_MS
                self._say_state()
            else:
                self._say_hello(now_ms)
        return events

    def due_ms(self) -> float | None:
        """When `pass_time` has something to do; None while the port is closed."""
        if self.stage is Stage.CLOSED:
            return None
        due_ms = min(self._speak_ms, self._quiet_ms(), self._lost_ms())
        unfinished_ms = self._reader.due_ms()
        return due_ms if unfinished_ms is None else min(due_ms, unfinished_ms)

    def to_send(self) -> bytes:
        """What is to be sent, told once."""
        data = bytes(self._out)
        self._out.clear()
        return data

    def _lost_ms(self) -> float:
        """When it is too long. Until it answers, a pad that only talks to itself is none."""
        if self.stage is Stage.CONNECTING:
            return self._began_ms + CONNECT_MS
        # One of another version has no keys that could be lost.
        return self._heard_ms + (LOST_MS if self.stage is Stage.CONNECTED else QUIET_MS)

    def _quiet_ms(self) -> float:
        """When silence is news."""
        is_news = self.stage is Stage.CONNECTED and not self.is_quiet
        return self._heard_ms + QUIET_MS if is_news else inf

    # --- Speaking ---------------------------------------------------------------------

    def _say(self, message: WireMessage) -> None:
        self._out += encode(to_frame(message, self._sequence))
        self._sequence = (self._sequence + 1) % 256

    def _say_hello(self, now_ms: float) -> None:
        self._speak_ms = now_ms + HELLO_MS
        self._say(Hello(VERSION, self.session))

    def _say_state(self) -> None:
        if self.stage is Stage.CONNECTED:
            self._say(State(self.session, self._mode, self._flash, self._flash_count))

    # --- Hearing ----------------------------------------------------------------------

    def _hear_all(self, frames: list[Frame], now_ms: float) -> list[PadEvent]:
        events: list[PadEvent] = []
        for frame in frames:
            if frame.kind & FROM_PAD:
                self._heard_ms = now_ms
                if self.is_quiet:
                    self.is_quiet = False
                    events.append(LinkBack())
                events += self._hear(frame, now_ms)
            else:
                self._ignore()
        self._count_damaged()
        return events

    def _hear(self, frame: Frame, now_ms: float) -> list[PadEvent]:
        self._count(frame.sequence)
        message = from_frame(frame)
        match message:
            case Identity():
                return self._meet(message, now_ms)
            case Report():
                return self._take(message, now_ms)
            case Alive():
                return self._check(message, now_ms)
            case _:
                self._ignore()
                return []

    def _meet(self, identity: Identity, now_ms: float) -> list[PadEvent]:
        if self.identity is not None and self.stage is Stage.CONNECTED:
            is_reset = identity.session == self.session and identity.boots != self.identity.boots
            return self._renew(now_ms) if is_reset else []
        if identity.version != VERSION:
            was_told = self.identity is not None and self.identity.version == identity.version
            self.stage = Stage.MISMATCHED
            self.identity = identity
            return [] if was_told else [WrongVersion(identity.version, VERSION, identity)]
        if identity.session != self.session:
            return []  # the answer to a HELLO of before
        self.stage = Stage.CONNECTED
        self.identity = identity
        self._speak_ms = now_ms + STATE_MS
        self._say_state()
        return [Connected(identity)]

    def _take(self, report: Report, now_ms: float) -> list[PadEvent]:
        if self.stage is not Stage.CONNECTED or report.session != self.session:
            return []
        assert self.identity is not None
        if report.boots != self.identity.boots or not report.is_sound:
            self._ignore()
            return []
        expected = following(self._believed)
        if is_ahead(report.number, expected):
            # By chance the pad had this very session from a host of before, and goes on counting.
            return self._doubted(report, now_ms)
        self._say(Ack(self.session, report.number))
        if report.number != expected:
            return []  # a repeat: our ACK was lost
        self._believed = expected
        is_roll = report.key == ROLL_KEY
        return [RollPressed(report.pips) if is_roll else KeyPressed(report.pips)]

    def _check(self, alive: Alive, now_ms: float) -> list[PadEvent]:
        if self.stage is not Stage.CONNECTED:
            return []
        assert self.identity is not None
        if alive.session == NO_SESSION:
            return self._renew(now_ms)
        if (alive.session, alive.boots) != (self.session, self.identity.boots):
            return self._doubted(replace(alive, waiting=0), now_ms)
        return []

    def _doubted(self, told: Report | Alive, now_ms: float) -> list[PadEvent]:
        """Noise that passes for a frame is rare, but it must not cost a session."""
        if told == self._doubt:
            return self._renew(now_ms)
        self._doubt = told
        self._ignore()
        return []

    def _renew(self, now_ms: float) -> list[PadEvent]:
        """The pad has another session than we have, or none: begin anew."""
        self._health.resets += 1
        self.identity = None
        self._connect(now_ms, following(self.session))
        return [PadWasReset()]

    # --- Counting ---------------------------------------------------------------------

    def _count(self, sequence: int) -> None:
        self._health.frames += 1
        if self._heard_sequence is not None:
            gap = (sequence - self._heard_sequence - 1) % 256
            # A long one is none: a frame came twice, or the pad began from 0.
            self._health.lost += gap if gap < 128 else 0
        self._heard_sequence = sequence

    def _ignore(self) -> None:
        self._health.ignored += 1

    def _count_damaged(self) -> None:
        self._health.damaged += self._reader.damaged
        self._reader.damaged = 0
