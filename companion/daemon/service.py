"""Runs a table until a signal stops it: `marrakech serve`."""

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
    light_first,
    lock_folder,
    open_table,
    show_fault_sign,
)
from companion.errors import CompanionError

if TYPE_CHECKING:
    import asyncio

    from companion.adapters.matrix import Matrix
    from companion.control.snapshot import PagePlace

SIGNALS = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
SWITCH_S = 0.0005
"""How long a thread may keep the interpreter while another waits for it. With Python's default of
5 ms the journal's writer would wait that long for the loop on a busy machine."""


def run_service(
    config: Config,
    hardware: Hardware,
    folder: Path,
    *,
    on_opened: Callable[[Table], None] = lambda _: None,
    on_page_opened: Callable[[int], None] | None = None,
) -> None:
    """Run a table until a signal ends it. The matrix is lit before asyncio is imported.

    With `on_page_opened`, which gets the port, the phone page runs beside it.

    A fault of the program stops it as well and is raised: systemd logs the traceback and restarts
    it with everything that was confirmed. Until then the matrix shows an exclamation mark.
    """
    lock = lock_folder(folder)  # first, so that a second companion does not touch the matrix
    matrix = light_first(config, hardware)
    default_s = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_S)
    try:
        for number in SIGNALS:  # until the loop handles them
            signal.signal(number, _stop_at_once)

        import asyncio

        asyncio.run(_serve(config, hardware, folder, matrix, on_opened, on_page_opened))
    except Exception:
        close_matrix(matrix)
        show_fault_sign(config, hardware)
        raise
    finally:
        sys.setswitchinterval(default_s)
        close_matrix(matrix)
        os.close(lock)


def _stop_at_once(number: int, frame: object) -> NoReturn:  # noqa: ARG001 - signature of signal handlers
    raise SystemExit(0)


async def _serve(
    config: Config,
    hardware: Hardware,
    folder: Path,
    matrix: Matrix,
    on_opened: Callable[[Table], None],
    on_page_opened: Callable[[int], None] | None,
) -> None:
    import asyncio

    from companion.control.server import open_control_server
    from companion.daemon.supervision import supervised
    from companion.daemon.web_process import WebProcess, page_beside

    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    faults: list[BaseException] = []

    def record_fault(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        faults.append(context.get("exception") or RuntimeError(context["message"]))
        stopped.set()

    loop.set_exception_handler(record_fault)
    for number in SIGNALS:
        loop.add_signal_handler(number, stopped.set)
    table = open_table(loop, config, hardware, folder, matrix=matrix, is_locked=True)
    page: WebProcess | None = None

    def page_place() -> PagePlace | None:
        return (config.web.host, page.port) if page is not None and page.port else None

    try:
        on_opened(table)
        control = await open_control_server(
            loop, table, config, hardware, folder, pad=table.pad_health, page=page_place
        )
        with closing(control), supervised(loop, table, os.environ):
            if on_page_opened is None or not config.web.enabled or not control.is_open:
                await stopped.wait()
            else:
                page = page_beside(loop, config.web, control.path, folder, on_opened=on_page_opened)
                async with page:
                    await stopped.wait()
    finally:
        table.close()
    await asyncio.sleep(0)  # deliver the result of the last write
    if faults:
        raise faults[0]
    if (unsaved := table.controller.unsaved_error) is not None:
        from companion.daemon.trouble import lost_text

        raise CompanionError(lost_text(unsaved))
