"""The walk's test of the matrix: every LED, its orientation and its colours."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from companion.adapters.hardware import Hardware, open_configured_matrix
from companion.adapters.matrix import Matrix
from companion.config.model import Config
from companion.doctor.finding import Finding, failed, good
from companion.doctor.walk.person import Person
from companion.errors import CompanionError
from companion.light.frame import LEDS, LedFrame
from companion.table.scenes.scene import MATRIX, Ink

LED_MS = 60

_ARROW_AND_R = """\
.#...##.
###..#.#
.#...##.
.#...#.#
.#...#.#
........
........
........"""
_STRIPES = (Ink.RED, Ink.YELLOW, Ink.BLUE, Ink.BROWN)


def single_led_frames() -> list[LedFrame]:
    return [tuple(Ink.WHITE if at == led else None for at in range(LEDS)) for led in range(LEDS)]


def orientation_frame() -> LedFrame:
    """An arrow to the north, and an R: a mirrored arrow would look the same."""
    return tuple(Ink.WHITE if dot == "#" else None for dot in _ARROW_AND_R if dot != "\n")


def stripes_frame() -> LedFrame:
    return tuple(_STRIPES[led % MATRIX // 2] for led in range(LEDS))


async def walk_light(
    config: Config, hardware: Hardware, person: Person, *, led_ms: float = LED_MS
) -> list[Finding]:
    try:
        device = hardware.open_spi(config)
        matrix = await asyncio.to_thread(open_configured_matrix, device, config.matrix)
        try:
            return await _walk(config, matrix, person, led_ms)
        finally:
            await asyncio.to_thread(_close, matrix)
    except OSError as error:
        raise CompanionError(
            f"writing to the matrix failed ({error.strerror}): check its wires and its power supply"
        ) from error


def _close(matrix: Matrix) -> None:
    """Ignores a matrix that has been unplugged."""
    with suppress(OSError):
        matrix.close()


async def _walk(config: Config, matrix: Matrix, person: Person, led_ms: float) -> list[Finding]:
    order = config.matrix.layout().places
    findings: list[Finding] = []

    async def ask(question: str, frames: Sequence[LedFrame], text: str, advice: str) -> None:
        for frame in frames:
            wired = tuple(frame[place] for place in order)
            await asyncio.to_thread(matrix.show, wired)
            person.frame_shown()
            await asyncio.sleep(led_ms / 1000)
        is_confirmed = await person.confirm_frames(question, frames)
        findings.append(good(text) if is_confirmed else failed(f"not confirmed: {text}", advice))

    person.show_line("Look at the matrix: one LED after another lights up.")
    await ask(
        "Did all 64 light up, row by row from the north-west?",
        single_led_frames(),
        "all LEDs light up, in order",
        "check its wires, first ground and CLK; if it is dark: use DIN, not DOUT, and check 5 V "
        "(hardware/README.md)",
    )
    await ask(
        "Do you see an arrow to the north, and east of it the letter R?",
        [orientation_frame()],
        "its orientation is as in the config",
        "turn the module, or set [matrix] rotation (90, 180, 270) until the arrow points north; "
        "a mirrored R: mirrored = true",
    )
    if config.matrix.kind == "apa102":
        await ask(
            "Do you see stripes, from west to east red, yellow, blue and brown?",
            [stripes_frame()],
            "its colours are correct",
            "this strip has another colour order: use APA102 or SK9822 (hardware/bom.md)",
        )
    return findings
