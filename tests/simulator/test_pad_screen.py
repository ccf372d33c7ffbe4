"""The die pad at the simulator: its keys, its LED, its cable; the keys on the Pi without it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers.table.simulator_user import SimulatorUser, looking_at

from companion.adapters.virtual.pad import VirtualPad
from companion.config.model import Config
from companion.simulator.app import Simulator
from companion.simulator.buttons import ScreenButton
from companion.table.conversation import Stage
from companion.table.scenes.stage_scenes import LINK, Link


def run(scene: Coroutine[Any, Any, None]) -> None:
    asyncio.run(scene)


def pad_of(guest: SimulatorUser) -> VirtualPad:
    pad = guest.app.hardware.pad
    assert isinstance(pad, VirtualPad)
    return pad


def always_3(loop: asyncio.AbstractEventLoop) -> VirtualPad:
    return VirtualPad(loop, lambda: 3)


def is_rail_lit(guest: SimulatorUser) -> bool:
    return any(guest.market.light[LINK])


# --- Keys ---------------------------------------------------------------------------------


def test_number_goes_over_the_wire_of_the_pad_and_not_to_a_pin(tmp_path: Path) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path) as guest:
            await guest.set_up()
            guest.app.simulate_key("2")
            await guest.until(lambda: pad_of(guest).logic._number == 1, "a report")
            assert not guest.app.hardware.hands.is_down(2)
            await guest.until(lambda: guest.stage is Stage.LAY, "rolled")
            await guest.read("Red rolled 2")

    run(scene())


@pytest.mark.parametrize("key", ["r", "R"])
def test_roll_is_what_the_pad_rolls(tmp_path: Path, key: str) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path, make_pad=always_3) as guest:
            await guest.begin()
            await guest.press(key, Stage.LAY)
            await guest.read("roll of 3 for Red: Assam walks to d7")

    run(scene())


def test_roll_on_the_screen_is_pressed_by_mouse(tmp_path: Path) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path) as guest:
            await guest.begin()
            await guest.pilot.mouse_down("#die-5")
            await guest.until(lambda: guest.stage is Stage.LAY, "rolled")
            assert guest.app.query_one("#die-5").has_class("-down")
            await guest.pilot.mouse_up("#die-5")
            await guest.until(lambda: not guest.app.query_one("#die-5").has_class("-down"), "up")

    run(scene())


def test_bouncing_key_counts_once_and_a_glitch_not_at_all(tmp_path: Path) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path) as guest:
            await guest.begin()
            await guest.pilot.press("f3", "1")
            await asyncio.sleep(0.2)
            assert pad_of(guest).logic._number == 0
            await guest.pilot.press("f2")
            await guest.press("2", Stage.LAY)
            await asyncio.sleep(0.2)
            assert pad_of(guest).logic._number == 1
            assert guest.table.daemon.view.refused is None

    run(scene())


# --- Its LED and its wire -----------------------------------------------------------------


def test_led_blinks_on_the_screen_when_a_number_is_wanted(tmp_path: Path) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path) as guest:
            await guest.read("○ die pad: connected")
            await guest.begin()
            await guest.read("● die pad: connected")
            await guest.read("○ die pad: connected")
            await guest.until(lambda: is_rail_lit(guest), "the rail says so, too")
            await guest.pilot.press("f5")  # also while the matrix says nothing
            for _ in range(2):
                await guest.read("● die pad: connected")
                await guest.read("○ die pad: connected")

    run(scene())


@pytest.mark.parametrize("size", [(100, 32), (80, 30)])
def test_unplugged_pad_is_told_and_the_keys_on_the_pi_go_on(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path, size=size, make_pad=always_3) as guest:
            await guest.begin()
            await guest.pilot.press("f8")
            await guest.read("The die pad does not answer: check its cable. Until then, play")
            await guest.read("⚡ pad unplugged")
            await guest.read("○ die pad: unplugged")
            assert guest.app.query_one("#die-5").has_class("-off")
            assert not guest.app.query_one("#die-4").has_class("-off")
            await guest.pilot.press("r")
            await guest.read("☞ ROLL is on the die pad: plug it in (F8).")
            assert guest.stage is Stage.ORIENT
            guest.app.simulate_key("2")
            await guest.until(lambda: guest.stage is Stage.LAY, "rolled")
            assert not guest.app.hands.is_pad_plugged_in, "so it was a pin"
            await guest.until(lambda: "☞" not in guest.words(), "no hint any more")
            await guest.pilot.press("f8")
            await guest.read("die pad: connected")
            assert "does not answer" not in guest.words()
            await guest.press("enter", Stage.ORIENT)
            guest.app.simulate_key("r")
            await guest.read("roll of 3 for Yellow")

    run(scene())


def test_lost_pad_blinks_on_the_rail(tmp_path: Path) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path) as guest:
            await guest.pilot.press("f8")
            await guest.until(lambda: guest.link is Link.DOWN, "lost")
            for is_lit in (True, False, True):
                await guest.until(lambda lit=is_lit: is_rail_lit(guest) is lit, f"{is_lit}")  # type: ignore[misc]

    run(scene())


def test_pad_that_was_reset_is_told_and_goes_on(tmp_path: Path) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path) as guest:
            await guest.begin()
            await guest.pilot.press("f9")
            await guest.read("☞ The die pad was reset.")
            logic = pad_of(guest).logic
            assert logic.boots == 2
            await guest.until(lambda: logic.session != 0, "a session")
            await guest.press("2", Stage.LAY)

    run(scene())


def test_pad_without_power_cannot_be_reset(tmp_path: Path) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path) as guest:
            await guest.pilot.press("f8", "f9")
            await guest.read("☞ The die pad has no power: F8.")

    run(scene())


# --- Without one --------------------------------------------------------------------------


@pytest.mark.parametrize("is_set", [True, False])
def test_without_a_pad_there_is_no_roll_and_the_pi_has_the_keys(
    tmp_path: Path, is_set: bool
) -> None:
    """Whether it was not asked for, or the settings say that there is none."""

    async def scene() -> None:
        config = Config()
        if is_set:
            config = replace(config, pad=replace(config.pad, port="none"))
        async with looking_at(tmp_path, config, make_pad=always_3 if is_set else None) as guest:
            await guest.begin()
            assert not guest.app.query("#die-5")
            await guest.read("keys of the die")
            await guest.pilot.press("f8")
            await guest.read("☞ There is no die pad here.")
            await guest.pilot.press("r")
            await guest.read("☞ ROLL is on a die pad, and there is none here.")
            await guest.press("3", Stage.LAY)
            assert guest.link is Link.NONE
            await guest.pilot.press("f1")
            await guest.until(lambda: "F7  disk slow" in guest.screen(), "the faults")
            assert "F8" not in guest.screen()

    run(scene())


def test_pad_of_an_electronic_die_has_the_keys_that_the_pi_has_not(tmp_path: Path) -> None:
    async def scene() -> None:
        config = replace(Config(), die=replace(Config().die, input="electronic"))
        async with looking_at(tmp_path, config) as guest:
            await guest.begin()
            await guest.pilot.press("f8", "3")
            await guest.read("☞ The keys of the die are on the die pad: plug it in (F8).")
            off = [
                button.id for button in guest.app.query(ScreenButton) if button.has_class("-off")
            ]
            assert off == ["die-1", "die-2", "die-3", "die-4", "die-5"]
            await guest.pilot.press("f8")
            await guest.until(lambda: guest.link is Link.UP, "connected")
            await guest.press("3", Stage.LAY)

    run(scene())


def test_pad_is_closed_with_everything_else(tmp_path: Path) -> None:
    async def scene() -> None:
        app = Simulator(Config(), tmp_path)
        async with app.run_test() as pilot:
            await SimulatorUser(app, pilot).until(lambda: app.hardware.pad is not None, "a pad")
        assert app.hardware.pad is not None
        assert app.hardware.pad.ports() == []

    run(scene())
