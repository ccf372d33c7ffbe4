"""firmware/vectors.txt, which the firmware is tested with too."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.pad.frames import Frame, FrameReader, crc, encode
from companion.pad.messages import (
    Ack,
    Alive,
    Hello,
    HostState,
    Identity,
    Report,
    WireMessage,
    from_frame,
    to_frame,
)

VECTORS = Path(__file__).parents[2] / "firmware" / "vectors.txt"
LINES = [
    line.partition(" ")[::2]
    for line in VECTORS.read_text().splitlines()
    if line and not line.startswith("#")
]


def lines(*kinds: str) -> list[str]:
    return [rest for kind, rest in LINES if kind in kinds]


def message(name: str, fields: list[str]) -> WireMessage:
    values = dict(field.split("=") for field in fields)
    board = bytes.fromhex(values.pop("board", ""))
    firmware = values.pop("firmware", "")
    numbers = {name: int(value, 0) for name, value in values.items()}
    match name:
        case "HELLO":
            return Hello(**numbers)
        case "ACK":
            return Ack(**numbers)
        case "STATE":
            return HostState(**numbers)
        case "REPORT":
            return Report(**numbers)
        case "ALIVE":
            return Alive(**numbers)
    assert name == "IDENTITY"
    major, minor, patch = map(int, firmware.split("."))
    return Identity(firmware=(major, minor, patch), board=board, **numbers)


def parsed(line: str) -> tuple[WireMessage, int, bytes]:
    about, _, data = line.partition(" : ")
    name, sequence, *fields = about.split()
    return message(name, fields), int(sequence.removeprefix("seq=")), bytes.fromhex(data)


def only_frame(data: bytes) -> Frame:
    (frame,) = FrameReader().feed(data, 0)
    return frame


def test_the_vectors_have_exactly_these_kinds_of_lines() -> None:
    assert {kind for kind, _ in LINES} == {"crc", "frame", "longer", "ignored", "stream"}
    assert len(LINES) > 150


@pytest.mark.parametrize("line", lines("crc"))
def test_crc(line: str) -> None:
    data, _, expected = line.rpartition("=")
    assert crc(bytes.fromhex(data)) == int(expected, 16)


@pytest.mark.parametrize("line", lines("frame"))
def test_a_message_encodes_to_its_bytes_and_back(line: str) -> None:
    expected, sequence, data = parsed(line)
    assert encode(to_frame(expected, sequence)) == data
    assert only_frame(data).sequence == sequence
    assert from_frame(only_frame(data)) == expected


@pytest.mark.parametrize("line", lines("longer"))
def test_extra_bytes_at_the_end_of_a_message_are_ignored(line: str) -> None:
    expected, sequence, data = parsed(line)
    assert only_frame(data).sequence == sequence
    assert from_frame(only_frame(data)) == expected
    assert encode(to_frame(expected, sequence)) != data


@pytest.mark.parametrize("line", lines("ignored"))
def test_a_valid_frame_may_have_no_known_message(line: str) -> None:
    assert from_frame(only_frame(bytes.fromhex(line))) is None


@pytest.mark.parametrize("is_whole", [True, False], ids=["whole", "byte by byte"])
@pytest.mark.parametrize("line", lines("stream"))
def test_a_stream_has_these_frames(line: str, is_whole: bool) -> None:
    stream, _, expected = line.partition(" -> ")
    reader, now_ms = FrameReader(), 0.0
    found: list[Frame] = []
    for part in re.findall(r"\(\d+ ms\)|[0-9A-F ]+", stream):
        if silence := re.fullmatch(r"\((\d+) ms\)", part):
            now_ms += int(silence[1])
            found += reader.pass_time(now_ms)
            continue
        data = bytes.fromhex(part)
        step = len(data) if is_whole else 1
        for at in range(0, len(data), step or 1):
            found += reader.feed(data[at : at + step], now_ms)
    frames = [bytes.fromhex(frame) for frame in expected.split("|") if expected != "nothing"]
    assert found == [Frame(frame[0], frame[1], frame[2:]) for frame in frames]
