"""Faults that a user can switch on: contacts, matrix, die pad and disk."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.adapters.virtual.spi import VirtualSpi
from companion.i18n.message import Message, message
from companion.i18n.renderer import TextRenderer
from companion.simulator.controls import ROLL_KEY, Contact, Controls, PadKey
from companion.table.inputs import Button
from companion.testing.faulty_filesystem import FaultyFilesystem

SLOW_DISK_S = 2
"""How long a write takes on the slow disk."""


class Fault(Enum):
    """BOUNCE, GLITCH and STICK affect the contact that is pressed next."""

    BOUNCE = "bounce"
    GLITCH = "glitch"
    STICK = "stick"
    MATRIX = "matrix"
    FULL = "full"
    SLOW = "slow"
    PAD = "pad"
    RESET = "reset"


@dataclass(frozen=True, slots=True)
class FaultInfo:
    """The key of a fault, its name and its description."""

    key: str
    name: Message
    does: Message


FAULT_INFO = {
    Fault.BOUNCE: FaultInfo("f2", message("sim.bounce"), message("sim.bounce_does")),
    Fault.GLITCH: FaultInfo("f3", message("sim.glitch"), message("sim.glitch_does")),
    Fault.STICK: FaultInfo("f4", message("sim.stick"), message("sim.stick_does")),
    Fault.MATRIX: FaultInfo("f5", message("sim.matrix"), message("sim.matrix_does")),
    Fault.FULL: FaultInfo("f6", message("sim.full"), message("sim.full_does")),
    Fault.SLOW: FaultInfo("f7", message("sim.slow"), message("sim.slow_does", seconds=SLOW_DISK_S)),
    Fault.PAD: FaultInfo("f8", message("sim.pad"), message("sim.pad_does")),
    Fault.RESET: FaultInfo("f9", message("sim.reset"), message("sim.reset_does")),
}
_NEXT_PRESS_FAULTS = (Fault.BOUNCE, Fault.GLITCH, Fault.STICK)
_PAD_FAULTS = (Fault.PAD, Fault.RESET)


class Faults:
    """Switches faults on and off."""

    def __init__(self, controls: Controls, spi: VirtualSpi, filesystem: FaultyFilesystem) -> None:
        self._controls = controls
        self._spi = spi
        self._filesystem = filesystem
        self.armed: Fault | None = None
        """The fault of the contact that is pressed next."""
        self.stuck: set[Contact] = set()
        self.is_unplugged = False

    def is_possible(self, fault: Fault) -> bool:
        """Whether the fault can be switched: pad faults need a pad, and RESET a plugged-in one."""
        if fault is Fault.RESET:
            return self._controls.is_pad_plugged_in
        return fault not in _PAD_FAULTS or self._controls.pad is not None

    def toggle(self, fault: Fault) -> None:
        """Switch a fault on or off, if that is possible."""
        if not self.is_possible(fault):
            return
        pad = self._controls.pad
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
                self._filesystem.is_full = not self._filesystem.is_full
            case Fault.SLOW:
                self._filesystem.sync_delay_ms = (
                    0 if self._filesystem.sync_delay_ms else 1000 * SLOW_DISK_S
                )
            case _:
                self.armed = None if self.armed is fault else fault

    def take_armed(self) -> Fault | None:
        """Return and clear the fault of the contact that is pressed now."""
        armed_fault, self.armed = self.armed, None
        return armed_fault

    def stick(self, contact: Contact) -> None:
        """Jam a contact, or free a jammed one."""
        if contact in self.stuck:
            self.stuck.remove(contact)
            self._controls.free(contact)
        else:
            self.stuck.add(contact)
            self._controls.stick(contact)

    def is_on(self, fault: Fault) -> bool:
        return {
            Fault.MATRIX: self.is_unplugged,
            Fault.FULL: self._filesystem.is_full,
            Fault.SLOW: bool(self._filesystem.sync_delay_ms),
            Fault.PAD: self._controls.pad is not None and not self._controls.is_pad_plugged_in,
        }.get(fault, self.armed is fault)

    def descriptions(self, renderer: TextRenderer) -> list[str]:
        """The names of all faults that are on."""
        stuck = sorted(_contact_name(contact, renderer) for contact in self.stuck)
        return [self._description(fault, renderer) for fault in Fault if self.is_on(fault)] + [
            renderer.render(message("sim.stuck", button=name)) for name in stuck
        ]

    def _description(self, fault: Fault, renderer: TextRenderer) -> str:
        name = renderer.render(FAULT_INFO[fault].name)
        return (
            renderer.render(message("sim.next_press", fault=name))
            if fault in _NEXT_PRESS_FAULTS
            else name
        )


def _contact_name(contact: Contact, renderer: TextRenderer) -> str:
    match contact:
        case PadKey(number):
            key = "ROLL" if number == ROLL_KEY else str(number)
            return renderer.render(message("sim.pad_key", key=key))
        case Button.OK | Button.BACK:
            return contact.name
        case Button():
            return renderer.render(Message(f"button.{contact.value}"))
        case _:
            return renderer.render(message("sim.die_key", number=contact))
