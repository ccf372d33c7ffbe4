"""Telling systemd how the companion is: ready, busy with what, alive, stopping.

The protocol is a datagram of lines `KEY=value` to the socket that `$NOTIFY_SOCKET` names; see
sd_notify(3). Where there is none, as at a terminal, everything here does nothing.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping

from companion.errors import one_line

LONGEST = 500
"""Signs of a status: systemd keeps more, but nobody reads it in one line."""


class NotifySocket:
    """The way to whoever supervises this process.

    Nothing here blocks or raises: a table is not to stop because nobody listens. What the socket
    does not take now, as when it is full while the Pi boots, goes with whatever is told next.
    """

    def __init__(self, environ: Mapping[str, str], *, pid: int | None = None) -> None:
        self._address = _address_of(environ.get("NOTIFY_SOCKET", ""))
        self._socket = _open() if self._address else None
        self._untold: dict[str, str] = {}
        self._status = ""
        self.watchdog_s: float | None = None
        """How long systemd waits for `feed`; None where nobody does."""
        if self._socket is not None:
            self.watchdog_s = _watchdog_s(environ, os.getpid() if pid is None else pid)

    @property
    def is_heard(self) -> bool:
        """Whether anybody is there to be told."""
        return self._socket is not None

    def ready(self) -> None:
        """The table is lit and hears: the start is over."""
        self._tell(READY="1")

    def status(self, text: str) -> None:
        """One line for `systemctl status`. What it says already is not told again."""
        if text != self._status:
            self._status = text
            self._tell(STATUS=one_line(text, LONGEST))

    def feed(self) -> None:
        """Alive: the watchdog counts from now."""
        self._tell(WATCHDOG="1")
        # Taken late it would vouch for a later moment.
        self._untold.pop("WATCHDOG", None)

    def starve(self) -> None:
        """Dead, and no need to wait for the watchdog's time."""
        self._tell(WATCHDOG="trigger")

    def stopping(self) -> None:
        """It ends in order; the watchdog sleeps from now on."""
        self._tell(STOPPING="1")

    def close(self) -> None:
        """Nobody is told anything any more; twice is no trouble."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _tell(self, **lines: str) -> None:
        if self._socket is None:
            return
        self._untold |= lines
        text = "".join(f"{key}={value}\n" for key, value in self._untold.items())
        try:
            self._socket.sendto(text.encode(), self._address)
        except OSError:
            return
        self._untold.clear()


def _open() -> socket.socket | None:
    try:
        opened = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    except OSError:
        return None
    opened.setblocking(False)
    return opened


def _address_of(name: str) -> str:
    """A path, or `@` for a name without a file; other kinds of sockets are for virtual machines."""
    if name.startswith("@"):
        return "\0" + name[1:]
    return name if name.startswith("/") else ""


def _watchdog_s(environ: Mapping[str, str], pid: int) -> float | None:
    """What the watchdog expects of this process: its variables are inherited by children too."""
    if environ.get("WATCHDOG_PID", str(pid)) != str(pid):
        return None
    try:
        watchdog_s = int(environ.get("WATCHDOG_USEC", "0")) / 1_000_000
    except (ValueError, OverflowError):
        return None
    return watchdog_s if watchdog_s > 0 else None
