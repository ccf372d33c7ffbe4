"""Frames: how bytes on the wire are told apart, and damaged ones found out.

firmware/PROTOCOL.md, "Frames". Sync, length, type, sequence, payload, CRC; nothing is escaped.
"""

from __future__ import annotations

from binascii import crc_hqx
from dataclasses import dataclass

SYNC = 0x7E
MOST_PAYLOAD = 16
AROUND = 6
"""The bytes of a frame around its payload."""
UNFINISHED_MS = 100
"""How long nothing may come while a frame is unfinished."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What is between sync and CRC: its kind, its place among its sender's, and what it says."""

    kind: int
    sequence: int
    payload: bytes = b""


def crc(data: bytes) -> int:
    """CRC-16/CCITT-FALSE: of the text 123456789 it is 29B1."""
    return crc_hqx(data, 0xFFFF)


def encode(frame: Frame) -> bytes:
    """The bytes of a frame."""
    assert len(frame.payload) <= MOST_PAYLOAD, f"a payload of {len(frame.payload)} bytes"
    checked = bytes((len(frame.payload), frame.kind, frame.sequence)) + frame.payload
    return b"\x7e" + checked + crc(checked).to_bytes(2, "little")


class FrameReader:
    """Finds the frames in what arrives, whole or in pieces, with any noise between them."""

    def __init__(self) -> None:
        self.damaged = 0
        """Syncs after which no good frame came: damaged frames, or `7E` that was none."""
        self._bytes = bytearray()
        """What arrived and is not read yet: nothing, or an unfinished frame from its sync on."""
        self._heard_ms = 0.0
        """When the last byte came."""

    def feed(self, data: bytes, now_ms: float) -> list[Frame]:
        """The frames that are complete with these bytes, which have come just now."""
        found = self.pass_time(now_ms)
        if data:
            self._bytes += data
            self._heard_ms = now_ms
            found += self._read()
        return found

    def pass_time(self, now_ms: float) -> list[Frame]:
        """Give up what stays unfinished. There may be frames inside of what looked like one."""
        found: list[Frame] = []
        while (due_ms := self.due_ms()) is not None and now_ms >= due_ms:
            self.damaged += 1
            del self._bytes[0]
            found += self._read()
        return found

    def due_ms(self) -> float | None:
        """When the frame that has begun has stayed unfinished for too long."""
        return self._heard_ms + UNFINISHED_MS if self._bytes else None

    def _read(self) -> list[Frame]:
        """Take out complete frames, and everything before a sync."""
        found: list[Frame] = []
        data, at = self._bytes, 0
        while True:
            at = data.find(SYNC, at)
            if at < 0:
                at = len(data)
                break
            if len(data) - at < 2:
                break
            length = data[at + 1]
            end = at + AROUND + length
            if length <= MOST_PAYLOAD and end > len(data):
                break
            if length <= MOST_PAYLOAD and _is_sound(data[at + 1 : end]):
                kind, sequence = data[at + 2 : at + 4]
                found.append(Frame(kind, sequence, bytes(data[at + 4 : end - 2])))
                at = end
            else:
                self.damaged += 1
                at += 1
        del data[:at]
        return found


def _is_sound(checked: bytes | bytearray) -> bool:
    """Whether the last two bytes are the CRC of those before."""
    return crc_hqx(checked[:-2], 0xFFFF) == checked[-2] | checked[-1] << 8
