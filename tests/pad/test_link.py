"""The host's side of the link: what it sends, and which reports it accepts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf
from random import Random

import pytest
from helpers.profiles import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.pad.events import (
    Connected,
    KeyPressed,
    LinkHealth,
    LinkLost,
    LinkQuiet,
    LinkRestored,
    PadEvent,
    PadWasReset,
    RollPressed,
    WrongVersion,
)
from companion.pad.frames import Frame, FrameReader, encode
from companion.pad.link import LinkStage, PadLink
from companion.pad.messages import (
    Ack,
    Alive,
    Flash,
    Hello,
    HostState,
    Identity,
    Mode,
    Report,
    WireMessage,
    from_frame,
    to_frame,
)

SESSION = 0x1234
BOOTS = 9
IDENTITY = Identity(1, SESSION, (1, 0, 0), b"\1\2\3\4", 7, BOOTS)
STATE = HostState(SESSION, 0, 0, 0)


class Host:
    """A link with a fake clock; the test plays the pad."""

    def __init__(self) -> None:
        self.link = PadLink()
        self.now_ms = 1000.0
        self.sequence = 0
        self.link.open(self.now_ms, SESSION)

    def sent(self) -> list[WireMessage | None]:
        return [from_frame(frame) for frame in FrameReader().feed(self.link.data_to_send(), 0)]

    def receive(self, *messages: WireMessage) -> list[PadEvent]:
        events: list[PadEvent] = []
        for message in messages:
            data = encode(to_frame(message, self.sequence % 256))
            self.sequence += 1
            events += self.link.receive(data, self.now_ms)
        return events

    def wait(self, ms: float) -> list[tuple[float, WireMessage | PadEvent | None]]:
        """Let time pass as a loop would. Returns messages and events, with times since opening."""
        end_ms = self.now_ms + ms
        found: list[tuple[float, WireMessage | PadEvent | None]] = []
        while (due_ms := self.link.due_ms()) is not None and due_ms <= end_ms:
            self.now_ms = due_ms
            events = self.link.pass_time(due_ms)
            found += [(due_ms - 1000, one) for one in (*self.sent(), *events)]
        self.now_ms = end_ms
        return found


def connected() -> Host:
    host = Host()
    assert host.receive(IDENTITY) == [Connected(IDENTITY)]
    host.sent()
    return host


def report(number: int, key: int = 3, pips: int = 3) -> Report:
    return Report(SESSION, BOOTS, number, key, pips)


# --- Connecting ---------------------------------------------------------------------------


def test_hello_is_sent_at_once_and_every_250_ms_for_5_seconds() -> None:
    host = Host()
    hello = Hello(1, SESSION)
    assert host.sent() == [hello]
    sent = host.wait(10_000)
    assert sent == [(250 * n, hello) for n in range(1, 20)] + [(5000, LinkLost())]
    assert host.link.stage is LinkStage.CLOSED


def test_a_pad_may_take_two_seconds_to_start() -> None:
    host = Host()
    host.wait(2900)
    assert host.receive(IDENTITY) == [Connected(IDENTITY)]


def test_an_identity_of_this_session_connects_and_state_is_sent() -> None:
    host = Host()
    host.link.set_mode(Mode.NUMBER)
    assert host.sent() == [Hello(1, SESSION)]
    assert host.receive(IDENTITY) == [Connected(IDENTITY)]
    assert host.sent() == [replace(STATE, mode=1)]
    assert (host.link.stage, host.link.identity) == (LinkStage.CONNECTED, IDENTITY)


@pytest.mark.parametrize("session", [0, SESSION - 1])
def test_an_identity_of_another_session_does_not_connect(session: int) -> None:
    host = Host()
    assert host.receive(replace(IDENTITY, session=session)) == []
    assert host.receive(Alive(session, BOOTS, 0), report(1)) == []
    assert host.sent() == [Hello(1, SESSION)]


def test_a_repeated_identity_is_reported_once() -> None:
    assert connected().receive(IDENTITY) == []


@pytest.mark.parametrize("theirs", [0, 2, 255])
def test_another_version_is_reported_once_and_hello_continues(theirs: int) -> None:
    host = Host()
    other = replace(IDENTITY, version=theirs, session=0)
    assert host.receive(other) == [WrongVersion(theirs, 1, other)]
    assert host.receive(other) == []
    host.sent()
    assert host.wait(250) == [(250, Hello(1, SESSION))]
    assert host.receive(IDENTITY) == [Connected(IDENTITY)]


def test_a_silent_pad_of_another_version_is_lost() -> None:
    host = Host()
    host.receive(replace(IDENTITY, version=2, session=0))
    assert host.wait(2000)[-1] == (2000, LinkLost())


# --- Keys ---------------------------------------------------------------------------------


def test_keys_are_reported_and_acknowledged() -> None:
    host = connected()
    assert host.receive(report(1, 1, 1), report(2, 4, 4), report(3, 5, 2)) == [
        KeyPressed(1),
        KeyPressed(4),
        RollPressed(2),
    ]
    assert host.sent() == [Ack(SESSION, 1), Ack(SESSION, 2), Ack(SESSION, 3)]


def test_a_repeated_report_is_acknowledged_but_not_reported_again() -> None:
    host = connected()
    assert host.receive(report(1), report(1), report(2), report(1)) == [KeyPressed(3)] * 2
    assert host.sent() == [Ack(SESSION, number) for number in (1, 1, 2, 1)]


@pytest.mark.parametrize(
    "other",
    [
        Report(SESSION + 1, BOOTS, 1, 3, 3),
        Report(0, BOOTS, 1, 3, 3),
        Report(SESSION, BOOTS + 1, 1, 3, 3),
        report(0),
        report(1, 0, 0),
        report(1, 5, 5),
        report(1, 5, 0),
        report(1, 6, 1),
        report(1, 3, 2),
    ],
    ids=str,
)
def test_reports_of_other_sessions_and_impossible_reports_are_ignored(
    other: Report,
) -> None:
    host = connected()
    assert host.receive(other) == []
    assert host.sent() == []
    assert host.receive(report(1)) == [KeyPressed(3)]


def test_numbers_wrap_around_from_65535_to_1() -> None:
    host = connected()
    host.link._accepted = 65534
    assert host.receive(report(65535), report(1), report(65535), report(2)) == [KeyPressed(3)] * 3


def test_a_report_before_the_identity_is_ignored() -> None:
    host = Host()
    host.sent()
    assert host.receive(report(1)) == []
    assert host.sent() == []
    assert host.receive(IDENTITY, report(1)) == [Connected(IDENTITY), KeyPressed(3)]


def test_a_pad_that_continues_an_old_session_gets_a_new_one() -> None:
    host = connected()
    assert host.receive(report(7)) == []
    assert host.sent() == []
    assert host.receive(report(7)) == [PadWasReset()]
    assert host.sent() == [Hello(1, SESSION + 1)]


# --- Resets -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "messages",
    [
        [Alive(0, BOOTS, 0)],
        [Alive(0, BOOTS + 1, 0)],
        [Alive(SESSION, BOOTS + 1, 0)] * 2,
        [Alive(77, BOOTS, 0), Alive(77, BOOTS, 1)],
        [replace(IDENTITY, boots=BOOTS + 1)],
    ],
    ids=["no session", "started anew", "other boots", "other session", "other identity"],
)
def test_a_pad_that_was_reset_gets_a_new_session(messages: list[WireMessage]) -> None:
    host = connected()
    host.link.flash(Flash.ACCEPTED)
    host.sent()
    assert host.receive(*messages) == [PadWasReset()]
    assert host.sent() == [Hello(1, SESSION + 1)]
    assert host.link.health.resets == 1
    assert host.receive(report(1)) == []  # of the old session
    fresh = replace(IDENTITY, session=SESSION + 1, boots=BOOTS + 1)
    assert host.receive(fresh) == [Connected(fresh)]
    assert host.sent() == [HostState(SESSION + 1, 0, 0, 0)]  # no old flash
    assert host.receive(Report(SESSION + 1, BOOTS + 1, 1, 2, 2)) == [KeyPressed(2)]


def test_an_unexpected_alive_that_is_not_repeated_is_ignored() -> None:
    host = connected()
    assert host.receive(Alive(77, BOOTS, 0), Alive(SESSION, BOOTS, 0), Alive(78, BOOTS, 0)) == []
    assert host.receive(report(1)) == [KeyPressed(3)]


def test_session_1_follows_session_65535() -> None:
    host = Host()
    host.link.open(0, 65535)
    host.receive(replace(IDENTITY, session=65535))
    host.sent()
    assert host.receive(Alive(0, BOOTS, 0)) == [PadWasReset()]
    assert host.sent() == [Hello(1, 1)]


def test_an_answer_to_a_damaged_hello_is_not_a_reset() -> None:
    assert connected().receive(replace(IDENTITY, session=0)) == []


# --- Alive --------------------------------------------------------------------------------


def test_state_is_sent_every_500_ms_and_silence_is_reported_after_2_seconds() -> None:
    host = connected()
    states = [(500.0 * n, STATE) for n in range(1, 7)]
    assert host.wait(3000) == [*states[:4], (2000, LinkQuiet()), *states[4:]]
    assert (host.link.stage, host.link.is_quiet) == (LinkStage.CONNECTED, True)


def test_a_pad_that_answers_again_keeps_its_session_and_its_keys() -> None:
    host = connected()
    host.wait(59_999)
    assert host.receive(report(1)) == [LinkRestored(), KeyPressed(3)]
    assert host.link.is_quiet is False
    assert host.receive(report(2)) == [KeyPressed(3)]
    host.sent()
    events = [one for one in host.wait(2500) if not isinstance(one[1], HostState)]
    assert events == [(61_999, LinkQuiet())]


def test_the_link_is_lost_after_a_minute_of_silence() -> None:
    host = connected()
    assert host.wait(60_000)[-1] == (60_000, LinkLost())
    assert (host.link.due_ms(), host.link.data_to_send()) == (None, b"")
    assert host.link.is_quiet is False
    assert host.receive(report(1)) == []
    assert host.link.pass_time(inf) == []


def test_a_pad_that_was_reset_during_silence_gets_a_new_session() -> None:
    host = connected()
    host.wait(3000)
    assert host.receive(Alive(0, BOOTS + 1, 0)) == [LinkRestored(), PadWasReset()]
    assert host.sent() == [Hello(1, SESSION + 1)]


@pytest.mark.parametrize("kind", [0x81, 0x82, 0x83, 0x84, 0xFF])
def test_any_frame_of_a_pad_ends_the_silence(kind: int) -> None:
    host = connected()
    host.wait(1999)
    host.link.receive(encode(Frame(kind, 0, b"")), host.now_ms)
    assert host.wait(1999)[-1] == (3500, STATE)


def test_an_echo_of_our_own_bytes_does_not_end_the_silence() -> None:
    host = connected()
    host.wait(1999)
    host.receive(STATE, Hello(1, SESSION), Ack(SESSION, 1))
    assert host.wait(1) == [(2000, STATE), (2000, LinkQuiet())]


def test_a_link_that_is_opened_again_starts_clean() -> None:
    host = connected()
    host.receive(report(1), report(2))
    host.link.receive(b"\x7e\x08\x82", host.now_ms)
    host.link.close()
    host.link.close()
    host.link.open(host.now_ms, 5)
    assert host.sent() == [Hello(1, 5)]
    assert host.receive(IDENTITY, report(3)) == []
    identity = replace(IDENTITY, session=5)
    assert host.receive(identity, Report(5, BOOTS, 1, 4, 4)) == [Connected(identity), KeyPressed(4)]


# --- The LED ------------------------------------------------------------------------------


def test_a_new_mode_is_sent_at_once_and_the_same_one_is_not() -> None:
    host = connected()
    host.link.set_mode(Mode.NUMBER)
    host.link.set_mode(Mode.NUMBER)
    assert host.sent() == [HostState(SESSION, 1, 0, 0)]


def test_every_flash_increments_the_count() -> None:
    host = connected()
    host.link.flash(Flash.ACCEPTED)
    host.link.flash(Flash.ACCEPTED)
    host.link.flash(Flash.REFUSED)
    assert host.sent() == [
        HostState(SESSION, 0, 1, 1),
        HostState(SESSION, 0, 1, 2),
        HostState(SESSION, 0, 2, 3),
    ]
    host.link._flash_count = 255
    host.link.flash(Flash.ACCEPTED)
    assert host.sent() == [HostState(SESSION, 0, 1, 0)]


def test_a_flash_without_a_pad_is_dropped() -> None:
    host = Host()
    host.link.flash(Flash.REFUSED)
    host.receive(IDENTITY)
    assert host.sent() == [Hello(1, SESSION), STATE]


# --- Health -------------------------------------------------------------------------------


def test_gaps_in_the_sequence_are_lost_frames_and_repeats_are_not() -> None:
    host = connected()
    alive = Alive(SESSION, BOOTS, 0)
    host.receive(alive)
    host.sequence += 3
    host.receive(alive)
    host.sequence -= 1
    host.receive(alive)
    assert host.link.health == LinkHealth(frames=4, lost=3)


def test_the_sequence_wraps_around_without_a_gap() -> None:
    host = connected()
    host.receive(*[Alive(SESSION, BOOTS, 0)] * 600)
    assert host.link.health == LinkHealth(frames=601)


def test_damaged_and_ignored_frames_are_counted_over_all_sessions() -> None:
    host = connected()
    host.link.receive(b"\x7e\xff" + encode(Frame(0x90, 1)) + encode(Frame(0x82, 2, b"\1")), 1000)
    assert host.link.health == LinkHealth(frames=3, damaged=1, ignored=2)
    host.link.open(2000, 7)
    assert host.link.health == LinkHealth(frames=3, damaged=1, ignored=2)


# --- Garbage ------------------------------------------------------------------------------


def keys(events: list[PadEvent]) -> list[PadEvent]:
    return [event for event in events if isinstance(event, KeyPressed | RollPressed)]


parts = st.binary(max_size=40) | st.builds(
    lambda message, sequence: encode(to_frame(message, sequence)),
    st.sampled_from(
        [
            IDENTITY,
            replace(IDENTITY, version=3, session=0),
            Hello(1, SESSION),
            Ack(SESSION, 1),
            Alive(SESSION, BOOTS, 3),
            Report(SESSION + 1, BOOTS, 1, 1, 1),
            report(0),
            report(1, 9, 9),
            report(2),
        ]
    ),
    st.integers(0, 255),
)


@settings(max_examples=examples(1000))
@given(st.lists(st.tuples(parts, st.sampled_from([0, 0, 1, 99, 100, 600])), max_size=10))
def test_arbitrary_bytes_cause_no_key_and_no_exception(
    pieces: list[tuple[bytes, int]],
) -> None:
    host = connected()
    for data, ms in pieces:
        host.wait(ms)
        assert keys(host.link.receive(data, host.now_ms)) == []
    # Afterwards the link still works.
    host.wait(100)
    if host.link.stage is LinkStage.CLOSED:
        host.link.open(host.now_ms, SESSION)
    identity = replace(IDENTITY, session=host.link.session)
    host.receive(identity)
    events = host.receive(Report(host.link.session, BOOTS, 1, 4, 4))
    assert events == [KeyPressed(4)]


def test_a_report_with_one_wrong_byte_is_never_a_key() -> None:
    good = encode(to_frame(report(1), 0))
    tried = 0
    for position in range(len(good)):
        for change in range(1, 256):
            data = bytearray(good)
            data[position] ^= change
            host = connected()
            assert host.link.receive(bytes(data), host.now_ms) == []
            assert host.link.pass_time(host.now_ms + 100) == []
            tried += 1
    assert tried == 14 * 255


@pytest.mark.parametrize(
    "damage", [lambda d, i: d[:i] + d[i + 1 :], lambda d, i: d[:i] + d[i:] * 2]
)
def test_a_report_with_lost_or_doubled_bytes_is_at_most_one_key(
    damage: Callable[[bytes, int], bytes],
) -> None:
    good = encode(to_frame(report(1), 0))
    for position in range(len(good)):
        host = connected()
        events = host.link.receive(damage(good, position), host.now_ms)
        events += host.link.pass_time(host.now_ms + 100)
        assert events in ([], [KeyPressed(3)])


def test_100_000_pieces_of_random_bytes_cause_no_key() -> None:
    rng = Random(3)
    host = connected()
    alphabet = bytes(range(256)) + b"\x7e\x08\x82" * 40 + bytes.fromhex("34 12 09 00 01 03") * 20
    for _ in range(100_000):
        data = bytes(rng.choices(alphabet, k=rng.randrange(20)))
        assert keys(host.link.receive(data, host.now_ms)) == []
