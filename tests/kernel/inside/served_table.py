"""`marrakech serve` on the test kernel: a process with real pins, SPI bus and USB port."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from helpers.patience import PATIENCE_S
from kernel.inside.header import Header
from kernel.inside.table_buttons import PINS

from companion.control.client import ControlClient, open_client
from companion.json_types import JsonObject
from companion.table.inputs import Button

TAP_S = 0.05
CONFIG = """\
[game]
players = 3
[matrix]
kind = "apa102"
[web]
enabled = false
"""


class ServedTable:
    """Starts at once; `folder` gets the config, the games and the log."""

    def __init__(self, folder: Path, header: Header) -> None:
        self._header = header
        config = folder / "marrakech.toml"
        config.write_text(CONFIG)
        self.log = folder / "log"
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "companion",
                    "serve",
                    "--config",
                    config,
                    "--folder",
                    folder,
                ],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PYTHONPATH": _python_path()},
            )
        self._socket = folder / "control.sock"
        self.wait_for_text("the table is ready")

    # --- The table --------------------------------------------------------------------

    def tap(self, words: str) -> None:
        """Tap buttons (`north`, `ok`) and die keys (`3`)."""
        for word in words.split():
            pin = PINS[int(word) if word.isdigit() else Button(word)]
            self._header.close_contact(pin)
            time.sleep(TAP_S)
            self._header.open_contact(pin)
            time.sleep(TAP_S)

    def snapshot(self) -> JsonObject:
        with self._client() as client:
            return client.table()

    def _client(self) -> ControlClient:
        return open_client(self._socket)

    # --- The process ------------------------------------------------------------------

    def wait_for_text(self, text: str, *, since: int = 0) -> None:
        """Wait for a line of the log."""
        end = time.monotonic() + PATIENCE_S
        while text not in self.log.read_text()[since:]:
            assert self._process.poll() is None, self.log.read_text()
            assert time.monotonic() < end, f"not logged: {text}\n{self.log.read_text()}"
            time.sleep(0.1)

    @property
    def pid(self) -> int:
        return self._process.pid

    def stop(self) -> int:
        """Stop it as systemd does. Returns the exit code."""
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(PATIENCE_S)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


def _python_path() -> str:
    """The checkout is not installed in every environment."""
    return os.pathsep.join([str(Path(__file__).parents[3]), os.environ.get("PYTHONPATH", "")])
