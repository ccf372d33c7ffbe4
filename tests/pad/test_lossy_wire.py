"""Keys over wires from good to hopeless: each arrives once and in order, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from benchmarks.lossy_wire import FAULTS, LossyRun, LossyWire
from benchmarks.pad import FAULT_RATES, codec_us, measure_pad

PRESSES = {0.0: 3000, 0.01: 3000, 0.05: 2500, 0.10: 1000, 0.20: 500}
"""How many keys at which chance of a fault: 10 000 in all. The bench presses 10 000 at each."""


def run(rate: float, presses: int, *, seed: int = 1) -> LossyRun:
    return LossyWire(Random(seed), rate).press(presses)


@pytest.mark.parametrize(("rate", "presses"), PRESSES.items(), ids=[f"{r:.0%}" for r in PRESSES])
def test_every_key_arrives_once_and_in_order(
    rate: float, presses: int, record_property: Callable[[str, object], None]
) -> None:
    told = run(rate, presses)
    assert (len(told.pressed), told.is_exact, told.untrue, told.sessions) == (presses, True, 0, 1)
    assert (told.faults > 0) == (rate > 0)
    record_property("worst_ms", told.worst_ms)
    print(
        f"{rate:.0%} of bytes with faults: {presses} keys, {told.faults} faults, "
        f"typical {told.typical_ms:.0f} ms, worst {told.worst_ms:.0f} ms"
    )


def test_10_000_keys_are_pressed_in_all_and_all_faults_are_made() -> None:
    assert sum(PRESSES.values()) == 10_000
    assert tuple(PRESSES) == FAULT_RATES
    assert set(FAULTS) == {"lost", "changed", "doubled", "delayed", "swapped"}


def test_on_a_good_wire_a_key_takes_its_debouncing_and_its_bytes() -> None:
    told = run(0, 200)
    assert 10.4 < told.typical_ms < 10.5  # 8 ms, and 14 bytes at 57 600 baud
    assert told.worst_ms < 15


def test_on_a_hopeless_wire_silence_is_told_and_the_session_kept() -> None:
    told = run(0.20, 100)
    assert told.silences > 5
    assert (told.is_exact, told.sessions) == (True, 1)


def test_where_two_seconds_of_silence_end_a_session_its_keys_are_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Why the host is patient; and even then none is invented or doubled."""
    monkeypatch.setattr("companion.pad.link.LOST_MS", 2000)
    told = run(0.20, 100)
    assert told.sessions > 5
    assert told.untrue == 0
    assert 0 < len(told.heard) < len(told.pressed)


def test_the_codec_is_fast_enough_to_be_forgotten() -> None:
    times = codec_us()
    assert set(times) == {"encode", "decode", "decode_byte_by_byte"}
    assert all(0 < us < 1000 for us in times.values())  # a frame takes 2400 us on the wire


def test_the_bench_says_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.pad.FAULT_RATES", (0.0, 0.05))
    monkeypatch.setattr("benchmarks.pad.KEYS_EACH", 10)
    monkeypatch.setattr("benchmarks.pad.measure_image", lambda presses: {"keys": presses})
    figures = measure_pad(1, 30)
    assert figures["simavr"] == {"keys": 30}
    assert set(figures["codec_us_per_frame"]) == {"encode", "decode", "decode_byte_by_byte"}
    assert list(figures["lossy_wire"]) == ["0% of bytes", "5% of bytes"]
    assert figures["lossy_wire"]["5% of bytes"]["once_and_in_order"] is True
    assert figures["lossy_wire"]["5% of bytes"]["keys"] == 10
