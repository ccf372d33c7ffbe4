"""The pad in C: sessions, reports, the LED, and a clock that wraps."""

from __future__ import annotations

from ctypes import byref

import pytest
from helpers.pad import client as pad_client
from helpers.pad.client import ALIVE, IDENTITY, REPORT, ReceivedFrame, frame, parse
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


def received_frames(pad: Pad, *types: int) -> list[ReceivedFrame]:
    """The frames of these types that the pad sent since the last call."""
    frames = []
    for data in pad.take_sent():
        (one,), rest = parse(data)
        assert rest == b""
        frames.append(one)
    return [one for one in frames if not types or one.type in types]


def reports(pad: Pad) -> list[tuple[int, int, int]]:
    return [one.report for one in received_frames(pad, REPORT)]


def connected(library: Library, **options: int) -> Pad:
    pad = Pad(library, **options)
    pad.receive(hello())
    pad.take_sent()
    return pad


# --- Connecting ---------------------------------------------------------------------------


def test_hello_is_answered_with_identity(pad: Pad) -> None:
    pad.receive(hello())
    (identity,) = received_frames(pad)
    assert identity.type == IDENTITY
    assert identity.payload == bytes.fromhex("01 3412 010000 DEADBEEF 07 0700")


def test_hello_of_another_version_changes_nothing(pad: Pad) -> None:
    pad.receive(hello())
    pad.press(1)
    pad.take_sent()
    pad.receive(hello(session=0x4321, version=2))
    (identity,) = received_frames(pad)
    assert identity.payload[:3] == bytes.fromhex("01 0000")
    pad.wait(100)
    assert (1, 1, 1) in reports(pad)


def test_hello_of_session_0_is_ignored(pad: Pad) -> None:
    pad.receive(hello(session=0))
    assert received_frames(pad) == []


def test_alive_is_sent_at_the_start_and_every_500_ms(pad: Pad) -> None:
    pad.wait(1)
    assert [one.payload for one in received_frames(pad, ALIVE)] == [bytes.fromhex("0000 0700 00")]
    pad.receive(hello())
    pad.wait(499)
    assert received_frames(pad, ALIVE) == []
    pad.wait(1)
    assert [one.payload for one in received_frames(pad, ALIVE)] == [bytes.fromhex("3412 0700 00")]
    pad.wait(5000)
    assert len(received_frames(pad, ALIVE)) == 10


def test_a_repeated_hello_keeps_waiting_reports(library: Library) -> None:
    pad = connected(library)
    pad.press(3)
    pad.take_sent()
    pad.receive(hello())
    pad.wait(100)
    assert reports(pad) == [(1, 3, 3)]


def test_a_new_session_drops_waiting_reports_and_counts_from_1(library: Library) -> None:
    pad = connected(library)
    for key in (3, 4, 1):
        pad.press(key)
    pad.receive(hello(session=0x4321))
    pad.take_sent()
    pad.wait(1000)
    assert reports(pad) == []
    pad.press(2)
    (one, *_) = received_frames(pad, REPORT)
    assert (one.session, one.report) == (0x4321, (1, 2, 2))


@pytest.mark.parametrize(
    "data", [ack(1, session=0x4321), ack(1, session=0), ack(2), ack(0), ack(0xFFFF)], ids=bytes.hex
)
def test_an_unexpected_ack_is_ignored(library: Library, data: bytes) -> None:
    pad = connected(library)
    pad.press(1)
    pad.press(2)
    pad.receive(data)
    pad.take_sent()
    pad.wait(100)
    assert reports(pad) == [(1, 1, 1)]


def test_without_a_session_state_and_ack_of_session_0_are_ignored(pad: Pad) -> None:
    pad.receive(state(1, 1, 1, session=0) + ack(1, session=0))
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
    pad.receive(ack(1))
    pad.wait(1000)
    assert reports(pad) == []


def test_the_next_report_follows_the_ack_at_once(library: Library) -> None:
    pad = connected(library)
    pad.press(1)
    pad.press(2)
    assert reports(pad) == [(1, 1, 1)]
    pad.receive(ack(1))
    assert reports(pad) == [(2, 2, 2)]
    pad.receive(ack(1))
    assert reports(pad) == []


