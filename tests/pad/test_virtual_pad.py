"""The pad's side of the link: reports, repeats, resets and the LED."""

from __future__ import annotations

from companion.pad.frames import FrameReader, encode
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
from companion.pad.virtual_pad import VirtualPadLogic

SESSION = 0x0102


class Pad:
    """A pad with a fake clock; the test plays the host."""

    def __init__(self, version: int = 1) -> None:
        self.now_ms = 0.0
        self.logic = VirtualPadLogic(0.0, lambda: 2, boots=7, version=version)

    def sent(self) -> list[WireMessage | None]:
        frames = FrameReader().feed(self.logic.data_to_send(), 0)
        return [sent for f in frames if not isinstance(sent := from_frame(f), Alive)]

    def receive(self, *messages: WireMessage) -> list[WireMessage | None]:
        for message in messages:
            self.logic.receive(encode(to_frame(message, 0)), self.now_ms)
        return self.sent()

    def wait(self, ms: float) -> list[tuple[float, WireMessage | None]]:
        end_ms = self.now_ms + ms
        found: list[tuple[float, WireMessage | None]] = []
        while (due_ms := self.logic.due_ms()) <= end_ms:
            self.now_ms = max(due_ms, self.now_ms)
            self.logic.pass_time(self.now_ms)
            found += [(self.now_ms, sent) for sent in self.sent()]
        self.now_ms = end_ms
        return found

    def tap(self, key: int) -> list[WireMessage | None]:
        """Press and release a key in 20 ms. Returns the messages sent meanwhile."""
        self.logic.press(key, self.now_ms)
        sent = self.wait(10)
        self.logic.release(key, self.now_ms)
        self.wait(10)
        return [message for _, message in sent]

    def lit(self, ms: int) -> str:
        """The LED every 10 ms, while nothing else happens."""
        return "".join(".#"[self.logic.is_led_on(self.now_ms + at)] for at in range(0, ms, 10))


def identity(session: int = SESSION, boots: int = 7, version: int = 1) -> Identity:
    return Identity(version, session, (1, 0, 0), b"VPAD", 7, boots)


def in_session() -> Pad:
    pad = Pad()
    assert pad.receive(Hello(1, SESSION)) == [identity()]
    return pad


def report(number: int, key: int, pips: int) -> Report:
    return Report(SESSION, 7, number, key, pips)


def test_alive_is_sent_every_500_ms_with_or_without_a_session() -> None:
    logic = VirtualPadLogic(0.0, lambda: 2)
    reader = FrameReader()
    logic.pass_time(0)
    logic.pass_time(499)
    logic.receive(encode(to_frame(Hello(1, 5), 0)), 499)
    logic.data_to_send()
    logic.pass_time(500)
    (frame,) = reader.feed(logic.data_to_send(), 500)
    assert from_frame(frame) == Alive(5, 1, 0)


def test_a_key_is_reported_after_8_ms_and_every_100_ms_until_its_ack() -> None:
    pad = in_session()
    pad.logic.press(3, 0)
    third = report(1, 3, 3)
    assert pad.wait(250) == [(8, third), (108, third), (208, third)]
    assert pad.receive(Ack(SESSION + 1, 1), Ack(SESSION, 2)) == []
    assert pad.wait(60) == [(308, third)]
    assert pad.receive(Ack(SESSION, 1), Ack(SESSION, 1)) == []
    assert pad.wait(1000) == []


def test_the_next_report_is_sent_after_the_ack_of_the_previous_one() -> None:
    pad = in_session()
    assert pad.tap(5) == [report(1, 5, 2)]
    assert pad.tap(4) == []
    assert pad.logic.waiting == 2
    assert pad.receive(Ack(SESSION, 1)) == [report(2, 4, 4)]


