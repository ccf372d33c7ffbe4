"""A table under systemd: it says when it is ready, how it is and that it lives, until it stops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from companion.adapters.lgpio_thread import why_deaf
from companion.adapters.systemd_notify import NotifySocket
from companion.daemon.controller import Controller, TableView
from companion.daemon.status_line import status_line
from companion.daemon.watchdog import Pulse
from companion.daemon.worker_thread import Worker

if TYPE_CHECKING:
    import asyncio

    from companion.adapters.gpio_buttons import Pins


class Supervised(Protocol):
    """What of a table can be alive or dead."""

    @property
    def daemon(self) -> Controller: ...
    @property
    def workers(self) -> Mapping[str, Worker]: ...
    @property
    def pins(self) -> Pins | None: ...


@contextmanager
def supervised(
    loop: asyncio.AbstractEventLoop, table: Supervised, environ: Mapping[str, str]
) -> Iterator[None]:
    """Inside, the table is ready; leave before it is taken apart, which may take its time.

    Where nobody supervises, nothing is watched and nobody is woken.
    """
    notify = NotifySocket(environ)
    pulse = Pulse(loop, notify, table.workers, why_deaf=lambda: why_deaf(table.pins))

    def tell(view: TableView) -> None:
        notify.status(status_line(view))

    try:
        if notify.is_heard:
            table.daemon.watch(tell)
            tell(table.daemon.view)
        notify.ready()
        pulse.start()
        yield
    finally:
        notify.stopping()
        pulse.close()
        notify.close()