def test_two_keys_at_once_are_both_reported_in_order(library: Library) -> None:
    pad = connected(library)
    pad.press(4, 2)
    pad.receive(ack(1))
    assert reports(pad) == [(1, 2, 2), (2, 4, 4)]


def test_16_wait_and_the_17th_is_refused_with_three_flashes(library: Library) -> None:
    pad = connected(library)
    for index in range(16):
        assert not any(pad.press(index % 4 + 1)), "no flash for accepted keys"
    lit = pad.press(4) + pad.wait(500)
    assert runs(lit)[1:] == [(True, 80), (False, 80), (True, 80), (False, 80), (True, 80), LONG]
    pad.take_sent()
    for number in range(1, 17):
        pad.receive(ack(number))
    assert reports(pad) == [(n + 1, n % 4 + 1, n % 4 + 1) for n in range(1, 16)]
    pad.press(3)
    assert reports(pad)[0] == (17, 3, 3)


def test_alive_has_the_number_of_waiting_reports(library: Library) -> None:
    pad = connected(library)
    for waiting in range(1, 19):
        pad.press(1)
        pad.wait(500)
        assert received_frames(pad, ALIVE)[-1].payload[4] == min(waiting, 16)


def test_a_key_without_a_session_is_refused_and_never_reported(pad: Pad) -> None:
    lit = pad.press(1) + pad.wait(500)
    assert [run for run in runs(lit) if run[0]] == [(True, 80)] * 3
    pad.receive(hello())
    pad.wait(1000)
    assert reports(pad) == []


def test_number_1_follows_65535(library: Library) -> None:
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
    """Lengths of lit and dark runs; the length of a last dark run is -1."""
    found: list[tuple[bool, int]] = []
    for is_lit in lit:
        if found and found[-1][0] == is_lit:
            found[-1] = (is_lit, found[-1][1] + 1)
        else:
            found.append((is_lit, 1))
    return [*found[:-1], LONG] if found and not found[-1][0] else found


def test_the_led_blinks_slowly_while_the_host_waits_for_a_number(library: Library) -> None:
    pad = connected(library)
    lit = []
    for _ in range(20):
        pad.receive(state(1))
        lit += pad.wait(250)
    whole = [(False, 500), (True, 500)]
    assert runs(lit) == [(True, 499), *whole * 4, (False, 500), (True, 1)]


def test_a_flash_is_shown_once_for_each_count(library: Library) -> None:
    pad = connected(library)
    pad.receive(state(0, 1, 1))
    assert runs(pad.wait(1000)) == [(True, 399), LONG]
    pad.receive(state(0, 1, 1))
    assert not any(pad.wait(1000))
    pad.receive(state(0, 2, 2))
    assert runs(pad.wait(1000)) == [
        (True, 79), (False, 80), (True, 80), (False, 80), (True, 80), LONG,
    ]  # fmt: skip
    pad.receive(state(0, 0, 3) + state(0, 3, 4) + state(200, 255, 5))
    assert not any(pad.wait(1000))


def test_a_new_session_starts_dark_with_count_0(library: Library) -> None:
    pad = connected(library)
    pad.receive(state(1, 0, 9) + hello(session=0x4321) + state(0, 1, 0, session=0x4321))
    assert not any(pad.wait(1000))
    pad.receive(state(0, 1, 9, session=0x4321))
    assert runs(pad.wait(1000)) == [(True, 399), LONG]


def test_a_lost_link_is_a_short_blink_every_two_seconds(library: Library) -> None:
    pad = connected(library)
    pad.receive(state(1))
    pad.wait(1999)
    assert runs(pad.wait(6050)) == [*[(True, 50), (False, 1950)] * 3, (True, 50)]
    pad.receive(frame(0x55, 0, b""))  # any valid frame
    assert runs(pad.wait(1000)) == [(True, 499), (False, 500), (True, 1)]


