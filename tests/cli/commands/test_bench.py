"""`marrakech bench`: the format of the result, with a fake clock that the candidates move."""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import companion
from benchmarks import rules
from companion.cli.commands import bench
from companion.cli.main import main
from companion.games.marrakech import State


class Clock:
    """A fake clock that stands still until a game is played."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def game_of(self, *seconds: float) -> Callable[[], object]:
        """A candidate whose games take these times in order; the last one repeats."""
        durations = self._durations(seconds)

        def play() -> None:
            self.now += next(durations)

        return play

    @staticmethod
    def _durations(seconds: tuple[float, ...]) -> Iterator[float]:
        yield from seconds
        while True:
            yield seconds[-1]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    stopped = Clock()
    monkeypatch.setattr(rules, "perf_counter", stopped)
    return stopped


def test_ratios_are_the_ratios_of_game_times(clock: Clock) -> None:
    ways = {
        "public_api": clock.game_of(1 / 8),
        "stepping": clock.game_of(1 / 64),
        "reference": clock.game_of(1 / 2),
    }
    assert rules.measure(ways, rounds=1, seconds=1.0) == {
        "bench": "rules: uniformly random games of four players",
        "games_per_s": {"public_api": 8.0, "stepping": 64.0, "reference": 2.0},
        "best_games_per_s": {"public_api": 8.0, "stepping": 64.0, "reference": 2.0},
        "times_reference": {"public_api": 4.0, "stepping": 32.0, "reference": 1.0},
        "stepping_times_public_api": 8.0,
        "rounds": 1,
        "seconds_each": 1.0,
        "python": platform.python_version(),
        "machine": platform.machine(),
    }


def test_the_median_of_the_rounds_counts_without_the_warm_up(clock: Clock) -> None:
    """Every round plays at least one game, however short it is."""
    ways = {
        "public_api": clock.game_of(1),
        "stepping": clock.game_of(99, 1 / 4, 1 / 8, 1 / 2),
        "reference": clock.game_of(1),
    }
    result = rules.measure(ways, rounds=3, seconds=0.001)
    assert result["games_per_s"] == {"public_api": 1.0, "stepping": 4.0, "reference": 1.0}
    assert result["best_games_per_s"] == {"public_api": 1.0, "stepping": 8.0, "reference": 1.0}


def test_every_candidate_plays_a_whole_game() -> None:
    ways = rules.rules_implementations()
    assert list(ways) == ["public_api", "stepping", "reference"]
    played = {name: play() for name, play in ways.items()}
    final = played["public_api"]
    assert isinstance(final, State)
    assert final.is_over
    assert isinstance(played["stepping"], int)
    assert 40 < played["stepping"] <= 48  # turns: fewer only if somebody goes out


def test_the_command_prints_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], clock: Clock
) -> None:
    """Rules are the default benchmark."""
    ways = {name: clock.game_of(1) for name in ("public_api", "stepping", "reference")}
    monkeypatch.setattr(rules, "rules_implementations", lambda: ways)
    printed = []
    for words in (["bench", "rules"], ["bench"]):
        assert main([*words, "--rounds", "1", "--seconds", "0.001"]) == 0
        out, err = capsys.readouterr()
        assert json.loads(out)["rounds"] == 1
        assert json.loads(out)["seconds_each"] == 0.001
        assert err == ""
        printed.append(out)
    assert printed[0] == printed[1]


@pytest.mark.parametrize("seconds", ["nan", "inf", "-1", "0", "3600", "soon", ""])
def test_seconds_must_be_a_positive_number_below_an_hour(seconds: str) -> None:
    """NaN is not JSON, and infinity never ends."""
    parser = argparse.ArgumentParser(exit_on_error=False)
    bench.add_arguments(parser)
    with pytest.raises(argparse.ArgumentError) as refused:
        parser.parse_args([f"--seconds={seconds}"])
    assert str(refused.value) == (
        f"argument --seconds: '{seconds}' is not a duration: "
        "use more than 0 and less than 3600 seconds"
    )


@pytest.mark.parametrize("seconds", [0.001, 3599.9])
def test_seconds_may_be_any_time_below_an_hour(seconds: float) -> None:
    parser = argparse.ArgumentParser(exit_on_error=False)
    bench.add_arguments(parser)
    assert parser.parse_args([f"--seconds={seconds}"]).seconds == seconds


def test_a_profile_goes_to_standard_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], clock: Clock
) -> None:
    ways = {name: clock.game_of(1) for name in ("public_api", "stepping", "reference")}
    monkeypatch.setattr(rules, "rules_implementations", lambda: ways)
    assert main(["bench", "rules", "--rounds", "1", "--seconds", "0.001", "--profile"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["times_reference"] == dict.fromkeys(ways, 1.0)
    assert [line for line in err.splitlines() if line.rstrip(":") in ways] == [
        "public_api:",
        "stepping:",
        "reference:",
    ]
    assert err.count("function calls") == 3


def test_the_pad_benchmark_gets_rounds_and_presses(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("benchmarks.pad.measure_pad", lambda *told: {"told": told})
    assert main(["bench", "pad", "--rounds", "3", "--presses", "40"]) == 0
    assert json.loads(capsys.readouterr().out) == {"told": [3, 40]}


def test_benchmarks_need_a_checkout(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(companion, "__file__", str(tmp_path / "companion/__init__.py"))
    assert main(["bench", "rules"]) == 2
    assert capsys.readouterr() == (
        "",
        "marrakech: benchmarks need a checkout: run ./marrakech bench there\n",
    )
