"""Two sockets that control a running QEMU: QMP, and qtest for its memory."""

from __future__ import annotations

import json
import socket
import time
from contextlib import suppress
from pathlib import Path

from system.errors import StepFailedError

TIMEOUT_S = 240.0
MIN_TIMEOUT_S = 0.001
"""A socket with a timeout of zero raises another error."""


class QemuEndedError(StepFailedError):
    """QEMU has closed the connection."""


class LineSocket:
    """A Unix socket with a line for each message."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.connect(str(path))
        self._received = b""

    def send(self, line: str) -> None:
        self._socket.settimeout(TIMEOUT_S)
        self._socket.sendall(f"{line}\n".encode())

    def receive(self, timeout_s: float = TIMEOUT_S) -> str:
        """The next line. After a timeout, the connection can be used as before."""
        end = time.monotonic() + timeout_s
        while b"\n" not in self._received:
            self._socket.settimeout(max(MIN_TIMEOUT_S, end - time.monotonic()))
            try:
                more = self._socket.recv(65536)
            except TimeoutError as error:
                raise StepFailedError(f"no message from QEMU within {timeout_s:g} s") from error
            if not more:
                raise QemuEndedError("QEMU has closed the connection")
            self._received += more
        line, _, self._received = self._received.partition(b"\n")
        return line.decode().rstrip("\r")

    def wait_for_end(self) -> None:
        """Wait until QEMU has ended, and everything it had open is closed."""
        with suppress(QemuEndedError):
            while True:
                self.receive()

    def close(self) -> None:
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

    def take_event(self, event: str) -> bool:
        """Whether the event has come since it was last taken. Does not wait for it."""
        while event not in self._events:
            try:
                message = json.loads(self.receive(timeout_s=0))
            except QemuEndedError:
                raise
            except StepFailedError:
                return False
            if "event" in message:
                self._events.append(message["event"])
        del self._events[: self._events.index(event) + 1]
        return True


class Qtest(LineSocket):
    """Writes to the registers of a running machine, as its processor would."""

    def write_register(self, address: int, value: int) -> None:
        self.send(f"writel {address:#x} {value:#x}")
        answer = self.receive()
        if not answer.startswith("OK"):
            raise RuntimeError(f"QEMU refuses to write to {address:#x}: {answer}")
