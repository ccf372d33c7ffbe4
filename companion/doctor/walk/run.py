"""The walk: lights, buttons and die pad, tried together with somebody at the table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from dataclasses import replace

from companion.adapters.hardware import Hardware
from companion.config.model import Config
from companion.doctor.finding import Finding, refused, unknown
from companion.doctor.walk.buttons import walk_buttons
from companion.doctor.walk.light import LED_MS, walk_light
from companion.doctor.walk.pad import walk_pad
from companion.doctor.walk.person import LeftError, Person
from companion.doctor.walk.presses import PATIENCE_S
from companion.errors import CompanionError

AGAIN = "marrakech doctor --walk"


async def walk(
    config: Config,
    hardware: Hardware,
    person: Person,
    *,
    spare: Collection[int] = (),
    patience_s: float = PATIENCE_S,
    led_ms: float = LED_MS,
) -> list[Finding]:
    """What cannot be opened is found and said, and the walk goes on to the next part."""
    parts: dict[str, Callable[[], Awaitable[list[Finding]]]] = {
        "light": lambda: walk_light(config, hardware, person, led_ms=led_ms),
        "button": lambda: walk_buttons(
            config, hardware, person, spare=spare, patience_s=patience_s
        ),
        "padkey": lambda: walk_pad(config, hardware, person, patience_s=patience_s),
    }
    found: list[Finding] = []
    for name, part in parts.items():
        try:
            findings = await part()
        except LeftError:
            found.append(replace(unknown("the walk was left before its end", AGAIN), name=name))
            break
        except CompanionError as error:
            findings = [refused(str(error))]
        found += [replace(finding, name=name) for finding in findings]
    return found
