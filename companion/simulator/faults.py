"""Faults on command: what contacts, wires and disks do when they are not well."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.adapters.virtual.spi import VirtualSpi
from companion.i18n.message import Message, message
from companion.i18n.renderer import TextRenderer
from companion.simulator.controls import ROLL_KEY, Contact, Controls, PadKey
from companion.table.inputs import Button
from companion.testing.moody_disk import MoodyDisk

SLOW_S = 2
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
    name: Message
    does: Message


RECIPES = {
    Fault.BOUNCE: Recipe("f2", message("sim.bounce"), message("sim.bounce_does")),
    Fault.GLITCH: Recipe("f3", message("sim.glitch"), message("sim.glitch_does")),
    Fault.STICK: Recipe("f4", message("sim.stick"), message("sim.stick_does")),
    Fault.MATRIX: Recipe("f5", message("sim.matrix"), message("sim.matrix_does")),
    Fault.FULL: Recipe("f6", message("sim.full"), message("sim.full_does")),
    Fault.SLOW: Recipe("f7", message("sim.slow"), message("sim.slow_does", seconds=SLOW_S)),
    Fault.PAD: Recipe("f8", message("sim.pad"), message("sim.pad_does")),
    Fault.RESET: Recipe("f9", message("sim.reset"), message("sim.reset_does")),
}
_NEXT = (Fault.BOUNCE, Fault.GLITCH, Fault.STICK)
_OF_THE_PAD = (Fault.PAD, Fault.RESET)


class Faults:
    """Which faults are on."""

    def __init__(self, hands: Controls, spi: VirtualSpi, disk: MoodyDisk) -> None:
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
                self._disk.takes_ms = 0 if self._disk.takes_ms else 1000 * SLOW_S
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

    def listed(self, speech: TextRenderer) -> list[str]:
        """Every fault that is on, in words."""
        stuck = sorted(_name(contact, speech) for contact in self.stuck)
        return [self._said(fault, speech) for fault in Fault if self.is_on(fault)] + [
            speech.say(message("sim.stuck", button=name)) for name in stuck
        ]

    def _said(self, fault: Fault, speech: TextRenderer) -> str:
        name = speech.say(RECIPES[fault].name)
        return speech.say(message("sim.next_press", fault=name)) if fault in _NEXT else name


def _name(contact: Contact, speech: TextRenderer) -> str:
    match contact:
        case PadKey(number):
            key = "ROLL" if number == ROLL_KEY else str(number)
            return speech.say(message("sim.pad_key", key=key))
        case Button.OK | Button.BACK:
            return contact.name
        case Button():
            return speech.say(Message(f"button.{contact.value}"))
        case _:
            return speech.say(message("sim.die_key", number=contact))
