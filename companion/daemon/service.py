"""A table that runs until it is told to stop: `marrakech serve`."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from companion.adapters.hardware import Hardware
from companion.config.model import Config
from companion.daemon.wiring import (
    Table,
    close_matrix,
    leave_sign,
    light_first,
    lock_folder,
    open_table,
)
from companion.errors import CompanionError

if TYPE_CHECKING:
    import asyncio

    from companion.adapters.matrix import Matrix
    from companion.control.snapshot import PagePlace

SIGNALS = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
SWITCH_S = 0.0005
"""How long a thread may keep the interpreter while another wants it. On a busy machine, the scribe
would wait for the loop as long as Python usually lets it, which is 5 ms."""


def run_service(
    config: Config,
    hardware: Hardware,
    folder: Path,
    *,
    opened: Callable[[Table], None] = lambda _: None,
    page_opened: Callable[[int], None] | None = None,
) -> None:
    """Run a table until a signal ends it. The matrix is lit before asyncio is even imported.

    With `page_opened`, which is told its port, there is a page for phones beside it.

    A fault of the companion's own also stops it, and is raised: whoever supervises it sees the
    traceback and starts it again, with everything that was confirmed. Until then a sign on the
    matrix tells those at the table.
    """
    lock = lock_folder(folder)  # first: a second companion must not touch the matrix of the first
    matrix = light_first(config, hardware)
    usual_s = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_S)
    try:
        for number in SIGNALS:  # until the loop hears them
            signal.signal(number, _stop_at_once)

        import asyncio

        asyncio.run(_serve(config, hardware, folder, matrix, opened, page_opened))
    except Exception:
        close_matrix(matrix)
        leave_sign(config, hardware)
        raise
    finally:
        sys.setswitchinterval(usual_s)
        close_matrix(matrix)
        os.close(lock)


def _stop_at_once(number: int, frame: object) -> NoReturn:  # noqa: ARG001 - as signals have it
    raise SystemExit(0)


async def _serve(
    config: Config,
    hardware: Hardware,
    folder: Path,
    matrix: Matrix,
    opened: Callable[[Table], None],
    page_opened: Callable[[int], None] | None,
) -> None:
    import asyncio

    from companion.control.server import open_control_server, tell_on_stderr
    from companion.daemon.supervision import supervised
    from companion.daemon.web_process import WebProcess, page_beside

    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    faults: list[BaseException] = []

    def note_fault(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        faults.append(context.get("exception") or RuntimeError(context["message"]))
        stopped.set()

    loop.set_exception_handler(note_fault)
    for number in SIGNALS:
        loop.add_signal_handler(number, stopped.set)
    table = open_table(loop, config, hardware, folder, matrix=matrix, is_locked=True)
    page: WebProcess | None = None

    def page_place() -> PagePlace | None:
        return (config.web.host, page.port) if page is not None and page.port else None

    try:
        opened(table)
        control = await open_control_server(
            loop, table, config, hardware, folder, pad=table.pad_health, page=page_place
        )
        with closing(control), supervised(loop, table, os.environ):
            if page_opened is None or not config.web.enabled or not control.is_open:
                await stopped.wait()
            else:
                page = page_beside(
                    loop,
                    config.web,
                    control.path,
                    folder,
                    tell=tell_on_stderr,
                    opened=page_opened,
                )
                async with page:
                    await stopped.wait()
    finally:
        table.close()
    await asyncio.sleep(0)  # what the scribe did last is told now
    if faults:
        raise faults[0]
    if (unsaved := table.daemon.unsaved_because) is not None:
        from companion.daemon.trouble import lost_text

        raise CompanionError(lost_text(unsaved))
