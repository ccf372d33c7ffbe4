"""A simulated person for the walk on virtual hardware.

Presses what is asked for, and confirms only what the virtual devices have really shown.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Mapping, Sequence

from companion.adapters.hardware import VirtualHardware
from companion.config.model import Config
from companion.doctor.walk.pad import WalkPadKey
from companion.light.frame import LedFrame
from companion.light.rgb import RGB
from companion.table.inputs import Button

REACTION_S = 0.2
TOUCH_S = 0.05
LED_S = 3.0
"""How long the pad's LED is watched."""

Colours = tuple[tuple[int, int, int], ...]


class VirtualPerson:
    def __init__(
        self,
        config: Config,
        hardware: VirtualHardware,
        print_line: Callable[[str], None],
        *,
        swapped: Mapping[Hashable, Hashable] | None = None,
        reaction_s: float = REACTION_S,
    ) -> None:
        self._config = config
        self._hardware = hardware
        self._print_line = print_line
        self._swapped = swapped or {}
        """Contacts that press another one, like swapped wires."""
        self._reaction_s = reaction_s
        self._seen: list[Colours] = []
        self._press_lock = asyncio.Lock()
        self._taps: set[asyncio.Task[None]] = set()

    def show_line(self, line: str) -> None:
        self._print_line(line)

    def frame_shown(self) -> None:
        self._seen.append(self._config.matrix.layout().as_seen(self._hardware.chip.light()))

    def request_press(self, contact: Hashable) -> None:
        tap = asyncio.get_running_loop().create_task(self._tap(self._swapped.get(contact, contact)))
        self._taps.add(tap)
        tap.add_done_callback(self._taps.discard)

    async def _tap(self, contact: Hashable) -> None:
        async with self._press_lock:
            await asyncio.sleep(self._reaction_s)
            self._touch(contact, True)
            await asyncio.sleep(TOUCH_S)
            self._touch(contact, False)
            await asyncio.sleep(TOUCH_S)

    def _touch(self, contact: Hashable, is_press: bool) -> None:
        if isinstance(contact, WalkPadKey):
            pad = self._hardware.pad
            assert pad is not None
            (pad.press if is_press else pad.release)(contact.number)
        elif isinstance(contact, Button | int):
            contacts = self._hardware.contacts
            (contacts.press if is_press else contacts.release)(contact)

    async def confirm_frames(self, question: str, frames: Sequence[LedFrame]) -> bool:
        seen, self._seen = self._seen, []
        return self._answer(question, self._matches(seen, frames))

    async def confirm_led(self, question: str) -> bool:
        pad = self._hardware.pad
        assert pad is not None
        loop = asyncio.get_running_loop()
        end, seen = loop.time() + LED_S, set[bool]()
        while len(seen) < 2 and loop.time() < end:
            seen.add(pad.is_led_on())
            await asyncio.sleep(0.01)
        return self._answer(question, len(seen) == 2)

    async def confirm(self, question: str) -> bool:
        return self._answer(question, True)

    def _answer(self, question: str, is_yes: bool) -> bool:
        self._print_line(f"{question} [y/n] {'y' if is_yes else 'n'} (SIMULATED)")
        return is_yes

    def _matches(self, seen: Sequence[Colours], frames: Sequence[LedFrame]) -> bool:
        """Compares colours on a colour matrix, else only which LEDs are lit."""
        if self._config.matrix.kind == "apa102":
            dark = (0, 0, 0)
            return seen == [tuple(RGB[ink] if ink else dark for ink in one) for one in frames]
        lit = [[any(colour) for colour in one] for one in seen]
        return lit == [[ink is not None for ink in one] for one in frames]
