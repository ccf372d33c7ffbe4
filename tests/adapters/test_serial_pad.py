"""Finding, losing and reconnecting the pad, on virtual time with sockets as ports."""

from __future__ import annotations

import asyncio
import errno

import pytest
from helpers.pad.host import PadHarness, SocketPad, connect, run_pad_script

from companion.adapters.pad_health import PadHealth, PadState
from companion.adapters.serial_pad import SerialPad
from companion.errors import SettingError
from companion.pad.messages import Flash, Mode
from companion.table.inputs import ROLL, die_key, pad_roll

SEARCHING, CONNECTED = PadState.SEARCHING, PadState.CONNECTED
QUIET, LOST = PadState.QUIET, PadState.LOST


# --- Connected ----------------------------------------------------------------------------


def test_a_pad_is_found_and_each_key_is_delivered_once() -> None:
    async def script(harness: PadHarness) -> None:
        pad = await connect(harness)
        health = harness.host.health
        assert (health.port, health.message, health.is_connected) == ("/dev/a", None, True)
        assert health.identity is not None
        assert health.identity.board == b"VPAD"
        for key in (1, 4, 2, 5):
            pad.tap(key)
            await harness.wait(500)

    harness = run_pad_script(script)
    assert harness.inputs == [die_key(1), die_key(4), die_key(2), pad_roll(3)]
    assert harness.states() == [SEARCHING, CONNECTED]
    assert harness.host.health.link.lost == 0


def test_the_host_rolls_if_configured() -> None:
    async def script(harness: PadHarness) -> None:
        (await connect(harness)).tap(5)
        await harness.wait(100)

    assert run_pad_script(script, roll="host").inputs == [ROLL]


def test_an_unknown_roll_setting_is_an_error() -> None:
    async def script(harness: PadHarness) -> None:
        with pytest.raises(SettingError, match=r"^unknown roll 'pda': use pad or host; did you"):
            SerialPad(harness.loop, print, print, roll="pda")

    run_pad_script(script)


def test_mode_and_flash_are_sent_to_the_pad() -> None:
    async def script(harness: PadHarness) -> None:
        harness.host.set_mode(Mode.NUMBER)  # kept until there is a pad
        pad = await connect(harness)
        assert pad.logic._mode == Mode.NUMBER
        await harness.wait(1000)
        harness.host.flash(Flash.ACCEPTED)
        await harness.wait(1)
        assert (pad.logic._flash, pad.logic._flash_count) == (Flash.ACCEPTED, 1)
        harness.host.set_mode(Mode.NOTHING)
        await harness.wait(1)
        assert pad.logic._mode == Mode.NOTHING

    run_pad_script(script)


def test_an_idle_link_stays_connected() -> None:
    async def script(harness: PadHarness) -> None:
        await connect(harness)
        await harness.wait(3_600_000)

    harness = run_pad_script(script)
    assert harness.states() == [SEARCHING, CONNECTED]
    assert len(harness.opened) == 1


def test_a_pad_that_starts_slowly_after_its_reset_is_awaited() -> None:
    async def script(harness: PadHarness) -> None:
        await connect(harness, boot_ms=2000)

    harness = run_pad_script(script)
    assert harness.opened == [(0, "/dev/a")]


def test_a_pad_that_resets_itself_is_reconnected_without_a_message() -> None:
    async def script(harness: PadHarness) -> None:
        pad = await connect(harness)
        pad.logic.reset(pad.now_ms())
        pad.update()
        await harness.wait(1000)
        pad.tap(2)
        await harness.wait(100)
        assert harness.host.health.link.resets == 1

    harness = run_pad_script(script)
    assert harness.inputs == [die_key(2)]
    assert len(harness.opened) == 1


# --- Lost and found -----------------------------------------------------------------------


def test_an_unplugged_pad_is_found_on_another_port() -> None:
    async def script(harness: PadHarness) -> None:
        pad = await connect(harness)
        harness.unplug("/dev/a")
        await harness.wait(100)
        assert harness.host.health.state is LOST
        assert harness.message_text() == (
            "The die pad does not answer: check its cable. Until then, play without it."
        )
        harness.ports["/dev/b"] = pad
        await harness.wait(500)
        pad.tap(4)
        await harness.wait(100)

    harness = run_pad_script(script)
    assert harness.states() == [SEARCHING, CONNECTED, LOST, CONNECTED]
    assert harness.opened == [(0, "/dev/a"), (800, "/dev/b")]
    assert harness.inputs == [die_key(4)]


def test_keys_pressed_while_disconnected_are_dropped() -> None:
    async def script(harness: PadHarness) -> None:
        pad = await connect(harness)
        harness.unplug("/dev/a")
        pad.logic.press(3, pad.now_ms())  # it keeps its power, its session and this key
        pad.logic.pass_time(pad.now_ms() + 8)
        assert pad.logic.waiting == 1
        harness.ports["/dev/a"] = pad
        await harness.wait(2000)
        assert pad.logic.waiting == 0
        pad.tap(1)
        await harness.wait(100)

    assert run_pad_script(script).inputs == [die_key(1)]


