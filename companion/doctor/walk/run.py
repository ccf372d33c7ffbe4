"""The walk: tests matrix, buttons and die pad with the help of a person."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from dataclasses import replace

from companion.adapters.hardware import Hardware
from companion.config.model import Config
from companion.doctor.finding import Finding, finding_from_error, unknown
from companion.doctor.walk.buttons import walk_buttons
from companion.doctor.walk.light import LED_MS, walk_light
from companion.doctor.walk.pad import walk_pad
from companion.doctor.walk.person import Person, WalkAbortedError
from companion.doctor.walk.press_tester import PRESS_TIMEOUT_S
from companion.errors import CompanionError

WALK_COMMAND = "marrakech doctor --walk"


async def walk(
    config: Config,
    hardware: Hardware,
    person: Person,
    *,
    spare: Collection[int] = (),
    timeout_s: float = PRESS_TIMEOUT_S,
    led_ms: float = LED_MS,
) -> list[Finding]:
    """A part that cannot be opened is a finding, and the walk goes on with the next part."""
    parts: dict[str, Callable[[], Awaitable[list[Finding]]]] = {
        "light": lambda: walk_light(config, hardware, person, led_ms=led_ms),
        "button": lambda: walk_buttons(config, hardware, person, spare=spare, timeout_s=timeout_s),
        "padkey": lambda: walk_pad(config, hardware, person, timeout_s=timeout_s),
    }
    findings: list[Finding] = []
    for name, part in parts.items():
        try:
            results = await part()
        except WalkAbortedError:
            findings.append(replace(unknown("the walk was ended early", WALK_COMMAND), name=name))
            break
        except CompanionError as error:
            results = [finding_from_error(str(error))]
        findings += [replace(finding, name=name) for finding in results]
    return findings
