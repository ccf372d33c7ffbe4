"""The time from a key press to the host's input, with the released firmware."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.pad.tools import need

from benchmarks.pad_image import _spread, measure_image
from companion.adapters import firmware_folder


@pytest.mark.firmware
def test_a_key_arrives_after_its_debouncing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need("sim")
    monkeypatch.setattr(firmware_folder, "BUILD", tmp_path / "build")
    figures = measure_image(8)
    assert (figures["keys"], figures["debounce_ms"]) == (8, 8)
    assert figures["image"].startswith("pad-")
    soon, late = figures["key_to_host_ms"].values()
    assert 8 < soon <= late
    over = figures["over_the_debounce_ms"]
    assert over["p50"] == pytest.approx(soon - 8, abs=0.02)
    assert over["p99"] == pytest.approx(late - 8, abs=0.02)


def test_a_missing_tool_is_reported_instead_of_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "Makefile").touch()
    monkeypatch.setattr(firmware_folder, "FOLDER", tmp_path)
    monkeypatch.setattr(firmware_folder, "BUILD", tmp_path / "build")
    needs = {"sim": {"/no/such/sim_avr.h": "libsimavr-dev"}}
    monkeypatch.setattr(firmware_folder, "NEEDS", needs)
    assert measure_image(8) == {
        "skipped": "the die pad's firmware cannot be built without libsimavr-dev: "
        "sudo apt install libsimavr-dev"
    }


def test_spread_is_the_median_and_the_99th_percentile() -> None:
    assert _spread([float(n) for n in range(101)]) == {"p50": 50.0, "p99": 99.0}
