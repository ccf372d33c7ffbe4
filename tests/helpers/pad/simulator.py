"""Runs pad_sim, the firmware in simavr: presses keys, records the LED and resets."""

from __future__ import annotations

import contextlib
import re
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

from helpers.pad.client import Client
from helpers.patience import PATIENCE_S


class PadSimulator:
    """A running pad_sim. `led` has every change of the LED, with the pad's time in milliseconds."""

    def __init__(self, program: Path, image: Path | None, *options: str) -> None:
        self.led: list[tuple[bool, float]] = []
        self.resets: list[tuple[str, float]] = []
        self.echoes: dict[str, float] = {}
        self.ptys: list[str] = []
        self._changed = threading.Condition()
        self._echo = 0
        self._process = subprocess.Popen(
            [str(program), *options, *([str(image)] if image else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        self.wait_for(lambda: bool(self.ptys))

    @property
    def pty(self) -> str:
        return self.ptys[-1]

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            with self._changed:
                self._handle(line)
                self._changed.notify_all()

    def _handle(self, line: str) -> None:
        kind, what, *_ = line.split()
        at = float(match[1]) if (match := re.search(r" t=([\d.]+)", line)) else 0.0
        if kind == "pty":
            self.ptys.append(what)
        elif kind == "led":
            self.led.append((what == "1", at))
        elif kind == "reset":
            self.resets.append((what, at))
        elif kind == "echo":
            self.echoes[what] = at

    def wait_for(self, is_there: Callable[[], bool], seconds: float = PATIENCE_S) -> None:
        end = time.monotonic() + seconds
        with self._changed:
            while not is_there():
                left = end - time.monotonic()
                assert left > 0, "timeout: no such line from the simulator"
                assert self._process.poll() is None, "the simulator has ended"
                self._changed.wait(min(left, 0.1))

    def send(self, *lines: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{line}\n" for line in lines))
        self._process.stdin.flush()

    def play(self, *lines: str) -> float:
        """Send lines and wait until they are done. Returns the pad's time at the end."""
        self._echo += 1
        name = f"end-{self._echo}"
        self.send(*lines, f"echo {name}")
        self.wait_for(lambda: name in self.echoes)
        return self.echoes[name]

    def led_since(self, start: float) -> list[float]:
        """When the LED changed after `start`, in milliseconds since the first change."""
        changes = [(is_lit, at) for is_lit, at in self.led if at >= start]
        assert [is_lit for is_lit, _ in changes[:1]] in ([], [True])
        return [at - changes[0][1] for _, at in changes]

    def close(self) -> None:
        if self._process.poll() is None:
            with contextlib.suppress(BrokenPipeError):
                self.send("quit")
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        try:
            self._process.wait(PATIENCE_S)
        finally:
            if self._process.poll() is None:
                self._process.kill()
                self._process.wait()
            self._reader.join()
            assert self._process.stdout is not None
            self._process.stdout.close()


class SimulatorFactory:
    """Starts simulated pads and opens their ports. All are closed at the end of the test."""

    def __init__(self, program: Path, image: Path) -> None:
        self.program = program
        self.image = image
        self.running: list[PadSimulator | Client] = []

    def pad(self, *options: str) -> PadSimulator:
        simulator = PadSimulator(self.program, self.image, *options)
        self.running.append(simulator)
        return simulator

    def client(self, simulator: PadSimulator, session: int = 0x1234) -> Client:
        client = Client(simulator.pty, session)
        self.running.append(client)
        return client

    def connected(self, simulator: PadSimulator, session: int = 0x1234) -> Client:
        client = self.client(simulator, session)
        client.connect()
        return client
