"""A table as people have it: a real `marrakech serve --virtual` with its page, to be called at.

with ServedTable(folder) as table:
    table.ask("press", button="ok")
    ... table.url ...
    table.kill(); table.start()     # the plug is pulled, and put in again
"""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from companion.control.client import NoTableError, open_client
from companion.control.unix_socket import NAME
from helpers.patience import PATIENCE_S

Plain = dict[str, Any]
_LOOK_S = 0.01
_CONFIG = """
[buttons]
debounce_ms = 2
hold_ms = 500

[web]
host = "127.0.0.1"
port = {port}
"""


class ServedTable:
    """One process, or one after the other, at the same folder and the same port."""

    def __init__(self, folder: Path) -> None:
        """A short one: it has the table's socket in it."""
        self.folder = folder
        self.port = free_port()
        self._config = folder / "marrakech.toml"
        self._config.write_text(_CONFIG.format(port=self.port))
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def __enter__(self) -> ServedTable:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end(signal.SIGTERM)

    def start(self) -> None:
        """Until its page answers, at the port that it is to have."""
        words = [sys.executable, "-P", "-m", "companion", "serve", "--virtual"]
        words += ["--folder", str(self.folder), "--config", str(self._config)]
        with (self.folder / "said.txt").open("ab") as said:
            self._process = subprocess.Popen(words, stdout=said, stderr=said)
        self._wait_for_page()

    def kill(self) -> None:
        """As the plug does it."""
        self._end(signal.SIGKILL)

    def _end(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(PATIENCE_S)
            self._process = None

    def _wait_for_page(self) -> None:
        assert self._process is not None
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end and self._process.poll() is None:
            try:
                page = self.account()["page"]
            except NoTableError:
                page = None
            if page is not None:
                assert page["port"] == self.port, "another program took the port"
                return
            time.sleep(_LOOK_S)
        raise AssertionError(f"no page: {(self.folder / 'said.txt').read_text()}")

    # --- At the control socket --------------------------------------------------------

    def ask(self, do: str, **members: object) -> Plain:
        with open_client(self.folder / NAME) as client:
            return client.ask(do, **members)

    def account(self) -> Plain:
        account: Plain = self.ask("status")["table"]
        return account

    def press(self, words: str) -> Plain:
        """Buttons, pips, `hold-ok` and `hold-back`, one after the other; how the table is then."""
        answer: Plain = {}
        for word in words.split():
            answer = self.ask("press", **press_named(word))
            assert answer["ok"] or answer.get("refused"), f"{word}: {answer}"
        table: Plain = answer["table"]
        return table

    def kept(self) -> bytes:
        """The journal of the game that is played."""
        return (self.folder / "game.jsonl").read_bytes()


def press_named(word: str) -> Plain:
    if word.isdigit():
        return {"die": int(word)}
    return {"button": word.removeprefix("hold-"), "hold": word.startswith("hold-")}


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
