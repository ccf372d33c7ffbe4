"""`marrakech light`: on a matrix, or SIMULATED and said so."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from companion.adapters.kernel_spi import open_kernel_spi
from companion.adapters.virtual_spi import Max7219Chip, VirtualSpi
from companion.cli import light
from companion.cli.main import main

RECORD = """marrakech record 1
player: R
player: Y
player: B

1. R S3 d7s lays d6-e6
2. Y E1 e7e lays e6-f6
"""
SIXTY_FOUR = """\
· · · · · · · ·
# # # · # · # ·
# · · · # · # ·
# # # · # # # ·
# · # · · · # ·
# # # · · · # ·
· · · · · · · ·
· · · · · · · ·"""


@pytest.fixture
def record(tmp_path: Path) -> str:
    file = tmp_path / "game.txt"
    file.write_text(RECORD)
    return str(file)


def frames(out: str) -> list[str]:
    first, _, rest = out.partition("\n")
    assert first == "SIMULATED: what the chip would show, read from the bytes on its bus"
    return ["\n".join(map(str.rstrip, frame.splitlines())) for frame in rest.split("\n\n")[:-1]]


@pytest.mark.parametrize("kind", ["max7219", "apa102"])
def test_alone_it_lights_every_led_in_order_and_counts_them(
    kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["light", "--virtual", "--matrix", kind]) == 0
    shown = frames(capsys.readouterr().out)
    assert len(shown) == 64 + 1
    assert [frame.count("#") for frame in shown[:-1]] == list(range(1, 65))
    assert shown[-1] == SIXTY_FOUR


def test_a_turn_is_shown_frame_by_frame(record: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["light", record, "--turn", "1", "--virtual"]) == 0
    shown = frames(capsys.readouterr().out)
    assert shown[0].splitlines()[3:6] == [
        "· · · # · · · ·",
        "· · · # · · · ·",
        "· · · · · · · ·",
    ]
    assert main(["light", record, "--virtual"]) == 0
    assert frames(capsys.readouterr().out) != shown


def test_in_a_terminal_it_moves_in_place_and_in_colour(
    record: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(["light", record, "--turn", "1", "--virtual", "--matrix", "apa102"]) == 0
    out = capsys.readouterr().out
    assert out.count("\x1b[9A") == len(waits) - 1  # back to the top, but for the first frame
    assert out.endswith("\n")
    assert "\x1b[38;2;255;40;30m●\x1b[0m " in out
    assert round(sum(waits), 3) == 4 * 2.0  # preview, path, rug, the next preview


def test_without_a_matrix_it_refuses_and_names_the_way_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(light, "open_kernel_spi", lambda: open_kernel_spi(tmp_path / "nothing"))
    assert main(["light"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("marrakech: no SPI bus here (")
    assert captured.err.endswith("say --virtual\n")


def test_brightness_has_its_limits(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["light", "--virtual", "--brightness", "16"]) == 2
    assert capsys.readouterr().err == "marrakech: brightness 16: use 0 to 15\n"


def wired(monkeypatch: pytest.MonkeyPatch, device: VirtualSpi) -> list[float]:
    """A machine whose SPI bus is this device; the waits it makes."""
    waits: list[float] = []
    monkeypatch.setattr(light, "open_kernel_spi", lambda: device)
    monkeypatch.setattr("time.sleep", waits.append)
    return waits


def test_on_the_bus_it_shows_waits_and_goes_dark(
    record: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    device = VirtualSpi(Max7219Chip())
    waits = wired(monkeypatch, device)
    assert main(["light", record]) == 0
    assert round(sum(waits), 3) == 4 * 2.0
    assert device.transfers > 13 + 8
    assert not any(map(any, device.chip.light()))
    assert not device.is_open
    assert capsys.readouterr().out == ""


def test_a_matrix_that_does_not_take_its_bytes_is_said_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    device = VirtualSpi(Max7219Chip())
    device.unplug()
    wired(monkeypatch, device)
    assert main(["light"]) == 2
    assert capsys.readouterr().err == (
        "marrakech: the matrix cannot be written to (Input/output error): "
        "check its wires and its supply\n"
    )
