"""Faults on command: what contacts, wires and disks do when they are not well."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.adapters.gpio_buttons import contact_name
from companion.adapters.virtual_hands import VirtualHands
from companion.adapters.virtual_spi import VirtualSpi
from companion.simulator.moody_disk import MoodyDisk
from companion.table.inputs import Button

SLOW_MS = 2000
"""A card that makes one wait; the light says *heard* meanwhile."""


class Fault(Enum):
    """What can be switched on. Those of contacts strike whatever is pressed next."""

    BOUNCE = "bounce"
    GLITCH = "glitch"
    STICK = "stick"
    MATRIX = "matrix"
    FULL = "full"
    SLOW = "slow"


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a fault is asked for, and what it does."""

    key: str
    name: str
    does: str


RECIPES = {
    Fault.BOUNCE: Recipe("f2", "bounce", "the next press bounces, and counts once"),
    Fault.GLITCH: Recipe("f3", "glitch", "the next press is 8 ms of noise: no press"),
    Fault.STICK: Recipe("f4", "stick", "the next button jams, or comes free again"),
    Fault.MATRIX: Recipe("f5", "matrix unplugged", "its wire comes off, or goes on again"),
    Fault.FULL: Recipe("f6", "disk full", "it takes nothing, or has room again"),
    Fault.SLOW: Recipe("f7", "disk slow", f"every write takes {SLOW_MS / 1000:g} s, or none"),
}
_NEXT = (Fault.BOUNCE, Fault.GLITCH, Fault.STICK)


class Faults:
    """Which faults are on."""

    def __init__(self, hands: VirtualHands, spi: VirtualSpi, disk: MoodyDisk) -> None:
        self._hands = hands
        self._spi = spi
        self._disk = disk
        self.armed: Fault | None = None
        """What happens to the contact that is pressed next."""
        self.stuck: set[Button | int] = set()
        self.is_unplugged = False

    def toggle(self, fault: Fault) -> None:
        """Switch it on, or off again."""
        match fault:
            case Fault.MATRIX:
                self.is_unplugged = not self.is_unplugged
                if self.is_unplugged:
                    self._spi.unplug()
                else:
                    self._spi.plug_in()
            case Fault.FULL:
                self._disk.is_full = not self._disk.is_full
            case Fault.SLOW:
                self._disk.takes_ms = 0 if self._disk.takes_ms else SLOW_MS
            case _:
                self.armed = None if self.armed is fault else fault

    def strike(self) -> Fault | None:
        """The fault of the contact that is pressed now; it happens once."""
        struck, self.armed = self.armed, None
        return struck

    def stick(self, key: Button | int) -> None:
        """Jam a contact, or free it."""
        if key in self.stuck:
            self.stuck.remove(key)
            self._hands.free(key)
        else:
            self.stuck.add(key)
            self._hands.stick(key)

    def is_on(self, fault: Fault) -> bool:
        return {
            Fault.MATRIX: self.is_unplugged,
            Fault.FULL: self._disk.is_full,
            Fault.SLOW: bool(self._disk.takes_ms),
        }.get(fault, self.armed is fault)

    def listed(self) -> list[str]:
        """Every fault that is on, in words."""
        words = [
            f"{RECIPES[fault].name}: the next press" if fault in _NEXT else RECIPES[fault].name
            for fault in Fault
            if self.is_on(fault)
        ]
        stuck = sorted(map(contact_name, self.stuck))
        return words + [f"{name} is stuck" for name in stuck]