def test_bounces_and_glitches_are_not_a_second_key() -> None:
    pad = in_session()
    for at in range(0, 12, 2):
        pad.logic.press(1, at)
        pad.logic.release(1, at + 1)
    pad.logic.press(1, 12)
    pad.now_ms = 12
    assert pad.wait(50)[0] == (20, report(1, 1, 1))
    pad.receive(Ack(SESSION, 1))
    pad.logic.release(1, 62)
    pad.logic.press(1, 69)
    assert pad.wait(100) == []


def test_a_new_session_drops_waiting_reports_and_the_same_session_keeps_them() -> None:
    pad = in_session()
    pad.tap(1)
    assert pad.receive(Hello(1, SESSION)) == [identity()]
    assert pad.logic.waiting == 1
    assert pad.receive(Hello(1, 9)) == [identity(9)]
    assert pad.logic.waiting == 0
    assert pad.tap(2) == [Report(9, 7, 1, 2, 2)]


def test_a_hello_of_another_version_is_answered_and_changes_nothing() -> None:
    pad = in_session()
    pad.tap(1)
    assert pad.receive(Hello(2, 9)) == [identity(0)]
    assert (pad.logic.session, pad.logic.waiting) == (SESSION, 1)


def test_a_hello_with_session_0_is_ignored() -> None:
    pad = in_session()
    assert pad.receive(Hello(1, 0)) == []
    assert pad.logic.session == SESSION


def test_a_key_without_a_session_or_while_16_wait_is_refused_with_flashes() -> None:
    pad = Pad()
    assert pad.tap(1) == []
    assert pad.logic.unreported == 1
    pad = in_session()
    for _ in range(17):
        pad.tap(1)
    assert (pad.logic.waiting, pad.logic.unreported) == (16, 1)
    pad.now_ms = pad.logic._flash_ms
    assert pad.lit(500) == "########........########........########.........."


def test_a_reset_drops_the_session_and_increments_the_boot_count() -> None:
    pad = in_session()
    pad.tap(1)
    pad.logic.reset(pad.now_ms)
    assert (pad.logic.session, pad.logic.waiting, pad.logic.boots) == (0, 0, 8)
    assert pad.receive(Hello(1, SESSION)) == [identity(boots=8)]


def test_the_led_blinks_slowly_while_the_table_waits_for_a_number() -> None:
    pad = in_session()
    assert "#" not in pad.lit(1500)
    pad.receive(HostState(SESSION, Mode.NUMBER, 0, 0))
    assert pad.lit(1500) == "#" * 50 + "." * 50 + "#" * 50
    pad.receive(HostState(SESSION + 1, Mode.NOTHING, 0, 0))
    assert "#" in pad.lit(1500)
    pad.receive(HostState(SESSION, Mode.NOTHING, 0, 0))
    assert "#" not in pad.lit(1500)
    pad.receive(HostState(SESSION, Mode.NUMBER, 0, 0), Hello(1, SESSION + 1))
    assert "#" not in pad.lit(1500)  # the new host has not sent its mode yet


def test_a_flash_is_shown_once_for_each_count() -> None:
    pad = in_session()
    pad.receive(HostState(SESSION, 0, Flash.ACCEPTED, 1))
    assert pad.lit(500) == "#" * 40 + "." * 10
    pad.now_ms = 600
    pad.receive(HostState(SESSION, 0, Flash.ACCEPTED, 1))
    assert "#" not in pad.lit(500)
    pad.receive(HostState(SESSION, 0, Flash.REFUSED, 2))
    assert pad.lit(400) == "########........########........########"


def test_a_pad_without_a_host_blinks_briefly_every_two_seconds() -> None:
    pad = in_session()
    pad.receive(HostState(SESSION, Mode.NOTHING, 0, 0))
    assert pad.lit(4100) == "." * 200 + "#####" + "." * 195 + "#####" + "." * 5
    pad.now_ms = 5000
    pad.receive(Ack(0, 0))
    assert "#" not in pad.lit(1500)
    assert pad.logic.session == SESSION
