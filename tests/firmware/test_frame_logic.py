"""Frames in C: the vectors, noise and broken frames."""

from __future__ import annotations

import pytest
from helpers.pad import client as pad_client
from helpers.pad.library import Frame, Library, Reader
from helpers.pad.vectors import CRCS, IGNORED, LINES, LONGER, MESSAGES, STREAMS, Message, Stream
from hypothesis import given
from hypothesis import strategies as st

payloads = st.binary(max_size=16)
frames = st.tuples(st.integers(0, 255), st.integers(0, 255), payloads)


@pytest.mark.parametrize(("data", "crc"), CRCS)
def test_crc(library: Library, data: bytes, crc: int) -> None:
    assert library.c.crc16(data, len(data)) == crc
    assert pad_client.crc(data) == crc


@pytest.mark.parametrize("message", MESSAGES + LONGER, ids=lambda m: m.data.hex())
def test_a_vector_round_trips(library: Library, message: Message) -> None:
    (bare,) = library.read(Reader(), message.data)
    assert bare == message.data[2:-2]
    assert library.write(Frame.of(bare[0], bare[1], bare[2:])) == message.data


@pytest.mark.parametrize("data", IGNORED, ids=bytes.hex)
def test_an_unknown_message_is_still_a_frame(library: Library, data: bytes) -> None:
    assert library.read(Reader(), data) == [data[2:-2]]


@pytest.mark.parametrize("stream", STREAMS)
def test_a_stream_has_these_frames(library: Library, stream: Stream) -> None:
    reader, now_ms, found = Reader(), 0xFFFFFFF0, []
    for part in stream.parts:
        if isinstance(part, int):
            now_ms = (now_ms + part) & 0xFFFFFFFF
            found += library.read(reader, b"", now_ms)
        else:
            found += library.read(reader, part, now_ms)
    assert found == stream.frames


def test_all_lines_of_the_vectors_are_used() -> None:
    assert {m.name for m in MESSAGES} == {m.name for m in LONGER}
    assert len({m.name for m in MESSAGES}) == 6
    kinds = len(CRCS), len(MESSAGES), len(LONGER), len(IGNORED), len(STREAMS)
    assert sum(kinds) == len(LINES) > 150


@given(st.lists(frames, max_size=8), st.binary(max_size=5).filter(lambda b: b"\x7e" not in b))
def test_frames_are_found_with_noise_between_them(
    library: Library, sent: list[tuple[int, int, bytes]], noise: bytes
) -> None:
    data = noise.join(library.write(Frame.of(*one)) for one in sent)
    assert library.read(Reader(), data) == [bytes([t, s]) + p for t, s, p in sent]


@given(st.binary(max_size=200))
def test_arbitrary_bytes_have_the_frames_that_an_independent_reader_finds(
    library: Library, data: bytes
) -> None:
    received, _ = pad_client.parse(data)
    expected = [bytes([one.type, one.sequence]) + one.payload for one in received]
    assert library.read(Reader(), data) == expected


broken_streams = st.lists(
    st.one_of(
        st.sampled_from([m.data for m in MESSAGES]),
        st.sampled_from([b"\x7e", b"\x7e\x10", b"\x7e\x00", b"\x7e\x05\x82"]),
        st.binary(max_size=6),
        st.tuples(st.sampled_from([m.data for m in MESSAGES]), st.integers(0, 18)).map(
            lambda cut: cut[0][: cut[1]]
        ),
    ),
    max_size=12,
).map(b"".join)


@given(broken_streams)
def test_broken_streams_have_the_frames_that_an_independent_reader_finds(
    library: Library, data: bytes
) -> None:
    received, rest = pad_client.parse(data)
    reader = Reader()
    found = library.read(reader, data)
    assert found == [bytes([one.type, one.sequence]) + one.payload for one in received]
    assert reader.count == len(rest) <= 22
    library.read(reader, b"", 100)
    assert reader.count == 0


@given(st.sampled_from(MESSAGES), st.integers(0, 18 * 8))
def test_every_single_wrong_bit_is_detected(library: Library, message: Message, bit: int) -> None:
    wrong = bytearray(message.data)
    wrong[bit // 8 % len(wrong)] ^= 1 << bit % 8
    reader = Reader()
    found = library.read(reader, bytes(wrong)) + library.read(reader, b"", 100)
    assert message.data[2:-2] not in found
