"""A table on mocked hardware and a virtual clock: the very daemon, with hands on its pins.

What is stuck or unplugged stays so when the companion is started again, and games stay on the disk.
"""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from companion.adapters.hardware import VirtualHardware
from companion.config.model import Config
from companion.daemon.controller import TableView
from companion.daemon.wiring import Table, open_table
from companion.daemon.worker_thread import LoopWorker
from companion.errors import CompanionError
from companion.scenario.statements import Contact, DiskState, Way
from companion.storage.game_store import CURRENT
from companion.testing.props import FilmedChip, KnownChance, PropDisk

TAP_MS = 60
SETTLE_MS = 40
"""After a tap; together they make it a tenth of a second, however long the bouncing lasts."""
HOLD_LONGER_MS = 60
_BEGUN = "2014-01-01T20:00:00+00:00"
_TURNS_OF_THE_LOOP = 12
"""From a contact to the light it takes half as many, if the disk takes no time."""


class ScenarioTableError(CompanionError, RuntimeError):
    """What cannot be done at this table now."""


class ScenarioTable:
    """The table, and whatever may be done to it. Everything here runs on the virtual loop."""

    def __init__(self, config: Config, folder: Path) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(self._note_fault)
        self.config = config
        self.folder = folder
        self.chance = KnownChance()
        self._hardware = VirtualHardware(config)
        self._moves: list[tuple[Way, Contact]] = []
        """What became of the contacts, for the next hardware."""
        self._is_matrix_in = True
        self.film = FilmedChip(self._loop, self._hardware.chip)
        self._table: Table | None = None
        self._disk = PropDisk(DiskState.FINE)
        self._takes_ms = 0.0
        self._workers: dict[str, LoopWorker] = {}
        self.touched_at = self.answered_at = 0.0
        """When a finger last closed a contact, and when the companion last answered."""
        self.faults: list[BaseException] = []
        """What went wrong inside the companion."""

    # --- Power ------------------------------------------------------------------------

    async def start(self) -> None:
        """Start the companion; if it runs, stop it properly before."""
        await self.stop()
        self._set_up_hardware()
        self._disk = PropDisk(self._disk.state)
        self._table = open_table(
            self._loop,
            self.config,
            self._hardware,
            self.folder,
            chance=self.chance,
            make_worker=self._make_worker,
            disk=self._disk,
            begun=lambda: _BEGUN,
            clock=self._clock,
            make_code=self.chance.code,
        )
        self._workers["scribe"].takes_ms = self._takes_ms
        self.answered_at = self._loop.time()
        self._seen = self.view
        self._table.daemon.watch(partial(self._see, self._table))
        await self.pass_time(SETTLE_MS)

    def _set_up_hardware(self) -> None:
        self._hardware = VirtualHardware(self.config)
        self._hardware.spi.chip = self.film
        for way, contact in self._moves:
            self._move(way, contact)
        self.plug_matrix(self._is_matrix_in)

    def _clock(self) -> datetime:
        """The clock on the wall of a rehearsal: it shows the evening of `_BEGUN`."""
        return datetime.fromisoformat(_BEGUN) + timedelta(seconds=self._loop.time())

    async def stop(self) -> None:
        """As `systemctl stop`: what was heard is written first."""
        if self._table is None:
            return
        table, self._table = self._table, None
        table.close()
        await self.pass_time(0)

    async def kill(self) -> None:
        """As if the plug were pulled: what the disk has not taken is lost."""
        self._running("kill")
        self.drop()
        await self.pass_time(0)

    def drop(self) -> None:
        """Let go of everything, and write nothing more; twice is no trouble."""
        if self._table is None:
            return
        self._disk.pull_plug()  # before all else: whatever is still tried comes too late
        table, self._table = self._table, None
        table.close()
        self.film.lose_power()

    def tear(self, count: int) -> None:
        """Cut bytes off the journal's end."""
        if self._table is not None:
            raise ScenarioTableError("nothing is torn off while the companion runs: kill it first")
        path = self.folder / CURRENT
        data = path.read_bytes() if path.exists() else b""
        if len(data) < count:
            raise ScenarioTableError(f"the journal has only {len(data)} bytes")
        path.write_bytes(data[: len(data) - count])

    def _make_worker(self, loop: asyncio.AbstractEventLoop, name: str) -> LoopWorker:
        self._workers[name] = LoopWorker(loop)
        return self._workers[name]

    def _running(self, what: str) -> Table:
        if self._table is None:
            raise ScenarioTableError(f"{what}: the companion is not running; 'restart' it first")
        return self._table

    # --- Time -------------------------------------------------------------------------

    async def pass_time(self, ms: float) -> None:
        """So much time passes, and all that is due at its end happens."""
        await asyncio.sleep(ms / 1000)
        for _ in range(_TURNS_OF_THE_LOOP):
            await asyncio.sleep(0)

    async def pass_time_until(self, time: float) -> None:
        """Until that time, unless it is over."""
        await self.pass_time(max(0.0, time - self._loop.time()) * 1000)

    # --- Fingers and contacts ---------------------------------------------------------

    async def tap(self, contact: Contact, bounces: int = 0) -> None:
        self._running("press")
        self._check(contact)
        self.touched_at = self._loop.time()
        self._hardware.hands.bounce(contact, self._loop, times=bounces)
        await self.pass_time(TAP_MS)
        self._hardware.hands.bounce(contact, self._loop, times=bounces, is_press=False)
        await self.pass_time(SETTLE_MS)

    async def hold(self, contact: Contact) -> None:
        self._running("hold")
        self._check(contact)
        self.touched_at = self._loop.time()
        self._hardware.hands.press(contact)
        await self.pass_time(self.config.buttons.hold_ms + HOLD_LONGER_MS)
        self._hardware.hands.release(contact)
        await self.pass_time(SETTLE_MS)

    async def glitch(self, contact: Contact, ms: float) -> None:
        self._running("glitch")
        self._check(contact)
        self._hardware.hands.glitch(contact, self._loop, ms)
        await self.pass_time(ms + SETTLE_MS)

    async def move(self, way: Way, contact: Contact) -> None:
        self._check(contact)
        if way is Way.DOWN:
            self.touched_at = self._loop.time()
        self._moves.append((way, contact))
        self._move(way, contact)
        await self.pass_time(0)

    def _move(self, way: Way, contact: Contact) -> None:
        hands = self._hardware.hands
        {
            Way.DOWN: hands.press,
            Way.UP: hands.release,
            Way.STICK: hands.stick,
            Way.FREE: hands.free,
            Way.UNPLUG: hands.unplug,
            Way.PLUG: hands.plug_in,
        }[way](contact)

    def _check(self, contact: Contact) -> None:
        if isinstance(contact, int) and self.config.die.input == "electronic":
            raise ScenarioTableError(f"the die is electronic: there is no key {contact}")

    # --- Matrix and disk --------------------------------------------------------------

    def plug_matrix(self, is_in: bool) -> None:
        self._is_matrix_in = is_in
        if is_in:
            self._hardware.spi.plug_in()
        else:
            self._hardware.spi.unplug()
            self.film.lose_power()

    def set_disk(self, state: DiskState) -> None:
        self._disk.state = state
        if state is DiskState.FINE:
            self.slow_disk(0)

    def slow_disk(self, takes_ms: float) -> None:
        self._takes_ms = takes_ms
        if "scribe" in self._workers:
            self._workers["scribe"].takes_ms = takes_ms

    # --- What there is to see ---------------------------------------------------------

    @property
    def view(self) -> TableView:
        return self._running("expect").daemon.view

    def _see(self, table: Table, view: TableView) -> None:
        """An answer is something done or refused; marks on the rail are none."""
        if table is not self._table:
            return  # the last words of one that was stopped
        seen, self._seen = self._seen, view
        is_refused = view.refused is not None and view.refused is not seen.refused
        if view.conversation is not seen.conversation or is_refused:
            self.answered_at = self._loop.time()

    def _note_fault(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        self.faults.append(error if error is not None else RuntimeError(context["message"]))
