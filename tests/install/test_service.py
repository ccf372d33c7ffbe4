"""Whether a service has come up, told by what systemd says of it, on a clock that is played."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.system.fake_pi import FakePi

from companion.install.service import PATIENCE_S, RESTARTS, STEADY_S, Service

UP, STARTING, DOWN = ("active", "running"), ("activating", "start"), ("failed", "failed")
OFF = (0.0, ("inactive", "dead"), "", 0)


class Watched(FakePi):
    """Its service goes through moments of `(from when on, state, id of the start, restarts)`."""

    def __init__(self, root: Path, *moments: tuple[float, tuple[str, str], str, int]) -> None:
        super().__init__(root)
        self._begin_s = self.seconds()
        self._moments = moments

    @property
    def passed_s(self) -> float:
        return self.seconds() - self._begin_s

    def _state(self) -> dict[str, str]:
        moments = [moment for moment in self._moments if moment[0] <= self.passed_s]
        _, (active, sub), start, restarts = moments[-1]
        return {
            "ActiveState": active,
            "SubState": sub,
            "InvocationID": start,
            "NRestarts": str(restarts),
        }


def test_it_is_up_once_it_has_stayed_so(tmp_path: Path) -> None:
    machine = Watched(tmp_path, OFF, (1, STARTING, "new", 0), (20, UP, "new", 0))
    assert Service(machine).restart()
    assert machine.passed_s == 20 + STEADY_S


def test_old_process_that_is_slow_to_end_is_not_taken_for_the_new_one(tmp_path: Path) -> None:
    machine = Watched(tmp_path, (0, UP, "old", 0), (15, STARTING, "new", 0), (16, UP, "new", 0))
    assert Service(machine).restart()
    assert machine.passed_s == 16 + STEADY_S


def test_old_process_that_never_ends_is_not_the_new_one(tmp_path: Path) -> None:
    machine = Watched(tmp_path, (0, UP, "old", 0))
    assert not Service(machine).restart()
    assert machine.passed_s == PATIENCE_S


def test_start_that_was_too_short_to_be_seen_ending_counts_from_the_next(tmp_path: Path) -> None:
    """It died and came again between two looks: only its id tells."""
    machine = Watched(tmp_path, OFF, (1, UP, "one", 0), (6, UP, "two", 1))
    assert Service(machine).restart()
    assert machine.passed_s == 6 + STEADY_S


def test_start_that_never_ends_is_given_up(tmp_path: Path) -> None:
    machine = Watched(tmp_path, OFF, (1, STARTING, "new", 0))
    assert not Service(machine).restart()
    assert machine.passed_s == PATIENCE_S


def test_one_that_dies_again_and_again_is_given_up_early(tmp_path: Path) -> None:
    moments = [(5.0 * n, STARTING, f"start {n}", n) for n in range(20)]
    machine = Watched(tmp_path, *moments)
    assert not Service(machine).restart()
    assert machine.passed_s == 5 * RESTARTS


def test_one_that_systemd_has_given_up_is_given_up_at_once(tmp_path: Path) -> None:
    machine = Watched(tmp_path, OFF, (1, STARTING, "new", 0), (3, DOWN, "new", 0))
    assert not Service(machine).restart()
    assert machine.passed_s == 3


def test_one_that_died_once_may_still_come_up(tmp_path: Path) -> None:
    """As when udev was late with the pins."""
    machine = Watched(tmp_path, OFF, (1, UP, "one", 0), (2, STARTING, "two", 1), (7, UP, "two", 1))
    assert Service(machine).restart()


@pytest.mark.parametrize(
    ("state", "is_off"),
    [("inactive", True), ("failed", True), ("activating", False), ("deactivating", False)],
)
def test_what_may_start_again_is_not_off(tmp_path: Path, state: str, is_off: bool) -> None:
    assert Service(Watched(tmp_path, (0, (state, ""), "one", 0))).is_off == is_off
