"""`marrakech firmware`: building, and flashing with a fake avrdude that records its arguments.

tests/firmware/test_flashing.py flashes with the real one.
"""

from __future__ import annotations

import termios
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.pad.chip import write_program
from helpers.pad.fake_bootloader import FakeBootloader

from companion.adapters import bootloader, firmware_folder
from companion.adapters.known_pads import KnownPad, UsbPort
from companion.adapters.pad_health import PadHealth, PadState
from companion.adapters.pad_port import close_port, open_port
from companion.cli.commands import firmware
from companion.cli.main import main
from companion.i18n.message import message
from companion.pad.messages import Identity

SIZE = "flash 5580 of 32768 bytes, RAM 339 of 2048 bytes (without the stack)"
RELEASED = "pad-1.0.0.hex"
UNANSWERED = "echo 'avrdude: stk500_getsync() attempt 3 of 3: not in sync: resp=0x00' >&2; exit 1"
ANSWERS = PadHealth(PadState.CONNECTED, "", Identity(1, 5, (1, 0, 0), b"abcd", 0, 2))


class FirmwareCheckout:
    """A checkout's firmware folder, fake programs, and a board whose pad answers."""

    def __init__(
        self, folder: Path, board: FakeBootloader, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.folder = folder / "firmware"
        self.board = board
        self.port = board.path
        self.log = folder / "log"
        self.programs = folder / "bin"
        (self.folder / "release").mkdir(parents=True)
        (self.folder / "release" / RELEASED).touch()
        (self.folder / "Makefile").touch()
        self.install("make", f'mkdir -p {self.folder}/build; echo "{SIZE}"')
        self.install("avrdude", "echo 'Writing | #### | 100%' >&2")
        needs: dict[str, dict[str, str]] = {"all": {}, "sim": {}}
        monkeypatch.setattr(firmware_folder, "NEEDS", needs)
        monkeypatch.setattr(firmware_folder, "FOLDER", self.folder)
        monkeypatch.setattr(firmware_folder, "BUILD", self.folder / "build")
        monkeypatch.setenv("PATH", f"{self.programs}:/usr/bin:/bin")
        self.monkeypatch = monkeypatch
        self.health = ANSWERS
        self.remembered: list[UsbPort] = []
        monkeypatch.setattr(firmware, "_ask_pad", lambda _: self.health)
        monkeypatch.setattr(firmware, "remember_pad", self.remember)
        monkeypatch.setattr(firmware, "pad_files", lambda _: [Path("/no/where/pads.json")])
        monkeypatch.setattr(bootloader, "START_S", 0.0)
        self.plug(UsbPort(self.port, f"{folder}/socket", 0x1A86, 0x7523))

    def remember(self, device: UsbPort) -> Path:
        self.remembered.append(device)
        return Path("/no/where/pads.json")

    def plug(self, *devices: UsbPort, known: tuple[KnownPad, ...] = ()) -> None:
        self.devices = list(devices)
        self.monkeypatch.setattr(firmware, "usb_ports", lambda: list(devices))
        self.monkeypatch.setattr(firmware, "known_pads", lambda: list(known))

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
    board = FakeBootloader()
    yield FirmwareCheckout(tmp_path, board, monkeypatch)
    board.close()


def avrdude(baud: int, folder: str = "release", image: str = RELEASED, part: str = "m328p") -> str:
    return (
        f"avrdude {folder} -p {part} -c arduino -P PORT -b {baud} -x attempts=3 -D "
        f"-U flash:w:{image}:i"
    )


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


def test_released_image_is_flashed_and_the_pad_is_remembered(
    checkout: FirmwareCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    assert checkout.flash() == 0
    assert capsys.readouterr() == (
        f"loading {checkout.folder}/release/{RELEASED}\n"
        f"onto the Arduino on {checkout.port}\n"
        "asking the new bootloader, 115200 baud ...\n"
        "the new bootloader answers, signature 0x1e950f\n"
        "Writing | #### | 100%\n"
        f"the pad on {checkout.port} answers: firmware 1.0.0, started 2 times\n"
        'remembered in /no/where/pads.json: [pad] port = "auto" opens it\n'
        "done: 'marrakech firmware monitor' shows what the pad does\n",
        "",
    )
    assert checkout.calls() == [avrdude(115200)]
    assert checkout.remembered == checkout.devices


def test_nano_that_does_not_answer_is_tried_with_the_old_bootloader(
    checkout: FirmwareCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.board.speed = termios.B57600
    assert checkout.flash() == 0
    assert capsys.readouterr().out.splitlines()[2:5] == [
        "asking the new bootloader, 115200 baud ...",
        "asking the old bootloader, 57600 baud ...",
        "the old bootloader answers, signature 0x1e950f",
    ]
    assert checkout.calls() == [avrdude(57600)]


def test_old_bootloader_option_skips_the_new_bootloader(
    checkout: FirmwareCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    assert checkout.flash("--old-bootloader") == 2
    assert "115200" not in capsys.readouterr().out
    assert checkout.calls() == []


def test_build_option_builds_and_flashes_a_new_image(checkout: FirmwareCheckout) -> None:
    assert checkout.flash("--build") == 0
    make, flash = checkout.calls()
    assert make.startswith("make ")
    assert flash == avrdude(115200, "build", "pad.hex")


@pytest.mark.parametrize(("signature", "part"), [("1e9516", "m328pb"), ("1e9514", "m328")])
def test_compatible_chips_are_flashed(
    checkout: FirmwareCheckout, signature: str, part: str
) -> None:
    checkout.board.signature = bytes.fromhex(signature)
    assert checkout.flash() == 0
    assert checkout.calls() == [avrdude(115200, part=part)]


@pytest.mark.parametrize(
    ("signature", "chip"),
    [("1e9406", "an ATmega168"), ("1e9999", "unknown: its signature is 0x1e9999")],
)
def test_other_chips_are_refused_before_anything_is_written(
    checkout: FirmwareCheckout,
    signature: str,
    chip: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    checkout.board.signature = bytes.fromhex(signature)
    assert checkout.flash() == 2
    assert capsys.readouterr().err == (
        f"marrakech: the board's chip is {chip}. The pad's firmware does not run on it: use a Nano "
        "with an ATmega328P\n"
    )
    assert checkout.calls() == []


def test_silent_port_is_reported_without_waiting_for_avrdude(
    checkout: FirmwareCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.board.is_silent = True
    assert checkout.flash() == 2
    assert capsys.readouterr().err.startswith(
        f"marrakech: no bootloader answers on {checkout.port}: use a Nano (not a Nano Every"
    )
    assert checkout.calls() == []


def test_avrdude_without_an_answer_is_run_twice(
    checkout: FirmwareCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.install("avrdude", UNANSWERED)
    assert checkout.flash() == 2
    assert capsys.readouterr().err == (
        f"marrakech: the bootloader on {checkout.port} answered at first, and then not to avrdude: "
        "plug the board into the Pi without a hub, and flash again\n"
    )
    assert checkout.calls() == [avrdude(115200)] * 2


@pytest.mark.parametrize(
    ("error", "text"),
    [
        ("avrdude error: verification mismatch", "the image was written, but reads back diff"),
        ("avrdude: cannot open hex", "avrdude failed: avrdude: cannot open hex\n"),
    ],
)
def test_other_errors_of_avrdude_are_reported_without_a_second_try(
    checkout: FirmwareCheckout, error: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.install("avrdude", f"echo '{error}' >&2; echo 'avrdude done.  Thank you.' >&2; exit 1")
    assert checkout.flash() == 2
    assert capsys.readouterr().err.startswith(f"marrakech: {text}")
    assert checkout.calls() == [avrdude(115200)]


def test_board_that_does_not_run_the_image_is_not_remembered(
    checkout: FirmwareCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    """An LGT8F328P has the signature of an ATmega328P."""
    checkout.health = PadHealth(PadState.SEARCHING, message=message("pad.silent", port="x"))
    assert checkout.flash() == 2
    assert "A Nano clone with an LGT8F328P takes the image" in capsys.readouterr().err
    assert checkout.remembered == []


def test_a_port_in_use_is_not_flashed(
    checkout: FirmwareCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    port = open_port(checkout.port)
    assert checkout.flash() == 2
    close_port(port)
    assert capsys.readouterr().err == (
        f"marrakech: another program has {checkout.port} open: stop it ('sudo systemctl stop "
        "marrakech' stops the table), and try again\n"
    )
    assert checkout.calls() == []


def test_a_missing_port_is_reported(
    checkout: FirmwareCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["firmware", "flash", "--port", "/dev/no-such-port"]) == 2
    assert "There is no port /dev/no-such-port" in capsys.readouterr().err
    assert checkout.calls() == []


# --- Which device -------------------------------------------------------------------------

A = UsbPort("/dev/ttyUSB0", "/by-path/a", 0x1A86, 0x7523)
B = UsbPort("/dev/ttyUSB1", "/by-path/b", 0x1A86, 0x7523)


@pytest.mark.parametrize("action", ["flash", "remember", "monitor"])
def test_with_several_devices_none_is_opened(
    checkout: FirmwareCheckout, action: str, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.plug(A, B)
    assert main(["firmware", action]) == 2
    assert capsys.readouterr() == (
        "",
        "marrakech: several USB serial devices are plugged in, and opening one may reset it. "
        "Unplug all but the pad, or name its port with --port: /by-path/a is /dev/ttyUSB0 "
        "(1a86:7523), /by-path/b is /dev/ttyUSB1 (1a86:7523)\n",
    )
    assert checkout.calls() == []


@pytest.mark.parametrize("action", ["flash", "remember"])
def test_without_a_device_the_cable_is_named(
    checkout: FirmwareCheckout, action: str, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.plug()
    assert main(["firmware", action]) == 2
    assert capsys.readouterr() == (
        "",
        "marrakech: no Arduino found: plug it in, with a cable that carries data (many carry only "
        "power), or name its port with --port /dev/ttyUSB0\n",
    )


def test_the_only_device_is_used_and_the_known_pad_among_several(
    checkout: FirmwareCheckout,
) -> None:
    checkout.plug(B)
    assert firmware.choose_port("") == "/by-path/b"
    checkout.plug(A, B, known=(KnownPad(B.vendor, B.product, "", B.socket),))
    assert firmware.choose_port("") == "/by-path/b"


# --- Remembering --------------------------------------------------------------------------


def test_pad_that_answers_is_remembered(
    checkout: FirmwareCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["firmware", "remember", "--port", checkout.port]) == 0
    assert checkout.remembered == checkout.devices
    assert 'remembered in /no/where/pads.json: [pad] port = "auto" op' in capsys.readouterr().out


def test_device_that_does_not_answer_is_not_remembered(
    checkout: FirmwareCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.health = PadHealth(PadState.SEARCHING, message=message("pad.silent", port="/dev/x"))
    assert main(["firmware", "remember", "--port", checkout.port]) == 2
    assert "/dev/x does not answer as a die pad does" in capsys.readouterr().err
    assert checkout.remembered == []


def test_user_is_told_if_the_installed_table_does_not_read_the_list(
    checkout: FirmwareCheckout, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    system = tmp_path / "pads.json"
    checkout.monkeypatch.setattr(firmware, "pad_files", lambda _: [Path("/no/pads.json"), system])
    assert main(["firmware", "remember", "--port", checkout.port]) == 0
    assert "run 'sudo marrakech firmware remember'" in capsys.readouterr().err


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
