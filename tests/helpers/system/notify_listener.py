"""The socket of whoever supervises: keeps what it was told, datagram by datagram."""

from __future__ import annotations

import socket


class Listener:
    def __init__(self, address: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(address)
        self._socket.setblocking(False)

    def told(self) -> list[str]:
        """What has come since the last time."""
        told = []
        try:
            while True:
                told.append(self._socket.recv(4096).decode())
        except BlockingIOError:
            return told

    def close(self) -> None:
        self._socket.close()
