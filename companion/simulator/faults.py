"""Faults on command: what contacts, wires and disks do when they are not well."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.adapters.virtual_spi import VirtualSpi
from companion.simulator.hands import Contact, Hands, name_of
from companion.simulator.moody_disk import MoodyDisk

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
    PAD = "pad"
    RESET = "reset"


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a fault is asked for, and what it does."""

    key: str
    name: str
    does: str


RECIPES = {
    Fault.BOUNCE: Recipe("f2", "bounce", "the next press bounces, and counts once"),
    Fault.GLITCH: Recipe("f3", "glitch", "the next press is a moment of noise: no press"),
    Fault.STICK: Recipe("f4", "stick", "the next button jams, or comes free again"),
    Fault.MATRIX: Recipe("f5", "matrix unplugged", "its wire comes off, or goes on again"),
    Fault.FULL: Recipe("f6", "disk full", "it takes nothing, or has room again"),
    Fault.SLOW: Recipe("f7", "disk slow", f"every write takes {SLOW_MS / 1000:g} s, or none"),
    Fault.PAD: Recipe("f8", "pad unplugged", "its cable comes off, or goes on again"),
    Fault.RESET: Recipe("f9", "pad reset", "the die pad starts anew, once"),
}
_NEXT = (Fault.BOUNCE, Fault.GLITCH, Fault.STICK)
_OF_THE_PAD = (Fault.PAD, Fault.RESET)


class Faults:
    """Which faults are on."""

    def __init__(self, hands: Hands, spi: VirtualSpi, disk: MoodyDisk) -> None:
        self._hands = hands
        self._spi = spi
        self._disk = disk
        self.armed: Fault | None = None
        """What happens to the contact that is pressed next."""
        self.stuck: set[Contact] = set()
        self.is_unplugged = False

    def is_possible(self, fault: Fault) -> bool:
        """A pad that is not there cannot fail, and one without power cannot be reset."""
        if fault is Fault.RESET:
            return self._hands.is_pad_plugged_in
        return fault not in _OF_THE_PAD or self._hands.pad is not None

    def toggle(self, fault: Fault) -> None:
        """Switch it on, or off again, if it is possible."""
        if not self.is_possible(fault):
            return
        pad = self._hands.pad
        match fault:
            case Fault.PAD if pad is not None:
                if pad.path:
                    pad.unplug()
                else:
                    pad.plug_in()
            case Fault.RESET if pad is not None:
                pad.reset()
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

    def stick(self, contact: Contact) -> None:
        """Jam a contact, or free it."""
        if contact in self.stuck:
            self.stuck.remove(contact)
            self._hands.free(contact)
        else:
            self.stuck.add(contact)
            self._hands.stick(contact)

    def is_on(self, fault: Fault) -> bool:
        return {
            Fault.MATRIX: self.is_unplugged,
            Fault.FULL: self._disk.is_full,
            Fault.SLOW: bool(self._disk.takes_ms),
            Fault.PAD: self._hands.pad is not None and not self._hands.is_pad_plugged_in,
        }.get(fault, self.armed is fault)

    def listed(self) -> list[str]:
        """Every fault that is on, in words."""
        words = [
            f"{RECIPES[fault].name}: the next press" if fault in _NEXT else RECIPES[fault].name
            for fault in Fault
            if self.is_on(fault)
        ]
        stuck = sorted(map(name_of, self.stuck))
        return words + [f"{name} is stuck" for name in stuck]
