"""Faults of the program: a filesystem that raises one, and what reaches the loop's handler."""

from __future__ import annotations

import asyncio
from typing import Any

from companion.testing.faulty_filesystem import FaultyFilesystem


class FaultListener:
    """The loop's exception handler, as in the service."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.errors: list[object] = []
        loop.set_exception_handler(self._handle)

    def _handle(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self.errors.append(context["exception"])


class FaultyWrites(FaultyFilesystem):
    """Raises an error that is not an `OSError`."""

    has_fault = False

    def write(self, file: int, data: memoryview) -> int:
        if self.has_fault:
            raise TypeError("a fault of the program")
        return super().write(file, data)
