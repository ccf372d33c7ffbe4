"""The firmware folder: the newest image, and building."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.pad.chip import write_program
from helpers.pad.tools import NEEDS as NEEDS_OF_TESTS

from companion.adapters import firmware_folder
from companion.adapters.firmware_folder import NEEDS, Firmware, FirmwareError, missing_packages

SIZE = "flash 5580 of 32768 bytes, RAM 339 of 2048 bytes (without the stack)"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The firmware of a checkout, and a fake `make` that logs its arguments."""
    made = tmp_path / "firmware"
    (made / "release").mkdir(parents=True)
    (made / "Makefile").touch()
    log = tmp_path / "log"
    write_program(tmp_path / "bin" / "make", f'echo "$@" >> {log}; echo avr-gcc; echo "{SIZE}"')
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.setattr(firmware_folder, "NEEDS", {"all": {}, "sim": {}})
    monkeypatch.setattr(firmware_folder, "BUILD", made / "build")
    return made


def need(monkeypatch: pytest.MonkeyPatch, **needs: str) -> None:
    tools = {name.replace("_", "-"): package for name, package in needs.items()}
    monkeypatch.setattr(firmware_folder, "NEEDS", {"all": tools, "sim": tools})


def test_the_newest_release_has_the_highest_version(folder: Path) -> None:
    for name in ("pad-1.9.0.hex", "pad-1.10.0.hex", "pad-0.99.99.hex", "pad-draft.hex"):
        (folder / "release" / name).touch()
    assert Firmware(folder).released_image().name == "pad-1.10.0.hex"


def test_the_checkout_has_a_release() -> None:
    assert Firmware().released_image().name.startswith("pad-")


def test_a_checkout_without_a_release_is_an_error(folder: Path) -> None:
    with pytest.raises(FirmwareError, match=r"^there is no image in .*release: use --build$"):
        Firmware(folder).released_image()


def test_a_folder_without_firmware_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FirmwareError, match=r"use a checkout of it, where ./marrakech is$"):
        Firmware(tmp_path)


def test_an_installed_companion_has_only_released_images(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Building needs a checkout."""
    image = tmp_path / "installed" / "release" / "pad-1.2.3.hex"
    image.parent.mkdir(parents=True)
    image.touch()
    monkeypatch.setattr(firmware_folder, "FOLDER", tmp_path / "site-packages" / "firmware")
    monkeypatch.setattr(firmware_folder, "INSTALLED", tmp_path / "installed")
    assert Firmware().released_image() == image
    for build in (Firmware().built_image, Firmware().simulator):
        with pytest.raises(
            FirmwareError, match=r"^the source .* is not installed .* ./marrakech is$"
        ):
            build()


def test_building_returns_the_image_and_its_size(folder: Path, tmp_path: Path) -> None:
    build = tmp_path / "out"
    assert Firmware(folder, build).built_image() == (build / "pad.hex", SIZE)
    arguments = (tmp_path / "log").read_text()
    assert arguments == f"--no-print-directory -C {folder} BUILD={build} all\n"


def test_the_error_names_missing_packages(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need(monkeypatch, make="make", no_such_gcc="gcc-avr", no_such_file="avr-libc")
    assert missing_packages("all") == ["gcc-avr", "avr-libc"]
    with pytest.raises(FirmwareError) as error:
        Firmware(folder).built_image()
    assert str(error.value) == (
        "the die pad's firmware cannot be built without gcc-avr and avr-libc: "
        "sudo apt install gcc-avr avr-libc"
    )


def test_the_simulator_is_built_if_the_tools_are_installed_else_used_as_it_is(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    firmware = Firmware(folder)
    assert firmware.simulator() == folder / "build" / "pad_sim"
    assert (tmp_path / "log").read_text().endswith(f"BUILD={folder / 'build'} sim\n")
    need(monkeypatch, no_such_gcc="gcc")
    with pytest.raises(FirmwareError, match=r"sudo apt install gcc$"):
        firmware.simulator()
    write_program(folder / "build" / "pad_sim", "")
    (tmp_path / "log").unlink()
    assert firmware.simulator() == folder / "build" / "pad_sim"
    assert not (tmp_path / "log").exists()


def test_a_failed_build_is_an_error_with_its_last_line(folder: Path, tmp_path: Path) -> None:
    write_program(tmp_path / "bin" / "make", "echo one >&2; echo 'pad.c:1: error' >&2; exit 2")
    with pytest.raises(FirmwareError) as error:
        Firmware(folder).built_image()
    assert str(error.value) == f"'make -C {folder} all' failed: pad.c:1: error"


def test_the_needed_tools_include_those_of_the_tests() -> None:
    for target, needs in NEEDS.items():
        assert needs.items() >= NEEDS_OF_TESTS[target].items()
