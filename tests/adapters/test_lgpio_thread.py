"""A dead thread behind the buttons is noticed, on a module that is built as lgpio is."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from types import ModuleType

import pytest
from gpiozero.pins.mock import MockFactory

from companion.adapters.lgpio_thread import DEAD, notify_thread, why_deaf


class LGPIOFactory:
    """gpiozero's, of which only the name of its module counts here."""

    __module__ = "gpiozero.pins.lgpio"


class CallbackThread(threading.Thread):
    """As lgpio has it: one thread for all pins, and no `try` around the callbacks."""

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


def test_buttons_are_heard_while_the_thread_lives(thread: CallbackThread) -> None:
    heard = threading.Event()
    thread.edges.put(heard.set)
    assert heard.wait(5)
    assert notify_thread(LGPIOFactory()) is thread
    assert why_deaf(LGPIOFactory()) is None


def test_an_exception_in_a_callback_ends_the_thread_and_is_noticed(
    thread: CallbackThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[type[BaseException]] = []
    monkeypatch.setattr(threading, "excepthook", lambda args: ended.append(args.exc_type))
    thread.edges.put(lambda: [].clear(1))  # type: ignore[call-arg]
    thread.join(5)
    assert ended == [TypeError]
    assert why_deaf(LGPIOFactory()) == DEAD
    assert DEAD.startswith("the thread that hears the buttons has died: ")


def test_mock_pins_need_no_thread(thread: CallbackThread) -> None:
    """Even where lgpio is loaded, and its thread is dead."""
    thread.edges.put(None)
    thread.join(5)
    assert why_deaf(MockFactory()) is None


@pytest.mark.parametrize("hidden", [None, "nothing"])
def test_a_thread_that_cannot_be_found_is_not_taken_for_dead(
    thread: CallbackThread, hidden: object
) -> None:
    """An lgpio that keeps it elsewhere must not have the table started again for ever."""
    sys.modules["lgpio"]._notify_thread = hidden  # type: ignore[attr-defined]
    assert why_deaf(LGPIOFactory()) is None


def test_without_lgpio_there_is_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    assert notify_thread(LGPIOFactory()) is None
