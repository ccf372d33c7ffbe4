"""A table on a laptop has visitors, as one on a Pi: commands at its socket, phones at its page."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import select
import signal
import socket
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from helpers.patience import PATIENCE_S
from helpers.table.simulator_user import SimulatorUser, looking_at

from companion.cli.main import main
from companion.config.model import Config, WebConfig
from companion.control.client import NoTableError, open_client
from companion.control.unix_socket import NAME
from companion.simulator.remote_clients import PageLink
from companion.table.conversation import Stage

Plain = dict[str, Any]


@pytest.fixture
def folder() -> Iterator[Path]:
    """For games and the socket beside them: a socket's path has to be short."""
    with TemporaryDirectory(prefix="m") as name:
        yield Path(name)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """At which sockets a page was asked for; it does not come."""
    asked: list[Path] = []

    def note(_: object, __: object, socket: Path, *___: object, **____: object) -> None:
        asked.append(socket)
        raise RuntimeError("no page today")

    monkeypatch.setattr("companion.simulator.remote_clients.page_beside", note)
    return asked


def sign_of(host: str, port: int) -> PageLink:
    return PageLink((f"http://{host}:{port}/",))


def with_page(host: str = "127.0.0.1", *, enabled: bool = True) -> Config:
    """A page on any port, whatever else runs on this machine."""
    return replace(Config(), web=WebConfig(enabled=enabled, host=host, port=0))


def ask(folder: Path, do: str, **members: object) -> Plain:
    with open_client(folder / NAME) as client:
        return client.ask(do, **members)


async def from_outside(folder: Path, do: str, **members: object) -> Plain:
    """Asked in a thread: the table is on the loop."""
    return await asyncio.to_thread(ask, folder, do, **members)


async def page_of(guest: SimulatorUser) -> str:
    """Its address, once it is there."""
    await guest.until(lambda: "phones: " in banner(guest), "the page's address")
    return banner(guest).split("phones: ")[1].split()[0]


def banner(guest: SimulatorUser) -> str:
    return guest.screen().splitlines()[0].strip()


def read(url: str) -> Plain:
    with urllib.request.urlopen(url, timeout=PATIENCE_S) as answer:
        found: Plain = json.loads(answer.read())
        return found


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def is_served(port: int) -> bool:
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", port)) == 0


def test_commands_and_phones_find_the_table_that_is_played_at(folder: Path) -> None:
    async def scene() -> None:
        async with looking_at(folder, with_page(), address_of=sign_of) as guest:
            url = await page_of(guest)
            answer = await from_outside(folder, "press", button="ok")
            assert answer["ok"]
            assert guest.stage is Stage.BOOKLET
            await guest.read("A new game players › booklet › colours › board")
            table = answer["table"]
            assert table["simulated"] is True
            assert url == f"http://{table['page']['host']}:{table['page']['port']}/"
            sequence = table["sequence"]
            while (shown := await asyncio.to_thread(read, f"{url}api/table"))["table"][
                "sequence"
            ] < sequence:
                await asyncio.sleep(0.01)
            assert shown["table"]["stage"] == "booklet"
            assert shown["table"]["simulated"] is True

    asyncio.run(scene())


def test_leaving_takes_page_and_socket_away(folder: Path) -> None:
    async def scene() -> int:
        async with looking_at(folder, with_page(), address_of=sign_of) as guest:
            url = await page_of(guest)
            assert (folder / NAME).is_socket()
            port = int(url.split(":")[2].strip("/"))
            assert is_served(port)
            return port

    port = asyncio.run(scene())
    assert not is_served(port)
    assert not (folder / NAME).exists()


def test_nobody_comes_in_unless_asked(folder: Path) -> None:
    async def scene() -> None:
        async with looking_at(folder, with_page()) as guest:
            assert not (folder / NAME).exists()
            assert (
                banner(guest) == "░▒▓ SIMULATED · no hardware: mock pins and a virtual matrix ▓▒░"
            )

    asyncio.run(scene())


def test_a_page_that_is_switched_off_leaves_the_socket(folder: Path, asked: list[Path]) -> None:
    async def scene() -> None:
        config = with_page(enabled=False)
        async with looking_at(folder, config, address_of=sign_of) as guest:
            await guest.until((folder / NAME).is_socket, "the control socket")
            table = (await from_outside(folder, "status"))["table"]
            assert table["page"] is None
            guest.app.simulate_key("a")
            await guest.read(
                "☞ The page for phones is switched off: [web] enabled in the settings."
            )
            assert "phones" not in banner(guest)
            assert asked == []

    asyncio.run(scene())


# --- What cannot be had -------------------------------------------------------------------


