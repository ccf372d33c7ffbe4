"""The real image in a simulated chip, behind a pty; the host was written from PROTOCOL.md."""

from __future__ import annotations

import os
import time
from collections import Counter
from pathlib import Path

import pytest
from helpers.pad.client import ALIVE, IDENTITY, REPORT, Client, Heard, hello
from helpers.pad.simulator import PadSimulator, Start
from helpers.patience import PATIENCE_S

BOUNCING = "bounce {} 6 1000us"


def press(key: int) -> list[str]:
    """A press and its release, both with six bounces of 1 ms."""
    return [BOUNCING.format(key), "wait 40", BOUNCING.format(key) + " up", "wait 40"]


def settle(client: Client, pad: PadSimulator, ms: int = 300) -> None:
    """Listen while the pad's time goes on: what else it had to say would come now."""
    pad.play(f"wait {ms}")
    while client.listen(0.05):
        pass


def last(client: Client, type_: int) -> Heard:
    return [one for one in client.heard if one.type == type_][-1]


# --- Keys ---------------------------------------------------------------------------------


def test_it_says_who_it_is_and_that_it_is_alive(start: Start) -> None:
    pad = start.pad()
    client = start.connected(pad)
    identity = last(client, IDENTITY)
    assert identity.payload[:6] == bytes.fromhex("01 3412 010000")
    assert identity.payload[6:10] not in (bytes(4), b"\xff" * 4)
    assert identity.payload[10:] == bytes.fromhex("07 0100")
    client.heard.clear()
    began = pad.play("wait 1")
    client.until(lambda: sum(one.type == ALIVE for one in client.heard) == 3)
    assert 1000 <= pad.play("wait 1") - began < 1700
    assert {one.payload for one in client.heard} == {bytes.fromhex("3412 0100 00")}


def test_each_bouncing_press_is_exactly_one_report(start: Start) -> None:
    pad = start.pad()
    client = start.connected(pad)
    for key in (1, 2, 3, 4, 4, 3, 2, 1):
        pad.tell(*press(key))
    client.until_keys(8)
    settle(client, pad)
    assert client.keys == [(key, key) for key in (1, 2, 3, 4, 4, 3, 2, 1)]


@pytest.mark.parametrize("key", [1, 2, 3, 4, 5])
def test_a_glitch_is_nothing_and_a_little_longer_is_a_key(start: Start, key: int) -> None:
    pad = start.pad("--fast")
    client = start.connected(pad)
    for us in (50, 300, 1000, 3000, 5000, 7000, 7900):
        pad.play(f"glitch {key} {us}", "wait 40.37")
    settle(client, pad)
    assert client.keys == []
    pad.play(f"glitch {key} 9500", "wait 40")
    client.until_keys(1)
    settle(client, pad)
    assert [told for told, _ in client.keys] == [key]


def test_a_long_hold_is_one_report(start: Start) -> None:
    pad = start.pad("--fast")
    client = start.connected(pad)
    pad.play("key 2 down", "wait 5000", "key 2 up")
    client.until_keys(1)
    settle(client, pad)
    assert client.keys == [(2, 2)]


def test_two_keys_at_once_are_both_reported_in_order(start: Start) -> None:
    pad = start.pad()
    client = start.connected(pad)
    pad.play("key 4 down", "key 1 down", "wait 30", "key 4 up", "key 1 up", "wait 30")
    pad.play("level D3 0", "wait 3", "level D2 0", "wait 30", "level D3 1", "level D2 1", "wait 30")
    client.until_keys(4)
    settle(client, pad)
    assert client.keys == [(1, 1), (4, 4), (2, 2), (1, 1)]


def test_roll_gives_pips_and_each_pad_its_own(start: Start) -> None:
    rolled = []
    for noise in ("1", "2"):
        pad = start.pad("--fast", "--noise", noise)
        client = start.connected(pad)
        for batch in range(1, 6):
            pad.play(*press(5) * 12)
            client.until_keys(12 * batch)
        assert {key for key, _ in client.keys} == {5}
        rolled.append([pips for _, pips in client.keys])
    assert rolled[0] != rolled[1]
    seen = Counter(rolled[0] + rolled[1])
    assert seen.keys() == {1, 2, 3, 4}
    assert seen[2] + seen[3] > seen[1] + seen[4]  # 80 to 40 on average


