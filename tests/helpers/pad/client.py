"""A small blocking host for the die pad, written only from firmware/PROTOCOL.md.

It shares no code with the companion, so that it also tests the document.
"""

from __future__ import annotations

import os
import select
import termios
import time
import tty
from collections.abc import Callable
from dataclasses import dataclass, field

from helpers.patience import PATIENCE_S

HELLO, ACK, STATE = 0x01, 0x02, 0x03
IDENTITY, REPORT, ALIVE = 0x81, 0x82, 0x83


def crc(data: bytes) -> int:
    value = 0xFFFF
    for byte in data:
        for bit in range(7, -1, -1):
            is_set = (value >> 15) ^ (byte >> bit & 1)
            value = (value << 1 & 0xFFFF) ^ (0x1021 if is_set else 0)
    return value


def frame(type_: int, sequence: int, payload: bytes) -> bytes:
    checked = bytes([len(payload), type_, sequence & 0xFF]) + payload
    return b"\x7e" + checked + crc(checked).to_bytes(2, "little")


def two_bytes(number: int) -> bytes:
    return number.to_bytes(2, "little")


def number(data: bytes) -> int:
    return int.from_bytes(data, "little")


def hello(session: int, version: int = 1, sequence: int = 0) -> bytes:
    return frame(HELLO, sequence, bytes([version]) + two_bytes(session))


def ack(session: int, number_: int, sequence: int = 0) -> bytes:
    return frame(ACK, sequence, two_bytes(session) + two_bytes(number_))


def state(session: int, mode: int, flash: int = 0, count: int = 0, sequence: int = 0) -> bytes:
    return frame(STATE, sequence, two_bytes(session) + bytes([mode, flash, count]))


@dataclass(frozen=True)
class ReceivedFrame:
    type: int
    sequence: int
    payload: bytes

    @property
    def session(self) -> int:
        return number(self.payload[1:3] if self.type == IDENTITY else self.payload[:2])

    @property
    def boots(self) -> int:
        return number(self.payload[11:13] if self.type == IDENTITY else self.payload[2:4])

    @property
    def report(self) -> tuple[int, int, int]:
        """Number, key, pips."""
        return number(self.payload[4:6]), self.payload[6], self.payload[7]


def parse(data: bytes) -> tuple[list[ReceivedFrame], bytes]:
    """The valid frames, and the incomplete rest."""
    frames: list[ReceivedFrame] = []
    while (at := data.find(b"\x7e")) >= 0:
        data = data[at:]
        if len(data) < 2 or (data[1] <= 16 and len(data) < data[1] + 6):
            return frames, data
        whole = data[1] + 6
        if data[1] > 16 or crc(data[1 : whole - 2]) != number(data[whole - 2 : whole]):
            data = data[1:]
            continue
        frames.append(ReceivedFrame(data[2], data[3], data[4 : whole - 2]))
        data = data[whole:]
    return frames, b""


@dataclass
class Client:
    """A host on a port, from opening to closing it."""

    path: str
    session: int = 0x1234
    acknowledges: bool = True
    received: list[ReceivedFrame] = field(default_factory=list)
    keys: list[tuple[int, int]] = field(default_factory=list)
    """Key and pips of every accepted report, in order."""

    def __post_init__(self) -> None:
        self.fd = os.open(self.path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self.fd)
        attributes = termios.tcgetattr(self.fd)
        attributes[4:6] = [termios.B57600] * 2  # another host may have left another speed
        termios.tcsetattr(self.fd, termios.TCSANOW, attributes)
        self.sequence = 0
        self.accepted_number = 0
        self.rest = b""

    def close(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def send_bytes(self, data: bytes) -> None:
        assert os.write(self.fd, data) == len(data)

    def _next(self) -> int:
        self.sequence = (self.sequence + 1) & 0xFF
        return self.sequence

    def hello(self, *, version: int = 1) -> None:
        self.send_bytes(hello(self.session, version, self._next()))

    def state(self, mode: int, flash: int = 0, flash_count: int = 0) -> None:
        self.send_bytes(state(self.session, mode, flash, flash_count, self._next()))

    def listen(self, seconds: float) -> list[ReceivedFrame]:
        """Read and acknowledge what arrives, waiting up to this time for the first byte."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return []
        frames, self.rest = parse(self.rest + os.read(self.fd, 4096))
        for one in frames:
            if one.type == REPORT and one.session == self.session and self.acknowledges:
                self._acknowledge(one)
        self.received += frames
        return frames

    def _acknowledge(self, one: ReceivedFrame) -> None:
        number_, key, pips = one.report
        self.send_bytes(ack(self.session, number_, self._next()))
        if number_ == (1 if self.accepted_number == 0xFFFF else self.accepted_number + 1):
            self.accepted_number = number_
            self.keys.append((key, pips))

    def until(self, is_there: Callable[[], object], seconds: float = PATIENCE_S) -> None:
        """Listen until a condition holds."""
        end = time.monotonic() + seconds
        while not is_there():
            assert time.monotonic() < end, f"timeout; received {self.received[-5:]}"
            self.listen(0.02)

    def until_keys(self, count: int) -> None:
        """Listen until this many keys were accepted."""
        self.until(lambda: len(self.keys) >= count, 30)

    def connect(self, seconds: float = PATIENCE_S) -> ReceivedFrame:
        """Send HELLO every 250 ms until an IDENTITY of our session arrives."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.hello()
            again = time.monotonic() + 0.25
            while time.monotonic() < again:
                for one in self.listen(0.05):
                    if one.type == IDENTITY and one.session == self.session:
                        return one
        raise AssertionError(f"no IDENTITY; received {self.received[-5:]}")
