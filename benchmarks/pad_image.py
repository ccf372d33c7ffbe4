"""How soon a key of the die pad is an event of the host: the real image in a simulated chip."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from statistics import quantiles
from typing import Any

from companion.adapters.firmware_folder import Firmware, FirmwareError
from companion.adapters.serial_pad import SerialPad
from companion.adapters.virtual.simavr_pad import SimavrPad
from companion.pad.padside import DEBOUNCE_MS
from companion.table.inputs import Input, die_key

PATIENCE_S = 10.0
LOOK_S = 0.01


def measure_image(presses: int) -> dict[str, Any]:
    """From the pin to the input that the daemon would be given; or why that is not measured."""
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
    """Milliseconds from each press, at any moment of the pad's own clock, to its input."""
    loop, chance = asyncio.get_running_loop(), Random(1)
    inputs: asyncio.Queue[tuple[float, Input]] = asyncio.Queue()
    pad = SimavrPad(loop, program, image)
    host = SerialPad(
        loop,
        lambda told: inputs.put_nowait((loop.time(), told)),
        lambda _: None,
        find_ports=pad.ports,
    )
    times: list[float] = []
    try:
        async with asyncio.timeout(PATIENCE_S):
            host.start()
            while not host.health.is_connected:
                await asyncio.sleep(LOOK_S)
        for number in range(presses):
            key = number % 4 + 1
            await asyncio.sleep(chance.uniform(0.03, 0.05))
            began = loop.time()
            pad.press(key)
            async with asyncio.timeout(PATIENCE_S):
                came, told = await inputs.get()
            assert told == die_key(key)
            times.append((came - began) * 1000)
            pad.release(key)
    finally:
        host.close()
        pad.close()
    return times


def _spread(times: list[float]) -> dict[str, float]:
    cuts = quantiles(times, n=100, method="inclusive")
    return {"p50": round(cuts[49], 2), "p99": round(cuts[98], 2)}
