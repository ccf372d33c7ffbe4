"""The pad in C, through its wire: sessions, reports, light, and a clock that wraps."""

from __future__ import annotations

from ctypes import byref

import pytest
from helpers.pad import client as pad_client
from helpers.pad.client import ALIVE, IDENTITY, REPORT, Heard, frame, parse
from helpers.pad.library import Library, Pad, Report, Reports
from helpers.pad.vectors import IGNORED, LONGER, STREAMS
from hypothesis import given
from hypothesis import strategies as st

SESSION = 0x1234


def hello(session: int = SESSION, version: int = 1) -> bytes:
    return pad_client.hello(session, version)


def ack(number: int, session: int = SESSION) -> bytes:
    return pad_client.ack(session, number)


def state(mode: int, flash: int = 0, count: int = 0, session: int = SESSION) -> bytes:
    return pad_client.state(session, mode, flash, count)


def heard(pad: Pad, *types: int) -> list[Heard]:
    """What the pad said since last asked, of these types."""
    frames = []
    for data in pad.said():
        (one,), rest = parse(data)
        assert rest == b""
        frames.append(one)
    return [one for one in frames if not types or one.type in types]


def reports(pad: Pad) -> list[tuple[int, int, int]]:
    return [one.report for one in heard(pad, REPORT)]


def connected(library: Library, **about: int) -> Pad:
    pad = Pad(library, **about)
    pad.hear(hello())
    pad.said()
    return pad


# --- Connecting ---------------------------------------------------------------------------


def test_hello_is_answered_with_who_it_is(pad: Pad) -> None:
    pad.hear(hello())
    (identity,) = heard(pad)
    assert identity.type == IDENTITY
    assert identity.payload == bytes.fromhex("01 3412 010000 DEADBEEF 07 0700")


def test_hello_of_another_version_changes_nothing(pad: Pad) -> None:
    pad.hear(hello())
    pad.press(1)
    pad.said()
    pad.hear(hello(session=0x4321, version=2))
    (identity,) = heard(pad)
    assert identity.payload[:3] == bytes.fromhex("01 0000")
    pad.wait(100)
    assert (1, 1, 1) in reports(pad)


def test_hello_of_session_0_is_ignored(pad: Pad) -> None:
    pad.hear(hello(session=0))
    assert heard(pad) == []


def test_alive_comes_at_the_start_and_every_500_ms(pad: Pad) -> None:
    pad.wait(1)
    assert [one.payload for one in heard(pad, ALIVE)] == [bytes.fromhex("0000 0700 00")]
    pad.hear(hello())
    pad.wait(499)
    assert heard(pad, ALIVE) == []
    pad.wait(1)
    assert [one.payload for one in heard(pad, ALIVE)] == [bytes.fromhex("3412 0700 00")]
    pad.wait(5000)
    assert len(heard(pad, ALIVE)) == 10


def test_the_same_session_again_keeps_what_waits(library: Library) -> None:
    pad = connected(library)
    pad.press(3)
    pad.said()
    pad.hear(hello())
    pad.wait(100)
    assert reports(pad) == [(1, 3, 3)]


def test_a_new_session_forgets_what_waits_and_counts_from_1(library: Library) -> None:
    pad = connected(library)
    for key in (3, 4, 1):
        pad.press(key)
    pad.hear(hello(session=0x4321))
    pad.said()
    pad.wait(1000)
    assert reports(pad) == []
    pad.press(2)
    (one, *_) = heard(pad, REPORT)
    assert (one.session, one.report) == (0x4321, (1, 2, 2))


@pytest.mark.parametrize(
    "data", [ack(1, session=0x4321), ack(1, session=0), ack(2), ack(0), ack(0xFFFF)], ids=bytes.hex
)
def test_an_ack_that_is_not_meant_is_ignored(library: Library, data: bytes) -> None:
    pad = connected(library)
    pad.press(1)
    pad.press(2)
    pad.hear(data)
    pad.said()
    pad.wait(100)
    assert reports(pad) == [(1, 1, 1)]


def test_without_a_session_state_and_ack_of_session_0_are_ignored(pad: Pad) -> None:
    pad.hear(state(1, 1, 1, session=0) + ack(1, session=0))
    assert not any(pad.wait(1900))


# --- Keys ---------------------------------------------------------------------------------


@pytest.mark.parametrize("key", [1, 2, 3, 4])
def test_a_key_is_reported_at_once_and_every_100_ms_until_it_is_acknowledged(
    library: Library, key: int
) -> None:
    pad = connected(library)
    pad.contacts = 1 << (key - 1)
    pad.wait(8)
    assert reports(pad) == []
    pad.wait(1)
    assert reports(pad) == [(1, key, key)]
    pad.wait(99)
    assert reports(pad) == []
    pad.wait(1)
    assert reports(pad) == [(1, key, key)]
    pad.wait(1000)
    assert reports(pad) == [(1, key, key)] * 10
    pad.hear(ack(1))
    pad.wait(1000)
    assert reports(pad) == []


