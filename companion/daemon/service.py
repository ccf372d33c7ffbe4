"""A table that runs until it is told to stop: `marrakech serve`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.daemon.config import Config
from companion.daemon.hardware import Hardware
from companion.daemon.wiring import Table, light_first, open_table


def run_service(
    config: Config,
    hardware: Hardware,
    folder: Path,
    *,
    opened: Callable[[Table], None] = lambda _: None,
) -> None:
    """Run a table until SIGINT or SIGTERM. The matrix is lit before asyncio is even imported."""
    matrix = light_first(config, hardware)

    import asyncio
    import signal

    async def serve() -> None:
        loop = asyncio.get_running_loop()
        stopped = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stopped.set)
        table = open_table(loop, config, hardware, folder, matrix=matrix)
        try:
            opened(table)
            await stopped.wait()
        finally:
            table.close()

    asyncio.run(serve())
