"""Reads firmware/vectors.txt, whose first lines describe its format."""

from __future__ import annotations

import re
from dataclasses import dataclass

from helpers.pad.tools import FIRMWARE

LINES = [
    line
    for line in (FIRMWARE / "vectors.txt").read_text().splitlines()
    if line and not line.startswith("#")
]


def _lines_of(kind: str) -> list[str]:
    return [line[len(kind) :].strip() for line in LINES if line.split()[0] == kind]


@dataclass(frozen=True)
class Message:
    """A frame with a message: `frame` and `longer` lines."""

    name: str
    sequence: int
    fields: dict[str, str]
    data: bytes

    def number(self, field: str) -> int:
        return int(self.fields[field], 0)


def _message(line: str) -> Message:
    about, data = line.split(" : ")
    name, *fields = about.split()
    values = dict(field.split("=") for field in fields)
    return Message(name, int(values.pop("seq")), values, bytes.fromhex(data))


CRCS = [
    (bytes.fromhex(data), int(crc, 16))
    for data, crc in (line.split("=") for line in _lines_of("crc"))
]
MESSAGES = [_message(line) for line in _lines_of("frame")]
LONGER = [_message(line) for line in _lines_of("longer")]
IGNORED = [bytes.fromhex(line) for line in _lines_of("ignored")]


@dataclass(frozen=True)
class Stream:
    """Bytes and milliseconds of silence, and the frames in them: type, sequence and payload."""

    parts: list[bytes | int]
    frames: list[bytes]

    @property
    def data(self) -> bytes:
        return b"".join(part for part in self.parts if isinstance(part, bytes))


def _stream(line: str) -> Stream:
    left, right = line.split(" -> ")
    parts: list[bytes | int] = [
        int(silence) if silence else bytes.fromhex(data)
        for silence, data in re.findall(r"\((\d+) ms\)|((?:[0-9A-F]{2} ?)+)", left)
    ]
    return Stream(parts, [] if right == "nothing" else [bytes.fromhex(f) for f in right.split("|")])


STREAMS = [_stream(line) for line in _lines_of("stream")]
