"""The time from a key press to the host's input, with the released firmware in simavr."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from statistics import quantiles
from typing import Any

from companion.adapters.firmware_folder import Firmware, FirmwareError
from companion.adapters.serial_pad import SerialPad
from companion.adapters.virtual.simavr_pad import SimavrPad
from companion.pad.virtual_pad import DEBOUNCE_MS
from companion.table.inputs import Input, die_key

TIMEOUT_S = 10.0
POLL_S = 0.01


def measure_image(presses: int) -> dict[str, Any]:
    """Measure from the pin to the daemon's input; or report why it cannot be measured."""
    try:
        firmware = Firmware()
        program, image = firmware.simulator(), firmware.released_image()
    except FirmwareError as error:
        return {"skipped": str(error)}
    times = asyncio.run(_press(program, image, presses))
    return {
        "image": image.name,
        "keys": len(times),
        "debounce_ms": DEBOUNCE_MS,
        "key_to_host_ms": _spread(times),
        "over_the_debounce_ms": _spread([ms - DEBOUNCE_MS for ms in times]),
    }


async def _press(program: Path, image: Path, presses: int) -> list[float]:
    """Milliseconds from each press, at a random time, to its input."""
    loop, rng = asyncio.get_running_loop(), Random(1)
    inputs: asyncio.Queue[tuple[float, Input]] = asyncio.Queue()
    pad = SimavrPad(loop, program, image)
    host = SerialPad(
        loop,
        lambda table_input: inputs.put_nowait((loop.time(), table_input)),
        lambda _: None,
        find_ports=pad.ports,
    )
    times: list[float] = []
    try:
        async with asyncio.timeout(TIMEOUT_S):
            host.start()
            while not host.health.is_connected:
                await asyncio.sleep(POLL_S)
        for number in range(presses):
            key = number % 4 + 1
            await asyncio.sleep(rng.uniform(0.03, 0.05))
            start = loop.time()
            pad.press(key)
            async with asyncio.timeout(TIMEOUT_S):
                received, table_input = await inputs.get()
            assert table_input == die_key(key)
            times.append((received - start) * 1000)
            pad.release(key)
    finally:
        host.close()
        pad.close()
    return times


def _spread(times: list[float]) -> dict[str, float]:
    cuts = quantiles(times, n=100, method="inclusive")
    return {"p50": round(cuts[49], 2), "p99": round(cuts[98], 2)}
