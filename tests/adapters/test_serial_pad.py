"""The pad on a port: found, lost and found again, on virtual time; its ports are sockets."""

from __future__ import annotations

import asyncio
import errno

import pytest
from helpers.pad.host import Desk, SocketPad, connect, play

from companion.adapters.pad_health import PadHealth, PadState
from companion.adapters.serial_pad import SerialPad
from companion.errors import SettingError
from companion.pad.messages import Flash, Mode
from companion.table.inputs import ROLL, die_key, pad_roll

SEARCHING, CONNECTED = PadState.SEARCHING, PadState.CONNECTED
QUIET, LOST = PadState.QUIET, PadState.LOST


# --- Connected ----------------------------------------------------------------------------


def test_a_pad_is_found_and_its_keys_are_delivered_once() -> None:
    async def script(desk: Desk) -> None:
        pad = await connect(desk)
        health = desk.host.health
        assert (health.port, health.said, health.is_connected) == ("/dev/a", None, True)
        assert health.identity is not None
        assert health.identity.board == b"VPAD"
        for key in (1, 4, 2, 5):
            pad.tap(key)
            await desk.wait(500)

    desk = play(script)
    assert desk.inputs == [die_key(1), die_key(4), die_key(2), pad_roll(3)]
    assert desk.states() == [SEARCHING, CONNECTED]
    assert desk.host.health.link.lost == 0


def test_the_host_may_roll_itself() -> None:
    async def script(desk: Desk) -> None:
        (await connect(desk)).tap(5)
        await desk.wait(100)

    assert play(script, roll="host").inputs == [ROLL]


def test_somebody_rolls() -> None:
    async def script(desk: Desk) -> None:
        with pytest.raises(SettingError, match=r"^unknown roll 'pda': use pad or host; did you"):
            SerialPad(desk.loop, print, print, roll="pda")

    play(script)


def test_the_led_shows_what_the_table_says() -> None:
    async def script(desk: Desk) -> None:
        desk.host.show(Mode.NUMBER)  # kept until there is a pad
        pad = await connect(desk)
        assert pad.logic._mode == Mode.NUMBER
        await desk.wait(1000)
        desk.host.flash(Flash.ACCEPTED)
        await desk.wait(1)
        assert (pad.logic._flash, pad.logic._flash_count) == (Flash.ACCEPTED, 1)
        desk.host.show(Mode.NOTHING)
        await desk.wait(1)
        assert pad.logic._mode == Mode.NOTHING

    play(script)


def test_a_table_that_is_idle_keeps_its_link() -> None:
    async def script(desk: Desk) -> None:
        await connect(desk)
        await desk.wait(3_600_000)

    desk = play(script)
    assert desk.states() == [SEARCHING, CONNECTED]
    assert len(desk.opened) == 1


def test_a_pad_that_is_reset_by_opening_its_port_and_starts_slowly_is_waited_for() -> None:
    async def script(desk: Desk) -> None:
        await connect(desk, boot_ms=2000)

    desk = play(script)
    assert desk.opened == [(0, "/dev/a")]


def test_a_pad_that_is_reset_by_itself_is_connected_again_without_a_word() -> None:
    async def script(desk: Desk) -> None:
        pad = await connect(desk)
        pad.logic.reset(pad.now_ms())
        pad.go_on()
        await desk.wait(1000)
        pad.tap(2)
        await desk.wait(100)
        assert desk.host.health.link.resets == 1

    desk = play(script)
    assert desk.inputs == [die_key(2)]
    assert len(desk.opened) == 1


# --- Lost and found -----------------------------------------------------------------------


def test_an_unplugged_pad_is_looked_for_and_found_under_another_number() -> None:
    async def script(desk: Desk) -> None:
        pad = await connect(desk)
        desk.unplug("/dev/a")
        await desk.wait(100)
        assert desk.host.health.state is LOST
        assert desk.said() == (
            "The die pad does not answer: check its cable. Until then, play without it."
        )
        desk.ports["/dev/b"] = pad
        await desk.wait(500)
        pad.tap(4)
        await desk.wait(100)

    desk = play(script)
    assert desk.states() == [SEARCHING, CONNECTED, LOST, CONNECTED]
    assert desk.opened == [(0, "/dev/a"), (800, "/dev/b")]
    assert desk.inputs == [die_key(4)]


def test_keys_of_before_the_break_never_arrive() -> None:
    async def script(desk: Desk) -> None:
        pad = await connect(desk)
        desk.unplug("/dev/a")
        pad.logic.press(3, pad.now_ms())  # it keeps its power, its session and this key
        pad.logic.pass_time(pad.now_ms() + 8)
        assert pad.logic.waiting == 1
        desk.ports["/dev/a"] = pad
        await desk.wait(2000)
        assert pad.logic.waiting == 0
        pad.tap(1)
        await desk.wait(100)

    assert play(script).inputs == [die_key(1)]


