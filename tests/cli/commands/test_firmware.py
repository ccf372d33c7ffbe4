"""`marrakech firmware`: building and flashing, with fake programs that record their arguments."""

from __future__ import annotations

import os
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.pad.chip import write_program

from companion.adapters import firmware_folder
from companion.adapters.pad_port import close_port, open_port
from companion.cli.commands import firmware
from companion.cli.main import main

SIZE = "flash 5580 of 32768 bytes, RAM 339 of 2048 bytes (without the stack)"
RELEASED = "pad-1.0.0.hex"
UNANSWERED = "echo 'avrdude: stk500_getsync() attempt 10 of 10: not in sync: resp=0x00' >&2; exit 1"


class FirmwareCheckout:
    """A checkout's firmware folder, fake programs, and a serial port without a device."""

    def __init__(self, folder: Path, port: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder / "firmware"
        self.port = port
        self.log = folder / "log"
        self.programs = folder / "bin"
        (self.folder / "release").mkdir(parents=True)
        (self.folder / "release" / RELEASED).touch()
        (self.folder / "Makefile").touch()
        self.install("make", f'mkdir -p {self.folder}/build; echo "{SIZE}"')
        self.install("avrdude", "")
        needs: dict[str, dict[str, str]] = {"all": {}, "sim": {}}
        monkeypatch.setattr(firmware_folder, "NEEDS", needs)
        monkeypatch.setattr(firmware_folder, "FOLDER", self.folder)
        monkeypatch.setattr(firmware_folder, "BUILD", self.folder / "build")
        monkeypatch.setenv("PATH", f"{self.programs}:/usr/bin:/bin")

    def install(self, name: str, does: str) -> None:
        noted = f'echo "{name} $(basename "$PWD") $*" >> {self.log}\n{does}\n'
        write_program(self.programs / name, noted)

    def calls(self) -> list[str]:
        log = self.log.read_text() if self.log.exists() else ""
        return log.replace(str(self.folder), "@").replace(self.port, "PORT").splitlines()

    def flash(self, *words: str) -> int:
        return main(["firmware", "flash", "--port", self.port, *words])


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FirmwareCheckout]:
    ends = os.openpty()
    tty.setraw(ends[1])
    yield FirmwareCheckout(tmp_path, os.ttyname(ends[1]), monkeypatch)
    for end in ends:
        os.close(end)


def avrdude(baud: int, folder: str = "release", image: str = RELEASED) -> str:
    return f"avrdude {folder} -p atmega328p -c arduino -P PORT -b {baud} -D -U flash:w:{image}:i"


# --- Building -----------------------------------------------------------------------------


def test_image_is_built_and_its_size_is_printed(
    checkout: FirmwareCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["firmware", "build"]) == 0
    assert capsys.readouterr() == (f"{checkout.folder}/build/pad.hex: {SIZE}\n", "")
    assert [call.split()[-1] for call in checkout.calls()] == ["all"]


