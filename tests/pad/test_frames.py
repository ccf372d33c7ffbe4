"""Frames: exact bytes, in streams, in pieces and in noise."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from helpers.profiles import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.pad.frames import FRAME_OVERHEAD, MAX_PAYLOAD, SYNC, Frame, FrameReader, crc, encode

HELLO = Frame(0x01, 5, bytes([1, 0x34, 0x12]))
HELLO_BYTES = bytes.fromhex("7E 03 01 05 01 34 12 F6 1A")
LONGEST_FRAME = Frame(0x7E, 0x7E, b"\x7e" * MAX_PAYLOAD)

frames = st.builds(Frame, st.integers(0, 255), st.integers(0, 255), st.binary(max_size=MAX_PAYLOAD))
noise = st.binary(max_size=60) | st.lists(
    st.sampled_from([SYNC, 0, 3, 16, 17, 255]), max_size=60
).map(bytes)
cuts = st.lists(st.integers(0, 400), max_size=12)


def pieces(data: bytes, at: list[int]) -> list[bytes]:
    ends = sorted({min(cut, len(data)) for cut in at} | {0, len(data)})
    return [data[start:end] for start, end in pairwise(ends)]


def read(*parts: bytes) -> list[Frame]:
    reader = FrameReader()
    return [frame for part in parts for frame in reader.feed(part, 0)]


def read_out(*parts: bytes) -> list[Frame]:
    """Also wait until incomplete frames are dropped."""
    reader = FrameReader()
    found = [frame for part in parts for frame in reader.feed(part, 0)]
    found += reader.pass_time(100)
    assert reader.due_ms() is None
    return found


# --- Bytes --------------------------------------------------------------------------------


def test_the_crc_is_ccitt_false() -> None:
    assert crc(b"123456789") == 0x29B1


def test_a_frame_is_these_bytes() -> None:
    assert encode(HELLO) == HELLO_BYTES


def test_a_payload_of_17_bytes_fails_an_assertion() -> None:
    with pytest.raises(AssertionError, match=r"^a payload of 17 bytes$"):
        encode(Frame(1, 0, bytes(17)))


@given(frames)
def test_every_frame_round_trips(frame: Frame) -> None:
    data = encode(frame)
    assert len(data) == FRAME_OVERHEAD + len(frame.payload)
    assert read(data) == [frame]


@given(st.lists(frames, max_size=8), cuts)
def test_a_stream_of_frames_may_arrive_in_any_pieces(sent: list[Frame], at: list[int]) -> None:
    data = b"".join(map(encode, sent))
    assert read(*pieces(data, at)) == sent


# --- Noise --------------------------------------------------------------------------------


@settings(max_examples=examples(500))
@given(st.lists(noise | frames.map(encode), max_size=8).map(b"".join), cuts)
def test_the_frames_found_in_noise_do_not_depend_on_the_pieces(data: bytes, at: list[int]) -> None:
    whole = read(data)
    assert read(*pieces(data, at)) == whole
    assert read(*(data[n : n + 1] for n in range(len(data)))) == whole


@settings(max_examples=examples(500))
@given(noise, frames)
def test_a_frame_is_found_after_noise_and_silence(before: bytes, frame: Frame) -> None:
    reader = FrameReader()
    reader.feed(before, 0)
    assert reader.feed(encode(frame), 100)[-1:] == [frame]


@pytest.mark.parametrize("position", range(len(HELLO_BYTES)))
def test_a_frame_with_one_wrong_byte_is_dropped(position: int) -> None:
    for change in range(1, 256):
        data = bytearray(HELLO_BYTES)
        data[position] ^= change
        assert read_out(bytes(data)) == []


@pytest.mark.parametrize("position", range(len(HELLO_BYTES)))
def test_the_frame_after_one_with_a_lost_byte_is_found(position: int) -> None:
    cut = HELLO_BYTES[:position] + HELLO_BYTES[position + 1 :]
    assert read(cut, encode(LONGEST_FRAME)) == [LONGEST_FRAME]


def test_a_frame_inside_a_damaged_one_is_found() -> None:
    assert read(b"\x7e\x03", HELLO_BYTES) == [HELLO]
    assert read(b"\x7e\x11", HELLO_BYTES) == [HELLO]
    assert read(b"\x7e" * 40, HELLO_BYTES) == [HELLO]


def test_syncs_without_a_valid_frame_are_counted_as_damaged() -> None:
    reader = FrameReader()
    reader.feed(b"noise \x7e\x11 \x7e\xff", 0)
    assert reader.damaged == 2
    reader.feed(HELLO_BYTES, 0)
    assert reader.damaged == 2
    reader.feed(b"\x7e", 0)
    reader.pass_time(100)
    assert reader.damaged == 3


def test_200_000_random_pieces_cause_no_exception_and_no_growth() -> None:
    rng = Random(7)
    reader = FrameReader()
    alphabet = bytes(range(256)) + b"\x7e" * 64 + bytes(range(17)) * 4
    found = 0
    for _ in range(200_000):
        piece = bytes(rng.choices(alphabet, k=rng.randrange(12)))
        found += len(reader.feed(piece, 0))
        assert len(reader._bytes) < FRAME_OVERHEAD + MAX_PAYLOAD
    # One in 65 536 has a valid CRC by chance; so messages also have a session and a number.
    assert found < 20


# --- Time ---------------------------------------------------------------------------------


def test_an_incomplete_frame_is_kept_for_less_than_100_ms() -> None:
    reader = FrameReader()
    assert reader.due_ms() is None
    assert reader.feed(HELLO_BYTES[:4], 1000) == []
    assert reader.due_ms() == 1100
    assert reader.feed(HELLO_BYTES[4:8], 1099) == []
    assert reader.due_ms() == 1199
    assert reader.feed(HELLO_BYTES[8:], 1198.9) == [HELLO]
    assert reader.due_ms() is None


def test_an_incomplete_frame_is_damaged_after_100_ms() -> None:
    reader = FrameReader()
    reader.feed(HELLO_BYTES[:4], 1000)
    assert reader.feed(HELLO_BYTES[4:], 1100) == []
    assert (reader.damaged, reader.due_ms()) == (1, None)


def test_a_frame_hidden_by_a_false_sync_is_found_after_100_ms() -> None:
    reader = FrameReader()
    assert reader.feed(b"\x7e\x10" + HELLO_BYTES, 0) == []
    assert reader.pass_time(99.9) == []
    assert reader.pass_time(100) == [HELLO]
    assert reader.pass_time(100) == []
