"""A real `marrakech serve --virtual` process with its phone page, for end-to-end tests.

with TableProcess(folder) as table:
    table.request("press", button="ok")
    ... table.url ...
    table.kill(); table.start()     # a power cut
"""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from random import SystemRandom
from types import TracebackType

from companion.control.client import NoTableError, open_client
from companion.control.unix_socket import NAME
from companion.json_types import JsonObject
from helpers.patience import PATIENCE_S

_POLL_S = 0.01
_random_port = SystemRandom().randrange  # hypothesis seeds the global generator
_CONFIG = """
[buttons]
debounce_ms = 2
hold_ms = 500

[web]
host = "127.0.0.1"
port = {port}
"""


class TableProcess:
    """One process at a time, always with the same folder and port."""

    def __init__(self, folder: Path) -> None:
        """`folder` needs a short path: it contains the table's socket."""
        self.folder = folder
        self._config = folder / "marrakech.toml"
        self._choose_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def __enter__(self) -> TableProcess:
        self.start()
        while self.snapshot()["page"]["port"] != self.port:  # another program was faster
            self._end(signal.SIGTERM)
            self._choose_port()
            self.start()
        return self

    def _choose_port(self) -> None:
        self.port = free_port()
        self._config.write_text(_CONFIG.format(port=self.port))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end(signal.SIGTERM)

    def start(self) -> None:
        """Start the process and wait for its page."""
        command = [sys.executable, "-P", "-m", "companion", "serve", "--virtual"]
        command += ["--folder", str(self.folder), "--config", str(self._config)]
        with (self.folder / "output.txt").open("ab") as output:
            self._process = subprocess.Popen(command, stdout=output, stderr=output)
        self._wait_for_page()

    def kill(self) -> None:
        """End it like a power cut."""
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
                page = self.snapshot()["page"]
            except NoTableError:
                page = None
            if page is not None:
                return
            time.sleep(_POLL_S)
        raise AssertionError(f"no page: {(self.folder / 'output.txt').read_text()}")

    # --- At the control socket --------------------------------------------------------

    def request(self, do: str, **members: object) -> JsonObject:
        with open_client(self.folder / NAME) as client:
            return client.ask(do, **members)

    def snapshot(self) -> JsonObject:
        snapshot: JsonObject = self.request("status")["table"]
        return snapshot

    def press(self, names: str) -> JsonObject:
        """Press buttons, pips, `hold-ok` and `hold-back`. Returns the snapshot then."""
        answer: JsonObject = {}
        for name in names.split():
            answer = self.request("press", **_press(name))
            assert answer["ok"] or answer.get("refused"), f"{name}: {answer}"
        table: JsonObject = answer["table"]
        return table

    def journal(self) -> bytes:
        """The current game's journal file."""
        return (self.folder / "game.jsonl").read_bytes()


def _press(name: str) -> JsonObject:
    if name.isdigit():
        return {"die": int(name)}
    return {"button": name.removeprefix("hold-"), "hold": name.startswith("hold-")}


def free_port() -> int:
    """Below the range from which the kernel takes the ports of outgoing connections."""
    while True:
        port = _random_port(20_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
