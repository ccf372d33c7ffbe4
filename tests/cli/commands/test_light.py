"""`marrakech light`: on a real and on a virtual matrix."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from companion.adapters.kernel_spi import open_kernel_spi
from companion.adapters.virtual.spi import Apa102Strip, Light, Max7219Chip, VirtualSpi
from companion.cli.commands import light
from companion.cli.main import main
from companion.config.file import parse_config

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


COMPASS = """\
· · · · · · · ·
· # · · # # # ·
# # # · # · · ·
· # · · # # · ·
· # · · # · · ·
· # · · # # # ·
· · · · · · · ·
· · · · · · · ·"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder without config files, whatever is set on this machine."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MARRAKECH_CONFIG", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    return tmp_path


@pytest.fixture
def record(tmp_path: Path) -> str:
    file = tmp_path / "game.txt"
    file.write_text(RECORD)
    return str(file)


def frames(out: str) -> list[str]:
    first, _, rest = out.partition("\n")
    assert first == "SIMULATED: what the chip would show, decoded from the bytes on its bus"
    return ["\n".join(map(str.rstrip, frame.splitlines())) for frame in rest.split("\n\n")[:-1]]


@pytest.mark.parametrize("kind", ["max7219", "apa102"])
def test_without_a_record_it_lights_every_led_and_shows_rail_and_compass(
    kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["light", "--virtual", "--matrix", kind]) == 0
    shown = frames(capsys.readouterr().out)
    assert len(shown) == 64 + 1 + 15 + 1
    assert [frame.count("#") for frame in shown[:64]] == list(range(1, 65))
    assert shown[64] == SIXTY_FOUR
    assert [frame.count("#") for frame in shown[65:80]] == list(range(1, 16))
    assert shown[80] == COMPASS


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


def test_in_a_terminal_frames_are_animated_in_colour(
    record: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(["light", record, "--turn", "1", "--virtual", "--matrix", "apa102"]) == 0
    out = capsys.readouterr().out
    assert (
        out.count("\x1b[9A") == len(waits) - 1
    )  # the cursor moves up before every frame but the first
    assert out.endswith("\n")
    assert "\x1b[38;2;255;40;30m●\x1b[0m " in out
    assert round(sum(waits), 3) == 4 * 2.0  # preview, path, rug, the next preview


def test_without_a_matrix_the_error_names_the_remedy(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(light, "open_kernel_spi", lambda _: open_kernel_spi(tmp_path / "nothing"))
    assert main(["light"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("marrakech: no SPI bus here (")
    assert captured.err.endswith("use --virtual\n")


def test_brightness_is_limited(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["light", "--virtual", "--brightness", "16"]) == 2
    assert capsys.readouterr().err == "marrakech: brightness 16: use 0 to 15\n"


def connect_spi(
    monkeypatch: pytest.MonkeyPatch, device: VirtualSpi, name: str = "/dev/spidev0.0"
) -> list[float]:
    """Replace the SPI bus; returns the durations of the waits."""
    waits: list[float] = []

    def open_spi(path: Path) -> VirtualSpi:
        assert str(path) == name
        return device

    monkeypatch.setattr(light, "open_kernel_spi", open_spi)
    monkeypatch.setattr("time.sleep", waits.append)
    return waits


def test_on_real_spi_it_shows_frames_and_then_turns_dark(
    record: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    device = VirtualSpi(Max7219Chip())
    waits = connect_spi(monkeypatch, device)
    assert main(["light", record]) == 0
    assert round(sum(waits), 3) == 4 * 2.0
    assert device.transfers > 13 + 8
    assert not any(map(any, device.chip.light()))
    assert not device.is_open
    assert capsys.readouterr().out == ""


def test_a_failed_spi_transfer_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    device = VirtualSpi(Max7219Chip())
    device.unplug()
    connect_spi(monkeypatch, device)
    assert main(["light"]) == 2
    assert capsys.readouterr().err == (
        "marrakech: cannot write to the matrix (Input/output error): "
        "check its wiring and power supply\n"
    )


# --- Matrix mounting ----------------------------------------------------------------------

MOUNTED = """\
[matrix]
kind = "apa102"
brightness = 7
bus = 1
chip_select = 1
rotation = 90
mirrored = true
wiring = "zigzag"
rail = "north-west"
most_ma = 500
[buttons]
west = 4
back = 5
north = 6
east = 12
[die]
input = "electronic"
"""


class KeptStrip(Apa102Strip):
    """Records brightness and lit LEDs."""

    def __init__(self) -> None:
        super().__init__()
        self.frames: list[tuple[int, Light]] = []

    def transfer(self, data: bytes) -> None:
        super().transfer(data)
        self.frames.append((self.brightness, self.light()))


def test_the_lamp_test_follows_the_config_and_prints_advice(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "mine.toml").write_text(MOUNTED)
    strip = KeptStrip()
    device = VirtualSpi(strip)
    waits = connect_spi(monkeypatch, device, "/dev/spidev1.1")
    assert main(["light", "--config", "mine.toml"]) == 0
    assert device.address == (1, 1)
    layout = parse_config(MOUNTED, "mine.toml").matrix.layout()
    first, *_, full = strip.frames[1:65]
    assert [place for place, led in enumerate(layout.as_seen(first[1])) if any(led)] == [0]
    assert first[0] == 7
    assert full[0] == 3  # all white within 500 mA
    compass = layout.from_chip(strip.frames[-2][1])
    lit = ["# " if any(led) else "· " for led in compass]
    rows = ["".join(lit[row : row + 8]).rstrip() for row in range(0, 64, 8)]
    assert "\n".join(rows) == COMPASS
    assert waits[-1] == 10  # time to compare it with the advice
    out = capsys.readouterr().out.splitlines()
    assert out[1].startswith("along the north and west; then an arrow")
    assert out[6] == "  east              rotation = 180       rotation = 0, mirrored = false"


def test_the_command_line_overrides_the_config(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A matrix without an LED chain gets no advice about its wiring."""
    (here / "marrakech.toml").write_text(MOUNTED)
    chip = Max7219Chip()
    connect_spi(monkeypatch, VirtualSpi(chip), "/dev/spidev1.1")
    assert main(["light", "--matrix", "max7219", "--brightness", "2"]) == 0
    assert chip.registers[Max7219Chip.INTENSITY] == 2
    assert "wiring" not in capsys.readouterr().out


def test_a_virtual_matrix_is_mounted_as_configured(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "marrakech.toml").write_text(MOUNTED)
    assert main(["light", "--virtual"]) == 0
    shown = frames(capsys.readouterr().out)
    assert [frame.count("#") for frame in shown[:64]] == list(range(1, 65))
    assert shown[0].startswith("#")
    assert shown[79].splitlines() == ["# # # # # # # #"] + ["# · · · · · · ·"] * 7
    moved = [f"· {row[:-2]}" for row in COMPASS.splitlines()]
    assert shown[80].splitlines() == [moved[-1], *moved[:-1]]


def test_an_invalid_config_is_reported_before_anything_is_lit(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "marrakech.toml").write_text('[matrix]\nwiring = "zigzag"\n')
    assert main(["light", "--virtual"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith('marrakech: marrakech.toml: [matrix] wiring = "zigzag": only apa102 ')
