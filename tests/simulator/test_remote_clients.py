"""Remote clients of a table on a laptop: commands at its socket, phones at its page."""

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
from helpers.table.simulator_user import SimulatorUser, open_simulator

from companion.cli.main import main
from companion.config.model import Config, WebConfig
from companion.control.client import NoTableError, open_client
from companion.control.unix_socket import NAME
from companion.simulator.remote_clients import PageLink
from companion.table.conversation import Stage

JsonObject = dict[str, Any]


@pytest.fixture
def folder() -> Iterator[Path]:
    """For games and the socket, whose path must be short."""
    with TemporaryDirectory(prefix="m") as name:
        yield Path(name)


@pytest.fixture
def page_sockets(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The sockets for which a page was started. Starting fails."""
    sockets: list[Path] = []

    def fail(_: object, __: object, socket: Path, *___: object, **____: object) -> None:
        sockets.append(socket)
        raise RuntimeError("no page")

    monkeypatch.setattr("companion.simulator.remote_clients.page_beside", fail)
    return sockets


def page_link(host: str, port: int) -> PageLink:
    return PageLink((f"http://{host}:{port}/",))


def page_config(host: str = "127.0.0.1", *, enabled: bool = True) -> Config:
    """A config with a page on any free port."""
    return replace(Config(), web=WebConfig(enabled=enabled, host=host, port=0))


def ask(folder: Path, do: str, **members: object) -> JsonObject:
    with open_client(folder / NAME) as client:
        return client.ask(do, **members)


async def ask_in_thread(folder: Path, do: str, **members: object) -> JsonObject:
    """In a thread, because the table runs on the loop."""
    return await asyncio.to_thread(ask, folder, do, **members)


async def page_url(user: SimulatorUser) -> str:
    """Wait for the page's address in the banner."""
    await user.wait_until(lambda: "phones: " in banner(user), "the page's address")
    return banner(user).split("phones: ")[1].split()[0]


def banner(user: SimulatorUser) -> str:
    return user.screen_text().splitlines()[0].strip()


def get_json(url: str) -> JsonObject:
    with urllib.request.urlopen(url, timeout=PATIENCE_S) as response:
        body: JsonObject = json.loads(response.read())
        return body


def free_port() -> int:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return int(bound.getsockname()[1])


def is_served(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def test_commands_and_phones_reach_the_table(folder: Path) -> None:
    async def scenario() -> None:
        async with open_simulator(folder, page_config(), address_of=page_link) as user:
            url = await page_url(user)
            answer = await ask_in_thread(folder, "press", button="ok")
            assert answer["ok"]
            assert user.stage is Stage.BOOKLET
            await user.wait_for_text("A new game players › booklet › colours › board")
            table = answer["table"]
            assert table["simulated"] is True
            assert url == f"http://{table['page']['host']}:{table['page']['port']}/"
            sequence = table["sequence"]
            while (shown := await asyncio.to_thread(get_json, f"{url}api/table"))["table"][
                "sequence"
            ] < sequence:
                await asyncio.sleep(0.01)
            assert shown["table"]["stage"] == "booklet"
            assert shown["table"]["simulated"] is True

    asyncio.run(scenario())


def test_leaving_closes_the_page_and_removes_the_socket(folder: Path) -> None:
    async def scenario() -> int:
        async with open_simulator(folder, page_config(), address_of=page_link) as user:
            url = await page_url(user)
            assert (folder / NAME).is_socket()
            port = int(url.split(":")[2].strip("/"))
            assert is_served(port)
            return port

    port = asyncio.run(scenario())
    assert not is_served(port)
    assert not (folder / NAME).exists()


def test_without_an_address_there_is_no_socket_and_no_page(folder: Path) -> None:
    async def scenario() -> None:
        async with open_simulator(folder, page_config()) as user:
            assert not (folder / NAME).exists()
            assert banner(user) == "░▒▓ SIMULATED · no hardware: mock pins and a virtual matrix ▓▒░"

    asyncio.run(scenario())


def test_with_the_page_disabled_there_is_still_a_socket(
    folder: Path, page_sockets: list[Path]
) -> None:
    async def scenario() -> None:
        config = page_config(enabled=False)
        async with open_simulator(folder, config, address_of=page_link) as user:
            await user.wait_until((folder / NAME).is_socket, "the control socket")
            table = (await ask_in_thread(folder, "status"))["table"]
            assert table["page"] is None
            user.app.simulate_key("a")
            await user.wait_for_text(
                "☞ The page for phones is switched off: [web] enabled in the settings."
            )
            assert "phones" not in banner(user)
            assert page_sockets == []

    asyncio.run(scenario())


# --- Errors -------------------------------------------------------------------------------


def test_a_page_that_cannot_listen_is_reported_in_a_line_and_the_game_goes_on(folder: Path) -> None:
    async def scenario() -> None:
        config = page_config("203.0.113.1")  # an address of no machine (RFC 5737)
        async with open_simulator(folder, config, address_of=page_link) as user:
            await user.wait_for_text(
                "☞ the phone page has stopped and is started again: the page cannot listen at "
                "203.0.113.1, port 0"
            )
            user.app.simulate_key("a")
            await user.wait_for_text("☞ There is no page for phones yet.")
            await user.start_game()
            assert "☞" not in user.panel_text(), "the hint is replaced by the next event"

    asyncio.run(scenario())


def test_a_socket_that_cannot_be_opened_is_reported_and_there_is_no_page(
    folder: Path, page_sockets: list[Path]
) -> None:
    async def scenario() -> None:
        (folder / NAME).write_text("another file")
        async with open_simulator(folder, page_config(), address_of=page_link) as user:
            await user.wait_for_text("the path is not a socket: move that file away")
            await user.start_game()
            assert page_sockets == []
        assert (folder / NAME).read_text() == "another file"

    asyncio.run(scenario())


def test_a_page_never_shows_the_table_of_another_companion(
    folder: Path, tmp_path: Path, page_sockets: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two with the same socket path, the second has no socket and no page."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))

    async def scenario() -> None:
        one, other = tmp_path / "one", tmp_path / "other"
        path = folder / "marrakech" / NAME
        async with open_simulator(one, page_config(enabled=False), address_of=page_link) as first:
            await first.wait_until(path.is_socket, "the control socket")
            async with open_simulator(other, page_config(), address_of=page_link) as second:
                await second.wait_for_text("another companion answers there")
                await second.start_game()
            assert page_sockets == []
            assert path.is_socket(), "it is still the first one's"

    asyncio.run(scenario())


def test_a_fault_in_the_server_is_reported_and_the_game_goes_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise RuntimeError("a fault")

    monkeypatch.setattr("companion.simulator.remote_clients.open_control_server", fail)

    async def scenario() -> None:
        async with open_simulator(folder, page_config(), address_of=page_link) as user:
            await user.wait_for_text("☞ remote clients cannot connect: a fault")
            await user.start_game()

    asyncio.run(scenario())


# --- In a terminal ------------------------------------------------------------------------


class Terminal:
    """`marrakech play` in a pseudo-terminal."""

    def __init__(self, folder: Path) -> None:
        config = folder / "marrakech.toml"
        config.write_text(f'[web]\nhost = "127.0.0.1"\nport = {free_port()}\n')
        self.folder = folder
        words = [sys.executable, "-P", "-m", "companion", "play"]
        words += ["--folder", str(folder), "--config", str(config)]
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = "xterm-256color"
            os.execv(sys.executable, words)
        self.output = b""

    def read_output(self) -> None:
        """Must be called often, or the process blocks when it writes."""
        while select.select([self.terminal], [], [], 0.01)[0]:
            with suppress(OSError):
                if piece := os.read(self.terminal, 65536):
                    self.output += piece
                    continue
            return

    def port(self) -> int:
        """Wait for the page, and return its port."""
        while True:
            self.read_output()
            with suppress(NoTableError), open_client(self.folder / NAME) as client:
                if page := client.table()["page"]:
                    return int(page["port"])

    def wait(self) -> int:
        while True:
            self.read_output()
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                os.close(self.terminal)
                return os.waitstatus_to_exitcode(status)


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 0), (signal.SIGHUP, 0), (signal.SIGKILL, -9)]
)
def test_the_page_ends_with_play_however_play_ends(
    folder: Path, number: signal.Signals, code: int
) -> None:
    terminal = Terminal(folder)
    port = terminal.port()
    assert is_served(port)
    os.kill(terminal.pid, number)
    assert terminal.wait() == code
    while is_served(port):  # the kernel ends it soon
        pass


def test_commands_find_a_table_of_play_without_a_path(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the user's runtime folder, or in the folder of the simulated games."""
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))
    games = Config().journal_folder(os.environ) / "simulated"
    games.mkdir(parents=True)
    terminal = Terminal(games)
    try:
        port = terminal.port()
        assert main(["press", "ok"]) == 0
        assert main(["status"]) == 0
        assert main(["pair"]) == 0
        output = capsys.readouterr().out
        assert "SIMULATED" in output
        assert f"127.0.0.1:{port}/" in output
        assert "code into the page on the phone within 2 minutes." in output
    finally:
        os.kill(terminal.pid, signal.SIGTERM)
        assert terminal.wait() == 0
    assert b"marrakech:" not in terminal.output, "nothing is logged onto the screen"
