"""What host and pad say to each other: firmware/PROTOCOL.md, "Types".

A frame of a kind that is not known, or too short, is no message. A longer one is read as far as
the table goes, for later versions may add to the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from struct import Struct

from companion.pad.frames import Frame

VERSION = 1
NO_SESSION = 0
LAST = 0xFFFF
"""The last session, and the last number of a report."""
ROLL_KEY = 5
FROM_PAD = 0x80
"""The bit that what a pad says has in its kind: a line that echoes is no pad."""


class Mode(IntEnum):
    """What the table waits for: what the LED of the pad says."""

    NOTHING = 0
    NUMBER = 1


class Flash(IntEnum):
    """How the last key was taken."""

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
class State:
    """`mode` and `flash` are plain numbers: a later host may know more of them."""

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
    """Four bytes, the pad's own for good."""
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
    def is_sound(self) -> bool:
        """Whether there are such a number and key: 1 to 4 mean themselves, ROLL any of them."""
        return self.number > 0 and 1 <= self.pips <= 4 and (self.key in (self.pips, ROLL_KEY))


@dataclass(frozen=True, slots=True)
class Alive:
    session: int
    boots: int
    waiting: int


WireMessage = Hello | Ack | State | Identity | Report | Alive

# --- Their frames -------------------------------------------------------------------------

_HELLO = Struct("<BH")
_ACK = Struct("<HH")
_STATE = Struct("<HBBB")
_IDENTITY = Struct("<BH3B4sBH")
_REPORT = Struct("<HHHBB")
_ALIVE = Struct("<HHB")


def to_frame(message: WireMessage, sequence: int) -> Frame:
    """The frame that says it."""
    match message:
        case Hello(version, session):
            return Frame(0x01, sequence, _HELLO.pack(version, session))
        case Ack(session, number):
            return Frame(0x02, sequence, _ACK.pack(session, number))
        case State(session, mode, flash, flash_count):
            return Frame(0x03, sequence, _STATE.pack(session, mode, flash, flash_count))
        case Identity(version, session, firmware, board, capabilities, boots):
            payload = _IDENTITY.pack(version, session, *firmware, board, capabilities, boots)
            return Frame(0x81, sequence, payload)
        case Report(session, boots, number, key, pips):
            return Frame(0x82, sequence, _REPORT.pack(session, boots, number, key, pips))
        case Alive(session, boots, waiting):
            return Frame(0x83, sequence, _ALIVE.pack(session, boots, waiting))


def from_frame(frame: Frame) -> WireMessage | None:
    """What a frame says; None if it says nothing that this version knows."""
    layout = _LAYOUTS.get(frame.kind)
    if layout is None or len(frame.payload) < layout.size:
        return None
    told = layout.unpack_from(frame.payload)
    match frame.kind:
        case 0x01:
            return Hello(*told)
        case 0x02:
            return Ack(*told)
        case 0x03:
            return State(*told)
        case 0x82:
            return Report(*told)
        case 0x83:
            return Alive(*told)
    version, session, major, minor, patch, board, capabilities, boots = told
    return Identity(version, session, (major, minor, patch), board, capabilities, boots)


_LAYOUTS = {
    0x01: _HELLO,
    0x02: _ACK,
    0x03: _STATE,
    0x81: _IDENTITY,
    0x82: _REPORT,
    0x83: _ALIVE,
}


def following(number: int) -> int:
    """The number, or session, after this one: from 65535 to 1."""
    return number % LAST + 1


def is_ahead(number: int, expected: int) -> bool:
    """Whether a number is still to come, and not one that has been."""
    return 0 < (number - expected) % LAST < LAST // 2
