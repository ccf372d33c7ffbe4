"""Opening the SPI bus of the machine, and its errors."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from companion.adapters.kernel_spi import open_kernel_spi
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

    monkeypatch.setattr(Path, "open", forbidden)
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


def test_spidev_is_used_if_installed(device: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class SpiDev:
        pass

    module = ModuleType("spidev")
    module.SpiDev = SpiDev  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "spidev", module)
    assert isinstance(open_kernel_spi(device), SpiDev)
