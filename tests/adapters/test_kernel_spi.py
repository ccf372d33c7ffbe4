"""Opening the SPI bus of the machine, and its errors."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from subprocess import PIPE, Popen
from types import ModuleType

import pytest

from companion.adapters.kernel_spi import open_kernel_spi
from companion.cli.commands import light
from companion.cli.main import main
from companion.errors import CompanionError


@pytest.fixture
def device(tmp_path: Path) -> Path:
    there = tmp_path / "spidev0.0"
    there.touch()
    return there


def open_error(device: Path) -> str:
    with pytest.raises(CompanionError) as error:
        open_kernel_spi(device)
    return str(error.value)


def test_the_error_without_a_bus_says_how_to_enable_it(tmp_path: Path) -> None:
    missing = tmp_path / "spidev0.0"
    assert open_error(missing) == (
        f"no SPI bus here ({missing} is missing): on a Raspberry Pi, switch it on with "
        "'sudo raspi-config nonint do_spi 0' and reboot; on a machine without a matrix, use "
        "--virtual"
    )


def test_the_error_without_permission_names_the_group(
    device: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", forbidden)
    assert open_error(device) == (
        f"{device} may not be used: run 'sudo adduser $USER spi' and log in again"
    )


def test_the_error_without_spidev_recommends_install(
    device: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    assert open_error(device).startswith(
        "Python's spidev is missing: run 'sudo ./marrakech install', "
    )


class SpiDev:
    """A fake of `spidev.SpiDev`."""

    def __init__(self) -> None:
        self.max_speed_hz = 0
        self.calls: list[object] = []

    def open(self, bus: int, device: int) -> None:
        self.calls.append(("open", bus, device))

    def writebytes(self, data: list[int]) -> None:
        self.calls.append(data)

    def close(self) -> None:
        self.calls.append("close")


@pytest.fixture
def spidev(monkeypatch: pytest.MonkeyPatch) -> list[SpiDev]:
    """The devices that were made."""
    made: list[SpiDev] = []

    def make() -> SpiDev:
        made.append(SpiDev())
        return made[-1]

    module = ModuleType("spidev")
    module.SpiDev = make  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "spidev", module)
    return made


def test_spidev_is_used_if_installed(device: Path, spidev: list[SpiDev]) -> None:
    opened = open_kernel_spi(device)
    opened.open(0, 1)
    opened.max_speed_hz = 500_000
    opened.writebytes([1, 2])
    assert opened.max_speed_hz == 500_000
    opened.close()
    assert spidev[0].max_speed_hz == 500_000
    assert spidev[0].calls == [("open", 0, 1), [1, 2], "close"]


# --- One program at a time ------------------------------------------------------------------

IN_USE = (
    "another companion is using the matrix: if it is the service, run 'sudo systemctl stop "
    "marrakech' first and 'sudo systemctl start marrakech' afterwards"
)


@pytest.mark.usefixtures("spidev")
def test_a_second_program_is_refused_until_the_first_closes_the_bus(device: Path) -> None:
    first = open_kernel_spi(device)
    assert open_error(device) == IN_USE
    first.close()
    open_kernel_spi(device).close()


@pytest.mark.usefixtures("spidev")
def test_closing_twice_does_not_release_the_lock_of_another(device: Path) -> None:
    first = open_kernel_spi(device)
    first.close()
    second = open_kernel_spi(device)
    first.close()
    assert open_error(device) == IN_USE
    second.close()


def test_the_lock_ends_with_the_process_that_holds_it(device: Path, spidev: list[SpiDev]) -> None:
    code = (
        "import fcntl, sys\n"
        "device = open(sys.argv[1])\n"
        "fcntl.flock(device, fcntl.LOCK_EX)\n"
        "print('locked', flush=True)\n"
        "sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", code, str(device)]
    with Popen(command, stdin=PIPE, stdout=PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"locked\n"
        assert open_error(device) == IN_USE
        other.kill()
    open_kernel_spi(device).close()
    assert len(spidev) == 1


@pytest.mark.usefixtures("spidev")
def test_the_command_light_is_refused_while_the_bus_is_in_use(
    device: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(light, "open_kernel_spi", lambda _: open_kernel_spi(device))
    service = open_kernel_spi(device)
    assert main(["light"]) == 2
    assert capsys.readouterr() == ("", f"marrakech: {IN_USE}\n")
    service.close()


def test_a_missing_spidev_does_not_keep_the_lock(
    device: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    for _ in range(2):
        assert open_error(device).startswith("Python's spidev is missing")
