"""The parts of `marrakech bench table` work."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import table
from benchmarks.child import TimedSpi
from companion.adapters.virtual.spi import Max7219Chip
from companion.errors import CompanionError
from companion.storage.game_store import GameStore


def test_the_long_journal_can_be_resumed(tmp_path: Path) -> None:
    table.write_long_journal(tmp_path, 400)
    assert (tmp_path / "game.jsonl").read_bytes().count(b"\n") == 1 + 400
    store = GameStore(tmp_path)
    game, cut = store.load()
    store.close()
    assert cut == 0
    assert game is not None
    assert not game.state.is_over
    assert game.now.entry_count > 10


def test_the_long_journal_has_all_kinds_of_entries(tmp_path: Path) -> None:
    table.write_long_journal(tmp_path, 400)
    journal = (tmp_path / "game.jsonl").read_text()
    for entry in ("face", "roll", "pay", "aim", "lay", "back"):
        assert f'"told":"{entry}"' in journal, entry


def test_spread_is_the_median_and_the_99th_percentile() -> None:
    assert table._spread([float(n) for n in range(101)]) == {"p50": 50.0, "p99": 99.0}
    assert table._spread([2.0, 1.0]) == {"p50": 1.5, "p99": 1.99}


def test_the_bare_script_handles_each_press(tmp_path: Path) -> None:
    figures = table._child("bare", tmp_path, 3)
    assert len(figures["ms"]) == 3
    assert all(0 < ms < 1000 for ms in figures["ms"])
    assert 0 < figures["start_ms"] < 60_000
    assert figures["rss_kb"] > 1000
    assert (tmp_path / "bare.jsonl").read_text().splitlines()[-1] == '{"presses":3}'


def test_a_journal_is_resumed_in_a_child_process(tmp_path: Path) -> None:
    table.write_long_journal(tmp_path, 50)
    assert table._child("resume", tmp_path)["ms"] > 0


def test_a_failed_child_is_reported(tmp_path: Path) -> None:
    with pytest.raises(
        CompanionError, match=r"(?s)^the benchmark's resume failed: .*AssertionError$"
    ):
        table._child("resume", tmp_path)


def test_the_summary_compares_the_daemon_with_the_bare_script() -> None:
    idle = {"wakeups_per_s": 0.0, "cpu_percent": 0.0}
    bare = {"ms": [1.0, 2.0, 3.0], "start_ms": 100.0, "rss_kb": 20480}
    daemon = {"ms": [2.0, 4.0, 6.0], "start_ms": 150.0, "rss_kb": 30720}
    daemon |= {"moving": idle, "resting": idle}
    figures = table._summary([bare], [daemon], daemon, [9.0], 3)
    assert figures["press_to_light_ms"]["times_bare_p50"] == 2.0
    assert figures["start_to_first_light_ms"] == {"bare": 100.0, "daemon": 150.0, "times_bare": 1.5}
    assert figures["rss_mb"] == {"bare": 20.0, "daemon": 30.0, "over_bare": 10.0}
    assert figures["resume_ms"] == {"entries": table.JOURNAL_ENTRIES, "p50": 9.0}


def test_the_timed_bus_records_the_first_light_and_the_expected_led() -> None:
    bus = TimedSpi(Max7219Chip())
    bus.open(0, 0)
    bus.writebytes([4, 8])
    lit = [bus.first_light]  # the chip is still shut down
    bus.writebytes([Max7219Chip.SHUTDOWN, 1])
    lit.append(bus.first_light)
    assert [at is not None for at in lit] == [False, True]
    ms = bus.measure(lambda: bus.writebytes([1, 1]), lambda: bus.is_lit(0, 0))
    assert 0 <= ms < 1000
