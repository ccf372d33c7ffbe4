"""The log beside the games, as `marrakech serve` writes it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers.patience import PATIENCE_S

from companion import __version__
from companion.cli.main import main
from companion.storage.log_file import (
    LOG_FILE,
    STOPPED,
    STOPPED_BY_ERROR,
    WITHOUT_NOTICE,
    read_log,
)

STARTED = f"INFO marrakech {__version__} has started"
READY = "INFO the table is ready"
SERVE = """
import sys
from companion.cli.main import main
{before}
sys.exit(main(["serve", "--virtual", "--folder", sys.argv[1], "--config", sys.argv[2]]))
"""
FAIL_AFTER_START = """
import asyncio
from companion.cli.commands import serve
opened = serve._on_opened

def open_and_fail(table, say):
    opened(table, say)
    asyncio.get_running_loop().call_later(0.1, lambda: 1 / 0)

serve._on_opened = open_and_fail
"""
WARN_AFTER_START = """
import asyncio, logging
from companion.cli.commands import serve
opened = serve._on_opened

def open_and_warn(table, say):
    opened(table, say)
    logging.getLogger("companion.daemon").warning("the writer hangs")

serve._on_opened = open_and_warn
"""


def start(folder: Path, before: str = "") -> subprocess.Popen[str]:
    """A table without a page, so that the order of its lines is fixed."""
    config = folder / "marrakech.toml"
    config.write_text("[web]\nenabled = false\n")
    return subprocess.Popen(
        [sys.executable, "-P", "-c", SERVE.format(before=before), str(folder), str(config)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def serve(folder: Path, before: str = "", end: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
    """Run a table, end it when it is ready; returns its exit code and standard error."""
    with start(folder, before) as process:
        assert process.stdout is not None
        while process.stdout.readline() not in ("the table is ready\n", ""):
            pass
        process.send_signal(end)
        return process.wait(PATIENCE_S), process.stderr.read() if process.stderr else ""


def texts(folder: Path) -> list[str]:
    return [line.split(" ", 1)[1] for line in read_log(folder).splitlines()]


def wait_for_line(folder: Path, text: str) -> None:
    limit = time.monotonic() + PATIENCE_S
    while text not in read_log(folder):
        assert time.monotonic() < limit, read_log(folder)
        time.sleep(0.01)


def test_start_and_stop_are_logged(tmp_path: Path) -> None:
    assert serve(tmp_path) == (0, "")
    assert texts(tmp_path) == [STARTED, READY, f"INFO {STOPPED}"]


def test_a_warning_is_in_the_log_after_a_kill(tmp_path: Path) -> None:
    """As after a power cut, the next start says that there was no stop."""
    with start(tmp_path, WARN_AFTER_START) as process:
        wait_for_line(tmp_path, "the writer hangs")
        process.kill()
    assert texts(tmp_path) == [STARTED, READY, "WARNING the writer hangs"]
    serve(tmp_path)
    assert texts(tmp_path)[3] == f"{STARTED}; {WITHOUT_NOTICE}"


def test_a_fault_is_logged_with_its_traceback(tmp_path: Path) -> None:
    with start(tmp_path, FAIL_AFTER_START) as process:
        assert process.wait(PATIENCE_S) == 1
        assert process.stderr is not None
        shown = process.stderr.read().splitlines()
    lines = texts(tmp_path)
    assert lines[:2] == [STARTED, READY]
    assert lines[-2:] == ["ERROR ZeroDivisionError: division by zero", f"ERROR {STOPPED_BY_ERROR}"]
    assert lines[2] == "ERROR Traceback (most recent call last):"
    assert shown[-1] == "ZeroDivisionError: division by zero"


def test_the_reason_for_not_starting_is_logged_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every few seconds systemd starts it again."""
    config = tmp_path / "wrong.toml"
    config.write_text("[web]\nprot = 1\n[buttons]\nhold = 2\n")
    for _ in range(2):
        command = ["serve", "--virtual", "--folder", str(tmp_path), "--config", str(config)]
        assert main(command) == 2
        shown = capsys.readouterr().err.splitlines()
    assert len(shown) == 2
    errors = [line.replace("marrakech: ", "ERROR ", 1) for line in shown]
    assert texts(tmp_path) == [*errors, f"ERROR {STOPPED_BY_ERROR}"]


def test_a_damaged_journal_is_named_in_the_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "game.jsonl").write_text("this is not a journal\n")
    assert main(["serve", "--virtual", "--folder", str(tmp_path)]) == 2
    assert re.match(r"ERROR .*line 1 of the journal: ", texts(tmp_path)[0])


def test_a_second_table_does_not_write_to_the_log_of_the_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with start(tmp_path) as process:
        wait_for_line(tmp_path, READY)
        assert main(["serve", "--virtual", "--folder", str(tmp_path)]) == 2
        process.terminate()
        process.wait(PATIENCE_S)
    assert texts(tmp_path) == [STARTED, READY, f"INFO {STOPPED}"]


def test_an_error_creates_no_games_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "games"
    missing = str(tmp_path / "nowhere.toml")
    assert main(["serve", "--virtual", "--folder", str(folder), "--config", missing]) == 2
    assert not folder.exists()


def test_a_table_runs_without_a_log(tmp_path: Path) -> None:
    (tmp_path / LOG_FILE).mkdir()
    assert serve(tmp_path) == (0, "")
    assert (tmp_path / LOG_FILE).is_dir()
