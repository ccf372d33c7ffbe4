"""The pad's logic in C (firmware/core), called through ctypes."""

from __future__ import annotations

import ctypes
from ctypes import (
    POINTER,
    Structure,
    byref,
    c_bool,
    c_size_t,
    c_uint8,
    c_uint16,
    c_uint32,
    c_uint64,
)
from pathlib import Path
from typing import Any

KEYS = 5
ROLL = 5
QUEUE = 16


class Frame(Structure):
    type: int
    sequence: int
    length: int
    _fields_ = [
        ("type", c_uint8),
        ("sequence", c_uint8),
        ("length", c_uint8),
        ("payload", c_uint8 * 16),
    ]

    @classmethod
    def of(cls, type_: int, sequence: int, payload: bytes) -> Frame:
        return cls(type_, sequence, len(payload), (c_uint8 * 16)(*payload))

    def bare(self) -> bytes:
        """Type, sequence and payload."""
        return bytes([self.type, self.sequence, *self.payload[: self.length]])


class Reader(Structure):
    count: int
    _fields_ = [("bytes", c_uint8 * 22), ("count", c_uint8), ("last_byte_ms", c_uint32)]


class Debounce(Structure):
    _fields_ = [("seen", c_uint8), ("stable", c_uint8), ("since_ms", c_uint32 * KEYS)]


class Report(Structure):
    number: int
    key: int
    pips: int
    _fields_ = [("number", c_uint16), ("key", c_uint8), ("pips", c_uint8)]


class Reports(Structure):
    count: int
    first_number: int
    _fields_ = [
        ("ring", c_uint8 * (2 * QUEUE)),
        ("first", c_uint8),
        ("count", c_uint8),
        ("first_number", c_uint16),
        ("was_sent", c_bool),
        ("sent_ms", c_uint32),
    ]


class Led(Structure):
    _fields_ = [
        ("mode", c_uint8),
        ("flash", c_uint8),
        ("is_lost", c_bool),
        ("blink_ms", c_uint32),
        ("flash_ms", c_uint32),
    ]


class Dice(Structure):
    state: int
    _fields_ = [("state", c_uint64)]


class Slot(Structure):
    count: int
    complement: int
    _fields_ = [("count", c_uint16), ("complement", c_uint16)]


class Boots(Structure):
    slot: int
    count: int
    _fields_ = [("slot", c_uint8), ("count", c_uint16)]


class Identity(Structure):
    _fields_ = [("board", c_uint8 * 4), ("boots", c_uint16)]


SEND = ctypes.CFUNCTYPE(None, POINTER(c_uint8), c_uint8)


class Library:
    """libpad.so, with the types of its functions."""

    def __init__(self, path: Path) -> None:
        self.c: Any = ctypes.CDLL(str(path))
        self.c.crc16.restype = c_uint16
        self.c.crc16.argtypes = [ctypes.c_char_p, c_uint8]
        self.c.frame_write.restype = c_uint8
        self.c.frame_reader_put.argtypes = [POINTER(Reader), c_uint8, c_uint32]
        self.c.frame_reader_next.argtypes = [POINTER(Reader), c_uint32, POINTER(Frame)]
        self.c.frame_reader_next.restype = c_bool
        self.c.debounce_read.argtypes = [POINTER(Debounce), c_uint8, c_uint32]
        self.c.debounce_read.restype = c_uint8
        self.c.reports_add.argtypes = [POINTER(Reports), c_uint8, c_uint8]
        self.c.reports_add.restype = c_bool
        self.c.reports_due.argtypes = [POINTER(Reports), c_uint32, POINTER(Report)]
        self.c.reports_due.restype = c_bool
        self.c.reports_acknowledge.argtypes = [POINTER(Reports), c_uint16]
        self.c.led_is_lit.argtypes = [POINTER(Led), c_uint32]
        self.c.led_is_lit.restype = c_bool
        self.c.led_mode.argtypes = [POINTER(Led), c_uint8, c_uint32]
        self.c.led_flash.argtypes = [POINTER(Led), c_uint8, c_uint32]
        self.c.led_lost.argtypes = [POINTER(Led), c_bool, c_uint32]
        self.c.dice_next.restype = c_uint32
        self.c.dice_roll.restype = c_uint8
        self.c.dice_stir.argtypes = [POINTER(Dice), c_uint32]
        self.c.boots_next.restype = Boots
        self.c.boots_slot.restype = Slot
        self.c.boots_slot.argtypes = [c_uint16]
        self.c.pad_led.restype = c_bool
        mirrored = {
            "frame": Frame,
            "reader": Reader,
            "debounce": Debounce,
            "reports": Reports,
            "led": Led,
        }
        for name, mirror in mirrored.items():
            assert self.size(name) == ctypes.sizeof(mirror), name

    def size(self, name: str) -> int:
        size_of = self.c[f"size_of_{name}"]
        size_of.restype = c_size_t
        return int(size_of())

    def write(self, frame: Frame) -> bytes:
        data = (c_uint8 * 22)()
        return bytes(data[: self.c.frame_write(byref(frame), data)])

    def read(self, reader: Reader, data: bytes, now_ms: int = 0) -> list[bytes]:
        """The frames in these bytes, fed one by one; without bytes, those found after a timeout."""
        frame = Frame()
        found = []
        for byte in data or [None]:
            if byte is not None:
                self.c.frame_reader_put(byref(reader), byte, now_ms)
            while self.c.frame_reader_next(byref(reader), now_ms, byref(frame)):
                found.append(frame.bare())
        return found


class Pad:
    """A pad with keys and a fake clock. `sent` has the bytes of each frame it sent."""

    def __init__(self, library: Library, *, now_ms: int = 0, boots: int = 7) -> None:
        self.c = library.c
        self.now_ms = now_ms
        self.contacts = 0
        self.sent: list[bytes] = []
        self._memory = ctypes.create_string_buffer(library.size("pad"))
        self._send = SEND(lambda data, count: self.sent.append(bytes(data[:count])))
        identity = Identity((c_uint8 * 4)(0xDE, 0xAD, 0xBE, 0xEF), boots)
        self.c.pad_init(self._memory, self._send, byref(identity), c_uint32(now_ms))

    def receive(self, data: bytes) -> None:
        for byte in data:
            self.c.pad_receive(self._memory, c_uint8(byte), c_uint32(self.now_ms))

    def stir(self, value: int) -> None:
        self.c.pad_stir(self._memory, c_uint32(value))

    def wait(self, ms: int) -> list[bool]:
        """Let time pass. Returns the LED in each millisecond."""
        lit = []
        for _ in range(ms):
            self.now_ms = (self.now_ms + 1) & 0xFFFFFFFF
            now = c_uint32(self.now_ms)
            self.c.pad_keys(self._memory, c_uint8(self.contacts), now)
            self.c.pad_tick(self._memory, now)
            lit.append(bool(self.c.pad_led(self._memory, now)))
        return lit

    def press(self, *keys: int, ms: int = 20) -> list[bool]:
        """Hold keys for a time, then release them for as long. Returns the LED meanwhile."""
        self.contacts = sum(1 << (key - 1) for key in keys)
        lit = self.wait(ms)
        self.contacts = 0
        return lit + self.wait(ms)

    def take_sent(self) -> list[bytes]:
        """The frames sent since the last call."""
        sent, self.sent[:] = list(self.sent), []
        return sent
