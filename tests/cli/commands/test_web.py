"""`marrakech web`: started by hand for a running table, and started by a table."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from helpers.patience import PATIENCE_S

from companion.cli.commands import web
from companion.cli.main import main
from companion.web import cpu_yield
from companion.web.server import PageSettings


def settings(*words: str) -> PageSettings:
    parser = argparse.ArgumentParser()
    web.add_arguments(parser)
    return web.settings_of(parser.parse_args(words))


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path


def test_arguments_override_the_config(here: Path) -> None:
    (here / "marrakech.toml").write_text('[web]\nport = 9000\nodds = false\nhosts = ["pi.lan"]\n')
    games = here / "state" / "marrakech"
    assert settings("--socket", "s") == PageSettings(
        Path("s"), games, "0.0.0.0", 9000, ("pi.lan",), False
    )
    words = "--socket s --folder g --host 127.0.0.1 --port 0 --name a --name b"
    assert settings(*words.split()) == PageSettings(
        Path("s"), Path("g"), "127.0.0.1", 0, ("a", "b"), False
    )


def test_arguments_of_a_parent_table_replace_the_config(here: Path) -> None:
    (here / "marrakech.toml").write_text("this is no config\n")
    words = "--parent 1 --socket s --folder g --host 127.0.0.1 --port 8080 --no-odds"
    assert settings(*words.split()) == PageSettings(
        Path("s"), Path("g"), "127.0.0.1", 8080, (), False
    )


def test_without_a_table_it_fails_with_a_message(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["web"]) == 2
    assert capsys.readouterr().err.startswith("marrakech: no table is running: start it with ")


def test_without_aiohttp_it_fails_with_a_message(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        web, "find_spec", lambda name: None if name == "aiohttp" else find_spec(name)
    )
    assert main(["web", "--socket", "s"]) == 2
    assert capsys.readouterr().err == (
        "marrakech: the web server is not installed: run ./marrakech in a checkout, or "
        "'pip install aiohttp'\n"
    )


def test_a_foreign_address_is_refused_in_one_line(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["web", "--socket", "s", "--host", "192.0.2.1"]) == 2
    assert capsys.readouterr().err.startswith("marrakech: the page cannot listen at 192.0.2.1")


def test_the_loop_yields_the_processor_in_every_iteration(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(cpu_yield, "sleep", pauses.append)
    before: list[int] = []

    async def be_busy(*_: object) -> None:
        for _turn in range(10):
            before.append(len(pauses))
            await asyncio.sleep(0)

    monkeypatch.setattr(web, "_serve", be_busy)
    assert main(["web", "--socket", "s"]) == 0
    assert [now - before[0] for now in before] == [*range(10)], "one pause a turn"
    assert set(pauses) == {cpu_yield.PAUSE_S}


def _start(here: Path, *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-P", "-m", "companion", "web", "--socket", str(here / "s")]
    command += ["--folder", str(here), "--host", "127.0.0.1", "--port", "0", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_by_hand_it_prints_its_address_and_runs_until_stopped(
    here: Path, number: signal.Signals
) -> None:
    with _start(here) as process:
        assert process.stdout is not None
        lines: list[str] = []
        while not lines or not lines[-1].startswith("http"):
            lines.append(process.stdout.readline())
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE_S)
    assert lines[0].startswith("███████")
    assert lines[-1].startswith("http://127.0.0.1:")
    assert (process.returncode, out, err) == (0, "", "")


def test_it_exits_at_once_if_its_parent_has_ended(here: Path) -> None:
    with _start(here, "--parent", "1") as process:
        out, err = process.communicate(timeout=PATIENCE_S)
    assert os.getpid() != 1
    assert (process.returncode, out, err) == (0, "", "")


def test_serve_does_not_import_the_web_server() -> None:
    body = (
        "import sys, companion.cli.commands.serve, companion.daemon.service, "
        "companion.control.server, companion.daemon.web_process; "
        "print({'aiohttp', 'segno', 'companion.web'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", body], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("set()\n", "")