def test_a_new_host_drops_reports_for_the_old_one() -> None:
    async def script(harness: PadHarness) -> None:
        pad = await connect(harness)
        harness.host.close()
        await harness.wait(10)
        pad.logic.press(2, pad.now_ms())
        pad.logic.pass_time(pad.now_ms() + 8)
        again = PadHarness()
        again.ports, again.sessions = harness.ports, iter([900])
        again.host.start()
        await harness.wait(500)
        assert again.host.health.state is CONNECTED
        assert again.inputs == []
        again.host.close()

    assert run_pad_script(script).inputs == []


def test_a_pad_that_answers_within_a_minute_has_kept_its_keys() -> None:
    async def script(harness: PadHarness) -> None:
        pad = await connect(harness)
        pad.is_talking = False
        await harness.wait(2000)
        assert harness.states()[-1] is QUIET
        assert harness.message_text().startswith("The die pad does not answer: check its cable.")
        pad.tap(2)
        await harness.wait(30_000)
        assert harness.inputs == []
        pad.is_talking = True
        await harness.wait(1000)
        assert harness.message_text() == ""

    harness = run_pad_script(script)
    assert harness.states() == [SEARCHING, CONNECTED, QUIET, CONNECTED]
    assert [path for _, path in harness.opened] == ["/dev/a"]
    assert harness.inputs == [die_key(2)]


def test_a_pad_that_is_silent_for_a_minute_is_reopened() -> None:
    async def script(harness: PadHarness) -> None:
        pad = await connect(harness)
        pad.is_talking = False
        await harness.wait(61_000)
        assert harness.states()[-1] is LOST
        pad.is_talking = True
        await harness.wait(5000)

    harness = run_pad_script(script)
    assert harness.states() == [SEARCHING, CONNECTED, QUIET, LOST, CONNECTED]
    assert [path for _, path in harness.opened] == ["/dev/a"] * 2


def test_a_silent_pad_that_is_unplugged_is_searched_on_all_ports() -> None:
    async def script(harness: PadHarness) -> None:
        pad = SocketPad(harness)
        harness.ports |= {"/dev/a": pad, "/dev/b": OSError(errno.ENODEV, "none")}
        harness.host.start()
        await harness.wait(100)
        pad.is_talking = False
        await harness.wait(3000)
        harness.opened.clear()
        harness.unplug("/dev/a")
        harness.ports["/dev/a"] = SocketPad(harness)
        await harness.wait(1000)

    harness = run_pad_script(script)
    assert harness.states() == [SEARCHING, CONNECTED, QUIET, LOST, CONNECTED]
    assert harness.opened[0][1] == "/dev/a"


def test_the_search_is_retried_with_delays_from_half_a_second_to_five() -> None:
    async def script(harness: PadHarness) -> None:
        harness.host.start()
        await harness.wait(30_000)

    harness = run_pad_script(script, port="/dev/x")
    times = [at for at, _ in harness.opened]
    assert times == [0, 500, 1500, 3500, 7500, 12500, 17500, 22500, 27500]
    assert harness.states() == [SEARCHING, SEARCHING]
    assert harness.message_text() == (
        "There is no port /dev/x: plug the die pad in, or change [pad] port in the config."
    )


def test_a_connection_resets_the_retry_delay() -> None:
    async def script(harness: PadHarness) -> None:
        harness.host.start()
        await harness.wait(10_000)
        harness.ports["/dev/x"] = SocketPad(harness)
        await harness.wait(5_000)
        harness.unplug("/dev/x")
        harness.opened.clear()
        await harness.wait(1000)

    (at, _), *more = run_pad_script(script, port="/dev/x").opened
    assert (at, more) == (15_500, [])


# --- Errors -------------------------------------------------------------------------------


def test_a_missing_pad_has_a_message() -> None:
    async def script(harness: PadHarness) -> None:
        harness.host.start()
        await harness.wait(1000)

    harness = run_pad_script(script)
    assert harness.message_text() == "No die pad is plugged in: plug it in, or play without it."
    assert harness.opened == []


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (PermissionError(errno.EACCES, "no"), "run 'sudo adduser $USER dialout' and log in again."),
        (BlockingIOError(errno.EWOULDBLOCK, "no"), "Another program uses /dev/a: close it, and"),
        (ValueError("odd"), "/dev/a cannot be used as a serial port (odd): plug the die pad in"),
    ],
    ids=["denied", "busy", "odd"],
)
def test_fixable_errors_are_shown_before_and_after_a_loss(error: Exception, text: str) -> None:
    async def script(harness: PadHarness) -> None:
        harness.ports["/dev/a"] = error
        harness.host.start()
        await harness.wait(1000)
        assert text in harness.message_text()
        assert harness.states() == [SEARCHING, SEARCHING]
        harness.ports["/dev/a"] = SocketPad(harness)
        await harness.wait(5000)
        assert harness.states()[-1] is CONNECTED
        assert harness.message_text() == ""
        harness.unplug("/dev/a")
        harness.ports["/dev/a"] = error
        await harness.wait(1000)
        assert harness.states()[-2:] == [LOST, LOST]
        assert text in harness.message_text()

    run_pad_script(script)


