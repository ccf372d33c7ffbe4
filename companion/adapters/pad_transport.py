"""Non-blocking reads and writes of an open serial port on the event loop."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress

from companion.adapters.pad_port import Port

MAX_PENDING_BYTES = 256
"""Unsent bytes kept for a blocked port: about twenty frames."""


class PadTransport:
    """Calls `on_data` with received bytes, and `on_lost` once when the port is gone."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        port: Port,
        on_data: Callable[[bytes], None],
        on_lost: Callable[[], None],
    ) -> None:
        self._loop = loop
        self._port = port
        self._on_data = on_data
        self._on_lost = on_lost
        self._is_open = True
        self._pending = bytearray()
        self._is_writer_set = False
        loop.add_reader(port.fileno(), self._read)

    def write(self, data: bytes) -> None:
        """Send now, or as soon as the port accepts it. Too much unsent data is discarded."""
        if self._is_open and data:
            if len(self._pending) + len(data) > MAX_PENDING_BYTES:
                self._pending.clear()  # stale; the protocol repeats everything
            self._pending += data
            self._write()

    def detach(self) -> Port:
        """Stop using the port. The caller closes it, in a thread, because that may block."""
        if self._is_open:
            self._is_open = False
            # A lost port may have no file descriptor; then the loop does not watch it either.
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
            self._on_data(data)
        else:
            self._handle_loss()

    def _write(self) -> None:
        """Without pyserial, which retries in a loop and blocks while the port is full."""
        try:
            del self._pending[: os.write(self._port.fileno(), self._pending)]
        except BlockingIOError:
            pass
        except OSError:
            self._handle_loss()
            return
        if bool(self._pending) != self._is_writer_set:
            self._is_writer_set = not self._is_writer_set
            if self._is_writer_set:
                self._loop.add_writer(self._port.fileno(), self._write)
            else:
                self._loop.remove_writer(self._port.fileno())

    def _handle_loss(self) -> None:
        self.detach()
        self._on_lost()
