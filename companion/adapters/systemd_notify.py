"""Notifies systemd: ready, status line, watchdog, stopping.

The protocol is a datagram of lines `KEY=value` to the socket that `$NOTIFY_SOCKET` names; see
sd_notify(3). Without that variable, as in a terminal, nothing is sent.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping

from companion.errors import one_line

MAX_STATUS_LENGTH = 500
"""Characters; systemd accepts more."""


class NotifySocket:
    """The notification socket of systemd.

    Methods neither block nor raise. Lines that could not be sent, for example because the socket is
    full while the Pi boots, are sent with the next ones.
    """

    def __init__(self, environ: Mapping[str, str], *, pid: int | None = None) -> None:
        self._address = _address_of(environ.get("NOTIFY_SOCKET", ""))
        self._socket = _open() if self._address else None
        self._pending: dict[str, str] = {}
        self._status = ""
        self.watchdog_s: float | None = None
        """The watchdog interval; None without a watchdog."""
        if self._socket is not None:
            self.watchdog_s = _watchdog_s(environ, os.getpid() if pid is None else pid)

    @property
    def is_connected(self) -> bool:
        """Whether there is a socket to send to."""
        return self._socket is not None

    def ready(self) -> None:
        """Start-up is complete."""
        self._send(READY="1")

    def status(self, text: str) -> None:
        """Set the line in `systemctl status`. The same line is not sent twice."""
        if text != self._status:
            self._status = text
            self._send(STATUS=one_line(text, MAX_STATUS_LENGTH))

    def ping(self) -> None:
        """Restart the watchdog's interval."""
        self._send(WATCHDOG="1")
        # Not sent later: the process may hang by then.
        self._pending.pop("WATCHDOG", None)

    def trigger(self) -> None:
        """Trigger the watchdog now: systemd restarts the service."""
        self._send(WATCHDOG="trigger")

    def stopping(self) -> None:
        """A regular shutdown has begun. Disables the watchdog."""
        self._send(STOPPING="1")

    def close(self) -> None:
        """Idempotent."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _send(self, **lines: str) -> None:
        if self._socket is None:
            return
        self._pending |= lines
        text = "".join(f"{key}={value}\n" for key, value in self._pending.items())
        try:
            self._socket.sendto(text.encode(), self._address)
        except OSError:
            return
        self._pending.clear()


def _open() -> socket.socket | None:
    try:
        opened = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    except OSError:
        return None
    opened.setblocking(False)
    return opened


def _address_of(name: str) -> str:
    """A path, or `@` for an abstract socket. vsock addresses are not supported."""
    if name.startswith("@"):
        return "\0" + name[1:]
    return name if name.startswith("/") else ""


def _watchdog_s(environ: Mapping[str, str], pid: int) -> float | None:
    """The interval, if the variables are meant for this process and not for its parent."""
    if environ.get("WATCHDOG_PID", str(pid)) != str(pid):
        return None
    try:
        watchdog_s = int(environ.get("WATCHDOG_USEC", "0")) / 1_000_000
    except (ValueError, OverflowError):
        return None
    return watchdog_s if watchdog_s > 0 else None