def test_the_next_report_follows_the_ack_at_once(library: Library) -> None:
    pad = connected(library)
    pad.press(1)
    pad.press(2)
    assert reports(pad) == [(1, 1, 1)]
    pad.hear(ack(1))
    assert reports(pad) == [(2, 2, 2)]
    pad.hear(ack(1))
    assert reports(pad) == []


def test_two_keys_at_once_are_both_reported_in_order(library: Library) -> None:
    pad = connected(library)
    pad.press(4, 2)
    pad.hear(ack(1))
    assert reports(pad) == [(1, 2, 2), (2, 4, 4)]


def test_16_wait_and_the_17th_is_refused_with_three_flashes(library: Library) -> None:
    pad = connected(library)
    for index in range(16):
        assert not any(pad.press(index % 4 + 1)), "nothing to flash about"
    lit = pad.press(4) + pad.wait(500)
    assert runs(lit)[1:] == [(True, 80), (False, 80), (True, 80), (False, 80), (True, 80), LONG]
    pad.said()
    for number in range(1, 17):
        pad.hear(ack(number))
    assert reports(pad) == [(n + 1, n % 4 + 1, n % 4 + 1) for n in range(1, 16)]
    pad.press(3)
    assert reports(pad)[0] == (17, 3, 3)


def test_how_many_wait_is_in_alive(library: Library) -> None:
    pad = connected(library)
    for waiting in range(1, 19):
        pad.press(1)
        pad.wait(500)
        assert heard(pad, ALIVE)[-1].payload[4] == min(waiting, 16)


def test_a_key_without_a_session_is_refused_and_never_reported(pad: Pad) -> None:
    lit = pad.press(1) + pad.wait(500)
    assert [run for run in runs(lit) if run[0]] == [(True, 80)] * 3
    pad.hear(hello())
    pad.wait(1000)
    assert reports(pad) == []


def test_numbers_go_from_65535_to_1(library: Library) -> None:
    waiting, report = Reports(), Report()
    library.c.reports_init(byref(waiting))
    waiting.first_number = 65534
    sent = []
    for key in (1, 2, 3, 4):
        library.c.reports_add(byref(waiting), key, key)
        assert library.c.reports_due(byref(waiting), 0xFFFFFFFF, byref(report))
        sent.append((report.number, report.key))
        library.c.reports_acknowledge(byref(waiting), report.number)
    assert sent == [(65534, 1), (65535, 2), (1, 3), (2, 4)]


# --- The LED ------------------------------------------------------------------------------

LONG = (False, -1)


def runs(lit: list[bool]) -> list[tuple[bool, int]]:
    """How long it was lit and dark, in turn; a last dark one without its length."""
    found: list[tuple[bool, int]] = []
    for is_lit in lit:
        if found and found[-1][0] == is_lit:
            found[-1] = (is_lit, found[-1][1] + 1)
        else:
            found.append((is_lit, 1))
    return [*found[:-1], LONG] if found and not found[-1][0] else found


def test_a_number_that_is_wanted_blinks_slowly(library: Library) -> None:
    pad = connected(library)
    lit = []
    for _ in range(20):
        pad.hear(state(1))
        lit += pad.wait(250)
    whole = [(False, 500), (True, 500)]
    assert runs(lit) == [(True, 499), *whole * 4, (False, 500), (True, 1)]


def test_a_flash_is_shown_once_for_each_count(library: Library) -> None:
    pad = connected(library)
    pad.hear(state(0, 1, 1))
    assert runs(pad.wait(1000)) == [(True, 399), LONG]
    pad.hear(state(0, 1, 1))
    assert not any(pad.wait(1000))
    pad.hear(state(0, 2, 2))
    assert runs(pad.wait(1000)) == [
        (True, 79), (False, 80), (True, 80), (False, 80), (True, 80), LONG,
    ]  # fmt: skip
    pad.hear(state(0, 0, 3) + state(0, 3, 4) + state(200, 255, 5))
    assert not any(pad.wait(1000))


def test_a_new_session_begins_dark_and_with_count_0(library: Library) -> None:
    pad = connected(library)
    pad.hear(state(1, 0, 9) + hello(session=0x4321) + state(0, 1, 0, session=0x4321))
    assert not any(pad.wait(1000))
    pad.hear(state(0, 1, 9, session=0x4321))
    assert runs(pad.wait(1000)) == [(True, 399), LONG]


