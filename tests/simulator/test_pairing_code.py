"""The pairing code in the simulator: the key that shows it, and the LEDs."""

from __future__ import annotations

import asyncio
from pathlib import Path

from helpers.table.simulator_user import open_simulator

from companion.light.digits import code_leds
from companion.table.conversation import Stage
from companion.table.scenes.scene import RAIL


def test_p_shows_the_code_and_any_key_hides_it(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path) as user:
            await user.go_to_setting()
            user.app.simulate_key("P")
            await user.wait_until(
                lambda: user.table.controller.view.shows_code, "the code is shown"
            )
            await user.wait_for_text("The matrix shows the code for phones, two digits at a time")
            user.app.simulate_key("up")
            await user.wait_for_text("✗ The code was put away, and nothing else was done.")
            assert user.stage is Stage.SETTING
            await user.wait_for_text("Assam stands in the middle and faces south.")

    asyncio.run(check())


def test_the_code_is_on_the_leds(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path) as user:
            code = user.table.controller.show_code()

            def lit() -> set[int]:
                return {led for led, light in enumerate(user.market.light) if any(light)}

            await user.wait_until(lambda: lit() - RAIL == set(code_leds(code, 1)), "the first two")
            await user.wait_until(lambda: lit() - RAIL == set(code_leds(code, 2)), "the last two")

    asyncio.run(check())


def test_the_help_mentions_the_code(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path, size=(100, 44)) as user:
            user.app.simulate_key("f1")
            found = "hold OK and BACK together: the code for phones"
            await user.wait_until(lambda: found in user.screen_text(), found)

    asyncio.run(check())