def test_a_thousand_presses_are_a_thousand_reports(start: Start) -> None:
    """In handfuls of 16, for no more may wait while the host is busy."""
    pad = start.pad("--fast")
    client = start.connected(pad)
    pressed: list[int] = []
    while len(pressed) < 1000:
        handful = [(len(pressed) + 3 * i + i // 4) % 4 + 1 for i in range(16)]
        pressed += handful
        pad.tell(*[line for key in handful for line in press(key)])
        client.until_keys(len(pressed))
    settle(client, pad)
    assert [key for key, _ in client.keys] == pressed
    assert client.believed == len(pressed)


# --- The LED ------------------------------------------------------------------------------

BLINKING = [0, 500, 1000, 1500, 2000]
REFUSED = [0, 80, 160, 240, 320, 400]


def is_near(changes: list[float], expected: list[int]) -> bool:
    """On, off, on, ...: to the millisecond, for what is heard between two is shown at the next."""
    return len(changes) == len(expected) and all(
        abs(at - wanted) < 1.5 for at, wanted in zip(changes, expected, strict=True)
    )


def test_a_wanted_number_blinks_and_an_accepted_one_is_lit_for_400_ms(start: Start) -> None:
    pad = start.pad()
    client = start.connected(pad)
    began = pad.play("wait 1")
    while len(pad.led_since(began)) < 5:
        client.state(1)
        client.listen(0.2)
    assert is_near(pad.led_since(began)[:5], BLINKING)
    client.state(0)
    pad.play("wait 100")
    began = pad.play("wait 1")
    for _ in range(4):
        client.state(0, flash=1, flash_count=1)
        pad.play("wait 250")
    assert is_near(pad.led_since(began), [0, 400])
    began = pad.play("wait 1")
    client.state(0, flash=2, flash_count=2)
    pad.play("wait 700")
    assert is_near(pad.led_since(began), REFUSED)


def test_a_key_without_a_host_is_refused_with_three_flashes(start: Start) -> None:
    pad = start.pad("--fast")
    pad.play("wait 100", *press(1), "wait 1000")
    assert is_near(pad.led_since(0), REFUSED)
    client = start.connected(pad)
    settle(client, pad)
    assert client.keys == []


def test_a_lost_link_is_a_short_blink_every_two_seconds(start: Start) -> None:
    pad = start.pad("--fast")
    pad.play("wait 7000")
    assert 2000 < pad.led[0][1] < 2050
    assert is_near(pad.led_since(0), [0, 50, 2000, 2050, 4000, 4050])


def test_the_seventeenth_key_that_waits_is_refused(start: Start) -> None:
    pad = start.pad()
    client = start.connected(pad)
    client.acknowledges = False
    for _ in range(4):
        pad.play(*press(3) * 4)
        client.state(0)
    assert pad.led == []
    pad.play(*press(4), "wait 500")
    assert is_near(pad.led_since(0), REFUSED)
    client.listen(0)
    client.until(lambda: last(client, ALIVE).payload[4] == 16)
    client.acknowledges = True
    client.until_keys(16)
    settle(client, pad)
    assert client.keys == [(3, 3)] * 16


# --- Breaks -------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["loop", "timer"])
def test_a_pad_that_hangs_starts_again_and_says_so(start: Start, what: str) -> None:
    """The watchdog is fed by the loop, and only when the timer went on."""
    pad = start.pad()
    client = start.connected(pad)
    board = last(client, IDENTITY).payload[6:10]
    client.acknowledges = False
    pad.play(*press(2))
    client.until(lambda: any(one.type == REPORT for one in client.heard))
    client.heard.clear()
    end = time.monotonic() + PATIENCE_S
    pad.tell("wait 1", "echo hung", f"hang {what}")
    while len(pad.resets) < 2:
        client.state(0)  # what comes on the wire does not count as life
        client.listen(0.01)
        assert time.monotonic() < end
    why, when = pad.resets[1]
    assert why == "watchdog"
    assert 450 < when - pad.echoes["hung"] < 650  # of the pad's own milliseconds
    client.until(lambda: any(one.type == ALIVE and one.boots == 2 for one in client.heard))
    assert last(client, ALIVE).session == 0
    client.session, client.acknowledges = 0x4321, True
    again = client.connect()
    assert (again.payload[6:10], again.boots) == (board, 2)
    settle(client, pad)
    assert client.keys == [], "what waited is gone"
    pad.play(*press(3))
    client.until_keys(1)
    assert client.keys == [(3, 3)]
    assert len(pad.resets) == 2, "and it stays up"


def test_a_pad_that_runs_is_not_reset(start: Start) -> None:
    pad = start.pad("--fast")
    pad.play("wait 20000")
    assert pad.resets == [("power", 0.0)]


@pytest.mark.parametrize("sent", range(1, 9))
def test_half_a_frame_does_no_harm(start: Start, sent: int) -> None:
    pad = start.pad("--fast")
    client = start.client(pad)
    client.send_bytes(hello(0x1234)[:sent])
    client.close()
    other = start.connected(pad, 0x4321)
    pad.play(*press(1))
    other.until_keys(1)
    assert other.keys == [(1, 1)]


def test_half_a_frame_then_the_same_session_goes_on(start: Start) -> None:
    pad = start.pad()
    client = start.connected(pad)
    client.send_bytes(b"\x7e\x10\x02\x00\x12")
    pad.play(*press(2))
    client.until_keys(1)
    settle(client, pad)
    assert client.keys == [(2, 2)]


def test_a_number_from_before_the_break_does_not_arrive(start: Start) -> None:
    pad = start.pad()
    client = start.connected(pad)
    client.acknowledges = False
    pad.play(*press(4))
    client.close()
    pad.play(*press(1))
    other = start.connected(pad, 0x4321)
    settle(other, pad)
    assert other.keys == []
    pad.play(*press(2))
    other.until_keys(1)
    assert other.keys == [(2, 2)]


def test_the_cable_is_pulled_and_put_back(start: Start, tmp_path: Path) -> None:
    link = tmp_path / "pad"
    pad = start.pad("--link", str(link))
    client = start.connected(pad)
    assert os.path.realpath(link) == pad.pty
    pad.tell("unplug")
    began = time.monotonic()
    with pytest.raises(OSError, match="Input/output error"):  # noqa: PT012 - until it is seen
        while time.monotonic() < began + PATIENCE_S:
            client.listen(0.1)
            os.write(client.fd, b"\x7e")
    client.close()
    assert not link.exists()
    pad.tell("plug")
    pad.wait_for(lambda: len(pad.resets) == 2)
    again = start.connected(pad, 0x4321)
    assert last(again, IDENTITY).boots == 2


def test_opening_the_port_resets_a_nano(start: Start, tmp_path: Path) -> None:
    eeprom = tmp_path / "eeprom"
    pad = start.pad("--dtr", "--eeprom", str(eeprom))
    pad.play("wait 100")
    client = start.connected(pad)
    board = last(client, IDENTITY).payload[6:10]
    assert [why for why, _ in pad.resets] == ["power", "dtr"]
    client.close()
    pad.close()
    pad = start.pad("--eeprom", str(eeprom), "--noise", "99")
    again = start.connected(pad)
    assert last(again, IDENTITY).payload[6:10] == board, "its own for good"
    assert last(again, IDENTITY).boots == 3


def test_garbage_on_the_wire_makes_no_key(start: Start) -> None:
    pad = start.pad("--fast")
    client = start.connected(pad)
    for seed in range(20):
        client.send_bytes(bytes((seed * 37 + i * i * 11) & 0xFF for i in range(200)))
        client.listen(0.01)
    settle(client, pad, 1000)
    assert client.keys == []
    pad.play(*press(1))
    client.until_keys(1)
    assert client.keys == [(1, 1)]
