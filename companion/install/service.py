"""Controlling the table's systemd service."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from companion.install.paths import SERVICE, WANTED
from companion.machine.commands import CommandError
from companion.machine.writable_machine import WritableMachine

START_TIMEOUT_S = 90.0
"""How long a start may take: a Pi Zero loads Python from a slow card."""
STABLE_S = 8.0
"""How long the service must stay up: longer than the unit's RestartSec=."""
MAX_RESTARTS = 3
"""A start is given up after this many restarts by systemd."""
POLL_S = 0.5


class SystemdService:
    def __init__(self, machine: WritableMachine) -> None:
        self._machine = machine

    @property
    def is_booted(self) -> bool:
        """Whether systemd is running: it is not while a card image is being built."""
        return self._machine.exists(Path("/run/systemd/system"))

    @property
    def is_enabled(self) -> bool:
        return self._query("is-enabled") == "enabled"

    @property
    def is_active(self) -> bool:
        return self._query("is-active") == "active"

    def enable(self) -> None:
        self._machine.run("systemctl", "--quiet", "enable", SERVICE)

    @property
    def is_off(self) -> bool:
        """Neither running, nor about to restart, nor started at boot."""
        return not (self._is_running or self.is_enabled or self._machine.exists(WANTED))

    def switch_off(self) -> None:
        if self._is_running:
            self._machine.run("systemctl", "stop", SERVICE)
        if self.is_enabled:
            self._machine.run("systemctl", "--quiet", "disable", SERVICE)
        if self._machine.exists(WANTED):  # systemctl leaves the link if the unit is gone
            self._machine.remove(WANTED)

    @property
    def _is_running(self) -> bool:
        return self._query("is-active") in ("active", "activating", "deactivating", "reloading")

    def _query(self, command: str) -> str:
        return self._machine.query("systemctl", command, SERVICE).output.strip()

    def reload_units(self) -> None:
        self._machine.run("systemctl", "daemon-reload")

    def restart(self) -> bool:
        """Restart the service; whether it comes up and stays up.

        It is up once it has notified systemd (Type=notify). Each start has its own InvocationID,
        so neither the old process nor one that crashes and is restarted counts as the new one.
        """
        before = self._state().get("InvocationID", "")
        with suppress(CommandError):  # fails if the service has never run
            self._machine.run("systemctl", "reset-failed", SERVICE)
        self._machine.run("systemctl", "--no-block", "restart", SERVICE)
        start = since = self._machine.monotonic_s()
        seen = before
        while True:
            state, now = self._state(), self._machine.monotonic_s()
            is_up = (state.get("ActiveState"), state.get("SubState")) == ("active", "running")
            if not is_up or state.get("InvocationID") in (None, "", before):
                seen, since = before, now
            elif state["InvocationID"] != seen:
                seen, since = state["InvocationID"], now
            elif now - since >= STABLE_S:
                return True
            is_crashing = int(state.get("NRestarts") or 0) >= MAX_RESTARTS
            is_late = now - start >= START_TIMEOUT_S
            if state.get("ActiveState") == "failed" or is_crashing or is_late:
                return False
            self._machine.sleep(POLL_S)

    def _state(self) -> dict[str, str]:
        names = "ActiveState,SubState,InvocationID,NRestarts"
        output = self._machine.query("systemctl", "show", f"--property={names}", SERVICE).output
        return dict(line.split("=", 1) for line in output.splitlines() if "=" in line)

    def last_log_lines(self) -> list[str]:
        options = ("--quiet", "--no-pager", "--output=cat", "--lines=15", f"--unit={SERVICE}")
        return self._machine.query("journalctl", *options).last_lines(15)
