"""Somebody at the keyboard, for a walk with the doctor. Reading never holds the loop up."""

from __future__ import annotations

import asyncio
import os
import termios
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress

from companion.doctor.walk.person import LeftError, Sight

ANSWERS = {"y": True, "yes": True, "n": False, "no": False}


class TerminalPerson:
    """Hears by `say`, answers on a terminal: a file that can be waited for."""

    def __init__(self, say: Callable[[str], None], keyboard: int) -> None:
        self._say = say
        self._keyboard = keyboard

    def hear(self, line: str) -> None:
        self._say(line)

    def look(self) -> None:
        """He has eyes."""

    def press(self, contact: Hashable) -> None:
        """He was told."""

    async def sees(self, question: str, sights: Sequence[Sight]) -> bool:  # noqa: ARG002 - he looks
        return await self.has(question)

    async def sees_led(self, question: str) -> bool:
        return await self.has(question)

    async def has(self, question: str) -> bool:
        with suppress(termios.error):  # what was typed before the question answers nothing
            termios.tcflush(self._keyboard, termios.TCIFLUSH)
        while True:
            self._say(f"{question} [y/n]")
            typed = await self._typed()
            if not typed:
                raise LeftError("nobody answers any more: start the walk again")
            answer = ANSWERS.get(typed.decode(errors="replace").strip().lower())
            if answer is not None:
                return answer

    async def _typed(self) -> bytes:
        """A line, as a terminal hands it on; empty at the end."""
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
