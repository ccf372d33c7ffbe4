"""Keys over wires from good to hopeless: each arrives once and in order, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from companion.bench.lossy_wire import FAULTS, LossyRun, LossyWire
from companion.bench.pad import PRESSES, codec_us, measure_pad


def run(rate: float, presses: int, *, seed: int = 1, is_patient: bool = True) -> LossyRun:
    return LossyWire(Random(seed), rate, is_patient=is_patient).press(presses)


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
    assert set(FAULTS) == {"lost", "changed", "doubled", "delayed", "swapped"}


def test_on_a_good_wire_a_key_takes_its_debouncing_and_its_bytes() -> None:
    told = run(0, 200)
    assert 10.4 < told.typical_ms < 10.5  # 8 ms, and 14 bytes at 57 600 baud
    assert told.worst_ms < 15


def test_where_silence_ends_sessions_keys_get_lost_and_none_is_invented_or_doubled() -> None:
    told = run(0.20, 100, is_patient=False)
    assert told.sessions > 5
    assert told.untrue == 0
    assert 0 < len(told.heard) < len(told.pressed)


def test_at_5_percent_the_link_holds_as_the_protocol_has_it() -> None:
    told = run(0.05, 500, is_patient=False)
    assert (told.is_exact, told.sessions) == (True, 1)


def test_the_codec_is_fast_enough_to_be_forgotten() -> None:
    times = codec_us()
    assert set(times) == {"encode", "decode", "decode_byte_by_byte"}
    assert all(0 < us < 1000 for us in times.values())  # a frame takes 2400 us on the wire


def test_the_bench_says_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.bench.pad.PRESSES", {0.0: 10, 0.05: 10})
    monkeypatch.setattr("companion.bench.pad.measure_image", lambda presses: {"keys": presses})
    figures = measure_pad(1, 30)
    assert figures["simavr"] == {"keys": 30}
    assert set(figures["codec_us_per_frame"]) == {"encode", "decode", "decode_byte_by_byte"}
    assert list(figures["lossy_wire"]) == ["0% of bytes", "5% of bytes"]
    assert figures["lossy_wire"]["5% of bytes"]["once_and_in_order"] is True