def test_a_new_host_drops_the_reports_of_the_old_one() -> None:
    async def script(desk: Desk) -> None:
        pad = await connect(desk)
        desk.host.close()
        await desk.wait(10)
        pad.logic.press(2, pad.now_ms())
        pad.logic.pass_time(pad.now_ms() + 8)
        again = Desk()
        again.ports, again.sessions = desk.ports, iter([900])
        again.host.start()
        await desk.wait(500)
        assert again.host.health.state is CONNECTED
        assert again.inputs == []
        again.host.close()

    assert play(script).inputs == []


def test_a_pad_that_is_heard_again_within_a_minute_has_kept_its_keys() -> None:
    async def script(desk: Desk) -> None:
        pad = await connect(desk)
        pad.is_talking = False
        await desk.wait(2000)
        assert desk.states()[-1] is QUIET
        assert desk.said().startswith("The die pad does not answer: check its cable.")
        pad.tap(2)
        await desk.wait(30_000)
        assert desk.inputs == []
        pad.is_talking = True
        await desk.wait(1000)
        assert desk.said() == ""

    desk = play(script)
    assert desk.states() == [SEARCHING, CONNECTED, QUIET, CONNECTED]
    assert [path for _, path in desk.opened] == ["/dev/a"]
    assert desk.inputs == [die_key(2)]


def test_a_pad_that_is_silent_for_a_minute_is_opened_again() -> None:
    async def script(desk: Desk) -> None:
        pad = await connect(desk)
        pad.is_talking = False
        await desk.wait(61_000)
        assert desk.states()[-1] is LOST
        pad.is_talking = True
        await desk.wait(5000)

    desk = play(script)
    assert desk.states() == [SEARCHING, CONNECTED, QUIET, LOST, CONNECTED]
    assert [path for _, path in desk.opened] == ["/dev/a"] * 2


def test_a_silent_pad_that_is_unplugged_is_looked_for_on_every_port() -> None:
    async def script(desk: Desk) -> None:
        pad = SocketPad(desk)
        desk.ports |= {"/dev/a": pad, "/dev/b": OSError(errno.ENODEV, "none")}
        desk.host.start()
        await desk.wait(100)
        pad.is_talking = False
        await desk.wait(3000)
        desk.opened.clear()
        desk.unplug("/dev/a")
        desk.ports["/dev/a"] = SocketPad(desk)
        await desk.wait(1000)

    desk = play(script)
    assert desk.states() == [SEARCHING, CONNECTED, QUIET, LOST, CONNECTED]
    assert desk.opened[0][1] == "/dev/a"


def test_it_is_tried_again_after_half_a_second_and_then_ever_later_up_to_five() -> None:
    async def script(desk: Desk) -> None:
        desk.host.start()
        await desk.wait(30_000)

    desk = play(script, port="/dev/x")
    times = [at for at, _ in desk.opened]
    assert times == [0, 500, 1500, 3500, 7500, 12500, 17500, 22500, 27500]
    assert desk.states() == [SEARCHING, SEARCHING]
    assert desk.said() == (
        "There is no port /dev/x: plug the die pad in, or change [pad] port in the config."
    )


def test_once_connected_the_waiting_begins_anew() -> None:
    async def script(desk: Desk) -> None:
        desk.host.start()
        await desk.wait(10_000)
        desk.ports["/dev/x"] = SocketPad(desk)
        await desk.wait(5_000)
        desk.unplug("/dev/x")
        desk.opened.clear()
        await desk.wait(1000)

    (at, _), *more = play(script, port="/dev/x").opened
    assert (at, more) == (15_500, [])


# --- Troubles -----------------------------------------------------------------------------


def test_nothing_plugged_in_is_said() -> None:
    async def script(desk: Desk) -> None:
        desk.host.start()
        await desk.wait(1000)

    desk = play(script)
    assert desk.said() == "No die pad is plugged in: plug it in, or play without it."
    assert desk.opened == []


@pytest.mark.parametrize(
    ("trouble", "text"),
    [
        (PermissionError(errno.EACCES, "no"), "run 'sudo adduser $USER dialout' and log in again."),
        (BlockingIOError(errno.EWOULDBLOCK, "no"), "Another program uses /dev/a: close it, and"),
        (ValueError("odd"), "/dev/a cannot be used as a serial port (odd): plug the die pad in"),
    ],
    ids=["denied", "busy", "odd"],
)
def test_what_somebody_can_mend_is_said_before_and_after_a_loss(
    trouble: Exception, text: str
) -> None:
    async def script(desk: Desk) -> None:
        desk.ports["/dev/a"] = trouble
        desk.host.start()
        await desk.wait(1000)
        assert text in desk.said()
        assert desk.states() == [SEARCHING, SEARCHING]
        desk.ports["/dev/a"] = SocketPad(desk)
        await desk.wait(5000)
        assert desk.states()[-1] is CONNECTED
        assert desk.said() == ""
        desk.unplug("/dev/a")
        desk.ports["/dev/a"] = trouble
        await desk.wait(1000)
        assert desk.states()[-2:] == [LOST, LOST]
        assert text in desk.said()

    play(script)


