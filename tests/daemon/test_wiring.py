"""The composition root: the matrix is lit first, and parts are closed in reverse order."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from helpers.patience import PATIENCE_S
from helpers.table.table_driver import ScriptedDice
from helpers.table.virtual_table import FrameRecorder, VirtualTable, virtual_table_config

from companion.adapters.gpio.pin_factory import Pins
from companion.adapters.hardware import VirtualHardware, pins_of
from companion.adapters.matrix import Matrix, SpiDevice
from companion.adapters.virtual.spi import Max7219Chip, VirtualSpi
from companion.config.model import Config
from companion.daemon.wiring import (
    WAKING,
    WRONG,
    Table,
    light_first,
    open_lit,
    open_table,
    preferences_of,
    show_fault_sign,
)
from companion.daemon.worker_thread import LoopWorker
from companion.errors import CompanionError
from companion.games.marrakech import Facing
from companion.light.frame import LedFrame, frame_text
from companion.storage.journal_reader import JournalDamagedError
from companion.table.conversation import Stage
from companion.table.inputs import Button
from companion.testing.virtual_time import run

CONFIG = virtual_table_config()


# --- The first frame ----------------------------------------------------------------------


def test_the_first_frame_is_the_centre_of_the_market() -> None:
    assert frame_text(WAKING).splitlines() == ["........"] * 3 + ["...W...."] + ["........"] * 4


class RecordingSpi(VirtualSpi):
    """Records the bytes of every transfer."""

    def __init__(self) -> None:
        super().__init__(Max7219Chip())
        self.sent: list[tuple[int, ...]] = []

    def writebytes(self, data: list[int]) -> None:
        super().writebytes(data)
        self.sent.append(tuple(data))


class SpiHardware(VirtualHardware):
    """Virtual hardware with another bus."""

    def __init__(self, spi: VirtualSpi) -> None:
        super().__init__(CONFIG)
        self.spi = spi


def test_the_first_frame_in_exact_bytes() -> None:
    """Thirteen transfers initialise the chip; then come eight columns, with bit 3 of the fourth."""
    spi = RecordingSpi()
    light_first(CONFIG, SpiHardware(spi))
    assert len(spi.sent) == 13 + 8
    assert spi.sent[13:] == [
        (1, 0), (2, 0), (3, 0), (4, 8), (5, 0), (6, 0), (7, 0), (8, 0),
    ]  # fmt: skip


def test_the_first_frame_is_rotated_with_the_matrix_and_dimmed_at_night() -> None:
    """Rotated by 180 degrees, the fourth row and column are the fifth of the chip."""
    matrix = replace(CONFIG.matrix, rotation=180, night="22:00-07:00", night_brightness=1)
    config = replace(CONFIG, matrix=matrix)
    for hour, brightness in [(21, 3), (22, 1)]:
        spi = RecordingSpi()
        open_lit(config, SpiHardware(spi), partial(datetime, 2026, 1, 1, hour, tzinfo=UTC))
        assert (0x0A, brightness) in spi.sent
        assert [sent for sent in spi.sent[13:] if sent[1]] == [(5, 1 << 4)]


def test_the_matrix_is_lit_before_slow_modules_are_imported(tmp_path: Path) -> None:
    script = f"""
import sys
from pathlib import Path
from companion.cli.commands import serve
from companion.config.model import Config
from companion.adapters.hardware import VirtualHardware
from companion.daemon.service import run_service

hardware = VirtualHardware(Config())
slow = ("asyncio", "gpiozero", "logging")
first = []

def writebytes(data, write=hardware.spi.writebytes):
    write(data)
    if not first and any(led != (0, 0, 0) for led in hardware.chip.light()):
        first.append([name for name in slow if name in sys.modules])

hardware.spi.writebytes = writebytes

def opened(table):
    print(first, [name for name in slow if name in sys.modules])
    raise SystemExit

run_service(Config(), hardware, Path({str(tmp_path)!r}), on_opened=opened)
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert done.stdout == "[[]] ['asyncio', 'gpiozero', 'logging']\n", done.stderr


def test_a_matrix_that_cannot_be_lit_is_closed_and_can_be_lit_later() -> None:
    hardware = VirtualHardware(CONFIG)
    hardware.spi.open(0, 0)
    hardware.spi.unplug()
    matrix = light_first(CONFIG, hardware)
    assert not hardware.spi.is_open
    with pytest.raises(OSError, match="Input/output error"):
        matrix.show(WAKING)
    hardware.spi.plug_in()
    matrix.show(WAKING)
    assert hardware.spi.is_open


