"""Notifications to systemd, byte for byte; errors of the socket are ignored."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.system.notify_listener import NotifyListener

from companion.adapters.systemd_notify import MAX_STATUS_LENGTH, NotifySocket


@pytest.fixture
def path() -> Iterator[str]:
    """A path for the listener. Not tmp_path: socket paths have at most about 100 characters."""
    with tempfile.TemporaryDirectory() as folder:
        yield str(Path(folder) / "notify")


@pytest.fixture
def listener(path: str) -> Iterator[NotifyListener]:
    made = NotifyListener(path)
    yield made
    made.close()


@pytest.fixture
def notify(path: str, listener: NotifyListener) -> Iterator[NotifySocket]:
    made = NotifySocket({"NOTIFY_SOCKET": path, "WATCHDOG_USEC": "20000000"})
    yield made
    made.close()


def test_each_notification_is_one_line(notify: NotifySocket, listener: NotifyListener) -> None:
    notify.status("Red: your turn")
    notify.ready()
    notify.ping()
    notify.trigger()
    notify.stopping()
    assert listener.messages() == [
        "STATUS=Red: your turn\n",
        "READY=1\n",
        "WATCHDOG=1\n",
        "WATCHDOG=trigger\n",
        "STOPPING=1\n",
    ]


def test_a_status_is_sent_only_when_it_changes(
    notify: NotifySocket, listener: NotifyListener
) -> None:
    for text in ("one", "one", "two", "one"):
        notify.status(text)
    assert listener.messages() == ["STATUS=one\n", "STATUS=two\n", "STATUS=one\n"]


def test_a_status_is_one_line_whatever_the_name_of_a_player(
    notify: NotifySocket, listener: NotifyListener
) -> None:
    """Otherwise a name could inject READY=1 or disable the watchdog."""
    notify.status("Ömer\nSTOPPING=1\ud800: your turn")
    notify.status("x" * 9000)
    assert listener.messages() == [
        "STATUS=Ömer\\nSTOPPING=1\\ud800: your turn\n",
        f"STATUS={'x' * MAX_STATUS_LENGTH}…\n",
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="abstract sockets need Linux")
def test_an_abstract_socket_is_supported() -> None:
    name = f"marrakech-test-{os.getpid()}"
    listener = NotifyListener(f"\0{name}")
    notify = NotifySocket({"NOTIFY_SOCKET": f"@{name}"})
    notify.ready()
    assert listener.messages() == ["READY=1\n"]
    notify.close()
    listener.close()


# --- Errors -------------------------------------------------------------------------------


@pytest.mark.parametrize("environ", [{}, {"NOTIFY_SOCKET": ""}, {"NOTIFY_SOCKET": "vsock:2:1234"}])
def test_without_a_socket_nothing_is_sent(environ: dict[str, str]) -> None:
    notify = NotifySocket({**environ, "WATCHDOG_USEC": "20000000"})
    assert (notify.is_connected, notify.watchdog_s) == (False, None)
    notify.ready()
    notify.status("Red: your turn")
    notify.close()


def test_unsent_lines_are_sent_with_the_next(path: str) -> None:
    """Of statuses only the last. A watchdog ping is not sent late."""
    notify = NotifySocket({"NOTIFY_SOCKET": path})
    notify.ready()
    notify.status("one")
    notify.status("two")
    notify.ping()
    listener = NotifyListener(path)
    notify.stopping()
    assert listener.messages() == ["READY=1\nSTATUS=two\nSTOPPING=1\n"]
    notify.stopping()
    assert listener.messages() == ["STOPPING=1\n"]
    notify.close()
    listener.close()


def test_a_full_socket_does_not_block(notify: NotifySocket, listener: NotifyListener) -> None:
    for number in range(5000):  # more than any queue takes
        notify.status(str(number))
    received = listener.messages()
    assert 0 < len(received) < 5000
    notify.ready()
    assert listener.messages() == ["STATUS=4999\nREADY=1\n"]


def test_close_is_idempotent_and_nothing_is_sent_afterwards(
    notify: NotifySocket, listener: NotifyListener
) -> None:
    notify.close()
    notify.close()
    notify.ready()
    assert listener.messages() == []
    assert notify.is_connected is False


def test_a_path_that_is_too_long_is_ignored() -> None:
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
def test_the_watchdog_is_used_only_by_the_process_it_names(
    environ: dict[str, str], watchdog_s: float | None
) -> None:
    notify = NotifySocket({"NOTIFY_SOCKET": "/run/nobody", **environ}, pid=42)
    assert notify.watchdog_s == watchdog_s
    notify.close()


def test_the_default_process_is_the_current_one() -> None:
    environ = {"NOTIFY_SOCKET": "/run/nobody", "WATCHDOG_USEC": "1000000"}
    notify = NotifySocket({**environ, "WATCHDOG_PID": str(os.getpid())})
    assert notify.watchdog_s == 1.0
    notify.close()
