"""Two sockets that control a running QEMU: QMP, and qtest for its memory."""

from __future__ import annotations

import json
import socket
from contextlib import suppress
from pathlib import Path

from system.errors import StepFailedError

TIMEOUT_S = 240.0


class LineSocket:
    """A Unix socket with a line for each message."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(TIMEOUT_S)
        self._socket.connect(str(path))
        self._file = self._socket.makefile("rb")

    def send(self, line: str) -> None:
        self._socket.sendall(f"{line}\n".encode())

    def receive(self) -> str:
        try:
            line = self._file.readline().decode()
        except OSError as error:  # a timeout
            raise StepFailedError(f"no message from QEMU: {error}") from error
        if not line:
            raise ConnectionError("QEMU has closed the connection")
        return line.rstrip("\n")

    def wait_for_end(self) -> None:
        """Wait until QEMU has ended, and everything it had open is closed."""
        with suppress(ConnectionError, StepFailedError):
            while True:
                self.receive()

    def close(self) -> None:
        self._file.close()
        self._socket.close()


class Qmp(LineSocket):
    """The QEMU Machine Protocol: commands and events as JSON."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._events: list[str] = []
        self.receive()  # its greeting
        self.execute("qmp_capabilities")

    def execute(self, command: str, **arguments: object) -> None:
        """Run a command, and wait until it is done."""
        self.send(json.dumps({"execute": command, "arguments": arguments}))
        while True:
            message = json.loads(self.receive())
            if "event" in message:
                self._events.append(message["event"])
            elif "return" in message:
                return
            else:
                raise RuntimeError(f"QEMU refuses {command}: {message['error']['desc']}")

    def wait_for(self, event: str) -> None:
        """Wait for an event, or take one that came before."""
        while event not in self._events:
            message = json.loads(self.receive())
            if "event" in message:
                self._events.append(message["event"])
        del self._events[: self._events.index(event) + 1]


class Qtest(LineSocket):
    """Writes to the registers of a running machine, as its processor would."""

    def write_register(self, address: int, value: int) -> None:
        self.send(f"writel {address:#x} {value:#x}")
        answer = self.receive()
        if not answer.startswith("OK"):
            raise RuntimeError(f"QEMU refuses to write to {address:#x}: {answer}")