def test_the_fault_sign_stays_when_the_bus_is_closed() -> None:
    hardware = VirtualHardware(CONFIG)
    show_fault_sign(CONFIG, hardware)
    assert frame_text(WRONG).splitlines() == [
        "...R....",
        "...R....",
        "...R....",
        "...R....",
        "...R....",
        "........",
        "...R....",
        "........",
    ]
    assert [led for led, light in enumerate(hardware.chip.light()) if any(light)] == [
        led for led, ink in enumerate(WRONG) if ink
    ]
    assert not hardware.spi.is_open


def test_an_unplugged_matrix_gets_no_fault_sign() -> None:
    hardware = VirtualHardware(CONFIG)
    hardware.spi.unplug()
    show_fault_sign(CONFIG, hardware)
    assert not hardware.spi.is_open


# --- Opening and closing ------------------------------------------------------------------


class PartError(RuntimeError):
    """The error of a part that fails to open."""


class Parts:
    """Logs which parts are opened and closed. The part named `fails` cannot be opened."""

    def __init__(self, fails: str | None = None) -> None:
        self.fails = fails
        self.log: list[str] = []

    def open(self, name: str) -> None:
        if name == self.fails:
            raise PartError(name)
        self.log.append(f"open {name}")

    def close(self, name: str) -> None:
        self.log.append(f"close {name}")


class LoggedMatrix:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        parts.open("matrix")

    def show(self, shown: LedFrame) -> None: ...
    def reinitialize(self, brightness: int | None = None) -> None: ...

    def close(self) -> None:
        self._parts.close("matrix")


class LoggedWorker(LoopWorker):
    def __init__(self, loop: asyncio.AbstractEventLoop, name: str, parts: Parts) -> None:
        super().__init__(loop)
        self._name, self._parts = name, parts
        parts.open(name)

    def close(self) -> None:
        super().close()
        self._parts.close(self._name)


class LoggedHardware(VirtualHardware):
    def __init__(self, parts: Parts) -> None:
        super().__init__(CONFIG)
        self._parts = parts

    def open_spi(self, config: Config) -> SpiDevice:  # noqa: ARG002
        raise AssertionError("the matrix is given")

    def open_pins(self) -> Pins:
        self._parts.open("pins")
        pins = super().open_pins()
        close = pins.close

        def close_logged() -> None:
            self._parts.close("pins")
            close()

        pins.close = close_logged
        return pins


def open_logged(parts: Parts, folder: Path) -> Table:
    loop = asyncio.get_running_loop()
    matrix: Matrix = LoggedMatrix(parts)
    return open_table(
        loop,
        CONFIG,
        LoggedHardware(parts),
        folder,
        matrix=matrix,
        random_source=ScriptedDice(),
        make_worker=lambda loop, name: LoggedWorker(loop, name, parts),
    )


ORDER = ["matrix", "painter", "writer", "pins"]


def test_closing_a_table_closes_its_parts_in_reverse_and_is_idempotent(tmp_path: Path) -> None:
    async def scenario() -> None:
        parts = Parts()
        table = open_logged(parts, tmp_path)
        assert parts.log == [f"open {name}" for name in ORDER]
        parts.log.clear()
        table.close()
        table.close()
        assert parts.log == [f"close {name}" for name in reversed(ORDER)]

    run(scenario())


@pytest.mark.parametrize("fails", ["painter", "writer", "pins"])
def test_when_a_part_fails_to_open_those_before_it_are_closed_in_reverse(
    tmp_path: Path, fails: str
) -> None:
    async def scenario() -> None:
        parts = Parts(fails)
        with pytest.raises(PartError):
            open_logged(parts, tmp_path)
        before = ORDER[: ORDER.index(fails)]
        assert parts.log == [f"open {n}" for n in before] + [f"close {n}" for n in before[::-1]]
        open_logged(Parts(), tmp_path).close()  # the folder is unlocked as well

    run(scenario())


def test_a_damaged_journal_is_refused_and_the_matrix_is_dark(tmp_path: Path) -> None:
    async def damage() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            await virtual_table.press("ok ok ok ok east south west")
        lines = virtual_table.journal.splitlines(keepends=True)
        (tmp_path / "game.jsonl").write_bytes(b"".join([*lines[:2], b"?", *lines[2:]]))

    async def scenario() -> None:
        before = (tmp_path / "game.jsonl").read_bytes()
        recorder = FrameRecorder(asyncio.get_running_loop())
        with pytest.raises(JournalDamagedError, match="line 3"):
            VirtualTable(tmp_path, recorder=recorder)
        assert recorder.frames[-1][1] == 0
        assert (tmp_path / "game.jsonl").read_bytes() == before
        lit = [register for register in recorder.registers[1:9] if register]
        assert lit == []

    run(damage())
    run(scenario())


