"""A table without its matrix or some buttons is played with the rest, and retries."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path

import pytest
from gpiozero import DigitalInputDevice
from helpers.table.table_driver import ScriptedDice
from helpers.table.virtual_table import virtual_table_config

from companion.adapters.gpio import reconnecting_buttons
from companion.adapters.gpio.header_chip import GpioChip
from companion.adapters.gpio.pin_factory import Pins
from companion.adapters.gpio.reconnecting_buttons import RETRY_S
from companion.adapters.hardware import VirtualHardware
from companion.adapters.matrix import SpiDevice
from companion.cli.commands import serve
from companion.config.model import Config
from companion.daemon.wiring import Table, light_first, open_table
from companion.daemon.worker_thread import LoopWorker
from companion.errors import CompanionError
from companion.i18n.renderer import TextRenderer
from companion.table.conversation import Stage
from companion.table.inputs import OK, Button, die_key
from companion.testing.virtual_time import run

CONFIG = virtual_table_config()


class UnreliableHardware(VirtualHardware):
    """Virtual hardware with an SPI bus or pins that cannot be opened."""

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
    folder: Path,
    hardware: UnreliableHardware,
    script: Callable[[Table], Coroutine[object, object, None]],
) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        table = open_table(
            loop,
            CONFIG,
            hardware,
            folder,
            matrix=light_first(CONFIG, hardware),
            random_source=ScriptedDice(),
            make_worker=lambda loop, _: LoopWorker(loop),
        )
        try:
            await asyncio.sleep(0.01)
            await script(table)
        finally:
            table.close()

    run(main())


def trouble_texts(table: Table) -> list[str]:
    return [TextRenderer().render(trouble) for trouble in table.controller.view.trouble]


# --- The matrix ---------------------------------------------------------------------------

NO_BUS = "no SPI bus here: switch it on and reboot"


def test_a_table_without_spi_is_played_without_light_and_shows_advice(tmp_path: Path) -> None:
    hardware = UnreliableHardware(spi=CompanionError(NO_BUS))

    async def script(table: Table) -> None:
        assert trouble_texts(table) == [
            "There is no light, and the game goes on. For whoever built the table: "
            "no SPI bus here: switch it on and reboot."
        ]
        for table_input in (OK, OK, OK, OK, die_key(3)):
            table.controller.deliver(table_input)
        await asyncio.sleep(0.1)
        assert table.controller.view.conversation.stage is Stage.LAY
        assert hardware.lit == 0

    play(tmp_path, hardware, script)


def test_a_matrix_that_reconnects_shows_the_current_state(tmp_path: Path) -> None:
    hardware = UnreliableHardware(spi=CompanionError(NO_BUS))

    async def script(table: Table) -> None:
        await asyncio.sleep(5)
        hardware.no_spi = None
        await asyncio.sleep(2)
        assert trouble_texts(table) == []
        assert hardware.lit > 1

    play(tmp_path, hardware, script)
    assert hardware.lit == 0, "darkened at the end"


def test_a_bus_error_at_the_start_has_the_same_message_as_later(tmp_path: Path) -> None:
    hardware = UnreliableHardware(spi=OSError(5, "Input/output error"))

    async def script(table: Table) -> None:
        assert trouble_texts(table) == [
            "The matrix cannot be written to (Input/output error): check its wires and its supply."
        ]

    play(tmp_path, hardware, script)


# --- The buttons --------------------------------------------------------------------------

NO_PINS = "Python's lgpio is missing: run 'sudo apt install python3-lgpio'"


def test_without_pins_the_table_is_played_and_opening_them_is_retried(tmp_path: Path) -> None:
    hardware = UnreliableHardware(pins=NO_PINS)

    async def script(table: Table) -> None:
        assert trouble_texts(table) == [
            "Not every button is heard. For whoever built the table: Python's lgpio is missing: "
            "run 'sudo apt install python3-lgpio'."
        ]
        for _ in range(4):
            table.controller.deliver(OK)
        await asyncio.sleep(0.1)
        assert table.controller.view.conversation.stage is Stage.ORIENT
        await asyncio.sleep(2 * RETRY_S)
        assert hardware.tries == 3
        hardware.no_pins = ""
        await asyncio.sleep(RETRY_S)
        assert trouble_texts(table) == []
        hardware.contacts.press(Button.BACK)
        await asyncio.sleep(0.05)
        hardware.contacts.release(Button.BACK)
        await asyncio.sleep(0.05)
        assert table.controller.view.refusal is not None, (
            "BACK was handled: there is nothing to undo"
        )
        await asyncio.sleep(5 * RETRY_S)
        assert hardware.tries == 4, "open pins are not opened again"

    play(tmp_path, hardware, script)


def test_a_pin_in_use_is_reported_until_it_is_free(tmp_path: Path) -> None:
    hardware = UnreliableHardware()
    pins = {"pin_factory": hardware.factory}
    other = DigitalInputDevice(CONFIG.buttons.back, pull_up=True, **pins)

    async def script(table: Table) -> None:
        assert trouble_texts(table) == [
            f"Not every button is heard. For whoever built the table: pin {CONFIG.buttons.back} "
            "for button back is already in use: give each button and key its own pin in the "
            "config."
        ]
        hardware.contacts.press(Button.OK)
        await asyncio.sleep(0.05)
        assert table.controller.view.status.is_pending
        other.close()
        await asyncio.sleep(RETRY_S)
        assert trouble_texts(table) == []

    play(tmp_path, hardware, script)


def test_nothing_is_retried_after_close(tmp_path: Path) -> None:
    hardware = UnreliableHardware(pins=NO_PINS)

    async def script(table: Table) -> None:
        table.close()
        await asyncio.sleep(3 * RETRY_S)

    play(tmp_path, hardware, script)
    assert hardware.tries == 1


@pytest.mark.parametrize("part", ["buttons", "matrix"])
def test_trouble_of_one_device_does_not_hide_another(tmp_path: Path, part: str) -> None:
    """Both are missing, then one connects."""
    hardware = UnreliableHardware(spi=CompanionError(NO_BUS), pins=NO_PINS)

    async def script(table: Table) -> None:
        assert len(trouble_texts(table)) == 2
        if part == "buttons":
            hardware.no_pins = ""
        else:
            hardware.no_spi = None
        await asyncio.sleep(RETRY_S + 2)
        (left,) = trouble_texts(table)
        assert (NO_BUS if part == "buttons" else NO_PINS) in left

    play(tmp_path, hardware, script)


# --- Which chip is used -------------------------------------------------------------------


class PiPins(UnreliableHardware):
    """Mock pins that are described like those of a Pi 5."""

    def open_pins(self) -> Pins:
        pins = super().open_pins()
        pins.header_chip = GpioChip(15, ("raspberrypi,rp1-gpio",))
        return pins


DESCRIPTION = "buttons: /dev/gpiochip15 (raspberrypi,rp1-gpio), the chip of the 40-pin header"


def test_the_service_logs_which_chip_it_uses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def script(table: Table) -> None:
        serve._on_opened(table)

    play(tmp_path, PiPins(), script)
    assert capsys.readouterr().out == f"{DESCRIPTION}\nthe table is ready\n"


def test_a_chip_that_opens_later_is_logged_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hardware = PiPins(pins="not yet")
    logged: list[str] = []
    monkeypatch.setattr(reconnecting_buttons._log, "info", logged.append)

    async def script(table: Table) -> None:
        assert table.pins_description == ""
        await asyncio.sleep(RETRY_S)
        hardware.no_pins = ""
        await asyncio.sleep(3 * RETRY_S)
        assert table.pins_description == DESCRIPTION

    play(tmp_path, hardware, script)
    assert logged == [DESCRIPTION]
