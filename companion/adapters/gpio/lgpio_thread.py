"""Checks lgpio's thread, which calls back for all pins.

It is `lgpio._notify_thread`, started when lgpio is imported. It does not catch exceptions
(`_callback_thread.run` in lgpio.py 0.2.2): one in any callback ends it, and all buttons are dead
until the process is restarted.
"""

from __future__ import annotations

import sys
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.adapters.gpio.pin_factory import Pins

DEAD = "the GPIO thread has died: see the traceback above"


def gpio_thread_error(pins: Pins | None) -> str | None:
    """An error if the thread has died; None if it runs or there is none."""
    thread = notify_thread(pins)
    return None if thread is None or thread.is_alive() else DEAD


def notify_thread(pins: Pins | None) -> Thread | None:
    """The thread of these pins; None for other pins, or if this lgpio has no such attribute.

    Does not import lgpio: without the module there is no thread.
    """
    if type(pins).__module__ != "gpiozero.pins.lgpio":
        return None
    thread = getattr(sys.modules.get("lgpio"), "_notify_thread", None)
    return thread if isinstance(thread, Thread) else None