def test_a_lost_link_is_a_short_blink_every_two_seconds(library: Library) -> None:
    pad = connected(library)
    pad.hear(state(1))
    pad.wait(1999)
    assert runs(pad.wait(6050)) == [*[(True, 50), (False, 1950)] * 3, (True, 50)]
    pad.hear(frame(0x55, 0, b""))  # any good frame will do
    assert runs(pad.wait(1000)) == [(True, 499), (False, 500), (True, 1)]


def test_after_49_days_the_clock_comes_round_and_no_light_comes_back(library: Library) -> None:
    pad = connected(library, now_ms=1000)
    pad.hear(state(0, 2, 1))
    assert any(pad.wait(500))
    pad.now_ms = 999  # as it was before the flash
    assert not any(pad.wait(500))


def test_after_49_days_without_a_word_the_link_is_still_lost(library: Library) -> None:
    pad = connected(library, now_ms=1000)
    pad.hear(state(1))
    pad.wait(3000)
    pad.now_ms = 999
    assert sum(pad.wait(1900)) <= 50, "no slow blink"


def test_what_is_damaged_is_not_heard(library: Library) -> None:
    pad = connected(library)
    lit = []
    for _ in range(50):
        pad.hear(hello()[:-1] + b"\x00")
        lit += pad.wait(100)
    assert any(lit)


# --- Whatever comes -----------------------------------------------------------------------


@pytest.mark.parametrize("data", [*IGNORED, *(m.data for m in LONGER)], ids=bytes.hex)
def test_no_frame_of_the_vectors_makes_a_report(library: Library, data: bytes) -> None:
    pad = connected(library)
    pad.hear(data)
    pad.wait(1000)
    assert reports(pad) == []


def test_a_longer_hello_is_a_hello(pad: Pad) -> None:
    for message in LONGER:
        if message.name == "HELLO":
            pad.hear(message.data)
    assert [one.session for one in heard(pad, IDENTITY)] == [0x1234, 0x1234]


def test_a_frame_that_was_hidden_is_heard_when_time_brings_it_out(pad: Pad) -> None:
    pad.hear(b"\x7e\x10" + hello())
    assert heard(pad, IDENTITY) == []
    pad.wait(99)
    assert heard(pad, IDENTITY) == []
    pad.wait(1)
    assert len(heard(pad, IDENTITY)) == 1


def test_a_byte_after_100_ms_does_not_finish_a_frame(pad: Pad) -> None:
    pad.hear(hello()[:-1])
    pad.now_ms += 100  # nobody ticked
    pad.hear(hello()[-1:])
    assert heard(pad, IDENTITY) == []
    pad.hear(hello())
    assert len(heard(pad, IDENTITY)) == 1


@given(
    st.lists(
        st.one_of(
            st.binary(max_size=60),
            st.sampled_from([s.data for s in STREAMS]),
            st.integers(1, 600),
        ),
        max_size=20,
    ),
    st.integers(0, 0xFFFFFFFF),
)
def test_no_bytes_invent_a_key(library: Library, wire: list[bytes | int], start: int) -> None:
    pad = connected(library, now_ms=start)
    for part in wire:
        if isinstance(part, int):
            pad.wait(part)
        else:
            pad.hear(part)
    pad.wait(200)
    said = heard(pad)
    assert all(one.type in (IDENTITY, ALIVE) for one in said)
    assert all(one.payload[4] == 0 for one in said if one.type == ALIVE)
    assert [one.sequence for one in said] == [(i + 1) % 256 for i in range(len(said))]


@given(
    st.lists(st.tuples(st.integers(1, 4), st.sampled_from(["all", "none", "no ack"])), max_size=30),
    st.integers(0xFFFFF000, 0xFFFFFFFF),
)
def test_every_key_arrives_once_and_in_order_over_a_bad_wire(
    library: Library, pressed: list[tuple[int, str]], start: int
) -> None:
    """Reports get lost, ACKs get lost, the clock wraps: the host's rule makes it right."""
    pad = connected(library, now_ms=start)
    believed: list[int] = []
    acknowledged = 0

    def carry(how: str) -> None:
        nonlocal acknowledged
        while sent := heard(pad, REPORT):
            for number, key, _ in (one.report for one in sent if how != "none"):
                if number == len(believed) + 1:
                    believed.append(key)
                if how == "all":
                    pad.hear(ack(number))
                    acknowledged = max(acknowledged, number)

    accepted: list[int] = []
    for key, how in pressed:
        if len(accepted) - acknowledged < 16:
            accepted.append(key)
        pad.press(key)
        carry(how)
    pad.wait(100)
    carry("all")
    assert believed == accepted
