"""systemd supervision of a table: ready, status line, watchdog pings, stopping."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from companion.adapters.gpio.lgpio_thread import gpio_thread_error
from companion.adapters.systemd_notify import NotifySocket
from companion.daemon.controller import Controller
from companion.daemon.status_line import status_line
from companion.daemon.watchdog import WatchdogPinger
from companion.daemon.worker_thread import Worker
from companion.table.view import TableView

if TYPE_CHECKING:
    import asyncio

    from companion.adapters.gpio.pin_factory import Pins


class Supervised(Protocol):
    """The parts of a table that are supervised."""

    @property
    def controller(self) -> Controller: ...
    @property
    def workers(self) -> Mapping[str, Worker]: ...
    @property
    def pins(self) -> Pins | None: ...


@contextmanager
def supervised(
    loop: asyncio.AbstractEventLoop, table: Supervised, environ: Mapping[str, str]
) -> Iterator[None]:
    """The table is ready inside this context; leave it before closing the table.

    Without systemd nothing is watched, and there are no wake-ups.
    """
    notify = NotifySocket(environ)
    pinger = WatchdogPinger(
        loop, notify, table.workers, gpio_thread_error=lambda: gpio_thread_error(table.pins)
    )

    def send_status(view: TableView) -> None:
        notify.status(status_line(view))

    try:
        if notify.is_connected:
            table.controller.watch(send_status)
            send_status(table.controller.view)
        notify.ready()
        pinger.start()
        yield
    finally:
        notify.stopping()
        pinger.close()
        notify.close()
