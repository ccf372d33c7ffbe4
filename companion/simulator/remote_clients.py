"""Remote clients of a table on a laptop: the control socket, and phones at the page.

As in `marrakech serve`. If one of them cannot be opened, that is logged, and play goes on.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.adapters.hardware import VirtualHardware
from companion.config.model import Config
from companion.control.server import open_control_server
from companion.daemon.web_process import WebProcess, cancel_and_wait, page_beside
from companion.daemon.wiring import Table
from companion.errors import one_line

if TYPE_CHECKING:
    from companion.control.snapshot import PagePlace

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PageLink:
    """Where phones find the page."""

    urls: tuple[str, ...]
    """The first is the one to type."""
    qr: tuple[str, ...] = ()
    """A QR code in half blocks; a block is light."""


AddressOf = Callable[[str, int], PageLink]
"""Makes the link of a page that listens at this host and port."""


class RemoteClients:
    """Serves clients between `start` and `close`. All on the loop."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        table: Table,
        config: Config,
        hardware: VirtualHardware,
        folder: Path,
        address_of: AddressOf,
        *,
        on_change: Callable[[], None],
    ) -> None:
        self._loop = loop
        self._table = table
        self._config = config
        self._hardware = hardware
        self._folder = folder
        self._address_of = address_of
        self._on_change = on_change
        self._page: WebProcess | None = None
        self._link: PageLink | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def link(self) -> PageLink | None:
        """None while the page does not run."""
        return None if self._page is None or self._page.port is None else self._link

    def start(self) -> None:
        self._task = self._loop.create_task(self._serve())

    async def close(self) -> None:
        """Close the page and the socket. Idempotent."""
        task, self._task = self._task, None
        await cancel_and_wait(task)

    async def _serve(self) -> None:
        try:
            control = await open_control_server(
                self._loop,
                self._table,
                self._config,
                self._hardware,
                self._folder,
                pad=self._table.pad_health,
                page=self._page_place,
            )
            with closing(control):
                if control.is_open and self._config.web.enabled:
                    self._page = page_beside(
                        self._loop,
                        self._config.web,
                        control.path,
                        self._folder,
                        on_opened=self._handle_page_opened,
                    )
                    async with self._page:
                        await self._loop.create_future()
                await self._loop.create_future()  # until it is closed
        except Exception as error:
            logger.error(one_line(f"remote clients cannot connect: {error}"))

    def _handle_page_opened(self, port: int) -> None:
        self._link = self._address_of(self._config.web.host, port)
        self._on_change()

    def _page_place(self) -> PagePlace | None:
        port = None if self._page is None else self._page.port
        return None if port is None else (self._config.web.host, port)
