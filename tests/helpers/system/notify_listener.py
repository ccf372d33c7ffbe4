"""A fake systemd notification socket that records messages."""

from __future__ import annotations

import socket


class NotifyListener:
    def __init__(self, address: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(address)
        self._socket.setblocking(False)

    def messages(self) -> list[str]:
        """The messages since the last call."""
        received = []
        try:
            while True:
                received.append(self._socket.recv(4096).decode())
        except BlockingIOError:
            return received

    def close(self) -> None:
        self._socket.close()
