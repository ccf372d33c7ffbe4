"""A table without its matrix, or some of its buttons, is played with what there is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path

import pytest
from gpiozero import DigitalInputDevice
from helpers.table.table_driver import Rolls
from helpers.table.virtual_table import sitting_config

from companion.adapters.gpio_buttons import Pins
from companion.adapters.hardware import VirtualHardware
from companion.adapters.matrix import SpiDevice
from companion.adapters.reconnecting_buttons import RETRY_S
from companion.config.model import Config
from companion.daemon.wiring import Table, light_first, open_table
from companion.daemon.worker_thread import LoopWorker
from companion.errors import CompanionError
from companion.i18n.renderer import TextRenderer
from companion.table.conversation import Stage
from companion.table.inputs import OK, Button, die_key
from companion.testing.virtual_time import run

CONFIG = sitting_config()


class Bench(VirtualHardware):
    """Hardware some of which is not there yet."""

    def __init__(self, *, spi: Exception | None = None, pins: str = "") -> None:
        super().__init__(CONFIG)
        self.no_spi = spi
        self.no_pins = pins
        self.tries = 0

    def open_spi(self, config: Config) -> SpiDevice:
        if self.no_spi is not None:
            raise self.no_spi
        return super().open_spi(config)

    def open_pins(self) -> Pins:
        self.tries += 1
        if self.no_pins:
            raise CompanionError(self.no_pins)
        return super().open_pins()

    @property
    def lit(self) -> int:
        return sum(any(light) for light in self.chip.light())


def play(
    folder: Path, bench: Bench, script: Callable[[Table], Coroutine[object, object, None]]
) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        table = open_table(
            loop,
            CONFIG,
            bench,
            folder,
            matrix=light_first(CONFIG, bench),
            chance=Rolls(),
            make_worker=lambda loop, _: LoopWorker(loop),
        )
        try:
            await asyncio.sleep(0.01)
            await script(table)
        finally:
            table.close()

    run(main())


def said(table: Table) -> list[str]:
    return [TextRenderer().say(trouble) for trouble in table.daemon.view.trouble]


# --- The matrix ---------------------------------------------------------------------------

NO_BUS = "no SPI bus here: switch it on and reboot"


def test_a_table_without_a_bus_is_played_in_the_dark_and_says_what_to_do(tmp_path: Path) -> None:
    bench = Bench(spi=CompanionError(NO_BUS))

    async def script(table: Table) -> None:
        assert said(table) == [
            "There is no light, and the game goes on. For whoever built the table: "
            "no SPI bus here: switch it on and reboot."
        ]
        for told in (OK, OK, OK, OK, die_key(3)):
            table.daemon.deliver(told)
        await asyncio.sleep(0.1)
        assert table.daemon.view.conversation.stage is Stage.LAY
        assert bench.lit == 0

    play(tmp_path, bench, script)


def test_a_matrix_that_comes_later_shows_the_table_as_it_is_then(tmp_path: Path) -> None:
    bench = Bench(spi=CompanionError(NO_BUS))

    async def script(table: Table) -> None:
        await asyncio.sleep(5)
        bench.no_spi = None
        await asyncio.sleep(2)
        assert said(table) == []
        assert bench.lit > 1

    play(tmp_path, bench, script)
    assert bench.lit == 0, "it is darkened at the end"


def test_a_bus_that_fails_at_the_start_is_told_as_one_that_fails_later(tmp_path: Path) -> None:
    bench = Bench(spi=OSError(5, "Input/output error"))

    async def script(table: Table) -> None:
        assert said(table) == [
            "The matrix cannot be written to (Input/output error): check its wires and its supply."
        ]

    play(tmp_path, bench, script)


# --- The buttons --------------------------------------------------------------------------

NO_PINS = "Python's lgpio is missing: run 'sudo apt install python3-lgpio'"


def test_without_pins_the_rest_is_played_and_they_are_tried_again(tmp_path: Path) -> None:
    bench = Bench(pins=NO_PINS)

    async def script(table: Table) -> None:
        assert said(table) == [
            "Not every button is heard. For whoever built the table: Python's lgpio is missing: "
            "run 'sudo apt install python3-lgpio'."
        ]
        for _ in range(4):
            table.daemon.deliver(OK)
        await asyncio.sleep(0.1)
        assert table.daemon.view.conversation.stage is Stage.ORIENT
        await asyncio.sleep(2 * RETRY_S)
        assert bench.tries == 3
        bench.no_pins = ""
        await asyncio.sleep(RETRY_S)
        assert said(table) == []
        bench.hands.press(Button.BACK)
        await asyncio.sleep(0.05)
        bench.hands.release(Button.BACK)
        await asyncio.sleep(0.05)
        assert table.daemon.view.refused is not None, "BACK was heard: there is nothing before"
        await asyncio.sleep(5 * RETRY_S)
        assert bench.tries == 4, "what is there is not tried again"

    play(tmp_path, bench, script)


def test_a_pin_of_another_program_is_named_until_it_is_free(tmp_path: Path) -> None:
    bench = Bench()
    pins = {"pin_factory": bench.factory}
    other = DigitalInputDevice(CONFIG.buttons.back, pull_up=True, **pins)

    async def script(table: Table) -> None:
        assert said(table) == [
            f"Not every button is heard. For whoever built the table: pin {CONFIG.buttons.back} "
            "for button back is in use already: give each button and key a pin of its own in the "
            "config."
        ]
        bench.hands.press(Button.OK)
        await asyncio.sleep(0.05)
        assert table.daemon.view.status.is_heard
        other.close()
        await asyncio.sleep(RETRY_S)
        assert said(table) == []

    play(tmp_path, bench, script)


def test_nothing_is_tried_after_the_end(tmp_path: Path) -> None:
    bench = Bench(pins=NO_PINS)

    async def script(table: Table) -> None:
        table.close()
        await asyncio.sleep(3 * RETRY_S)

    play(tmp_path, bench, script)
    assert bench.tries == 1


@pytest.mark.parametrize("part", ["buttons", "matrix"])
def test_what_is_said_of_one_part_leaves_the_others_alone(tmp_path: Path, part: str) -> None:
    """Both are missing; one comes."""
    bench = Bench(spi=CompanionError(NO_BUS), pins=NO_PINS)

    async def script(table: Table) -> None:
        assert len(said(table)) == 2
        if part == "buttons":
            bench.no_pins = ""
        else:
            bench.no_spi = None
        await asyncio.sleep(RETRY_S + 2)
        (left,) = said(table)
        assert (NO_BUS if part == "buttons" else NO_PINS) in left

    play(tmp_path, bench, script)
