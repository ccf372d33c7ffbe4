"""`marrakech serve`: starting, stopping, and errors in one line."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from helpers.patience import PATIENCE_S

from companion.adapters.hardware import PiHardware, VirtualHardware
from companion.cli.commands import serve
from companion.cli.main import main
from companion.errors import CompanionError

SIMULATED = "SIMULATED: mock pins and a virtual matrix; no hardware is used\n"
READY = "the table is ready\n"


def write_config_without_page(folder: Path) -> Path:
    """Without the page, the order of the output is fixed."""
    config = folder / "write_config_without_page.toml"
    config.write_text("[web]\nenabled = false\n")
    return config


@contextmanager
def serve_table(
    folder: Path, *, lines: int = 2
) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """Run a table; yields its process and its first lines of output."""
    process = subprocess.Popen(
        [
            *(sys.executable, "-P", "-m", "companion", "serve", "--virtual"),
            *("--folder", str(folder), "--config", str(write_config_without_page(folder))),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield process, [process.stdout.readline() for _ in range(lines)]
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE_S)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_table_runs_until_a_signal_stops_it(tmp_path: Path, number: signal.Signals) -> None:
    with serve_table(tmp_path) as (process, output):
        assert output == [SIMULATED, READY]
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE_S)
        assert (process.returncode, out, err) == (0, "", "")


def test_a_second_table_in_the_same_folder_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serve_table(tmp_path) as (process, _):
        assert main(["serve", "--virtual", "--folder", str(tmp_path)]) == 2
        out, err = capsys.readouterr()
        assert out == SIMULATED
        assert err == (f"marrakech: another companion uses {tmp_path}: stop it first\n")
        process.terminate()
        process.communicate(timeout=PATIENCE_S)
    with serve_table(tmp_path) as (_, output):
        assert output[-1] == READY, "the folder is unlocked"


def test_a_killed_table_leaves_no_lock_behind(tmp_path: Path) -> None:
    with serve_table(tmp_path):
        pass
    with serve_table(tmp_path) as (_, output):
        assert output[-1] == READY


def test_torn_bytes_are_reported(tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").write_bytes(b'{"crc":"12')
    with serve_table(tmp_path, lines=3) as (_, output):
        assert output[1:] == [
            "the journal ended in 10 bytes of an unfinished entry: "
            "removed, and saved beside it as .torn\n",
            READY,
        ]


# --- Errors -------------------------------------------------------------------------------


def test_without_gpio_the_error_mentions_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serve, "DEVICES", tmp_path)
    assert main(["serve"]) == 2
    assert capsys.readouterr() == (
        "",
        "marrakech: this machine has no GPIO: on a laptop use 'marrakech play'\n",
    )


def test_gpio_is_found_by_its_device(tmp_path: Path) -> None:
    with pytest.raises(CompanionError):
        serve.check_gpio(tmp_path)
    (tmp_path / "gpiochip0").touch()
    serve.check_gpio(tmp_path)


def test_a_missing_config_is_reported_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--virtual", "--config", "nowhere.toml"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "nowhere.toml" in err


def test_a_folder_that_is_a_file_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    assert main(["serve", "--virtual", "--folder", str(tmp_path / "file")]) == 2
    assert capsys.readouterr().err == (
        f"marrakech: cannot write games to {tmp_path / 'file'} (File exists): give the companion's "
        "user write permission there, or another folder with --folder\n"
    )


def test_simulated_games_have_their_own_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.config.model import Config

    games = Path("games")
    assert serve.games_folder(games, VirtualHardware(Config())) == games / "simulated"
    assert serve.games_folder(games, PiHardware()) == games


def test_a_pi_without_spi_and_pins_runs_and_logs_what_to_do(tmp_path: Path) -> None:
    """Pad, page and socket still work without SPI and GPIO pins."""
    (tmp_path / "gpiochip0").touch()
    script = f"""
import sys
from pathlib import Path
from companion.cli.commands import serve
from companion.cli.main import main
serve.DEVICES = Path({str(tmp_path)!r})
games, config = {str(tmp_path / "games")!r}, {str(write_config_without_page(tmp_path))!r}
sys.exit(main(["serve", "--folder", games, "--config", config]))
"""
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == READY
        errors = {process.stderr.readline().split(".")[0] for _ in range(2)}
        assert errors == {
            "marrakech: Not every button is heard",
            "marrakech: There is no light, and the game goes on",
        }
        process.terminate()
        out, err = process.communicate(timeout=PATIENCE_S)
        assert (process.returncode, out, err) == (0, "", "")
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE_S)
