"""firmware/vectors.txt: the bytes that the firmware is run against, too."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.pad.frames import Frame, FrameReader, crc, encode
from companion.pad.messages import (
    Ack,
    Alive,
    Hello,
    Identity,
    Report,
    State,
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
    told = dict(field.split("=") for field in fields)
    board = bytes.fromhex(told.pop("board", ""))
    firmware = told.pop("firmware", "")
    numbers = {name: int(value, 0) for name, value in told.items()}
    match name:
        case "HELLO":
            return Hello(**numbers)
        case "ACK":
            return Ack(**numbers)
        case "STATE":
            return State(**numbers)
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


def test_there_is_a_line_of_every_kind_and_none_of_another() -> None:
    assert {kind for kind, _ in LINES} == {"crc", "frame", "longer", "ignored", "stream"}
    assert len(LINES) > 150


@pytest.mark.parametrize("line", lines("crc"))
def test_crc(line: str) -> None:
    data, _, expected = line.rpartition("=")
    assert crc(bytes.fromhex(data)) == int(expected, 16)


@pytest.mark.parametrize("line", lines("frame"))
def test_a_message_is_these_bytes_and_these_bytes_this_message(line: str) -> None:
    told, sequence, data = parsed(line)
    assert encode(to_frame(told, sequence)) == data
    assert only_frame(data).sequence == sequence
    assert from_frame(only_frame(data)) == told


@pytest.mark.parametrize("line", lines("longer"))
def test_what_is_longer_is_read_as_far_as_we_know(line: str) -> None:
    told, sequence, data = parsed(line)
    assert only_frame(data).sequence == sequence
    assert from_frame(only_frame(data)) == told
    assert encode(to_frame(told, sequence)) != data


@pytest.mark.parametrize("line", lines("ignored"))
def test_a_good_frame_that_is_no_message(line: str) -> None:
    assert from_frame(only_frame(bytes.fromhex(line))) is None


@pytest.mark.parametrize("is_whole", [True, False], ids=["whole", "byte by byte"])
@pytest.mark.parametrize("line", lines("stream"))
def test_what_a_reader_makes_of_a_stream(line: str, is_whole: bool) -> None:
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
    told = [bytes.fromhex(frame) for frame in expected.split("|") if expected != "nothing"]
    assert found == [Frame(frame[0], frame[1], frame[2:]) for frame in told]
