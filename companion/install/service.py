"""The table's service, as systemd runs it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from companion.install.machine import CommandError, System
from companion.install.places import SERVICE, WANTED

PATIENCE_S = 90.0
"""How long a start may take: a Pi Zero reads its programs from a slow card."""
STEADY_S = 8.0
"""How long it must then stay up: longer than systemd waits before it starts it again."""
RESTARTS = 3
"""It is given up after so many, however patient we are."""
POLL_S = 0.5


class Service:
    def __init__(self, system: System) -> None:
        self._system = system

    @property
    def is_booted(self) -> bool:
        """Whether systemd runs here: it does not while an image of a card is made."""
        return self._system.exists(Path("/run/systemd/system"))

    @property
    def is_enabled(self) -> bool:
        return self._system.query("systemctl", "is-enabled", SERVICE).text.strip() == "enabled"

    @property
    def is_active(self) -> bool:
        return self._system.query("systemctl", "is-active", SERVICE).text.strip() == "active"

    def enable(self) -> None:
        self._system.run("systemctl", "--quiet", "enable", SERVICE)

    @property
    def is_off(self) -> bool:
        """Neither running, nor about to be started again, nor started by the next boot."""
        return not (self._is_moving or self.is_enabled or self._system.exists(WANTED))

    def switch_off(self) -> None:
        if self._is_moving:
            self._system.run("systemctl", "stop", SERVICE)
        if self.is_enabled:
            self._system.run("systemctl", "--quiet", "disable", SERVICE)
        if self._system.exists(WANTED):  # systemctl leaves it if the unit has gone
            self._system.remove(WANTED)

    @property
    def _is_moving(self) -> bool:
        told = self._system.query("systemctl", "is-active", SERVICE).text.strip()
        return told in ("active", "activating", "deactivating", "reloading")

    def reload_units(self) -> None:
        self._system.run("systemctl", "daemon-reload")

    def restart(self) -> bool:
        """Start it anew; whether it comes up and stays up.

        It is up once it has said so itself (Type=notify). Each start has an id of its own, so
        that neither the old process nor one that dies and is started again is taken for it.
        """
        before = self._state().get("InvocationID", "")
        with suppress(CommandError):  # it has not run yet, so there is nothing to forget
            self._system.run("systemctl", "reset-failed", SERVICE)
        self._system.run("systemctl", "--no-block", "restart", SERVICE)
        start = since = self._system.seconds()
        seen = before
        while True:
            state, now = self._state(), self._system.seconds()
            is_up = (state.get("ActiveState"), state.get("SubState")) == ("active", "running")
            if not is_up or state.get("InvocationID") in (None, "", before):
                seen, since = before, now
            elif state["InvocationID"] != seen:
                seen, since = state["InvocationID"], now
            elif now - since >= STEADY_S:
                return True
            has_died = int(state.get("NRestarts") or 0) >= RESTARTS
            if state.get("ActiveState") == "failed" or has_died or now - start >= PATIENCE_S:
                return False
            self._system.wait(POLL_S)

    def _state(self) -> dict[str, str]:
        names = "ActiveState,SubState,InvocationID,NRestarts"
        told = self._system.query("systemctl", "show", f"--property={names}", SERVICE).text
        return dict(line.split("=", 1) for line in told.splitlines() if "=" in line)

    def last_words(self) -> list[str]:
        """The end of what it wrote to the journal."""
        words = ("--quiet", "--no-pager", "--output=cat", "--lines=15", f"--unit={SERVICE}")
        return self._system.query("journalctl", *words).last_lines(15)
