"""Whether a restarted service counts as up, by the states that systemd reports over time."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.system.fake_pi import FakePi

from companion.install.service import (
    MAX_RESTARTS,
    STABLE_S,
    START_TIMEOUT_S,
    SystemdService,
)

UP, STARTING, DOWN = ("active", "running"), ("activating", "start"), ("failed", "failed")
OFF = (0.0, ("inactive", "dead"), "", 0)


class ScriptedPi(FakePi):
    """The service goes through `(from second, state, InvocationID, restarts)`."""

    def __init__(self, root: Path, *phases: tuple[float, tuple[str, str], str, int]) -> None:
        super().__init__(root)
        self._begin_s = self.now_s
        self._phases = phases

    @property
    def passed_s(self) -> float:
        return self.now_s - self._begin_s

    def service_state(self) -> dict[str, str]:
        phases = [phase for phase in self._phases if phase[0] <= self.passed_s]
        _, (active, sub), start, restarts = phases[-1]
        return {
            "ActiveState": active,
            "SubState": sub,
            "InvocationID": start,
            "NRestarts": str(restarts),
        }


def test_service_is_up_once_it_has_stayed_up(tmp_path: Path) -> None:
    machine = ScriptedPi(tmp_path, OFF, (1, STARTING, "new", 0), (20, UP, "new", 0))
    assert SystemdService(machine).restart()
    assert machine.passed_s == 20 + STABLE_S


def test_slow_old_process_does_not_count_as_the_new_one(tmp_path: Path) -> None:
    machine = ScriptedPi(tmp_path, (0, UP, "old", 0), (15, STARTING, "new", 0), (16, UP, "new", 0))
    assert SystemdService(machine).restart()
    assert machine.passed_s == 16 + STABLE_S


def test_old_process_that_never_ends_does_not_count(tmp_path: Path) -> None:
    machine = ScriptedPi(tmp_path, (0, UP, "old", 0))
    assert not SystemdService(machine).restart()
    assert machine.passed_s == START_TIMEOUT_S


def test_unseen_restart_resets_the_stable_time(tmp_path: Path) -> None:
    """It crashed and restarted between two polls: only the InvocationID changes."""
    machine = ScriptedPi(tmp_path, OFF, (1, UP, "one", 0), (6, UP, "two", 1))
    assert SystemdService(machine).restart()
    assert machine.passed_s == 6 + STABLE_S


def test_start_that_never_completes_times_out(tmp_path: Path) -> None:
    machine = ScriptedPi(tmp_path, OFF, (1, STARTING, "new", 0))
    assert not SystemdService(machine).restart()
    assert machine.passed_s == START_TIMEOUT_S


def test_crash_loop_is_given_up_early(tmp_path: Path) -> None:
    phases = [(5.0 * n, STARTING, f"start {n}", n) for n in range(20)]
    machine = ScriptedPi(tmp_path, *phases)
    assert not SystemdService(machine).restart()
    assert machine.passed_s == 5 * MAX_RESTARTS


def test_failed_unit_is_given_up_at_once(tmp_path: Path) -> None:
    machine = ScriptedPi(tmp_path, OFF, (1, STARTING, "new", 0), (3, DOWN, "new", 0))
    assert not SystemdService(machine).restart()
    assert machine.passed_s == 3


def test_service_may_come_up_after_one_crash(tmp_path: Path) -> None:
    """For example if udev set the permissions of the pins late."""
    machine = ScriptedPi(
        tmp_path, OFF, (1, UP, "one", 0), (2, STARTING, "two", 1), (7, UP, "two", 1)
    )
    assert SystemdService(machine).restart()


@pytest.mark.parametrize(
    ("state", "is_off"),
    [("inactive", True), ("failed", True), ("activating", False), ("deactivating", False)],
)
def test_service_that_may_restart_is_not_off(tmp_path: Path, state: str, is_off: bool) -> None:
    assert SystemdService(ScriptedPi(tmp_path, (0, (state, ""), "one", 0))).is_off == is_off
