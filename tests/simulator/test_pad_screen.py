"""The die pad in the simulator: keys, LED and cable, and the die keys on the Pi without a pad."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers.table.simulator_user import SimulatorUser, open_simulator

from companion.adapters.virtual.pad import VirtualPad
from companion.config.model import Config
from companion.simulator.app import Simulator
from companion.simulator.buttons import ScreenButton
from companion.table.conversation import Stage
from companion.table.scenes.stage_scenes import LINK, LinkState


def run(check: Coroutine[Any, Any, None]) -> None:
    asyncio.run(check)


def pad_of(user: SimulatorUser) -> VirtualPad:
    pad = user.app.hardware.pad
    assert isinstance(pad, VirtualPad)
    return pad


def always_3(loop: asyncio.AbstractEventLoop) -> VirtualPad:
    return VirtualPad(loop, lambda: 3)


def is_rail_lit(user: SimulatorUser) -> bool:
    return any(user.market.light[LINK])


# --- Keys ---------------------------------------------------------------------------------


def test_number_key_presses_the_pad_instead_of_a_pin(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path) as user:
            await user.go_to_setting()
            user.app.simulate_key("2")
            await user.wait_until(lambda: pad_of(user).logic._number == 1, "a report")
            assert not user.app.hardware.contacts.is_down(2)
            await user.wait_until(lambda: user.stage is Stage.LAY, "rolled")
            await user.wait_for_text("Red rolled 2")

    run(check())


@pytest.mark.parametrize("key", ["r", "R"])
def test_roll_key_uses_the_roll_of_the_pad(tmp_path: Path, key: str) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path, make_pad=always_3) as user:
            await user.start_game()
            await user.press(key, Stage.LAY)
            await user.wait_for_text("roll of 3 for Red: Assam walks to d7")

    run(check())


def test_roll_is_pressed_with_the_mouse(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path) as user:
            await user.start_game()
            await user.pilot.mouse_down("#die-5")
            await user.wait_until(lambda: user.stage is Stage.LAY, "rolled")
            assert user.app.query_one("#die-5").has_class("-down")
            await user.pilot.mouse_up("#die-5")
            await user.wait_until(lambda: not user.app.query_one("#die-5").has_class("-down"), "up")

    run(check())


def test_bouncing_key_counts_once_and_a_glitch_does_not_count(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path) as user:
            await user.start_game()
            await user.pilot.press("f3", "1")
            await asyncio.sleep(0.2)
            assert pad_of(user).logic._number == 0
            await user.pilot.press("f2")
            await user.press("2", Stage.LAY)
            await asyncio.sleep(0.2)
            assert pad_of(user).logic._number == 1
            assert user.table.controller.view.refusal is None

    run(check())


# --- LED and cable ------------------------------------------------------------------------


def test_led_blinks_on_the_screen_while_a_number_is_expected(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path) as user:
            await user.wait_for_text("○ die pad: connected")
            await user.start_game()
            await user.wait_for_text("● die pad: connected")
            await user.wait_for_text("○ die pad: connected")
            await user.wait_until(lambda: is_rail_lit(user), "the rail shows the link too")
            await user.pilot.press("f5")  # blinks also while the matrix is unplugged
            for _ in range(2):
                await user.wait_for_text("● die pad: connected")
                await user.wait_for_text("○ die pad: connected")

    run(check())


@pytest.mark.parametrize("size", [(100, 32), (80, 30)])
def test_unplugged_pad_is_reported_and_the_keys_on_the_pi_work(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path, size=size, make_pad=always_3) as user:
            await user.start_game()
            await user.pilot.press("f8")
            await user.wait_for_text(
                "The die pad does not answer: check its cable. Until then, play"
            )
            await user.wait_for_text("⚡ pad unplugged")
            await user.wait_for_text("○ die pad: unplugged")
            assert user.app.query_one("#die-5").has_class("-off")
            assert not user.app.query_one("#die-4").has_class("-off")
            await user.pilot.press("r")
            await user.wait_for_text("☞ ROLL is on the die pad: plug it in (F8).")
            assert user.stage is Stage.ORIENT
            user.app.simulate_key("2")
            await user.wait_until(lambda: user.stage is Stage.LAY, "rolled")
            assert not user.app.controls.is_pad_plugged_in, "a pin was used"
            await user.wait_until(lambda: "☞" not in user.panel_text(), "no hint any more")
            await user.pilot.press("f8")
            await user.wait_for_text("die pad: connected")
            assert "does not answer" not in user.panel_text()
            await user.press("enter", Stage.ORIENT)
            user.app.simulate_key("r")
            await user.wait_for_text("roll of 3 for Yellow")

    run(check())


def test_lost_pad_blinks_on_the_rail(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path) as user:
            await user.pilot.press("f8")
            await user.wait_until(lambda: user.link is LinkState.DOWN, "lost")
            for is_lit in (True, False, True):
                await user.wait_until(lambda lit=is_lit: is_rail_lit(user) is lit, f"{is_lit}")  # type: ignore[misc]

    run(check())


def test_pad_works_after_a_reset(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path) as user:
            await user.start_game()
            await user.pilot.press("f9")
            await user.wait_for_text("☞ The die pad was reset.")
            logic = pad_of(user).logic
            assert logic.boots == 2
            await user.wait_until(lambda: logic.session != 0, "a session")
            await user.press("2", Stage.LAY)

    run(check())


def test_unplugged_pad_cannot_be_reset(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path) as user:
            await user.pilot.press("f8", "f9")
            await user.wait_for_text("☞ The die pad has no power: F8.")

    run(check())


# --- Without a pad ------------------------------------------------------------------------


@pytest.mark.parametrize("is_set", [True, False])
def test_without_a_pad_there_is_no_roll_key_and_the_pi_has_the_die_keys(
    tmp_path: Path, is_set: bool
) -> None:
    """Disabled in the config, or by the command line."""

    async def check() -> None:
        config = Config()
        if is_set:
            config = replace(config, pad=replace(config.pad, port="none"))
        async with open_simulator(tmp_path, config, make_pad=always_3 if is_set else None) as user:
            await user.start_game()
            assert not user.app.query("#die-5")
            await user.wait_for_text("keys of the die")
            await user.pilot.press("f8")
            await user.wait_for_text("☞ There is no die pad here.")
            await user.pilot.press("r")
            await user.wait_for_text("☞ ROLL is on a die pad, and there is none here.")
            await user.press("3", Stage.LAY)
            assert user.link is LinkState.NONE
            await user.pilot.press("f1")
            await user.wait_until(lambda: "F7  disk slow" in user.screen_text(), "the faults")
            assert "F8" not in user.screen_text()

    run(check())


def test_pad_has_die_keys_with_an_electronic_die_too(tmp_path: Path) -> None:
    async def check() -> None:
        config = replace(Config(), die=replace(Config().die, input="electronic"))
        async with open_simulator(tmp_path, config) as user:
            await user.start_game()
            await user.pilot.press("f8", "3")
            await user.wait_for_text("☞ The keys of the die are on the die pad: plug it in (F8).")
            off = [button.id for button in user.app.query(ScreenButton) if button.has_class("-off")]
            assert off == ["die-1", "die-2", "die-3", "die-4", "die-5"]
            await user.pilot.press("f8")
            await user.wait_until(lambda: user.link is LinkState.UP, "connected")
            await user.press("3", Stage.LAY)

    run(check())


def test_pad_is_closed_on_exit(tmp_path: Path) -> None:
    async def check() -> None:
        app = Simulator(Config(), tmp_path)
        async with app.run_test() as pilot:
            await SimulatorUser(app, pilot).wait_until(
                lambda: app.hardware.pad is not None, "a pad"
            )
        assert app.hardware.pad is not None
        assert app.hardware.pad.ports() == []

    run(check())
