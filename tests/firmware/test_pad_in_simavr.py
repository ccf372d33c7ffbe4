"""The firmware image in simavr, behind a pty, with a host written from PROTOCOL.md."""

from __future__ import annotations

import os
import time
from collections import Counter
from pathlib import Path

import pytest
from helpers.pad.client import ALIVE, IDENTITY, REPORT, Client, ReceivedFrame, hello
from helpers.pad.simulator import PadSimulator, SimulatorFactory
from helpers.patience import PATIENCE_S

BOUNCING = "bounce {} 6 1000us"


def press(key: int) -> list[str]:
    """A press and its release, both with six bounces of 1 ms."""
    return [BOUNCING.format(key), "wait 40", BOUNCING.format(key) + " up", "wait 40"]


def settle(client: Client, pad: PadSimulator, ms: int = 300) -> None:
    """Listen while the pad's time passes, for anything else it sends."""
    pad.play(f"wait {ms}")
    while client.listen(0.05):
        pass


def last(client: Client, type_: int) -> ReceivedFrame:
    return [one for one in client.received if one.type == type_][-1]


# --- Keys ---------------------------------------------------------------------------------


def test_the_pad_sends_identity_and_alive(simulators: SimulatorFactory) -> None:
    pad = simulators.pad()
    client = simulators.connected(pad)
    identity = last(client, IDENTITY)
    assert identity.payload[:6] == bytes.fromhex("01 3412 010000")
    assert identity.payload[6:10] not in (bytes(4), b"\xff" * 4)
    assert identity.payload[10:] == bytes.fromhex("07 0100")
    client.received.clear()
    start_ms = pad.play("wait 1")
    client.until(lambda: sum(one.type == ALIVE for one in client.received) == 3)
    assert 1000 <= pad.play("wait 1") - start_ms < 1700
    assert {one.payload for one in client.received} == {bytes.fromhex("3412 0100 00")}


def test_each_bouncing_press_is_exactly_one_report(simulators: SimulatorFactory) -> None:
    pad = simulators.pad()
    client = simulators.connected(pad)
    for key in (1, 2, 3, 4, 4, 3, 2, 1):
        pad.send(*press(key))
    client.until_keys(8)
    settle(client, pad)
    assert client.keys == [(key, key) for key in (1, 2, 3, 4, 4, 3, 2, 1)]


@pytest.mark.parametrize("key", [1, 2, 3, 4, 5])
def test_a_glitch_is_ignored_and_a_longer_press_is_a_key(
    simulators: SimulatorFactory, key: int
) -> None:
    pad = simulators.pad("--fast")
    client = simulators.connected(pad)
    for us in (50, 300, 1000, 3000, 5000, 7000, 7900):
        pad.play(f"glitch {key} {us}", "wait 40.37")
    settle(client, pad)
    assert client.keys == []
    pad.play(f"glitch {key} 9500", "wait 40")
    client.until_keys(1)
    settle(client, pad)
    assert [reported for reported, _ in client.keys] == [key]


def test_a_long_hold_is_one_report(simulators: SimulatorFactory) -> None:
    pad = simulators.pad("--fast")
    client = simulators.connected(pad)
    pad.play("key 2 down", "wait 5000", "key 2 up")
    client.until_keys(1)
    settle(client, pad)
    assert client.keys == [(2, 2)]


def test_two_keys_at_once_are_both_reported_in_order(simulators: SimulatorFactory) -> None:
    pad = simulators.pad()
    client = simulators.connected(pad)
    pad.play("key 4 down", "key 1 down", "wait 30", "key 4 up", "key 1 up", "wait 30")
    pad.play("level D3 0", "wait 3", "level D2 0", "wait 30", "level D3 1", "level D2 1", "wait 30")
    client.until_keys(4)
    settle(client, pad)
    assert client.keys == [(1, 1), (4, 4), (2, 2), (1, 1)]


