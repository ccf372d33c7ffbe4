"""Whether the buttons are still heard: lgpio has one thread that calls back for all pins.

It is `lgpio._notify_thread`, started when lgpio is imported, and it calls without a `try`
(`_callback_thread.run` in lgpio.py 0.2.2): an exception in any callback ends it, and from then on
all buttons are dead in a process that lives. Only a new process has a new one.
"""

from __future__ import annotations

import sys
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.adapters.gpio_buttons import Pins

DEAD = "the thread that hears the buttons has died: the traceback above says why"


def why_deaf(pins: Pins | None) -> str | None:
    """Why no button is heard any more, or None while they are, or were never to be had."""
    thread = notify_thread(pins)
    return None if thread is None or thread.is_alive() else DEAD


def notify_thread(pins: Pins | None) -> Thread | None:
    """The thread behind these pins; None where there is none, or where this lgpio hides it.

    Nothing is imported: what is not loaded has no thread.
    """
    if type(pins).__module__ != "gpiozero.pins.lgpio":
        return None
    thread = getattr(sys.modules.get("lgpio"), "_notify_thread", None)
    return thread if isinstance(thread, Thread) else None
