"""Frames on the serial line: encoding, and finding them in a stream of bytes.

See firmware/PROTOCOL.md, "Frames": sync, length, type, sequence, payload, CRC; no escaping.
"""

from __future__ import annotations

from binascii import crc_hqx
from dataclasses import dataclass

SYNC = 0x7E
MAX_PAYLOAD = 16
FRAME_OVERHEAD = 6
"""The bytes of a frame without its payload."""
INCOMPLETE_FRAME_MS = 100
"""An incomplete frame is dropped when no byte arrives for this time."""


@dataclass(frozen=True, slots=True)
class Frame:
    kind: int
    sequence: int
    payload: bytes = b""


def crc(data: bytes) -> int:
    """CRC-16/CCITT-FALSE. The check value of `123456789` is 29B1."""
    return crc_hqx(data, 0xFFFF)


def encode(frame: Frame) -> bytes:
    assert len(frame.payload) <= MAX_PAYLOAD, f"a payload of {len(frame.payload)} bytes"
    checked = bytes((len(frame.payload), frame.kind, frame.sequence)) + frame.payload
    return b"\x7e" + checked + crc(checked).to_bytes(2, "little")


class FrameReader:
    """Finds frames in a stream of bytes that may arrive in pieces and contain noise."""

    def __init__(self) -> None:
        self.damaged = 0
        """Sync bytes that no valid frame followed: damaged frames, or `7E` in noise."""
        self._bytes = bytearray()
        """Empty, or an incomplete frame that starts with its sync byte."""
        self._received_ms = 0.0
        """When the last byte arrived."""

    def feed(self, data: bytes, now_ms: float) -> list[Frame]:
        """Add bytes that have just arrived. Returns the frames that are now complete."""
        found = self.pass_time(now_ms)
        if data:
            self._bytes += data
            self._received_ms = now_ms
            found += self._read()
        return found

    def pass_time(self, now_ms: float) -> list[Frame]:
        """Drop a frame that stayed incomplete. Returns frames found in its bytes."""
        found: list[Frame] = []
        while (due_ms := self.due_ms()) is not None and now_ms >= due_ms:
            self.damaged += 1
            del self._bytes[0]
            found += self._read()
        return found

    def due_ms(self) -> float | None:
        """When `pass_time` drops the incomplete frame; None if there is none."""
        return self._received_ms + INCOMPLETE_FRAME_MS if self._bytes else None

    def _read(self) -> list[Frame]:
        """Remove complete frames and noise from the buffer."""
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
            end = at + FRAME_OVERHEAD + length
            if length <= MAX_PAYLOAD and end > len(data):
                break
            if length <= MAX_PAYLOAD and _has_valid_crc(data[at + 1 : end]):
                kind, sequence = data[at + 2 : at + 4]
                found.append(Frame(kind, sequence, bytes(data[at + 4 : end - 2])))
                at = end
            else:
                self.damaged += 1
                at += 1
        del data[:at]
        return found


def _has_valid_crc(checked: bytes | bytearray) -> bool:
    """Whether the last two bytes are the CRC of the others."""
    return crc_hqx(checked[:-2], 0xFFFF) == checked[-2] | checked[-1] << 8
