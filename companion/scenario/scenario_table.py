"""A table for scenarios: the real controller on mocked hardware, in virtual time.

Stuck and unplugged contacts, the state of the disk and the stored games survive a restart.
"""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from companion.adapters.hardware import VirtualHardware
from companion.config.model import Config
from companion.daemon.wiring import Table, open_table
from companion.daemon.worker_thread import LoopWorker
from companion.errors import CompanionError
from companion.scenario.statements import Contact, ContactChange, DiskState
from companion.storage.games_folder import CURRENT_GAME_FILE
from companion.table.view import TableView
from companion.testing.faulty_filesystem import FaultyFilesystem
from companion.testing.recorded_chip import RecordedChip
from companion.testing.scripted_random import ScriptedRandomSource

TAP_MS = 60
SETTLE_MS = 40
"""The pause after a tap. Together they take 100 ms, however long the contact bounces."""
EXTRA_HOLD_MS = 60
_BEGUN = "2014-01-01T20:00:00+00:00"
_LOOP_ITERATIONS = 12
"""Twice what it takes from a contact to the LEDs, if the disk is not slow."""


class ScenarioTableError(CompanionError, RuntimeError):
    """A statement that cannot be executed now."""


class ScenarioTable:
    """The table, and everything that a scenario can do to it. Runs on the virtual loop."""

    def __init__(self, config: Config, folder: Path) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(self._record_error)
        self.config = config
        self.folder = folder
        self.random_source = ScriptedRandomSource()
        self._hardware = VirtualHardware(config)
        self._contact_changes: list[tuple[ContactChange, Contact]] = []
        """All changes of contacts, to be repeated on the hardware of the next start."""
        self._is_matrix_plugged_in = True
        self.chip = RecordedChip(self._loop, self._hardware.chip)
        self._table: Table | None = None
        self._filesystem = FaultyFilesystem()
        self._disk_state = DiskState.FINE
        self._write_ms = 0.0
        self._workers: dict[str, LoopWorker] = {}
        self.pressed_at = 0.0
        """The loop time of the last press."""
        self.answered_at = 0.0
        """The loop time of the companion's last answer."""
        self.errors: list[BaseException] = []
        """Exceptions that nothing in the companion has caught."""

    # --- Power ------------------------------------------------------------------------

    async def start(self) -> None:
        """Start the companion. If it is running, stop it first."""
        await self.stop()
        self._set_up_hardware()
        # Real syncs would only take time: no scenario crashes the operating system.
        self._filesystem = FaultyFilesystem(skips_sync=True)
        self._apply_disk_state()
        self._table = open_table(
            self._loop,
            self.config,
            self._hardware,
            self.folder,
            random_source=self.random_source,
            make_worker=self._make_worker,
            filesystem=self._filesystem,
            begun=lambda: _BEGUN,
            clock=self._clock,
            make_code=self.random_source.make_pairing_code,
        )
        self._workers["writer"].takes_ms = self._write_ms
        self.answered_at = self._loop.time()
        self._last_view = self.view
        self._table.controller.watch(partial(self._handle_view, self._table))
        await self.pass_time(SETTLE_MS)

    def _set_up_hardware(self) -> None:
        self._hardware = VirtualHardware(self.config)
        self._hardware.spi.chip = self.chip
        for change, contact in self._contact_changes:
            self._apply_contact_change(change, contact)
        self.plug_matrix(self._is_matrix_plugged_in)

    def _clock(self) -> datetime:
        """The wall clock: a scenario starts at `_BEGUN`."""
        return datetime.fromisoformat(_BEGUN) + timedelta(seconds=self._loop.time())

    async def stop(self) -> None:
        """Like `systemctl stop`: all inputs are saved first."""
        if self._table is None:
            return
        table, self._table = self._table, None
        table.close()
        await self.pass_time(0)

    async def kill(self) -> None:
        """Cut the power: everything that is not on the disk is lost."""
        self._running_table("kill")
        self.cut_power()
        await self.pass_time(0)

    def cut_power(self) -> None:
        """Close everything without saving. Idempotent."""
        if self._table is None:
            return
        self._filesystem.cut_power()  # first, so that closing the table cannot write
        table, self._table = self._table, None
        table.close()
        self.chip.lose_power()

    def tear_journal(self, byte_count: int) -> None:
        """Remove bytes from the end of the journal."""
        if self._table is not None:
            raise ScenarioTableError(
                "the journal is in use while the companion runs: kill it first"
            )
        path = self.folder / CURRENT_GAME_FILE
        data = path.read_bytes() if path.exists() else b""
        if len(data) < byte_count:
            raise ScenarioTableError(f"the journal has only {len(data)} bytes")
        path.write_bytes(data[: len(data) - byte_count])

    def _make_worker(self, loop: asyncio.AbstractEventLoop, name: str) -> LoopWorker:
        self._workers[name] = LoopWorker(loop)
        return self._workers[name]

    def _running_table(self, statement: str) -> Table:
        if self._table is None:
            raise ScenarioTableError(
                f"{statement}: the companion is not running; 'restart' it first"
            )
        return self._table

    # --- Time -------------------------------------------------------------------------

    async def pass_time(self, ms: float) -> None:
        """Let time pass, and everything happen that is due at its end."""
        await asyncio.sleep(ms / 1000)
        for _ in range(_LOOP_ITERATIONS):
            await asyncio.sleep(0)

    async def pass_time_until(self, time: float) -> None:
        """Let time pass until a loop time, unless it is over."""
        await self.pass_time(max(0.0, time - self._loop.time()) * 1000)

    # --- Contacts ---------------------------------------------------------------------

    async def tap(self, contact: Contact, bounces: int = 0) -> None:
        self._running_table("press")
        self._check_contact(contact)
        self.pressed_at = self._loop.time()
        self._hardware.contacts.bounce(contact, self._loop, times=bounces)
        await self.pass_time(TAP_MS)
        self._hardware.contacts.bounce(contact, self._loop, times=bounces, is_press=False)
        await self.pass_time(SETTLE_MS)

    async def hold(self, contact: Contact) -> None:
        self._running_table("hold")
        self._check_contact(contact)
        self.pressed_at = self._loop.time()
        self._hardware.contacts.press(contact)
        await self.pass_time(self.config.buttons.hold_ms + EXTRA_HOLD_MS)
        self._hardware.contacts.release(contact)
        await self.pass_time(SETTLE_MS)

    async def glitch(self, contact: Contact, ms: float) -> None:
        self._running_table("glitch")
        self._check_contact(contact)
        self._hardware.contacts.glitch(contact, self._loop, ms)
        await self.pass_time(ms + SETTLE_MS)

    async def change_contact(self, change: ContactChange, contact: Contact) -> None:
        self._check_contact(contact)
        if change is ContactChange.DOWN:
            self.pressed_at = self._loop.time()
        self._contact_changes.append((change, contact))
        self._apply_contact_change(change, contact)
        await self.pass_time(0)

    def _apply_contact_change(self, change: ContactChange, contact: Contact) -> None:
        contacts = self._hardware.contacts
        {
            ContactChange.DOWN: contacts.press,
            ContactChange.UP: contacts.release,
            ContactChange.STICK: contacts.stick,
            ContactChange.FREE: contacts.free,
            ContactChange.UNPLUG: contacts.unplug,
            ContactChange.PLUG: contacts.plug_in,
        }[change](contact)

    def _check_contact(self, contact: Contact) -> None:
        if isinstance(contact, int) and self.config.die.input == "electronic":
            raise ScenarioTableError(f"the die is electronic: there is no key {contact}")

    # --- Matrix and disk --------------------------------------------------------------

    def plug_matrix(self, is_plugged_in: bool) -> None:
        self._is_matrix_plugged_in = is_plugged_in
        if is_plugged_in:
            self._hardware.spi.plug_in()
        else:
            self._hardware.spi.unplug()
            self.chip.lose_power()

    def set_disk_state(self, state: DiskState) -> None:
        self._disk_state = state
        self._apply_disk_state()
        if state is DiskState.FINE:
            self.set_write_time(0)

    def set_write_time(self, write_ms: float) -> None:
        """Set how long each write takes, in virtual time."""
        self._write_ms = write_ms
        if "writer" in self._workers:
            self._workers["writer"].takes_ms = write_ms

    def _apply_disk_state(self) -> None:
        self._filesystem.is_full = self._disk_state is DiskState.FULL
        self._filesystem.is_read_only = self._disk_state is DiskState.READONLY

    # --- State ------------------------------------------------------------------------

    @property
    def view(self) -> TableView:
        return self._running_table("expect").controller.view

    def _handle_view(self, table: Table, view: TableView) -> None:
        """Record the time of an answer: an input was handled or refused."""
        if table is not self._table:
            return  # a late view of a table that was stopped
        last, self._last_view = self._last_view, view
        is_refusal = view.refusal is not None and view.refusal is not last.refusal
        if view.conversation is not last.conversation or is_refusal:
            self.answered_at = self._loop.time()

    def _record_error(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        self.errors.append(error if error is not None else RuntimeError(context["message"]))