def test_a_missing_build_tool_is_named_with_its_package(
    checkout: FirmwareCheckout, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    needs = {"all": {"no-such-avr-gcc": "gcc-avr"}}
    monkeypatch.setattr(firmware_folder, "NEEDS", needs)
    assert main(["firmware", "build"]) == 2
    assert capsys.readouterr() == (
        "",
        "marrakech: the die pad's firmware cannot be built without gcc-avr: "
        "sudo apt install gcc-avr\n",
    )
    assert checkout.calls() == []


@pytest.mark.parametrize("action", ["build", "flash"])
def test_building_needs_a_checkout(
    checkout: FirmwareCheckout, action: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (checkout.folder / "Makefile").unlink()
    assert main(["firmware", action]) == 2
    assert "use a checkout of it, where ./marrakech is\n" in capsys.readouterr().err


# --- Flashing -----------------------------------------------------------------------------


def test_released_image_is_flashed_after_printing_image_and_port(
    checkout: FirmwareCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    assert checkout.flash() == 0
    assert capsys.readouterr() == (
        f"loading {checkout.folder}/release/{RELEASED}\n"
        f"onto the Arduino Nano (ATmega328P) on {checkout.port}\n"
        "with the new bootloader, 115200 baud ...\n"
        "done: 'marrakech firmware monitor' shows what the pad does\n",
        "",
    )
    assert checkout.calls() == [avrdude(115200)]


def test_nano_that_does_not_answer_is_tried_with_the_old_bootloader(
    checkout: FirmwareCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.install("avrdude", f'case "$*" in *115200*) {UNANSWERED};; esac')
    assert checkout.flash() == 0
    assert capsys.readouterr().out.splitlines()[2:] == [
        "with the new bootloader, 115200 baud ...",
        "no answer; trying the other kind of Nano",
        "with the old bootloader, 57600 baud ...",
        "done: 'marrakech firmware monitor' shows what the pad does",
    ]
    assert checkout.calls() == [avrdude(115200), avrdude(57600)]


def test_old_bootloader_option_skips_the_new_bootloader(checkout: FirmwareCheckout) -> None:
    assert checkout.flash("--old-bootloader") == 0
    assert checkout.calls() == [avrdude(57600)]


def test_build_option_builds_and_flashes_a_new_image(checkout: FirmwareCheckout) -> None:
    assert checkout.flash("--build") == 0
    make, flash = checkout.calls()
    assert make.startswith("make ")
    assert flash == avrdude(115200, "build", "pad.hex")


def test_no_answer_from_either_bootloader_is_reported_in_one_line(
    checkout: FirmwareCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.install("avrdude", UNANSWERED)
    assert checkout.flash() == 2
    assert capsys.readouterr().err == (
        f"marrakech: no answer on {checkout.port}: check that it is a Nano with an ATmega328P, and "
        "that the cable carries data\n"
    )


def test_other_errors_of_avrdude_are_reported_without_a_second_try(
    checkout: FirmwareCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    error = "avrdude: verification error, first mismatch at byte 0x0000"
    checkout.install("avrdude", f"echo '{error}' >&2; echo 'avrdude done.  Thank you.' >&2; exit 1")
    assert checkout.flash() == 2
    assert capsys.readouterr().err == f"marrakech: avrdude failed: {error}\n"
    assert checkout.calls() == [avrdude(115200)]


def test_a_port_in_use_is_not_flashed(
    checkout: FirmwareCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    port = open_port(checkout.port)
    assert checkout.flash() == 2
    close_port(port)
    assert capsys.readouterr() == (
        "",
        f"marrakech: another program has {checkout.port} open: stop 'marrakech serve' or "
        "'firmware monitor', and flash again\n",
    )
    assert checkout.calls() == []


def test_a_missing_port_is_reported(
    checkout: FirmwareCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["firmware", "flash", "--port", "/dev/no-such-port"]) == 2
    assert "There is no port /dev/no-such-port" in capsys.readouterr().err
    assert checkout.calls() == []


@pytest.mark.parametrize(
    ("found", "error"),
    [
        ([], "no Arduino found: plug it in, or name its port with --port /dev/ttyUSB0"),
        (
            ["/dev/a", "/dev/b"],
            "several Arduinos found: name the die pad's port with --port: /dev/a, /dev/b",
        ),
    ],
)
def test_flashing_needs_exactly_one_arduino(
    checkout: FirmwareCheckout,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    found: list[str],
    error: str,
) -> None:
    monkeypatch.setattr(firmware, "find_ports", lambda _: found)
    assert main(["firmware", "flash"]) == 2
    assert capsys.readouterr() == ("", f"marrakech: {error}\n")
    assert checkout.calls() == []


def test_without_avrdude_its_package_is_named(
    checkout: FirmwareCheckout, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (checkout.programs / "avrdude").unlink()
    monkeypatch.setenv("PATH", str(checkout.programs))
    assert checkout.flash() == 2
    assert capsys.readouterr() == (
        "",
        "marrakech: flashing needs avrdude: sudo apt install avrdude\n",
    )
