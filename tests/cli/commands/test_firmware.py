"""`marrakech firmware`: building and flashing, with programs that only write down what is asked."""

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


class Workshop:
    """A checkout's firmware, programs to call, and a port with nobody behind it."""

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
        told = self.log.read_text() if self.log.exists() else ""
        return told.replace(str(self.folder), "@").replace(self.port, "PORT").splitlines()

    def flash(self, *words: str) -> int:
        return main(["firmware", "flash", "--port", self.port, *words])


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workshop]:
    ends = os.openpty()
    tty.setraw(ends[1])
    yield Workshop(tmp_path, os.ttyname(ends[1]), monkeypatch)
    for end in ends:
        os.close(end)


def avrdude(baud: int, folder: str = "release", image: str = RELEASED) -> str:
    return f"avrdude {folder} -p atmega328p -c arduino -P PORT -b {baud} -D -U flash:w:{image}:i"


# --- Building -----------------------------------------------------------------------------


def test_image_is_built_and_its_size_told(
    workshop: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["firmware", "build"]) == 0
    assert capsys.readouterr() == (f"{workshop.folder}/build/pad.hex: {SIZE}\n", "")
    assert [call.split()[-1] for call in workshop.calls()] == ["all"]


def test_what_is_missing_for_building_is_named_with_its_package(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    needs = {"all": {"no-such-avr-gcc": "gcc-avr"}}
    monkeypatch.setattr(firmware_folder, "NEEDS", needs)
    assert main(["firmware", "build"]) == 2
    assert capsys.readouterr() == (
        "",
        "marrakech: the die pad's firmware cannot be built without gcc-avr: "
        "sudo apt install gcc-avr\n",
    )
    assert workshop.calls() == []


@pytest.mark.parametrize("action", ["build", "flash"])
def test_elsewhere_than_in_a_checkout_it_is_told(
    workshop: Workshop, action: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (workshop.folder / "Makefile").unlink()
    assert main(["firmware", action]) == 2
    assert "use a checkout of it, where ./marrakech is\n" in capsys.readouterr().err


# --- Flashing -----------------------------------------------------------------------------


def test_released_image_is_flashed_and_first_it_is_said_what_and_where(
    workshop: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    assert workshop.flash() == 0
    assert capsys.readouterr() == (
        f"loading {workshop.folder}/release/{RELEASED}\n"
        f"onto the Arduino Nano (ATmega328P) on {workshop.port}\n"
        "with the new bootloader, 115200 baud ...\n"
        "done: 'marrakech firmware monitor' says what it does\n",
        "",
    )
    assert workshop.calls() == [avrdude(115200)]


def test_nano_that_does_not_answer_is_tried_with_the_old_bootloader(
    workshop: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    workshop.install("avrdude", f'case "$*" in *115200*) {UNANSWERED};; esac')
    assert workshop.flash() == 0
    assert capsys.readouterr().out.splitlines()[2:] == [
        "with the new bootloader, 115200 baud ...",
        "nobody answers; there are two kinds of Nano",
        "with the old bootloader, 57600 baud ...",
        "done: 'marrakech firmware monitor' says what it does",
    ]
    assert workshop.calls() == [avrdude(115200), avrdude(57600)]


def test_old_bootloader_alone_is_tried_if_asked_for(workshop: Workshop) -> None:
    assert workshop.flash("--old-bootloader") == 0
    assert workshop.calls() == [avrdude(57600)]


def test_fresh_image_is_built_and_flashed_if_asked_for(workshop: Workshop) -> None:
    assert workshop.flash("--build") == 0
    make, flash = workshop.calls()
    assert make.startswith("make ")
    assert flash == avrdude(115200, "build", "pad.hex")


def test_nobody_on_either_bootloader_is_told_in_one_line(
    workshop: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    workshop.install("avrdude", UNANSWERED)
    assert workshop.flash() == 2
    assert capsys.readouterr().err == (
        f"marrakech: nobody answers on {workshop.port}: is it a Nano with an ATmega328P, and is "
        "the cable for data?\n"
    )


def test_other_trouble_is_told_in_avrdudes_words_and_not_tried_again(
    workshop: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    said = "avrdude: verification error, first mismatch at byte 0x0000"
    workshop.install("avrdude", f"echo '{said}' >&2; echo 'avrdude done.  Thank you.' >&2; exit 1")
    assert workshop.flash() == 2
    assert capsys.readouterr().err == f"marrakech: avrdude could not do it: {said}\n"
    assert workshop.calls() == [avrdude(115200)]


def test_port_of_another_program_is_left_alone(
    workshop: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    port = open_port(workshop.port)
    assert workshop.flash() == 2
    close_port(port)
    assert capsys.readouterr() == (
        "",
        f"marrakech: another program has {workshop.port} open: stop the companion first "
        "('marrakech serve' or 'firmware monitor'), and flash again\n",
    )
    assert workshop.calls() == []


def test_port_that_is_not_there_is_told(
    workshop: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["firmware", "flash", "--port", "/dev/no-such-port"]) == 2
    assert "There is no port /dev/no-such-port" in capsys.readouterr().err
    assert workshop.calls() == []


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ([], "no Arduino is plugged in: plug it in, or say where it is with --port /dev/ttyUSB0"),
        (["/dev/a", "/dev/b"], "which of these is the die pad? Say --port: /dev/a, /dev/b"),
    ],
)
def test_only_the_one_arduino_there_is_is_flashed(
    workshop: Workshop,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    found: list[str],
    said: str,
) -> None:
    monkeypatch.setattr(firmware, "find_ports", lambda _: found)
    assert main(["firmware", "flash"]) == 2
    assert capsys.readouterr() == ("", f"marrakech: {said}\n")
    assert workshop.calls() == []


def test_without_avrdude_its_package_is_named(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (workshop.programs / "avrdude").unlink()
    monkeypatch.setenv("PATH", str(workshop.programs))
    assert workshop.flash() == 2
    assert capsys.readouterr() == (
        "",
        "marrakech: flashing needs avrdude: sudo apt install avrdude\n",
    )
