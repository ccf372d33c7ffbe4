"""`marrakech bench pad`: the wire's codec, both sides of it over a lossy wire, the real image."""

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
"""The chance of a fault in each byte."""
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
    """Microseconds for a REPORT: to bytes, and from them, whole and byte by byte."""
    messages = [Report(0x1234, 7, n + 1, n % 4 + 1, n % 4 + 1) for n in range(FRAMES)]
    began = perf_counter()
    wire = [encode(to_frame(message, n % 256)) for n, message in enumerate(messages)]
    encoded = perf_counter()
    reader = FrameReader()
    whole = [from_frame(frame) for data in wire for frame in reader.feed(data, 0.0)]
    read = perf_counter()
    singly = [
        from_frame(frame)
        for data in wire
        for at in range(len(data))
        for frame in reader.feed(data[at : at + 1], 0.0)
    ]
    spelled = perf_counter()
    assert whole == singly == messages
    return {
        "encode": (encoded - began) / FRAMES * 1e6,
        "decode": (read - encoded) / FRAMES * 1e6,
        "decode_byte_by_byte": (spelled - read) / FRAMES * 1e6,
    }


def lossy_runs(seed: int = 1) -> list[LossyRun]:
    """10 000 keys over each wire from good to hopeless."""
    return [LossyWire(Random(seed), rate).press(KEYS_EACH) for rate in FAULT_RATES]