def test_roll_reports_pips_that_differ_between_pads(simulators: SimulatorFactory) -> None:
    rolled = []
    for noise in ("1", "2"):
        pad = simulators.pad("--fast", "--noise", noise)
        client = simulators.connected(pad)
        for batch in range(1, 6):
            pad.play(*press(5) * 12)
            client.until_keys(12 * batch)
        assert {key for key, _ in client.keys} == {5}
        rolled.append([pips for _, pips in client.keys])
    assert rolled[0] != rolled[1]
    seen = Counter(rolled[0] + rolled[1])
    assert seen.keys() == {1, 2, 3, 4}
    assert seen[2] + seen[3] > seen[1] + seen[4]  # 80 to 40 on average


def test_a_thousand_presses_are_a_thousand_reports(simulators: SimulatorFactory) -> None:
    """In batches of 16, because no more than 16 reports can wait."""
    pad = simulators.pad("--fast")
    client = simulators.connected(pad)
    pressed: list[int] = []
    while len(pressed) < 1000:
        batch_keys = [(len(pressed) + 3 * i + i // 4) % 4 + 1 for i in range(16)]
        pressed += batch_keys
        pad.send(*[line for key in batch_keys for line in press(key)])
        client.until_keys(len(pressed))
    settle(client, pad)
    assert [key for key, _ in client.keys] == pressed
    assert client.accepted_number == len(pressed)


# --- The LED ------------------------------------------------------------------------------

BLINKING = [0, 500, 1000, 1500, 2000]
REFUSED = [0, 80, 160, 240, 320, 400]


def is_near(changes: list[float], expected: list[int]) -> bool:
    """On, off, on, ...: within 1.5 ms, because the LED changes at the next millisecond."""
    return len(changes) == len(expected) and all(
        abs(at - wanted) < 1.5 for at, wanted in zip(changes, expected, strict=True)
    )


def test_the_led_blinks_for_a_number_and_lights_for_400_ms_when_accepted(
    simulators: SimulatorFactory,
) -> None:
    pad = simulators.pad()
    client = simulators.connected(pad)
    start_ms = pad.play("wait 1")
    while len(pad.led_since(start_ms)) < 5:
        client.state(1)
        client.listen(0.2)
    assert is_near(pad.led_since(start_ms)[:5], BLINKING)
    client.state(0)
    pad.play("wait 100")
    start_ms = pad.play("wait 1")
    for _ in range(4):
        client.state(0, flash=1, flash_count=1)
        pad.play("wait 250")
    assert is_near(pad.led_since(start_ms), [0, 400])
    start_ms = pad.play("wait 1")
    client.state(0, flash=2, flash_count=2)
    pad.play("wait 700")
    assert is_near(pad.led_since(start_ms), REFUSED)


def test_a_key_without_a_host_is_refused_with_three_flashes(simulators: SimulatorFactory) -> None:
    pad = simulators.pad("--fast")
    pad.play("wait 100", *press(1), "wait 1000")
    assert is_near(pad.led_since(0), REFUSED)
    client = simulators.connected(pad)
    settle(client, pad)
    assert client.keys == []


def test_a_lost_link_is_a_short_blink_every_two_seconds(simulators: SimulatorFactory) -> None:
    pad = simulators.pad("--fast")
    pad.play("wait 7000")
    assert 2000 < pad.led[0][1] < 2050
    assert is_near(pad.led_since(0), [0, 50, 2000, 2050, 4000, 4050])


def test_the_17th_waiting_key_is_refused(simulators: SimulatorFactory) -> None:
    pad = simulators.pad()
    client = simulators.connected(pad)
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
def test_a_pad_that_hangs_is_reset_by_the_watchdog(simulators: SimulatorFactory, what: str) -> None:
    """The loop resets the watchdog, and only if the timer has advanced."""
    pad = simulators.pad()
    client = simulators.connected(pad)
    board = last(client, IDENTITY).payload[6:10]
    client.acknowledges = False
    pad.play(*press(2))
    client.until(lambda: any(one.type == REPORT for one in client.received))
    client.received.clear()
    end = time.monotonic() + PATIENCE_S
    pad.send("wait 1", "echo hung", f"hang {what}")
    while len(pad.resets) < 2:
        client.state(0)  # received bytes do not reset the watchdog
        client.listen(0.01)
        assert time.monotonic() < end
    why, when = pad.resets[1]
    assert why == "watchdog"
    assert 450 < when - pad.echoes["hung"] < 650  # in the pad's time
    client.until(lambda: any(one.type == ALIVE and one.boots == 2 for one in client.received))
    assert last(client, ALIVE).session == 0
    client.session, client.acknowledges = 0x4321, True
    again = client.connect()
    assert (again.payload[6:10], again.boots) == (board, 2)
    settle(client, pad)
    assert client.keys == [], "waiting reports are lost"
    pad.play(*press(3))
    client.until_keys(1)
    assert client.keys == [(3, 3)]
    assert len(pad.resets) == 2, "no further reset"


def test_a_running_pad_is_not_reset(simulators: SimulatorFactory) -> None:
    pad = simulators.pad("--fast")
    pad.play("wait 20000")
    assert pad.resets == [("power", 0.0)]


@pytest.mark.parametrize("sent", range(1, 9))
def test_half_a_frame_does_not_disturb_the_next_host(
    simulators: SimulatorFactory, sent: int
) -> None:
    pad = simulators.pad("--fast")
    client = simulators.client(pad)
    client.send_bytes(hello(0x1234)[:sent])
    client.close()
    other = simulators.connected(pad, 0x4321)
    pad.play(*press(1))
    other.until_keys(1)
    assert other.keys == [(1, 1)]


def test_a_session_continues_after_half_a_frame(simulators: SimulatorFactory) -> None:
    pad = simulators.pad()
    client = simulators.connected(pad)
    client.send_bytes(b"\x7e\x10\x02\x00\x12")
    pad.play(*press(2))
    client.until_keys(1)
    settle(client, pad)
    assert client.keys == [(2, 2)]


def test_a_key_from_before_a_new_session_does_not_arrive(simulators: SimulatorFactory) -> None:
    pad = simulators.pad()
    client = simulators.connected(pad)
    client.acknowledges = False
    pad.play(*press(4))
    client.close()
    pad.play(*press(1))
    other = simulators.connected(pad, 0x4321)
    settle(other, pad)
    assert other.keys == []
    pad.play(*press(2))
    other.until_keys(1)
    assert other.keys == [(2, 2)]


def test_a_pad_that_is_unplugged_and_plugged_in_starts_again(
    simulators: SimulatorFactory, tmp_path: Path
) -> None:
    link = tmp_path / "pad"
    pad = simulators.pad("--link", str(link))
    client = simulators.connected(pad)
    assert os.path.realpath(link) == pad.pty
    pad.send("unplug")
    start_ms = time.monotonic()
    with pytest.raises(OSError, match="Input/output error"):  # noqa: PT012 - until it is seen
        while time.monotonic() < start_ms + PATIENCE_S:
            client.listen(0.1)
            os.write(client.fd, b"\x7e")
    client.close()
    assert not link.exists()
    pad.send("plug")
    pad.wait_for(lambda: len(pad.resets) == 2)
    again = simulators.connected(pad, 0x4321)
    assert last(again, IDENTITY).boots == 2


def test_opening_the_port_resets_a_nano(simulators: SimulatorFactory, tmp_path: Path) -> None:
    eeprom = tmp_path / "eeprom"
    pad = simulators.pad("--dtr", "--eeprom", str(eeprom))
    pad.play("wait 100")
    client = simulators.connected(pad)
    board = last(client, IDENTITY).payload[6:10]
    assert [why for why, _ in pad.resets] == ["power", "dtr"]
    client.close()
    pad.close()
    pad = simulators.pad("--eeprom", str(eeprom), "--noise", "99")
    again = simulators.connected(pad)
    assert last(again, IDENTITY).payload[6:10] == board, "the board number is permanent"
    assert last(again, IDENTITY).boots == 3


def test_garbage_causes_no_key(simulators: SimulatorFactory) -> None:
    pad = simulators.pad("--fast")
    client = simulators.connected(pad)
    for seed in range(20):
        client.send_bytes(bytes((seed * 37 + i * i * 11) & 0xFF for i in range(200)))
        client.listen(0.01)
    settle(client, pad, 1000)
    assert client.keys == []
    pad.play(*press(1))
    client.until_keys(1)
    assert client.keys == [(1, 1)]
