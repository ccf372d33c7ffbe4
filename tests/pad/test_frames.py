"""Frames: exact bytes, found again in any stream, whole, in pieces, or with noise around them."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from helpers.profiles import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.pad.frames import AROUND, MOST_PAYLOAD, SYNC, Frame, FrameReader, crc, encode

HELLO = Frame(0x01, 5, bytes([1, 0x34, 0x12]))
HELLO_BYTES = bytes.fromhex("7E 03 01 05 01 34 12 F6 1A")
LONGEST = Frame(0x7E, 0x7E, b"\x7e" * MOST_PAYLOAD)

frames = st.builds(
    Frame, st.integers(0, 255), st.integers(0, 255), st.binary(max_size=MOST_PAYLOAD)
)
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
    """Until nothing is left that waits."""
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


def test_a_payload_of_17_bytes_is_our_own_mistake() -> None:
    with pytest.raises(AssertionError, match=r"^a payload of 17 bytes$"):
        encode(Frame(1, 0, bytes(17)))


@given(frames)
def test_every_frame_is_read_as_it_was_written(frame: Frame) -> None:
    data = encode(frame)
    assert len(data) == AROUND + len(frame.payload)
    assert read(data) == [frame]


@given(st.lists(frames, max_size=8), cuts)
def test_a_stream_of_frames_is_read_however_it_is_cut(sent: list[Frame], at: list[int]) -> None:
    data = b"".join(map(encode, sent))
    assert read(*pieces(data, at)) == sent


# --- Noise --------------------------------------------------------------------------------


@settings(max_examples=examples(500))
@given(st.lists(noise | frames.map(encode), max_size=8).map(b"".join), cuts)
def test_what_is_found_does_not_depend_on_the_pieces(data: bytes, at: list[int]) -> None:
    whole = read(data)
    assert read(*pieces(data, at)) == whole
    assert read(*(data[n : n + 1] for n in range(len(data)))) == whole


@settings(max_examples=examples(500))
@given(noise, frames)
def test_after_any_noise_and_a_silence_a_frame_is_read(before: bytes, frame: Frame) -> None:
    reader = FrameReader()
    reader.feed(before, 0)
    assert reader.feed(encode(frame), 100)[-1:] == [frame]


@pytest.mark.parametrize("position", range(len(HELLO_BYTES)))
def test_a_frame_with_one_wrong_byte_is_none(position: int) -> None:
    for change in range(1, 256):
        data = bytearray(HELLO_BYTES)
        data[position] ^= change
        assert read_out(bytes(data)) == []


@pytest.mark.parametrize("position", range(len(HELLO_BYTES)))
def test_after_a_frame_that_lost_a_byte_the_next_is_read(position: int) -> None:
    cut = HELLO_BYTES[:position] + HELLO_BYTES[position + 1 :]
    assert read(cut, encode(LONGEST)) == [LONGEST]


def test_a_frame_inside_of_a_damaged_one_is_not_lost() -> None:
    assert read(b"\x7e\x03", HELLO_BYTES) == [HELLO]
    assert read(b"\x7e\x11", HELLO_BYTES) == [HELLO]
    assert read(b"\x7e" * 40, HELLO_BYTES) == [HELLO]


def test_damage_is_counted_by_syncs_that_led_to_nothing() -> None:
    reader = FrameReader()
    reader.feed(b"noise \x7e\x11 \x7e\xff", 0)
    assert reader.damaged == 2
    reader.feed(HELLO_BYTES, 0)
    assert reader.damaged == 2
    reader.feed(b"\x7e", 0)
    reader.pass_time(100)
    assert reader.damaged == 3


def test_200_000_random_pieces_never_raise_and_never_pile_up() -> None:
    chance = Random(7)
    reader = FrameReader()
    alphabet = bytes(range(256)) + b"\x7e" * 64 + bytes(range(17)) * 4
    found = 0
    for _ in range(200_000):
        piece = bytes(chance.choices(alphabet, k=chance.randrange(12)))
        found += len(reader.feed(piece, 0))
        assert len(reader._bytes) < AROUND + MOST_PAYLOAD
    # One in 65 536 passes for a frame by its CRC; they are why a session and a number count, too.
    assert found < 20


# --- Time ---------------------------------------------------------------------------------


def test_an_unfinished_frame_waits_for_99_ms_and_no_longer() -> None:
    reader = FrameReader()
    assert reader.due_ms() is None
    assert reader.feed(HELLO_BYTES[:4], 1000) == []
    assert reader.due_ms() == 1100
    assert reader.feed(HELLO_BYTES[4:8], 1099) == []
    assert reader.due_ms() == 1199
    assert reader.feed(HELLO_BYTES[8:], 1198.9) == [HELLO]
    assert reader.due_ms() is None


def test_after_100_ms_of_silence_it_is_damaged() -> None:
    reader = FrameReader()
    reader.feed(HELLO_BYTES[:4], 1000)
    assert reader.feed(HELLO_BYTES[4:], 1100) == []
    assert (reader.damaged, reader.due_ms()) == (1, None)


def test_what_a_false_sync_swallowed_comes_out_after_the_silence() -> None:
    reader = FrameReader()
    assert reader.feed(b"\x7e\x10" + HELLO_BYTES, 0) == []
    assert reader.pass_time(99.9) == []
    assert reader.pass_time(100) == [HELLO]
    assert reader.pass_time(100) == []
