"""The die pad's real image in a simulated chip, behind a real serial port.

    pad = SimavrPad(loop, firmware.simulator(), firmware.released_image())
    host = SerialPad(loop, ..., find_ports=pad.ports)
    pad.press(3)

A program of its own runs the image (firmware/simavr says what it understands and says): keys are
pressed through its standard input, and its LED is followed on its standard output.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
from contextlib import suppress
from pathlib import Path
from secrets import randbits
from select import select
from time import monotonic

from companion.adapters.virtual.pad_device import BOUNCE_MS, BOUNCES, GLITCH_MS
from companion.errors import CompanionError, one_line

START_S = 5.0
END_S = 2.0


class SimavrPad:
    """Plugged in and with power from the start. All of it happens on the loop."""

    is_simulated = True
    kind = "simavr"

    def __init__(self, loop: asyncio.AbstractEventLoop, program: Path, image: Path) -> None:
        self._loop = loop
        self.path = ""
        """Where it is plugged in; empty while it is not."""
        self._is_lit = False
        self._is_closed = False
        self._heard = b""
        """The beginning of a line."""
        try:
            # --dtr: as with a real Nano, whoever opens the port resets the pad.
            self._process = subprocess.Popen(
                [program, "--dtr", "--noise", str(randbits(63)), image],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
            )
        except OSError as error:
            raise CompanionError(f"{program} does not start: {error.strerror}") from None
        assert self._process.stdin
        assert self._process.stdout
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        for end in (self._in, self._out):
            os.set_blocking(end, False)
        try:
            self._wait_for_port()
        except BaseException:
            self.close()
            raise
        loop.add_reader(self._out, self._read)

    def _wait_for_port(self) -> None:
        """It says where it is at once, or what is wrong with it."""
        end = monotonic() + START_S
        while not self.path:
            if not select([self._out], [], [], max(0.0, end - monotonic()))[0]:
                raise CompanionError("the simulated die pad did not say where its port is")
            self._read()
            if self._is_closed:
                assert self._process.stderr
                said = self._process.stderr.read().decode(errors="replace").strip()
                raise CompanionError(f"the simulated die pad does not run: {one_line(said)}")

    def ports(self, _: str = "") -> list[str]:
        """What `SerialPad` finds: its port, wherever it is now."""
        path = self.path
        return [path] if path else []

    # --- Hands ------------------------------------------------------------------------

    def press(self, key: int) -> None:
        """1 to 4, or 5 for ROLL. Without power it only moves."""
        self._tell(f"key {key} down")

    def release(self, key: int) -> None:
        self._tell(f"key {key} up")

    def bounce(self, key: int, *, is_press: bool = True) -> None:
        self._tell(f"bounce {key} {BOUNCES} {BOUNCE_MS * 1000:g}us {'down' if is_press else 'up'}")

    def glitch(self, key: int) -> None:
        self._tell(f"glitch {key} {GLITCH_MS * 1000:g}")

    def led(self) -> bool:
        """Whether its LED is lit just now."""
        return bool(self.path) and self._is_lit

    # --- Cables -----------------------------------------------------------------------

    def unplug(self) -> None:
        """The port is gone, and the pad has no power."""
        if self.path:
            self.path = ""
            self._tell("unplug")

    def plug_in(self) -> None:
        """It starts anew; in a moment it says where."""
        if not self.path:
            self._tell("plug")

    def reset(self) -> None:
        """The button on the board."""
        self._tell("reset")

    def close(self) -> None:
        """Gone for good; twice is no trouble."""
        self._stop_listening()
        process = self._process
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(END_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()

    # --- The program ------------------------------------------------------------------

    def _tell(self, line: str) -> None:
        """A line is short, and a pipe takes it whole; a program that has ended hears nothing."""
        if not self._is_closed:
            with suppress(BrokenPipeError, BlockingIOError):
                os.write(self._in, f"{line}\n".encode())

    def _read(self) -> None:
        try:
            data = os.read(self._out, 4096)
        except BlockingIOError:
            return
        if not data:  # it has ended: there is no pad any more
            self._stop_listening()
            return
        *lines, self._heard = (self._heard + data).split(b"\n")
        for line in lines:
            self._take(line.decode(errors="replace").split())

    def _take(self, words: list[str]) -> None:
        match words:
            case ["pty", path, *_]:
                self.path = path
            case ["led", lit, *_]:
                self._is_lit = lit == "1"
            case _:
                pass  # why it was reset

    def _stop_listening(self) -> None:
        self.path = ""
        if not self._is_closed:
            self._is_closed = True
            self._loop.remove_reader(self._out)
