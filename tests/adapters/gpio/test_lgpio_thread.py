"""A dead GPIO thread is detected, with a fake of lgpio."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from types import ModuleType

import pytest
from gpiozero.pins.mock import MockFactory

from companion.adapters.gpio.lgpio_thread import DEAD, gpio_thread_error, notify_thread


class LGPIOFactory:
    """A fake of gpiozero's class; only its module name is used."""

    __module__ = "gpiozero.pins.lgpio"


class CallbackThread(threading.Thread):
    """Like lgpio's: one thread for all pins, which does not catch exceptions."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.edges: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self.start()

    def run(self) -> None:
        while (callback := self.edges.get()) is not None:
            callback()


@pytest.fixture
def thread(monkeypatch: pytest.MonkeyPatch) -> Iterator[CallbackThread]:
    module = ModuleType("lgpio")
    made = CallbackThread()
    module._notify_thread = made  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "lgpio", module)
    yield made
    made.edges.put(None)
    made.join()


def test_a_live_thread_is_not_an_error(thread: CallbackThread) -> None:
    called = threading.Event()
    thread.edges.put(called.set)
    assert called.wait(5)
    assert notify_thread(LGPIOFactory()) is thread
    assert gpio_thread_error(LGPIOFactory()) is None


def test_an_exception_in_a_callback_ends_the_thread_and_is_an_error(
    thread: CallbackThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[type[BaseException]] = []
    monkeypatch.setattr(threading, "excepthook", lambda args: ended.append(args.exc_type))
    thread.edges.put(lambda: [].clear(1))  # type: ignore[call-arg]
    thread.join(5)
    assert ended == [TypeError]
    assert gpio_thread_error(LGPIOFactory()) == DEAD
    assert DEAD.startswith("the GPIO thread has died: ")


def test_mock_pins_need_no_thread(thread: CallbackThread) -> None:
    """Even if lgpio is imported and its thread is dead."""
    thread.edges.put(None)
    thread.join(5)
    assert gpio_thread_error(MockFactory()) is None


@pytest.mark.parametrize("hidden", [None, "nothing"])
def test_a_thread_that_cannot_be_found_does_not_count_as_dead(
    thread: CallbackThread, hidden: object
) -> None:
    """Otherwise a new version of lgpio would restart the service for ever."""
    sys.modules["lgpio"]._notify_thread = hidden  # type: ignore[attr-defined]
    assert gpio_thread_error(LGPIOFactory()) is None


def test_without_lgpio_there_is_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    assert notify_thread(LGPIOFactory()) is None
