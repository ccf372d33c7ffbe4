"""What systemd is told, byte for byte, and that nobody's absence stops a table."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.system.notify_listener import Listener

from companion.adapters.systemd_notify import LONGEST, NotifySocket


@pytest.fixture
def path() -> Iterator[str]:
    """Where the listener is. The system allows about a hundred signs, and pytest's are longer."""
    with tempfile.TemporaryDirectory() as folder:
        yield str(Path(folder) / "notify")


@pytest.fixture
def listener(path: str) -> Iterator[Listener]:
    made = Listener(path)
    yield made
    made.close()


@pytest.fixture
def notify(path: str, listener: Listener) -> Iterator[NotifySocket]:
    made = NotifySocket({"NOTIFY_SOCKET": path, "WATCHDOG_USEC": "20000000"})
    yield made
    made.close()


def test_everything_is_told_by_a_line_of_its_own(notify: NotifySocket, listener: Listener) -> None:
    notify.status("Red: your turn")
    notify.ready()
    notify.feed()
    notify.starve()
    notify.stopping()
    assert listener.told() == [
        "STATUS=Red: your turn\n",
        "READY=1\n",
        "WATCHDOG=1\n",
        "WATCHDOG=trigger\n",
        "STOPPING=1\n",
    ]


def test_a_status_is_told_when_it_changes_and_not_again(
    notify: NotifySocket, listener: Listener
) -> None:
    for text in ("one", "one", "two", "one"):
        notify.status(text)
    assert listener.told() == ["STATUS=one\n", "STATUS=two\n", "STATUS=one\n"]


def test_a_status_is_one_line_whatever_a_player_is_called(
    notify: NotifySocket, listener: Listener
) -> None:
    """Else a name could say READY=1, or stop the watchdog."""
    notify.status("Ömer\nSTOPPING=1\ud800: your turn")
    notify.status("x" * 9000)
    assert listener.told() == [
        "STATUS=Ömer\\nSTOPPING=1\\ud800: your turn\n",
        f"STATUS={'x' * LONGEST}…\n",
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="names without a file are Linux's")
def test_a_socket_without_a_file_is_found_by_its_name() -> None:
    name = f"marrakech-test-{os.getpid()}"
    listener = Listener(f"\0{name}")
    notify = NotifySocket({"NOTIFY_SOCKET": f"@{name}"})
    notify.ready()
    assert listener.told() == ["READY=1\n"]
    notify.close()
    listener.close()


# --- Nobody listens -----------------------------------------------------------------------


@pytest.mark.parametrize("environ", [{}, {"NOTIFY_SOCKET": ""}, {"NOTIFY_SOCKET": "vsock:2:1234"}])
def test_where_nobody_supervises_nothing_is_told(environ: dict[str, str]) -> None:
    notify = NotifySocket({**environ, "WATCHDOG_USEC": "20000000"})
    assert (notify.is_heard, notify.watchdog_s) == (False, None)
    notify.ready()
    notify.status("Red: your turn")
    notify.close()


def test_what_was_not_taken_goes_with_what_is_told_next(path: str) -> None:
    """Only the last status counts; but that the watchdog was fed then says nothing of later."""
    notify = NotifySocket({"NOTIFY_SOCKET": path})
    notify.ready()
    notify.status("one")
    notify.status("two")
    notify.feed()
    listener = Listener(path)
    notify.stopping()
    assert listener.told() == ["READY=1\nSTATUS=two\nSTOPPING=1\n"]
    notify.stopping()
    assert listener.told() == ["STOPPING=1\n"]
    notify.close()
    listener.close()


def test_a_listener_that_is_busy_holds_up_nobody(notify: NotifySocket, listener: Listener) -> None:
    for number in range(5000):  # more than any queue takes
        notify.status(str(number))
    told = listener.told()
    assert 0 < len(told) < 5000
    notify.ready()
    assert listener.told() == ["STATUS=4999\nREADY=1\n"]


def test_a_closed_socket_tells_nothing_and_twice_is_no_trouble(
    notify: NotifySocket, listener: Listener
) -> None:
    notify.close()
    notify.close()
    notify.ready()
    assert listener.told() == []
    assert notify.is_heard is False


def test_a_path_that_no_socket_can_have_is_no_trouble() -> None:
    notify = NotifySocket({"NOTIFY_SOCKET": f"/{'x' * 200}"})
    notify.ready()
    notify.close()


# --- The watchdog -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environ", "watchdog_s"),
    [
        ({"WATCHDOG_USEC": "20000000"}, 20.0),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "42"}, 20.0),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "41"}, None),
        ({}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "-5"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({"WATCHDOG_USEC": "9" * 400}, None),
    ],
)
def test_the_watchdog_waits_for_the_process_it_names(
    environ: dict[str, str], watchdog_s: float | None
) -> None:
    notify = NotifySocket({"NOTIFY_SOCKET": "/run/nobody", **environ}, pid=42)
    assert notify.watchdog_s == watchdog_s
    notify.close()


def test_without_being_told_a_process_is_itself() -> None:
    environ = {"NOTIFY_SOCKET": "/run/nobody", "WATCHDOG_USEC": "1000000"}
    notify = NotifySocket({**environ, "WATCHDOG_PID": str(os.getpid())})
    assert notify.watchdog_s == 1.0
    notify.close()
