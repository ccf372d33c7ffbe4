"""The code for phones in the simulator: a key that holds both buttons, and the words for it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from helpers.table.simulator_user import looking_at

from companion.light.digits import code_leds
from companion.table.conversation import Stage
from companion.table.scenes.scene import RAIL


def test_p_holds_both_buttons_and_any_key_puts_the_code_away(tmp_path: Path) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path) as guest:
            await guest.set_up()
            guest.app.simulate_key("P")
            await guest.until(lambda: guest.table.daemon.view.shows_code, "the code is shown")
            await guest.read("The matrix shows the code for phones, two digits at a time")
            guest.app.simulate_key("up")
            await guest.read("✗ The code was put away, and nothing else was done.")
            assert guest.stage is Stage.SETTING
            await guest.read("Assam stands in the middle and faces south.")

    asyncio.run(scene())


def test_the_code_is_on_the_leds(tmp_path: Path) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path) as guest:
            code = guest.table.daemon.show_code()

            def lit() -> set[int]:
                return {led for led, light in enumerate(guest.market.light) if any(light)}

            await guest.until(lambda: lit() - RAIL == set(code_leds(code, 1)), "the first two")
            await guest.until(lambda: lit() - RAIL == set(code_leds(code, 2)), "the last two")

    asyncio.run(scene())


def test_the_help_tells_of_it(tmp_path: Path) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path, size=(100, 44)) as guest:
            guest.app.simulate_key("f1")
            found = "hold OK and BACK together: the code for phones"
            await guest.until(lambda: found in guest.screen(), found)

    asyncio.run(scene())
