"""Buttons and die keys on the pins of the Pi, through gpiozero.

Each is a contact between its pin and ground. gpiozero tells of every edge, in a thread of its own
on a real Pi; here the threads end: an edge gets its time and goes to the loop, where bouncing is
taken away. `DigitalInputDevice` is used, never `Button`, which runs a thread to notice holding.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

from gpiozero import DigitalInputDevice, Factory, GPIOPinInUse, PinInvalidPin, PinUnknownPi

from companion.adapters.debounce import Debounce
from companion.errors import CompanionError, SettingError, one_line, unknown
from companion.table.inputs import Button, Down, Input, Up, die_key

Pins: TypeAlias = Factory
"""Where pins come from: gpiozero's factory, as the rest of the companion calls it."""
PIN_FACTORIES = ("lgpio", "mock")
_JOIN_GPIO = "run 'sudo adduser $USER gpio' and log in again"
_ELSEWHERE = "on a laptop use 'marrakech play'"


@dataclass(slots=True)
class _Contact:
    debounce: Debounce
    is_stuck: bool
    timer: asyncio.TimerHandle | None = None


class GpioContacts:
    """Delivers `Down` and `Up` for each button, and `die_key(pips)` when a key of the die closes.

    `pins` says where each is wired (BCM numbers); the die's keys are named by their pips. `deliver`
    is called on the loop. A contact that is closed at the start is taken for stuck: it is named in
    `stuck_at_start`, and means nothing until it has opened once. A pin that cannot be had is named
    in `refused`, with why; the others work without it.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        pins: Mapping[Button | int, int],
        deliver: Callable[[Down | Up | Input], None],
        *,
        debounce_ms: float,
        pin_factory: Factory,
    ) -> None:
        self._loop = loop
        self._pins = pins
        self._deliver = deliver
        self._debounce_ms = debounce_ms
        self._pin_factory = pin_factory
        self._is_open = True
        self._devices = ExitStack()
        self._contacts: dict[Button | int, _Contact] = {}
        self.refused: dict[Button | int, str] = {}
        self.try_pins()
        self.stuck_at_start = tuple(key for key, at in self._contacts.items() if at.is_stuck)

    def try_pins(self) -> None:
        """Watch every pin that is not watched yet; what refuses now may be had later."""
        for key, pin in self._pins.items():
            if key in self._contacts:
                continue
            try:
                is_closed = self._open(key, pin)
            except Exception as error:  # gpiozero's, lgpio's and the system's have no common base
                self.refused[key] = _refusal(key, pin, error)
                continue
            self.refused.pop(key, None)
            self._contacts[key] = _Contact(
                Debounce(self._debounce_ms, is_closed=is_closed), is_closed
            )

    def close(self) -> None:
        """Let go of the pins. Nothing is delivered any more, not even what is under way."""
        self._is_open = False
        for contact in self._contacts.values():
            _stop(contact)
        self._devices.close()

    def _open(self, key: Button | int, pin: int) -> bool:
        """Watch a pin. Returns whether its contact is closed."""
        device = DigitalInputDevice(pin, pull_up=True, pin_factory=self._pin_factory)
        self._devices.callback(device.close)
        device.when_activated = partial(self._report, key, True)
        device.when_deactivated = partial(self._report, key, False)
        # Read last, so that no change falls between; an edge that tells the same again is no edge.
        return bool(device.is_active)

    # --- In any thread ----------------------------------------------------------------

    def _report(self, key: Button | int, is_closed: bool) -> None:
        """Called by gpiozero. An exception here would end lgpio's only thread, and all buttons."""
        with suppress(Exception):  # the loop is closed: nobody listens any more
            at_ms = self._loop.time() * 1000
            self._loop.call_soon_threadsafe(self._hear, key, is_closed, at_ms)

    # --- On the loop ------------------------------------------------------------------

    def _hear(self, key: Button | int, is_closed: bool, at_ms: float) -> None:
        """An edge. Only its own time counts: what came after it may be waiting behind it."""
        if self._is_open:
            self._tell(key, self._contacts[key].debounce.edge(is_closed, at_ms))

    def _settle(self, key: Button | int, due_ms: float) -> None:
        """A timer. The loop's clock may be a hair before what it was wound for."""
        self._tell(key, self._contacts[key].debounce.settle(due_ms))

    def _tell(self, key: Button | int, is_closed: bool | None) -> None:
        """Wind the timer for what is still under way, and deliver what counts."""
        contact = self._contacts[key]
        _stop(contact)
        due_ms = contact.debounce.due_ms()
        if due_ms is not None:
            contact.timer = self._loop.call_at(due_ms / 1000, self._settle, key, due_ms)
        if is_closed is None:
            return
        if contact.is_stuck:
            contact.is_stuck = False
        elif isinstance(key, Button):
            self._deliver(Down(key) if is_closed else Up(key))
        elif is_closed:
            self._deliver(die_key(key))


def _stop(contact: _Contact) -> None:
    if contact.timer is not None:
        contact.timer.cancel()
        contact.timer = None


def contact_name(key: Button | int) -> str:
    """`button north`, `die key 3`."""
    return f"button {key.value}" if isinstance(key, Button) else f"die key {key}"


def _refusal(key: Button | int, pin: int, error: Exception) -> str:
    start = f"pin {pin} for {contact_name(key)}"
    if isinstance(error, PinInvalidPin):
        return f"{start} is no GPIO pin of this Pi: give it another pin in the config"
    if isinstance(error, GPIOPinInUse):
        return f"{start} is in use already: give each button and key a pin of its own in the config"
    if isinstance(error, PermissionError):
        return f"{start} may not be used: {_JOIN_GPIO}"
    said = one_line(str(error) or type(error).__name__)
    return f"{start} cannot be used ({said}): stop what else uses it, or give it another pin"


# --- Where the pins come from -------------------------------------------------------------


def open_pin_factory(kind: str, *, devices: Path = Path("/dev")) -> Factory:
    """The pins of this machine (`lgpio`) or mock ones (`mock`), never one in place of the other."""
    if kind not in PIN_FACTORIES:
        raise SettingError(unknown("pin factory", kind, PIN_FACTORIES))
    if kind == "mock":
        return import_module("gpiozero.pins.mock").MockFactory()
    chips = sorted(devices.glob("gpiochip*"))
    if not chips:
        raise CompanionError(f"this machine has no GPIO: {_ELSEWHERE}")
    if not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        raise CompanionError(f"{chips[0]} may not be used: {_JOIN_GPIO}")
    try:
        module = import_module("gpiozero.pins.lgpio")
    except ImportError:
        raise CompanionError(
            "Python's lgpio is missing: 'sudo ./marrakech install' brings it, and the table runs "
            "as a service from then on"
        ) from None
    except OSError as error:  # at import it makes a pipe in the working directory
        raise CompanionError(
            f"lgpio cannot write into {Path.cwd()} ({one_line(str(error))}): start the companion "
            "from a folder that you may write into"
        ) from error
    try:
        return module.LGPIOFactory()
    except PinUnknownPi:
        raise CompanionError(f"this machine is no Raspberry Pi: {_ELSEWHERE}") from None
    except Exception as error:  # lgpio has an error class of its own
        said = one_line(str(error))
        raise CompanionError(f"the GPIO cannot be opened ({said}): {_JOIN_GPIO}") from error