def test_a_page_that_cannot_be_is_told_in_a_line_and_the_game_goes_on(folder: Path) -> None:
    async def scene() -> None:
        config = with_page("203.0.113.1")  # nobody's here (RFC 5737)
        async with looking_at(folder, config, address_of=sign_of) as guest:
            await guest.read(
                "☞ the page for phones has stopped, and is tried again: the page cannot listen at "
                "203.0.113.1, port 0"
            )
            guest.app.simulate_key("a")
            await guest.read("☞ There is no page for phones yet.")
            await guest.begin()
            assert "☞" not in guest.words(), "it was told, and something else has happened since"

    asyncio.run(scene())


def test_a_socket_that_cannot_be_is_told_and_there_is_no_page_then(
    folder: Path, asked: list[Path]
) -> None:
    async def scene() -> None:
        (folder / NAME).write_text("something of somebody's")
        async with looking_at(folder, with_page(), address_of=sign_of) as guest:
            await guest.read("something else is there, move it away")
            await guest.begin()
            assert asked == []
        assert (folder / NAME).read_text() == "something of somebody's"

    asyncio.run(scene())


def test_a_page_never_shows_the_table_of_another_companion(
    folder: Path, tmp_path: Path, asked: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two that would have the same socket: the second has none, and so no page either."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))

    async def scene() -> None:
        one, other = tmp_path / "one", tmp_path / "other"
        at = folder / "marrakech" / NAME
        async with looking_at(one, with_page(enabled=False), address_of=sign_of) as first:
            await first.until(at.is_socket, "the control socket")
            async with looking_at(other, with_page(), address_of=sign_of) as second:
                await second.read("another companion answers there")
                await second.begin()
            assert asked == []
            assert at.is_socket(), "it is the first one's still"

    asyncio.run(scene())


def test_a_fault_on_the_way_in_is_told_and_the_game_goes_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise RuntimeError("nobody knows")

    monkeypatch.setattr("companion.simulator.remote_clients.open_control_server", fail)

    async def scene() -> None:
        async with looking_at(folder, with_page(), address_of=sign_of) as guest:
            await guest.read("☞ nobody else can reach this table: nobody knows")
            await guest.begin()

    asyncio.run(scene())


# --- In a terminal ------------------------------------------------------------------------


class Terminal:
    """`marrakech play` in a terminal of its own, reached by nothing but its keys and its socket."""

    def __init__(self, folder: Path) -> None:
        config = folder / "marrakech.toml"
        config.write_text(f'[web]\nhost = "127.0.0.1"\nport = {free_port()}\n')
        self.folder = folder
        words = [sys.executable, "-P", "-m", "companion", "play"]
        words += ["--folder", str(folder), "--config", str(config)]
        self.pid, self.screen = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = "xterm-256color"
            os.execv(sys.executable, words)
        self.said = b""

    def read_on(self) -> None:
        """Somebody must, or it waits to write."""
        while select.select([self.screen], [], [], 0.01)[0]:
            with suppress(OSError):
                if said := os.read(self.screen, 65536):
                    self.said += said
                    continue
            return

    def port(self) -> int:
        """Of the page, once it is there."""
        while True:
            self.read_on()
            with suppress(NoTableError), open_client(self.folder / NAME) as client:
                if page := client.table()["page"]:
                    return int(page["port"])

    def wait(self) -> int:
        while True:
            self.read_on()
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                os.close(self.screen)
                return os.waitstatus_to_exitcode(status)


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 0), (signal.SIGHUP, 0), (signal.SIGKILL, -9)]
)
def test_play_however_it_ends_leaves_no_page_behind(
    folder: Path, number: signal.Signals, code: int
) -> None:
    terminal = Terminal(folder)
    port = terminal.port()
    assert is_served(port)
    os.kill(terminal.pid, number)
    assert terminal.wait() == code
    while is_served(port):  # the kernel ends it, in a moment of its own
        pass


def test_commands_find_a_table_of_play_by_themselves(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the rule for all tables: where a user's sockets are, or beside the simulated games."""
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))
    games = Config().journal_folder(os.environ) / "simulated"
    games.mkdir(parents=True)
    terminal = Terminal(games)
    try:
        port = terminal.port()
        assert main(["press", "ok"]) == 0
        assert main(["status"]) == 0
        assert main(["pair"]) == 0
        told = capsys.readouterr().out
        assert "SIMULATED" in told
        assert f"127.0.0.1:{port}/" in told
        assert "Type this on the page of the phone" in told
    finally:
        os.kill(terminal.pid, signal.SIGTERM)
        assert terminal.wait() == 0
    assert b"marrakech:" not in terminal.said, "nothing is printed over the screen"
