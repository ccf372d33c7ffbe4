"""The machine's own SPI bus: there, or refused with what to do."""

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


def refusal(device: Path) -> str:
    with pytest.raises(CompanionError) as refused:
        open_kernel_spi(device)
    return str(refused.value)


def test_a_missing_bus_is_refused_with_how_to_switch_it_on(tmp_path: Path) -> None:
    missing = tmp_path / "spidev0.0"
    assert refusal(missing) == (
        f"no SPI bus here ({missing} is missing): on a Raspberry Pi, switch it on with "
        "'sudo raspi-config nonint do_spi 0' and reboot; on a machine without a matrix, say "
        "--virtual"
    )


def test_a_bus_that_may_not_be_used_is_refused_with_the_group(
    device: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", forbidden)
    assert refusal(device) == (
        f"{device} may not be used: run 'sudo adduser $USER spi' and log in again"
    )


def test_missing_spidev_is_refused_with_what_brings_it(
    device: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    assert refusal(device).startswith(
        "Python's spidev is missing: 'sudo ./marrakech install' brings it"
    )


def test_spidev_is_used_where_it_is(device: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class SpiDev:
        pass

    module = ModuleType("spidev")
    module.SpiDev = SpiDev  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "spidev", module)
    assert isinstance(open_kernel_spi(device), SpiDev)
