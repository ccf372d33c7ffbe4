"""`marrakech serve`: starts, says so, stops when told, and refuses in one line what cannot be."""

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

SIMULATED = "SIMULATED: mock pins and a virtual matrix, nothing is wired\n"
READY = "the table is ready\n"


def without_page(folder: Path) -> Path:
    """Where a page would be ready at a time of its own."""
    config = folder / "without_page.toml"
    config.write_text("[web]\nenabled = false\n")
    return config


@contextmanager
def serving(folder: Path, *, lines: int = 2) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """A table that is ready, and what it said until then."""
    process = subprocess.Popen(
        [
            *(sys.executable, "-P", "-m", "companion", "serve", "--virtual"),
            *("--folder", str(folder), "--config", str(without_page(folder))),
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
def test_a_table_is_served_until_it_is_told_to_stop(tmp_path: Path, number: signal.Signals) -> None:
    with serving(tmp_path) as (process, said):
        assert said == [SIMULATED, READY]
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE_S)
        assert (process.returncode, out, err) == (0, "", "")


def test_a_second_table_in_the_same_folder_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(tmp_path) as (process, _):
        assert main(["serve", "--virtual", "--folder", str(tmp_path)]) == 2
        out, err = capsys.readouterr()
        assert out == SIMULATED
        assert err == (
            f"marrakech: another companion keeps its games in {tmp_path}: stop it first\n"
        )
        process.terminate()
        process.communicate(timeout=PATIENCE_S)
    with serving(tmp_path) as (_, said):
        assert said[-1] == READY, "the folder was let go"


def test_a_killed_table_leaves_no_lock_behind(tmp_path: Path) -> None:
    with serving(tmp_path):
        pass
    with serving(tmp_path) as (_, said):
        assert said[-1] == READY


def test_bytes_that_were_torn_off_are_told(tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").write_bytes(b'{"crc":"12')
    with serving(tmp_path, lines=3) as (_, said):
        assert said[1:] == [
            "the journal ended in 10 bytes of an entry that was not finished: "
            "cut off, and kept beside it as .torn\n",
            READY,
        ]


# --- What cannot be -----------------------------------------------------------------------


def test_a_machine_without_gpio_is_told_of_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serve, "DEVICES", tmp_path)
    assert main(["serve"]) == 2
    assert capsys.readouterr() == (
        "",
        "marrakech: this machine has no GPIO: on a laptop use 'marrakech play'\n",
    )


def test_a_machine_with_gpio_is_not(tmp_path: Path) -> None:
    with pytest.raises(CompanionError):
        serve.check_gpio(tmp_path)
    (tmp_path / "gpiochip0").touch()
    serve.check_gpio(tmp_path)


def test_a_config_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--virtual", "--config", "nowhere.toml"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "nowhere.toml" in err


def test_a_folder_that_is_a_file_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    assert main(["serve", "--virtual", "--folder", str(tmp_path / "file")]) == 2
    assert capsys.readouterr().err == (
        f"marrakech: games cannot be kept in {tmp_path / 'file'} (File exists): let the "
        "companion's user write there, or give another with --folder\n"
    )


def test_simulated_games_are_kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.config.model import Config

    games = Path("games")
    assert serve.games_folder(games, VirtualHardware(Config())) == games / "simulated"
    assert serve.games_folder(games, PiHardware()) == games


def test_a_pi_without_bus_and_pins_is_served_and_the_log_says_what_to_do(tmp_path: Path) -> None:
    """Here nothing is there; the pad, the page and the socket would still work."""
    (tmp_path / "gpiochip0").touch()
    script = f"""
import sys
from pathlib import Path
from companion.cli.commands import serve
from companion.cli.main import main
serve.DEVICES = Path({str(tmp_path)!r})
games, config = {str(tmp_path / "games")!r}, {str(without_page(tmp_path))!r}
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
        said = {process.stderr.readline().split(".")[0] for _ in range(2)}
        assert said == {
            "Not every button is heard",
            "There is no light, and the game goes on",
        }
        process.terminate()
        out, err = process.communicate(timeout=PATIENCE_S)
        assert (process.returncode, out, err) == (0, "", "")
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE_S)
