"""Messages and their frames."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.pad.frames import Frame
from companion.pad.messages import (
    Ack,
    Alive,
    Hello,
    HostState,
    Identity,
    Report,
    WireMessage,
    from_frame,
    is_ahead,
    next_number,
    to_frame,
)

one = st.integers(0, 0xFF)
two = st.integers(0, 0xFFFF)
messages: st.SearchStrategy[WireMessage] = st.one_of(
    st.builds(Hello, one, two),
    st.builds(Ack, two, two),
    st.builds(HostState, two, one, one, one),
    st.builds(
        Identity, one, two, st.tuples(one, one, one), st.binary(min_size=4, max_size=4), one, two
    ),
    st.builds(Report, two, two, two, one, one),
    st.builds(Alive, two, two, one),
)
SIZES = {0x01: 3, 0x02: 4, 0x03: 5, 0x81: 13, 0x82: 8, 0x83: 5}


@given(messages, one, st.binary(max_size=3))
def test_every_message_round_trips_with_extra_bytes_at_the_end(
    message: WireMessage, sequence: int, more: bytes
) -> None:
    frame = to_frame(message, sequence)
    assert frame.sequence == sequence
    assert len(frame.payload) == SIZES[frame.kind]
    assert from_frame(frame) == message
    assert from_frame(Frame(frame.kind, sequence, frame.payload + more)) == message


@pytest.mark.parametrize(("kind", "size"), SIZES.items())
def test_a_payload_that_is_too_short_is_not_a_message(kind: int, size: int) -> None:
    assert from_frame(Frame(kind, 0, bytes(size))) is not None
    for shorter in range(size):
        assert from_frame(Frame(kind, 0, bytes(shorter))) is None


@given(one, st.binary(max_size=16))
def test_any_frame_is_a_message_or_none(kind: int, payload: bytes) -> None:
    is_message = kind in SIZES and len(payload) >= SIZES[kind]
    assert (from_frame(Frame(kind, 0, payload)) is not None) == is_message


def test_numbers_have_the_low_byte_first() -> None:
    assert to_frame(Ack(0x1234, 0x0201), 0).payload == bytes.fromhex("34 12 01 02")


def test_only_possible_keys_are_valid() -> None:
    sound = [
        (key, pips)
        for key in range(256)
        for pips in range(256)
        if Report(1, 1, 1, key, pips).is_valid
    ]
    assert sound == [(1, 1), (2, 2), (3, 3), (4, 4), (5, 1), (5, 2), (5, 3), (5, 4)]
    assert not Report(1, 1, 0, 1, 1).is_valid


def test_1_follows_65535() -> None:
    assert [next_number(n) for n in (0, 1, 65534, 65535)] == [1, 2, 65535, 1]


@pytest.mark.parametrize(
    ("number", "expected", "is_expected_ahead"),
    [
        (1, 1, False),
        (2, 1, True),
        (7, 1, True),
        (6, 7, False),
        (1, 7, False),
        (65535, 1, False),
        (1, 65535, True),
        (65535, 65535, False),
        (65534, 65535, False),
    ],
)
def test_a_number_is_ahead_or_behind(number: int, expected: int, is_expected_ahead: bool) -> None:
    assert is_ahead(number, expected) is is_expected_ahead
