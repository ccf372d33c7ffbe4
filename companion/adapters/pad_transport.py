"""An open port on the loop: read when there is something, written as far as it takes."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress

from companion.adapters.pad_port import Port

MOST_WAITING = 256
"""Bytes that wait for a port that takes none: some twenty frames."""


class PadTransport:
    """Calls `received` with what came, and `lost` once when the port is gone."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        port: Port,
        received: Callable[[bytes], None],
        lost: Callable[[], None],
    ) -> None:
        self._loop = loop
        self._port = port
        self._received = received
        self._lost = lost
        self._is_open = True
        self._waiting = bytearray()
        self._is_writer_set = False
        loop.add_reader(port.fileno(), self._read)

    def write(self, data: bytes) -> None:
        """Send this, now or as soon as the port takes it; what has waited too long is stale."""
        if self._is_open and data:
            if len(self._waiting) + len(data) > MOST_WAITING:
                self._waiting.clear()  # nobody took it, and all of it is repeated
            self._waiting += data
            self._write()

    def let_go(self) -> Port:
        """Stop listening. The port is to be closed by whoever may block."""
        if self._is_open:
            self._is_open = False
            # A port that is gone may have no number any more; then nobody waits for it, either.
            with suppress(OSError, ValueError):
                self._loop.remove_reader(self._port.fileno())
                self._loop.remove_writer(self._port.fileno())
        return self._port

    def _read(self) -> None:
        try:
            data = os.read(self._port.fileno(), 4096)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self._received(data)
        else:
            self._lose()

    def _write(self) -> None:
        """Not with pyserial: while the port is full, it tries again and again, and blocks."""
        try:
            del self._waiting[: os.write(self._port.fileno(), self._waiting)]
        except BlockingIOError:
            pass
        except OSError:
            self._lose()
            return
        if bool(self._waiting) != self._is_writer_set:
            self._is_writer_set = not self._is_writer_set
            if self._is_writer_set:
                self._loop.add_writer(self._port.fileno(), self._write)
            else:
                self._loop.remove_writer(self._port.fileno())

    def _lose(self) -> None:
        self.let_go()
        self._lost()
