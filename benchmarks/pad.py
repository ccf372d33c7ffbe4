"""`marrakech bench pad`: the codec, the protocol over a lossy line, and the real firmware."""

from __future__ import annotations

import platform
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks.lossy_wire import LossyRun, LossyWire
from benchmarks.pad_image import measure_image
from companion.pad.frames import FrameReader, encode
from companion.pad.messages import Report, from_frame, to_frame

FAULT_RATES = (0.0, 0.01, 0.05, 0.10, 0.20)
"""Probabilities of a fault in each byte."""
KEYS_EACH = 10_000
FRAMES = 2000


def measure_pad(rounds: int, presses: int) -> dict[str, Any]:
    """All figures of one run."""
    codec = [codec_us() for _ in range(rounds)]
    runs = lossy_runs()
    return {
        "bench": "pad: the codec of the wire, keys over a wire with faults (virtual time), and the "
        "real image in a simulated chip (real time)",
        "codec_us_per_frame": {
            name: round(median(times[name] for times in codec), 2) for name in codec[0]
        },
        "lossy_wire": {
            f"{run.fault_rate:.0%} of bytes": {
                "keys": len(run.pressed),
                "once_and_in_order": run.is_exact,
                "typical_ms": round(run.typical_ms, 1),
                "worst_ms": round(run.worst_ms, 1),
                "silences_told": run.silences,
            }
            for run in runs
        },
        "note": "press to host, 8 ms of debouncing and up to 15 keys in front included",
        "simavr": measure_image(presses),
        "rounds": rounds,
        "python": platform.python_version(),
        "machine": platform.machine(),
    }


def codec_us() -> dict[str, float]:
    """Microseconds to encode a REPORT, and to decode it whole and byte by byte."""
    messages = [Report(0x1234, 7, n + 1, n % 4 + 1, n % 4 + 1) for n in range(FRAMES)]
    start = perf_counter()
    wire = [encode(to_frame(message, n % 256)) for n, message in enumerate(messages)]
    encoded = perf_counter()
    reader = FrameReader()
    whole = [from_frame(frame) for data in wire for frame in reader.feed(data, 0.0)]
    decoded = perf_counter()
    singly = [
        from_frame(frame)
        for data in wire
        for at in range(len(data))
        for frame in reader.feed(data[at : at + 1], 0.0)
    ]
    decoded_singly = perf_counter()
    assert whole == singly == messages
    return {
        "encode": (encoded - start) / FRAMES * 1e6,
        "decode": (decoded - encoded) / FRAMES * 1e6,
        "decode_byte_by_byte": (decoded_singly - decoded) / FRAMES * 1e6,
    }


def lossy_runs(seed: int = 1) -> list[LossyRun]:
    return [LossyWire(Random(seed), rate).press(KEYS_EACH) for rate in FAULT_RATES]
