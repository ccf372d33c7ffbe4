"""`marrakech firmware flash` with the real avrdude, through the real bootloaders in simavr.

Opening the pty resets the simulated board, as DTR resets a Nano. The flashed chip then starts our
image, and answers as a pad.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.pad.bootloaders import OLD, build_optiboot, need_avrdude
from helpers.pad.client import Client
from helpers.pad.fake_bootloader import FakeBootloader
from helpers.pad.simulator import PadSimulator
from helpers.pad.tools import FIRMWARE

from companion.adapters import bootloader
from companion.cli.commands import firmware
from companion.cli.main import main

pytestmark = pytest.mark.firmware

RELEASED = next((FIRMWARE / "release").glob("*.hex"))


class Bench:
    """Boards to flash. All are unplugged at the end of the test."""

    def __init__(self, program: Path, folder: Path) -> None:
        self.program = program
        self.folder = folder
        self.boards: list[PadSimulator | FakeBootloader | Client] = []

    def nano(self, boot: Path, *options: str) -> PadSimulator:
        """An empty chip with this bootloader."""
        board = PadSimulator(self.program, None, "--dtr", "--bootloader", str(boot), *options)
        self.boards.append(board)
        return board


@pytest.fixture
def bench(program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    need_avrdude()
    monkeypatch.setattr(bootloader, "ATTEMPTS", 12)  # on a busy machine the board is slow
    monkeypatch.setattr(firmware, "usb_ports", list)
    made = Bench(program, tmp_path)
    yield made
    for board in reversed(made.boards):
        board.close()


def image_bytes() -> bytes:
    lines = [bytes.fromhex(line[1:]) for line in RELEASED.read_text().split()]
    return b"".join(line[4:-1] for line in lines if line[3] == 0)


@pytest.mark.parametrize("kind", ["new", "old"])
def test_image_is_flashed_through_the_bootloader_and_answers_as_a_pad(
    bench: Bench, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    board = bench.nano(build_optiboot(bench.folder) if kind == "new" else OLD)
    assert main(["firmware", "flash", "--port", board.pty]) == 0, capsys.readouterr()
    out = capsys.readouterr().out
    assert f"the {kind} bootloader answers, signature 0x1e950f" in out
    assert "100%" in out, "avrdude's progress"
    assert f"the pad on {board.pty} answers: firmware 1.0.0, started " in out
    client = Client(board.pty)
    bench.boards.append(client)
    client.connect()
    board.send("key 3 down", "wait 50", "key 3 up")
    client.until_keys(1)
    assert client.keys == [(3, 3)]


def test_pad_is_flashed_again(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    board = bench.nano(OLD, str(RELEASED))
    assert main(["firmware", "flash", "--port", board.pty]) == 0, capsys.readouterr()


def test_real_atmega168_is_refused(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    board = bench.nano(build_optiboot(bench.folder, "atmega168"), "--mcu", "atmega168")
    assert main(["firmware", "flash", "--port", board.pty]) == 2
    assert "the board's chip is an ATmega168. The pad's firm" in capsys.readouterr().err


def test_board_without_a_bootloader_is_refused(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    """It runs the pad's firmware, which does not speak STK500."""
    board = PadSimulator(bench.program, RELEASED, "--dtr")
    bench.boards.append(board)
    assert main(["firmware", "flash", "--port", board.pty]) == 2
    assert f"no bootloader answers on {board.pty}" in capsys.readouterr().err


def test_atmega328pb_gets_the_same_image(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    board = FakeBootloader(signature="1e9516")
    bench.boards.append(board)
    code = main(["firmware", "flash", "--port", board.path])
    captured = capsys.readouterr()
    assert code == 2, "the fake has no chip that runs the image"
    assert "the board has an ATmega328PB, which runs the same image" in captured.out
    assert "the image is on the board, but it does not answer as a pad" in captured.err
    image = image_bytes()
    assert bytes(board.flash[: len(image)]) == image