def test_the_number_of_torn_bytes_is_known(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            await virtual_table.press("ok ok ok ok east")
            assert virtual_table.table.torn_bytes == 0
        with (tmp_path / "game.jsonl").open("ab") as file:
            file.write(b'{"crc":"12')
        with VirtualTable(tmp_path) as virtual_table:
            assert virtual_table.table.torn_bytes == 10
            assert virtual_table.stage is Stage.RESUME

    run(scenario())


def test_contacts_that_are_closed_at_the_start_are_known(tmp_path: Path) -> None:
    async def scenario() -> None:
        hardware = VirtualHardware(CONFIG)
        hardware.contacts.stick(Button.OK)
        hardware.contacts.stick(3)
        loop = asyncio.get_running_loop()
        table = open_table(
            loop, CONFIG, hardware, tmp_path, make_worker=lambda loop, _: LoopWorker(loop)
        )
        assert table.stuck_contacts == ("button ok", "die key 3")
        table.close()

    run(scenario())


# --- The games folder ---------------------------------------------------------------------


def test_two_tables_cannot_use_the_same_folder(tmp_path: Path) -> None:
    """Even before there is a journal that could be locked."""

    async def scenario() -> None:
        with VirtualTable(tmp_path):
            with pytest.raises(CompanionError) as caught:
                VirtualTable(tmp_path)
            assert str(caught.value) == (f"another companion uses {tmp_path}: stop it first")
        VirtualTable(tmp_path).table.close()

    run(scenario())


def test_the_folder_is_created(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path / "a" / "b") as virtual_table:
            await virtual_table.press("ok ok ok ok")
        assert (tmp_path / "a" / "b" / "game.jsonl").exists()

    run(scenario())


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_folder_that_cannot_be_created_is_a_clear_error(tmp_path: Path) -> None:
    async def scenario() -> None:
        (tmp_path / "file").write_text("")
        before = open_files()
        with pytest.raises(CompanionError, match=r"cannot write games to .*file/games \(Not a "):
            VirtualTable(tmp_path / "file" / "games")
        assert open_files() == before

    run(scenario())


# --- From the config ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("die", "ok_rolls", "keys"), [("keys", False, 4), ("both", True, 4), ("electronic", True, 0)]
)
def test_the_config_decides_how_the_die_is_entered(die: str, ok_rolls: bool, keys: int) -> None:
    config = replace(CONFIG, die=replace(CONFIG.die, input=die))
    preferences = preferences_of(config)
    assert preferences.ok_rolls is ok_rolls
    assert preferences.has_die_keys is (ok_rolls and keys > 0)
    assert len(pins_of(config)) == len(Button) + keys


def test_the_config_has_the_defaults_of_the_set_up() -> None:
    game = replace(CONFIG.game, players=3, names=("Ana", "Bo", "Cleo"), booklet="de", piles="dealt")
    preferences = preferences_of(replace(CONFIG, game=game))
    assert (preferences.players, preferences.names, preferences.booklet) == (
        3,
        ("Ana", "Bo", "Cleo"),
        "de",
    )
    assert preferences.deals_piles
    assert preferences.facing is Facing.SOUTH


def test_a_table_with_an_rgb_matrix(tmp_path: Path) -> None:
    async def scenario() -> None:
        config = replace(CONFIG, matrix=replace(CONFIG.matrix, kind="apa102"))
        hardware = VirtualHardware(config)
        table = open_table(
            asyncio.get_running_loop(),
            config,
            hardware,
            tmp_path,
            make_worker=lambda loop, _: LoopWorker(loop),
        )
        await asyncio.sleep(0.1)
        colours = {led for led in hardware.chip.light() if led != (0, 0, 0)}
        assert len(colours) == 1
        table.close()
        assert set(hardware.chip.light()) == {(0, 0, 0)}

    run(scenario())


def test_an_idle_table_initialises_its_matrix_and_dims_it_at_night(tmp_path: Path) -> None:
    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        started = datetime(2026, 1, 1, 21, 58, 30, tzinfo=UTC)
        matrix = replace(CONFIG.matrix, night="22:00-07:00", night_brightness=1)
        hardware = SpiHardware(spi := RecordingSpi())
        table = open_table(
            loop,
            replace(CONFIG, matrix=matrix),
            hardware,
            tmp_path,
            make_worker=lambda loop, _: LoopWorker(loop),
            clock=lambda: started + timedelta(seconds=loop.time()),
        )
        await asyncio.sleep(1)
        del spi.sent[:]
        await asyncio.sleep(120)
        table.close()
        intensities = [value for register, value in spi.sent if register == 0x0A]
        assert intensities == [3, 1]
        assert [value for register, value in spi.sent if register == 0x0C] == [1, 1]

    run(scenario())
