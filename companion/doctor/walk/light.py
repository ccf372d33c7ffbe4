"""The matrix before somebody's eyes: every LED, which way it is turned, and its colours."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from companion.adapters.hardware import Hardware, matrix_on
from companion.adapters.matrix import Matrix
from companion.config.model import Config
from companion.doctor.finding import Finding, failed, good
from companion.doctor.walk.person import Person, Sight
from companion.errors import CompanionError
from companion.table.scenes.scene import MATRIX, Ink

LED_MS = 60
LEDS = MATRIX * MATRIX

_NORTH = """\
.#...##.
###..#.#
.#...##.
.#...#.#
.#...#.#
........
........
........"""
_STRIPES = (Ink.RED, Ink.YELLOW, Ink.BLUE, Ink.BROWN)


def one_by_one() -> list[Sight]:
    return [tuple(Ink.WHITE if at == led else None for at in range(LEDS)) for led in range(LEDS)]


def arrow_and_letter() -> Sight:
    """An arrow alone looks the same in a mirror; an R does not."""
    return tuple(Ink.WHITE if dot == "#" else None for dot in _NORTH if dot != "\n")


def stripes() -> Sight:
    return tuple(_STRIPES[led % MATRIX // 2] for led in range(LEDS))


async def walk_light(
    config: Config, hardware: Hardware, person: Person, *, led_ms: float = LED_MS
) -> list[Finding]:
    try:
        device = hardware.open_spi(config)
        matrix = await asyncio.to_thread(matrix_on, device, config.matrix)
        try:
            return await _walk(config, matrix, person, led_ms)
        finally:
            await asyncio.to_thread(_close, matrix)
    except OSError as error:
        told = f"the matrix cannot be written to ({error.strerror}): check its wires and its supply"
        raise CompanionError(told) from error


def _close(matrix: Matrix) -> None:
    """A matrix that is gone cannot be darkened, and need not be."""
    with suppress(OSError):
        matrix.close()


async def _walk(config: Config, matrix: Matrix, person: Person, led_ms: float) -> list[Finding]:
    order = config.matrix.layout().places
    seen: list[Finding] = []

    async def ask(question: str, sights: Sequence[Sight], said: str, else_todo: str) -> None:
        for sight in sights:
            shown = tuple(sight[place] for place in order)
            await asyncio.to_thread(matrix.show, shown)
            person.look()
            await asyncio.sleep(led_ms / 1000)
        is_so = await person.sees(question, sights)
        seen.append(good(said) if is_so else failed(f"not so: {said}", else_todo))

    person.hear("Look at the matrix: one LED after another lights up.")
    await ask(
        "Did all 64 light up, row by row from the north-west?",
        one_by_one(),
        "every LED lights up, in order",
        "check its wires, above all ground and CLK; nothing at all: DIN is not DOUT, is there 5 V? "
        "(hardware/README.md)",
    )
    await ask(
        "Do you see an arrow to the north, and east of it the letter R?",
        [arrow_and_letter()],
        "it is turned as the config says",
        "turn the module, or set [matrix] rotation (90, 180, 270) until the arrow points north; "
        "a mirrored R: mirrored = true",
    )
    if config.matrix.kind == "apa102":
        await ask(
            "Do you see stripes, from west to east red, yellow, blue and brown?",
            [stripes()],
            "its colours are right",
            "this strip has its colours in another order: get APA102 or SK9822 (hardware/bom.md)",
        )
    return seen
