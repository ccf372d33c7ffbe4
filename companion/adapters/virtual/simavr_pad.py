"""A die pad that runs the real firmware image in simavr, on a pty.

    pad = SimavrPad(loop, firmware.simulator(), firmware.released_image())
    host = SerialPad(loop, ..., find_ports=pad.ports)
    pad.press(3)

A separate program runs the image; firmware/simavr documents its commands. Keys are pressed through
its standard input, and its standard output reports the LED.
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
    """Plugged in from the start. Use it on the loop only."""

    is_simulated = True
    kind = "simavr"

    def __init__(self, loop: asyncio.AbstractEventLoop, program: Path, image: Path) -> None:
        self._loop = loop
        self.path = ""
        """The port; empty while unplugged."""
        self._is_lit = False
        self._is_closed = False
        self._partial_line = b""
        """An incomplete line of output."""
        try:
            # --dtr: opening the port resets the pad, as with a real Nano.
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
        """Wait for the line with the path of the pty. Raises if the program ends."""
        end = monotonic() + START_S
        while not self.path:
            if not select([self._out], [], [], max(0.0, end - monotonic()))[0]:
                raise CompanionError("the simulated die pad did not report its port")
            self._read()
            if self._is_closed:
                assert self._process.stderr
                output = self._process.stderr.read().decode(errors="replace").strip()
                raise CompanionError(f"the simulated die pad does not run: {one_line(output)}")

    def ports(self, _: str = "") -> list[str]:
        """The `find_ports` of a `SerialPad`."""
        path = self.path
        return [path] if path else []

    # --- Keys and LED -----------------------------------------------------------------

    def press(self, key: int) -> None:
        """Press key 1 to 4, or 5 for ROLL."""
        self._send(f"key {key} down")

    def release(self, key: int) -> None:
        self._send(f"key {key} up")

    def bounce(self, key: int, *, is_press: bool = True) -> None:
        self._send(f"bounce {key} {BOUNCES} {BOUNCE_MS * 1000:g}us {'down' if is_press else 'up'}")

    def glitch(self, key: int) -> None:
        self._send(f"glitch {key} {GLITCH_MS * 1000:g}")

    def is_led_on(self) -> bool:
        """Whether the LED is on."""
        return bool(self.path) and self._is_lit

    # --- Cables -----------------------------------------------------------------------

    def unplug(self) -> None:
        """Remove the port and the power."""
        if self.path:
            self.path = ""
            self._send("unplug")

    def plug_in(self) -> None:
        """Restart. The program then reports the new port."""
        if not self.path:
            self._send("plug")

    def reset(self) -> None:
        """Press the reset button of the board."""
        self._send("reset")

    def close(self) -> None:
        """End the program. Idempotent."""
        self._stop_reading()
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

    def _send(self, line: str) -> None:
        """Send a command. Lines are short enough for an atomic write to the pipe."""
        if not self._is_closed:
            with suppress(BrokenPipeError, BlockingIOError):
                os.write(self._in, f"{line}\n".encode())

    def _read(self) -> None:
        try:
            data = os.read(self._out, 4096)
        except BlockingIOError:
            return
        if not data:  # the program has ended
            self._stop_reading()
            return
        *lines, self._partial_line = (self._partial_line + data).split(b"\n")
        for line in lines:
            self._handle_line(line.decode(errors="replace").split())

    def _handle_line(self, words: list[str]) -> None:
        match words:
            case ["pty", path, *_]:
                self.path = path
            case ["led", lit, *_]:
                self._is_lit = lit == "1"
            case _:
                pass  # reasons for resets

    def _stop_reading(self) -> None:
        self.path = ""
        if not self._is_closed:
            self._is_closed = True
            self._loop.remove_reader(self._out)
