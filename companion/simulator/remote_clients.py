"""Visitors of a table on a laptop: whoever asks at its control socket, and phones at its page.

As `marrakech serve` has them, and where it has them. Neither is worth a game: what cannot be had
is told in a line, and play goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.adapters.hardware import VirtualHardware
from companion.config.model import Config
from companion.control.server import open_control_server
from companion.daemon.web_process import WebProcess, end_task, page_beside
from companion.daemon.wiring import Table
from companion.errors import one_line

if TYPE_CHECKING:
    from companion.control.snapshot import PagePlace


@dataclass(frozen=True, slots=True)
class PageLink:
    """Where phones find the page."""

    urls: tuple[str, ...]
    """The one to type first."""
    qr: tuple[str, ...] = ()
    """A code to scan, in half blocks: a block is light."""


AddressOf = Callable[[str, int], PageLink]
"""What to tell of a page that listens at this host and port."""


class RemoteClients:
    """Lets them in, between `start` and `close`. All on the loop."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        table: Table,
        config: Config,
        hardware: VirtualHardware,
        folder: Path,
        address_of: AddressOf,
        *,
        tell: Callable[[str], None],
        changed: Callable[[], None],
    ) -> None:
        self._loop = loop
        self._table = table
        self._config = config
        self._hardware = hardware
        self._folder = folder
        self._address_of = address_of
        self._tell = tell
        self._changed = changed
        self._page: WebProcess | None = None
        self._sign: PageLink | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def sign(self) -> PageLink | None:
        """None while there is no page."""
        return None if self._page is None or self._page.port is None else self._sign

    def start(self) -> None:
        self._task = self._loop.create_task(self._receive())

    async def close(self) -> None:
        """Take the page and the socket away; twice is no trouble."""
        task, self._task = self._task, None
        await end_task(task)

    async def _receive(self) -> None:
        try:
            control = await open_control_server(
                self._loop,
                self._table,
                self._config,
                self._hardware,
                self._folder,
                pad=self._table.pad_health,
                page=self._place,
                tell=self._tell,
            )
            with closing(control):
                if control.is_open and self._config.web.enabled:
                    self._page = self._page_at(control.path)
                    async with self._page:
                        await self._loop.create_future()
                await self._loop.create_future()  # until it is closed
        except Exception as error:
            self._tell(one_line(f"nobody else can reach this table: {error}"))

    def _page_at(self, socket: Path) -> WebProcess:
        return page_beside(
            self._loop,
            self._config.web,
            socket,
            self._folder,
            tell=self._tell,
            opened=self._open_page,
        )

    def _open_page(self, port: int) -> None:
        self._sign = self._address_of(self._config.web.host, port)
        self._changed()

    def _place(self) -> PagePlace | None:
        port = None if self._page is None else self._page.port
        return None if port is None else (self._config.web.host, port)
