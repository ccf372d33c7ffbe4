"""A person of the virtual hardware: eyes on its bus, fingers on its pins and on its pad.

He presses what he is asked to, and says yes only to what he has really seen.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Mapping, Sequence

from companion.adapters.hardware import VirtualHardware
from companion.config.model import Config
from companion.doctor.walk.pad import PadKey
from companion.doctor.walk.person import Sight
from companion.light.rgb import RGB
from companion.table.inputs import Button

REACTION_S = 0.2
TOUCH_S = 0.05
LED_S = 3.0
"""How long he looks at the pad's LED."""

Colours = tuple[tuple[int, int, int], ...]


class VirtualPerson:
    def __init__(
        self,
        config: Config,
        hardware: VirtualHardware,
        say: Callable[[str], None],
        *,
        errs: Mapping[Hashable, Hashable] | None = None,
        reaction_s: float = REACTION_S,
    ) -> None:
        self._config = config
        self._hardware = hardware
        self._say = say
        self._errs = errs or {}
        """What he presses instead, as mixed-up wires would do it."""
        self._reaction_s = reaction_s
        self._seen: list[Colours] = []
        self._one_finger = asyncio.Lock()
        self._taps: set[asyncio.Task[None]] = set()

    def hear(self, line: str) -> None:
        self._say(line)

    def look(self) -> None:
        self._seen.append(self._config.matrix.layout().see(self._hardware.chip.light()))

    def press(self, contact: Hashable) -> None:
        tap = asyncio.get_running_loop().create_task(self._tap(self._errs.get(contact, contact)))
        self._taps.add(tap)
        tap.add_done_callback(self._taps.discard)

    async def _tap(self, contact: Hashable) -> None:
        async with self._one_finger:
            await asyncio.sleep(self._reaction_s)
            self._touch(contact, True)
            await asyncio.sleep(TOUCH_S)
            self._touch(contact, False)
            await asyncio.sleep(TOUCH_S)

    def _touch(self, contact: Hashable, is_press: bool) -> None:
        if isinstance(contact, PadKey):
            pad = self._hardware.pad
            assert pad is not None
            (pad.press if is_press else pad.release)(contact.number)
        elif isinstance(contact, Button | int):
            hands = self._hardware.hands
            (hands.press if is_press else hands.release)(contact)

    async def sees(self, question: str, sights: Sequence[Sight]) -> bool:
        seen, self._seen = self._seen, []
        return self._answer(question, self._as_lit(seen, sights))

    async def sees_led(self, question: str) -> bool:
        pad = self._hardware.pad
        assert pad is not None
        loop = asyncio.get_running_loop()
        end, seen = loop.time() + LED_S, set[bool]()
        while len(seen) < 2 and loop.time() < end:
            seen.add(pad.led())
            await asyncio.sleep(0.01)
        return self._answer(question, len(seen) == 2)

    async def has(self, question: str) -> bool:
        return self._answer(question, True)

    def _answer(self, question: str, is_so: bool) -> bool:
        self._say(f"{question} [y/n] {'y' if is_so else 'n'} (SIMULATED)")
        return is_so

    def _as_lit(self, seen: Sequence[Colours], sights: Sequence[Sight]) -> bool:
        """Colours count where the matrix has them."""
        if self._config.matrix.kind == "apa102":
            dark = (0, 0, 0)
            return seen == [tuple(RGB[ink] if ink else dark for ink in one) for one in sights]
        lit = [[any(colour) for colour in one] for one in seen]
        return lit == [[ink is not None for ink in one] for one in sights]
