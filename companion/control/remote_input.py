"""Remote input: presses buttons and changes the set-up for clients of the control socket.

On a virtual table, remote presses close the mock pins and the keys of the virtual pad, so that
debouncing, holds and the pad's protocol take part. On a real table nobody can close a contact by
software: there the events go straight to the controller.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from companion.adapters.hardware import Hardware, VirtualHardware, pins_of
from companion.config.model import Config
from companion.control.protocol import Press
from companion.errors import CompanionError
from companion.pad.messages import ROLL_KEY
from companion.table.inputs import ROLL, Button, ButtonDown, ButtonUp, Input, die_key
from companion.table.setup_stages import SetupWishes
from companion.table.view import Outcome

if TYPE_CHECKING:
    from companion.adapters.virtual.pad_device import PadDevice

ANSWER_TIMEOUT_S = 10.0
"""Longer than the slowest disk takes."""
IDLE_TIMEOUT_S = 3.0
"""A button may be held down at the table; after this time remote presses do not wait for it."""
_PAD_DEBOUNCE_MS = 12
"""Slightly more than the debounce time of the pad."""
_MARGIN_MS = 5


class NotAnsweredError(CompanionError, TimeoutError):
    """A press without an outcome."""


class InputTarget(Protocol):
    """The part of the controller that takes inputs."""

    def deliver(self, event: ButtonDown | ButtonUp | Input) -> asyncio.Future[Outcome]: ...
    def next_outcome(self) -> asyncio.Future[Outcome]: ...
    def apply_wishes(self, wishes: SetupWishes) -> asyncio.Future[Outcome]: ...
    def wait_until_idle(self) -> asyncio.Future[None]: ...


class RemoteInput:
    """Presses for all clients, one at a time, so that each gets its own outcome."""

    def __init__(self, controller: InputTarget, keys: RemoteKeys, *, hold_ms: float) -> None:
        self._controller = controller
        self._keys = keys
        self._hold_ms = hold_ms
        self._one_at_a_time = asyncio.Lock()
        self._down: Button | int | None = None

    async def press(self, press: Press) -> Outcome:
        """Press, and wait for the outcome."""
        async with self._one_at_a_time:
            await self._wait_until_idle()
            return await self._press(press)

    async def apply_wishes(self, wishes: SetupWishes) -> Outcome:
        """Change the set-up, and wait for the outcome."""
        async with self._one_at_a_time:
            await self._wait_until_idle()
            return await _with_timeout(self._controller.apply_wishes(wishes))

    def close(self) -> None:
        """Release the key that is down. Idempotent."""
        key, self._down = self._down, None
        if key is not None:
            self._keys.release(key)

    async def _wait_until_idle(self) -> None:
        """Until earlier inputs are answered, so that their outcome is not taken for ours."""
        with suppress(TimeoutError):
            async with asyncio.timeout(IDLE_TIMEOUT_S):
                await self._controller.wait_until_idle()

    async def _press(self, press: Press) -> Outcome:
        outcome = self._controller.next_outcome()
        if outcome.done():  # a fault: nothing is pressed any more
            return outcome.result()
        contact_s = self._keys.contact_ms / 1000
        self._down = press.key
        self._keys.press(press.key)
        try:
            await asyncio.sleep(contact_s)
            if press.is_held:  # by the clock and by the outcome: a busy machine may be late
                await asyncio.sleep(self._hold_ms / 1000)
                await _with_timeout(outcome)
        finally:
            self.close()
        answer = await _with_timeout(outcome)
        await asyncio.sleep(contact_s)  # the next press may be of the same button
        return answer


async def _with_timeout(outcome: asyncio.Future[Outcome]) -> Outcome:
    try:
        async with asyncio.timeout(ANSWER_TIMEOUT_S):
            return await asyncio.shield(outcome)
    except TimeoutError:
        raise NotAnsweredError(
            f"the table did not answer within {ANSWER_TIMEOUT_S:.0f} s: check whether a button is "
            "stuck or the disk hangs"
        ) from None


# --- Keys ---------------------------------------------------------------------------------


class RemoteKeys(Protocol):
    """Keys are buttons, die keys by their pips, and `ROLL_KEY`. All on the loop."""

    contact_ms: float
    """How long a contact must stay closed, and open, to be noticed."""

    def press(self, key: Button | int) -> None: ...
    def release(self, key: Button | int) -> None:
        """Idempotent."""


class DirectKeys:
    """Delivers the events that a contact would cause."""

    contact_ms = 0.0

    def __init__(self, loop: asyncio.AbstractEventLoop, controller: InputTarget) -> None:
        self._loop = loop
        self._controller = controller

    def press(self, key: Button | int) -> None:
        if isinstance(key, Button):
            self._deliver(ButtonDown(key))
        else:
            self._deliver(ROLL if key == ROLL_KEY else die_key(key))

    def release(self, key: Button | int) -> None:
        if isinstance(key, Button):
            self._deliver(ButtonUp(key))

    def _deliver(self, event: ButtonDown | ButtonUp | Input) -> None:
        """Called by the loop: an exception there is the controller's fault, not the client's."""
        self._loop.call_soon(self._controller.deliver, event)


class VirtualKeys:
    """Closes the contacts of a virtual table. A key without a contact is delivered directly."""

    def __init__(self, hardware: VirtualHardware, config: Config, direct: RemoteKeys) -> None:
        self._hardware = hardware
        self._contacts = hardware.contacts
        self._wired = pins_of(config)
        self._direct = direct
        self._pressed_on_pad: dict[int, PadDevice] = {}
        self.contact_ms: float = max(config.buttons.debounce_ms, _PAD_DEBOUNCE_MS) + _MARGIN_MS

    def press(self, key: Button | int) -> None:
        """Die keys are the pad's while it is plugged in, else those on the Pi."""
        pad = self._hardware.pad
        if not isinstance(key, Button) and pad is not None and pad.path:
            self._pressed_on_pad[key] = pad
            pad.press(key)
        elif key in self._wired:
            self._contacts.press(key)
        else:
            self._direct.press(key)

    def release(self, key: Button | int) -> None:
        """Where it was pressed: the pad may have been plugged in or out since."""
        if not isinstance(key, Button) and (pad := self._pressed_on_pad.pop(key, None)):
            pad.release(key)
        elif key in self._wired:
            self._contacts.release(key)
        else:
            self._direct.release(key)


def remote_keys_for(
    loop: asyncio.AbstractEventLoop,
    controller: InputTarget,
    config: Config,
    hardware: Hardware,
) -> RemoteKeys:
    direct = DirectKeys(loop, controller)
    if isinstance(hardware, VirtualHardware):
        return VirtualKeys(hardware, config, direct)
    return direct
