"""Keys over simulated lines with faults: each arrives once and in order."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from benchmarks.lossy_wire import FAULTS, LossyRun, LossyWire
from benchmarks.pad import FAULT_RATES, codec_us, measure_pad

PRESSES = {0.0: 3000, 0.01: 3000, 0.05: 2500, 0.10: 1000, 0.20: 500}
"""Keys by fault rate: 10 000 in all. The benchmark presses 10 000 at each rate."""


def run(rate: float, presses: int, *, seed: int = 1) -> LossyRun:
    return LossyWire(Random(seed), rate).press(presses)


@pytest.mark.parametrize(("rate", "presses"), PRESSES.items(), ids=[f"{r:.0%}" for r in PRESSES])
def test_every_key_arrives_once_and_in_order(
    rate: float, presses: int, record_property: Callable[[str, object], None]
) -> None:
    result = run(rate, presses)
    assert (len(result.pressed), result.is_exact, result.invented, result.sessions) == (
        presses,
        True,
        0,
        1,
    )
    assert (result.faults > 0) == (rate > 0)
    record_property("worst_ms", result.worst_ms)
    print(
        f"{rate:.0%} of bytes with faults: {presses} keys, {result.faults} faults, "
        f"typical {result.typical_ms:.0f} ms, worst {result.worst_ms:.0f} ms"
    )


def test_the_rates_and_faults_are_those_of_the_benchmark() -> None:
    assert sum(PRESSES.values()) == 10_000
    assert tuple(PRESSES) == FAULT_RATES
    assert set(FAULTS) == {"lost", "changed", "doubled", "delayed", "swapped"}


def test_on_a_good_line_the_delay_is_debouncing_and_transmission() -> None:
    result = run(0, 200)
    assert 10.4 < result.typical_ms < 10.5  # 8 ms, and 14 bytes at 57 600 baud
    assert result.worst_ms < 15


def test_on_a_bad_line_silence_is_reported_and_the_session_kept() -> None:
    result = run(0.20, 100)
    assert result.silences > 5
    assert (result.is_exact, result.sessions) == (True, 1)


def test_with_a_timeout_of_two_seconds_keys_would_be_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The reason for the long timeout. Even then no key is invented or doubled."""
    monkeypatch.setattr("companion.pad.link.LOST_MS", 2000)
    result = run(0.20, 100)
    assert result.sessions > 5
    assert result.invented == 0
    assert 0 < len(result.received) < len(result.pressed)


def test_the_codec_is_faster_than_the_line() -> None:
    times = codec_us()
    assert set(times) == {"encode", "decode", "decode_byte_by_byte"}
    assert all(0 < us < 1000 for us in times.values())  # a frame takes 2400 us on the wire


def test_the_benchmark_reports_all_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.pad.FAULT_RATES", (0.0, 0.05))
    monkeypatch.setattr("benchmarks.pad.KEYS_EACH", 10)
    monkeypatch.setattr("benchmarks.pad.measure_image", lambda presses: {"keys": presses})
    figures = measure_pad(1, 30)
    assert figures["simavr"] == {"keys": 30}
    assert set(figures["codec_us_per_frame"]) == {"encode", "decode", "decode_byte_by_byte"}
    assert list(figures["lossy_wire"]) == ["0% of bytes", "5% of bytes"]
    assert figures["lossy_wire"]["5% of bytes"]["once_and_in_order"] is True
    assert figures["lossy_wire"]["5% of bytes"]["keys"] == 10
