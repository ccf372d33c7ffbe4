"""Buttons and die keys on GPIO pins, with gpiozero.

Each is a contact between its pin and ground. gpiozero calls back for every edge, on a real Pi in a
thread. The callback takes the time and passes the edge to the loop, where it is debounced.
`DigitalInputDevice` is used instead of `Button`, which runs a thread to detect holding.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from gpiozero import DigitalInputDevice, Factory, GPIOPinInUse, PinInvalidPin

from companion.adapters.gpio.debounce import Debounce
from companion.adapters.gpio.pin_factory import JOIN_GPIO
from companion.errors import one_line
from companion.table.inputs import Button, ButtonDown, ButtonUp, Input, die_key


@dataclass(slots=True)
class _ButtonContact:
    debounce: Debounce
    is_stuck: bool
    timer: asyncio.TimerHandle | None = None


class GpioContacts:
    """Delivers `ButtonDown` and `ButtonUp` of the buttons, and `die_key(pips)` of the die keys.

    `pins` has the BCM pin of each button and, by pips, of each die key. `deliver` is called on the
    loop. A contact that is closed at the start counts as stuck: it is listed in `stuck_at_start`
    and ignored until it has opened once. A pin that cannot be opened is listed in `pin_errors`; the
    others work without it.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        pins: Mapping[Button | int, int],
        deliver: Callable[[ButtonDown | ButtonUp | Input], object],
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
        self._devices: list[DigitalInputDevice] = []
        """Kept after `close`: a device of a removed chip can only be freed after its factory."""
        self._contacts: dict[Button | int, _ButtonContact] = {}
        self.pin_errors: dict[Button | int, str] = {}
        self.open_missing_pins()
        self.stuck_at_start = tuple(key for key, at in self._contacts.items() if at.is_stuck)

    def open_missing_pins(self) -> None:
        """Open every pin that is not open yet."""
        for key, pin in self._pins.items():
            if key in self._contacts:
                continue
            try:
                is_closed = self._open(key, pin)
            except Exception as error:  # of gpiozero, lgpio or the OS: no common base
                self.pin_errors[key] = _pin_error(key, pin, error)
                continue
            self.pin_errors.pop(key, None)
            self._contacts[key] = _ButtonContact(
                Debounce(self._debounce_ms, is_closed=is_closed), is_closed
            )

    def close(self) -> None:
        """Release the pins. Nothing is delivered afterwards, not even pending edges."""
        self._is_open = False
        for contact in self._contacts.values():
            _stop(contact)
        for device in self._devices:
            _close_device(device)

    def release_held(self) -> None:
        """Deliver `ButtonUp` of the buttons that are down: their pins will not report it."""
        for key, contact in self._contacts.items():
            if isinstance(key, Button) and contact.debounce.is_closed and not contact.is_stuck:
                self._deliver(ButtonUp(key))

    def _open(self, key: Button | int, pin: int) -> bool:
        """Open a pin. Returns whether its contact is closed."""
        device = DigitalInputDevice(pin, pull_up=True, pin_factory=self._pin_factory)
        self._devices.append(device)
        device.when_activated = partial(self._on_edge, key, True)
        device.when_deactivated = partial(self._on_edge, key, False)
        # Read after setting the callbacks, so that no change is missed.
        return bool(device.is_active)

    # --- In any thread ----------------------------------------------------------------

    def _on_edge(self, key: Button | int, is_closed: bool) -> None:
        """Called by gpiozero. An exception would end lgpio's only thread, and so all buttons."""
        with suppress(Exception):  # the loop is closed
            at_ms = self._loop.time() * 1000
            self._loop.call_soon_threadsafe(self._handle_edge, key, is_closed, at_ms)

    # --- On the loop ------------------------------------------------------------------

    def _handle_edge(self, key: Button | int, is_closed: bool, at_ms: float) -> None:
        """Use the time of the edge, not the current time: the loop may be late."""
        if self._is_open:
            self._update(key, self._contacts[key].debounce.edge(is_closed, at_ms))

    def _handle_timer(self, key: Button | int, due_ms: float) -> None:
        """Use `due_ms`, not the current time: the loop may call a timer slightly early."""
        self._update(key, self._contacts[key].debounce.settle(due_ms))

    def _update(self, key: Button | int, is_closed: bool | None) -> None:
        """Start the timer for a level not yet accepted, and deliver a newly accepted one."""
        contact = self._contacts[key]
        _stop(contact)
        due_ms = contact.debounce.due_ms()
        if due_ms is not None:
            contact.timer = self._loop.call_at(due_ms / 1000, self._handle_timer, key, due_ms)
        if is_closed is None:
            return
        if contact.is_stuck:
            contact.is_stuck = False
        elif isinstance(key, Button):
            self._deliver(ButtonDown(key) if is_closed else ButtonUp(key))
        elif is_closed:
            self._deliver(die_key(key))


def _stop(contact: _ButtonContact) -> None:
    if contact.timer is not None:
        contact.timer.cancel()
        contact.timer = None


def _close_device(device: DigitalInputDevice) -> None:
    """Close a device. Its errors must not keep the others open: the chip may be gone.

    `close` of an lgpio pin leaves its callback in lgpio's thread. The next edge of that pin, opened
    again, would call it and end the thread. Without `when_changed` there is no callback.
    """
    with suppress(Exception):  # of gpiozero or lgpio: no common base
        device.pin.when_changed = None
    with suppress(Exception):
        device.close()


def contact_name(key: Button | int) -> str:
    """`button north`, `die key 3`."""
    return f"button {key.value}" if isinstance(key, Button) else f"die key {key}"


def _pin_error(key: Button | int, pin: int, error: Exception) -> str:
    start = f"pin {pin} for {contact_name(key)}"
    if isinstance(error, PinInvalidPin):
        return f"{start} is not a GPIO pin of this Pi: give it another pin in the config"
    if isinstance(error, GPIOPinInUse):
        return f"{start} is already in use: give each button and key its own pin in the config"
    if isinstance(error, PermissionError):
        return f"{start} may not be used: {JOIN_GPIO}"
    reason = one_line(str(error) or type(error).__name__)
    return f"{start} cannot be used ({reason}): stop the program that uses it, or use another pin"