@pytest.mark.parametrize(
    ("theirs", "text"),
    [
        (0, "The die pad speaks version 0 and the companion 1: load the companion's firmware"),
        (2, "The die pad speaks version 2 and the companion 1: update the companion."),
    ],
)
def test_the_message_for_another_version_says_what_to_update(theirs: int, text: str) -> None:
    async def script(harness: PadHarness) -> None:
        pad = SocketPad(harness, version=theirs)
        harness.ports["/dev/a"] = pad
        harness.host.start()
        await harness.wait(60_000)
        assert harness.states() == [SEARCHING, PadState.WRONG_VERSION]
        assert text in harness.message_text()
        pad.tap(1)
        await harness.wait(100)
        assert harness.host.health.identity is not None

    harness = run_pad_script(script)
    assert harness.inputs == []
    assert len(harness.opened) == 1


def test_silent_ports_are_skipped_and_the_last_working_port_is_tried_first() -> None:
    async def script(harness: PadHarness) -> None:
        silent = SocketPad(harness)
        silent.is_talking = False
        harness.ports["/dev/gps"] = silent
        harness.ports["/dev/pad"] = SocketPad(harness)
        harness.host.start()
        await harness.wait(6000)
        assert harness.host.health.port == "/dev/pad"
        pad = harness.unplug("/dev/pad")
        harness.ports["/dev/pad"] = pad
        await harness.wait(1000)
        assert harness.states()[-1] is CONNECTED

    paths = [path for _, path in run_pad_script(script).opened]
    assert paths == ["/dev/gps", "/dev/pad", "/dev/pad"]


def test_a_port_that_echoes_is_not_a_pad() -> None:
    async def script(harness: PadHarness) -> None:
        echo = SocketPad(harness)
        echo.is_talking, echo.is_echo = False, True
        harness.ports["/dev/echo"] = echo
        harness.host.start()
        await harness.wait(5500)
        assert harness.message_text().startswith(
            "/dev/echo does not answer as a die pad does: load"
        )

    run_pad_script(script)


def test_noise_is_ignored() -> None:
    async def script(harness: PadHarness) -> None:
        pad = await connect(harness)
        assert pad.end is not None
        pad.end.send(bytes(range(256)) * 8 + b"\x7e\x10")
        await harness.wait(200)
        pad.tap(3)
        await harness.wait(200)
        assert harness.host.health.link.damaged >= 8

    harness = run_pad_script(script)
    assert harness.inputs == [die_key(3)]
    assert harness.states() == [SEARCHING, CONNECTED]


def test_a_blocked_port_does_not_block_the_loop() -> None:
    async def script(harness: PadHarness) -> None:
        pad = await connect(harness)
        assert pad.end is not None
        harness.loop.remove_reader(pad.end)  # our bytes are no longer read
        for _ in range(20_000):
            harness.host.flash(Flash.ACCEPTED)
        assert len(harness.host._transport._pending) <= 256  # type: ignore[union-attr]
        harness.loop.add_reader(pad.end, pad.read)
        await harness.wait(100)  # before the next STATE is sent
        assert harness.host._transport._pending == b""  # type: ignore[union-attr]
        pad.tap(2)
        await harness.wait(200)

    harness = run_pad_script(script)
    assert harness.inputs == [die_key(2)]
    assert harness.states() == [SEARCHING, CONNECTED]


# --- Closing ------------------------------------------------------------------------------


def test_after_close_nothing_is_delivered_or_reported() -> None:
    async def script(harness: PadHarness) -> None:
        pad = await connect(harness)
        harness.host.close()
        pad.tap(1)
        harness.host.set_mode(Mode.NUMBER)
        harness.host.flash(Flash.REFUSED)
        await harness.wait(10_000)

    harness = run_pad_script(script)
    assert harness.inputs == []
    assert harness.states() == [SEARCHING, CONNECTED]
    assert len(harness.opened) == 1


def test_a_port_that_opens_after_close_is_closed_again() -> None:
    async def script(harness: PadHarness) -> None:
        pad = SocketPad(harness)
        harness.ports["/dev/a"] = pad
        harness.host.start()
        while not harness.opened:
            await asyncio.sleep(0)
        harness.host.close()
        await harness.wait(100)
        assert pad.end is None

    run_pad_script(script)


@pytest.mark.parametrize("number", [1, 2], ids=["searching", "absent"])
def test_the_callback_may_close_the_pad(number: int) -> None:
    async def script(harness: PadHarness) -> None:
        def on_health(health: PadHealth) -> None:
            reported.append(health)
            if len(reported) == number:
                host.close()

        reported: list[PadHealth] = []
        host = SerialPad(harness.loop, harness.inputs.append, on_health, find_ports=harness.find)
        host.start()
        await harness.wait(10_000)
        assert (len(reported), harness.searches) == (number, number - 1)

    run_pad_script(script)