@pytest.mark.parametrize(
    ("theirs", "text"),
    [
        (0, "The die pad speaks version 0 and the companion 1: load the companion's firmware"),
        (2, "The die pad speaks version 2 and the companion 1: update the companion."),
    ],
)
def test_a_pad_of_another_version_is_said_with_what_to_renew(theirs: int, text: str) -> None:
    async def script(desk: Desk) -> None:
        pad = SocketPad(desk, version=theirs)
        desk.ports["/dev/a"] = pad
        desk.host.start()
        await desk.wait(60_000)
        assert desk.states() == [SEARCHING, PadState.WRONG_VERSION]
        assert text in desk.said()
        pad.tap(1)
        await desk.wait(100)
        assert desk.host.health.identity is not None

    desk = play(script)
    assert desk.inputs == []
    assert len(desk.opened) == 1


def test_ports_that_do_not_answer_are_passed_over_and_the_pad_is_tried_first_later() -> None:
    async def script(desk: Desk) -> None:
        deaf = SocketPad(desk)
        deaf.is_talking = False
        desk.ports["/dev/gps"] = deaf
        desk.ports["/dev/pad"] = SocketPad(desk)
        desk.host.start()
        await desk.wait(6000)
        assert desk.host.health.port == "/dev/pad"
        pad = desk.unplug("/dev/pad")
        desk.ports["/dev/pad"] = pad
        await desk.wait(1000)
        assert desk.states()[-1] is CONNECTED

    paths = [path for _, path in play(script).opened]
    assert paths == ["/dev/gps", "/dev/pad", "/dev/pad"]


def test_a_port_that_only_echoes_is_no_pad() -> None:
    async def script(desk: Desk) -> None:
        echo = SocketPad(desk)
        echo.is_talking, echo.is_echo = False, True
        desk.ports["/dev/echo"] = echo
        desk.host.start()
        await desk.wait(5500)
        assert desk.said().startswith("/dev/echo does not answer as a die pad does: load")

    play(script)


def test_noise_is_survived() -> None:
    async def script(desk: Desk) -> None:
        pad = await connect(desk)
        assert pad.end is not None
        pad.end.send(bytes(range(256)) * 8 + b"\x7e\x10")
        await desk.wait(200)
        pad.tap(3)
        await desk.wait(200)
        assert desk.host.health.link.damaged >= 8

    desk = play(script)
    assert desk.inputs == [die_key(3)]
    assert desk.states() == [SEARCHING, CONNECTED]


def test_a_port_that_takes_nothing_never_holds_up_the_loop() -> None:
    async def script(desk: Desk) -> None:
        pad = await connect(desk)
        assert pad.end is not None
        desk.loop.remove_reader(pad.end)  # nobody takes our bytes; the pad itself goes on
        for _ in range(20_000):
            desk.host.flash(Flash.ACCEPTED)
        assert len(desk.host._line._waiting) <= 256  # type: ignore[union-attr]
        desk.loop.add_reader(pad.end, pad.read)
        await desk.wait(100)  # before the next STATE would push
        assert desk.host._line._waiting == b""  # type: ignore[union-attr]
        pad.tap(2)
        await desk.wait(200)

    desk = play(script)
    assert desk.inputs == [die_key(2)]
    assert desk.states() == [SEARCHING, CONNECTED]


# --- The end ------------------------------------------------------------------------------


def test_after_close_nothing_is_delivered_or_told() -> None:
    async def script(desk: Desk) -> None:
        pad = await connect(desk)
        desk.host.close()
        pad.tap(1)
        desk.host.show(Mode.NUMBER)
        desk.host.flash(Flash.REFUSED)
        await desk.wait(10_000)

    desk = play(script)
    assert desk.inputs == []
    assert desk.states() == [SEARCHING, CONNECTED]
    assert len(desk.opened) == 1


def test_a_port_that_opens_after_close_is_closed_again() -> None:
    async def script(desk: Desk) -> None:
        pad = SocketPad(desk)
        desk.ports["/dev/a"] = pad
        desk.host.start()
        while not desk.opened:
            await asyncio.sleep(0)
        desk.host.close()
        await desk.wait(100)
        assert pad.end is None

    play(script)


@pytest.mark.parametrize("news", [1, 2], ids=["that it is looked for", "that there is none"])
def test_whoever_is_told_may_close_it(news: int) -> None:
    async def script(desk: Desk) -> None:
        def tell(_: PadHealth) -> None:
            told.append(_)
            if len(told) == news:
                host.close()

        told: list[PadHealth] = []
        host = SerialPad(desk.loop, desk.inputs.append, tell, find_ports=desk.find)
        host.start()
        await desk.wait(10_000)
        assert (len(told), desk.searches) == (news, news - 1)

    play(script)
