"""The person at the terminal in a doctor walk. Reading never blocks the event loop."""

from __future__ import annotations

import asyncio
import os
import termios
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress

from companion.doctor.walk.person import WalkAbortedError
from companion.light.frame import LedFrame

ANSWERS = {"y": True, "yes": True, "n": False, "no": False}


class TerminalPerson:
    """Prints questions with `print_line` and reads answers from the file descriptor `keyboard`."""

    def __init__(self, print_line: Callable[[str], None], keyboard: int) -> None:
        self._print_line = print_line
        self._keyboard = keyboard

    def show_line(self, line: str) -> None:
        self._print_line(line)

    def frame_shown(self) -> None:
        """Nothing to do: a real person sees the LEDs."""

    def request_press(self, contact: Hashable) -> None:
        """Nothing to do: a real person presses the button."""

    async def confirm_frames(self, question: str, frames: Sequence[LedFrame]) -> bool:  # noqa: ARG002
        return await self.confirm(question)

    async def confirm_led(self, question: str) -> bool:
        return await self.confirm(question)

    async def confirm(self, question: str) -> bool:
        with suppress(termios.error):  # drop what was typed before the question
            termios.tcflush(self._keyboard, termios.TCIFLUSH)
        while True:
            self._print_line(f"{question} [y/n]")
            typed = await self._read_line()
            if not typed:
                raise WalkAbortedError("no more answers: start the walk again")
            answer = ANSWERS.get(typed.decode(errors="replace").strip().lower())
            if answer is not None:
                return answer

    async def _read_line(self) -> bytes:
        """Read one line; empty at the end of input."""
        loop = asyncio.get_running_loop()
        typed: asyncio.Future[bytes] = loop.create_future()

        def read() -> None:
            loop.remove_reader(self._keyboard)
            try:
                data = os.read(self._keyboard, 4096)
            except OSError:  # the terminal is gone
                data = b""
            if not typed.done():
                typed.set_result(data)

        loop.add_reader(self._keyboard, read)
        try:
            return await typed
        finally:
            loop.remove_reader(self._keyboard)
