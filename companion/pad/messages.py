"""The messages between host and pad. See firmware/PROTOCOL.md, "Types".

A frame with an unknown type or too short a payload is not a message. Extra bytes at the end are
ignored: later versions may add fields.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from struct import Struct

from companion.pad.frames import Frame

VERSION = 1
NO_SESSION = 0
MAX_NUMBER = 0xFFFF
"""The highest session number and report number; 1 follows."""
ROLL_KEY = 5
FROM_PAD = 0x80
"""This bit is set in the type of frames from a pad, so that an echo is not taken for a pad."""


class Mode(IntEnum):
    """What the table waits for, shown by the LED of the pad."""

    NOTHING = 0
    NUMBER = 1


class Flash(IntEnum):
    """Whether the table accepted the last key."""

    NONE = 0
    ACCEPTED = 1
    REFUSED = 2


# --- From the host ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hello:
    version: int
    session: int


@dataclass(frozen=True, slots=True)
class Ack:
    session: int
    number: int


@dataclass(frozen=True, slots=True)
class HostState:
    """STATE. `mode` and `flash` are plain numbers: a later host may have more values."""

    session: int
    mode: int
    flash: int
    flash_count: int


# --- From the pad -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Identity:
    version: int
    session: int
    firmware: tuple[int, int, int]
    board: bytes
    """Four bytes that identify the pad."""
    capabilities: int
    boots: int


@dataclass(frozen=True, slots=True)
class Report:
    session: int
    boots: int
    number: int
    key: int
    pips: int

    @property
    def is_valid(self) -> bool:
        """Whether the number, key and pips are possible: keys 1 to 4 report their own pips."""
        return self.number > 0 and 1 <= self.pips <= 4 and (self.key in (self.pips, ROLL_KEY))


@dataclass(frozen=True, slots=True)
class Alive:
    session: int
    boots: int
    waiting: int


WireMessage = Hello | Ack | HostState | Identity | Report | Alive

# --- Frames of messages -------------------------------------------------------------------

_HELLO = Struct("<BH")
_ACK = Struct("<HH")
_STATE = Struct("<HBBB")
_IDENTITY = Struct("<BH3B4sBH")
_REPORT = Struct("<HHHBB")
_ALIVE = Struct("<HHB")


def to_frame(message: WireMessage, sequence: int) -> Frame:
    match message:
        case Hello(version, session):
            return Frame(0x01, sequence, _HELLO.pack(version, session))
        case Ack(session, number):
            return Frame(0x02, sequence, _ACK.pack(session, number))
        case HostState(session, mode, flash, flash_count):
            return Frame(0x03, sequence, _STATE.pack(session, mode, flash, flash_count))
        case Identity(version, session, firmware, board, capabilities, boots):
            payload = _IDENTITY.pack(version, session, *firmware, board, capabilities, boots)
            return Frame(0x81, sequence, payload)
        case Report(session, boots, number, key, pips):
            return Frame(0x82, sequence, _REPORT.pack(session, boots, number, key, pips))
        case Alive(session, boots, waiting):
            return Frame(0x83, sequence, _ALIVE.pack(session, boots, waiting))


def from_frame(frame: Frame) -> WireMessage | None:
    """The message of a frame; None if it is unknown or too short."""
    layout = _LAYOUTS.get(frame.kind)
    if layout is None or len(frame.payload) < layout.size:
        return None
    fields = layout.unpack_from(frame.payload)
    match frame.kind:
        case 0x01:
            return Hello(*fields)
        case 0x02:
            return Ack(*fields)
        case 0x03:
            return HostState(*fields)
        case 0x82:
            return Report(*fields)
        case 0x83:
            return Alive(*fields)
    version, session, major, minor, patch, board, capabilities, boots = fields
    return Identity(version, session, (major, minor, patch), board, capabilities, boots)


_LAYOUTS = {
    0x01: _HELLO,
    0x02: _ACK,
    0x03: _STATE,
    0x81: _IDENTITY,
    0x82: _REPORT,
    0x83: _ALIVE,
}


def next_number(number: int) -> int:
    """The next report number or session; 1 follows 65535."""
    return number % MAX_NUMBER + 1


def is_ahead(number: int, expected: int) -> bool:
    """Whether a report number comes after the expected one, in circular order."""
    return 0 < (number - expected) % MAX_NUMBER < MAX_NUMBER // 2