def test_no_flash_repeats_when_the_clock_wraps_after_49_days(library: Library) -> None:
    pad = connected(library, now_ms=1000)
    pad.receive(state(0, 2, 1))
    assert any(pad.wait(500))
    pad.now_ms = 999  # as it was before the flash
    assert not any(pad.wait(500))


def test_the_link_is_still_lost_when_the_clock_wraps_after_49_days(library: Library) -> None:
    pad = connected(library, now_ms=1000)
    pad.receive(state(1))
    pad.wait(3000)
    pad.now_ms = 999
    assert sum(pad.wait(1900)) <= 50, "no slow blink"


def test_damaged_frames_do_not_keep_the_link_alive(library: Library) -> None:
    pad = connected(library)
    lit = []
    for _ in range(50):
        pad.receive(hello()[:-1] + b"\x00")
        lit += pad.wait(100)
    assert any(lit)


# --- Arbitrary input ----------------------------------------------------------------------


@pytest.mark.parametrize("data", [*IGNORED, *(m.data for m in LONGER)], ids=bytes.hex)
def test_no_frame_of_the_vectors_causes_a_report(library: Library, data: bytes) -> None:
    pad = connected(library)
    pad.receive(data)
    pad.wait(1000)
    assert reports(pad) == []


def test_a_hello_with_extra_bytes_is_accepted(pad: Pad) -> None:
    for message in LONGER:
        if message.name == "HELLO":
            pad.receive(message.data)
    assert [one.session for one in received_frames(pad, IDENTITY)] == [0x1234, 0x1234]


def test_a_frame_hidden_by_a_false_sync_is_found_after_100_ms(pad: Pad) -> None:
    pad.receive(b"\x7e\x10" + hello())
    assert received_frames(pad, IDENTITY) == []
    pad.wait(99)
    assert received_frames(pad, IDENTITY) == []
    pad.wait(1)
    assert len(received_frames(pad, IDENTITY)) == 1


def test_a_byte_after_100_ms_does_not_complete_a_frame(pad: Pad) -> None:
    pad.receive(hello()[:-1])
    pad.now_ms += 100  # without a tick
    pad.receive(hello()[-1:])
    assert received_frames(pad, IDENTITY) == []
    pad.receive(hello())
    assert len(received_frames(pad, IDENTITY)) == 1


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
def test_arbitrary_bytes_cause_no_key(
    library: Library, wire: list[bytes | int], start: int
) -> None:
    pad = connected(library, now_ms=start)
    for part in wire:
        if isinstance(part, int):
            pad.wait(part)
        else:
            pad.receive(part)
    pad.wait(200)
    take_sent = received_frames(pad)
    assert all(one.type in (IDENTITY, ALIVE) for one in take_sent)
    assert all(one.payload[4] == 0 for one in take_sent if one.type == ALIVE)
    assert [one.sequence for one in take_sent] == [(i + 1) % 256 for i in range(len(take_sent))]


@given(
    st.lists(st.tuples(st.integers(1, 4), st.sampled_from(["all", "none", "no ack"])), max_size=30),
    st.integers(0xFFFFF000, 0xFFFFFFFF),
)
def test_every_key_arrives_once_and_in_order_over_a_bad_line(
    library: Library, pressed: list[tuple[int, str]], start: int
) -> None:
    """Although reports and ACKs get lost and the clock wraps."""
    pad = connected(library, now_ms=start)
    arrived: list[int] = []
    acknowledged = 0

    def transmit(how: str) -> None:
        nonlocal acknowledged
        while sent := received_frames(pad, REPORT):
            for number, key, _ in (one.report for one in sent if how != "none"):
                if number == len(arrived) + 1:
                    arrived.append(key)
                if how == "all":
                    pad.receive(ack(number))
                    acknowledged = max(acknowledged, number)

    accepted: list[int] = []
    for key, how in pressed:
        if len(accepted) - acknowledged < 16:
            accepted.append(key)
        pad.press(key)
        transmit(how)
    pad.wait(100)
    transmit("all")
    assert arrived == accepted
