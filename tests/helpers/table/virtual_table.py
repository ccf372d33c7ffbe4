"""A whole table on virtual hardware: presses on mock pins, the controller, recorded frames.

    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            await virtual_table.press("ok ok ok ok 3")

Key names are those of `TableDriver`. Everything runs on a virtual loop, without threads.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from itertools import repeat
from pathlib import Path
from types import TracebackType

from companion.adapters.hardware import VirtualHardware
from companion.adapters.virtual.spi import Max7219Chip
from companion.config.model import Config
from companion.daemon.wiring import open_table
from companion.daemon.worker_thread import LoopWorker
from companion.light.frame import LedFrame, lit_bits
from companion.storage.filesystem import OS_FILESYSTEM, Filesystem
from companion.table.conversation import Conversation, Stage
from companion.table.inputs import Button
from companion.table.view import TableView
from helpers.table.table_driver import ScriptedDice

DEBOUNCE_MS = 10
HOLD_MS = 1000
BEGUN = "2014-01-01T20:00:00+00:00"
_CONTACTS: dict[str, Button | int] = {
    **{button.value: button for button in Button},
    **{str(pips): pips for pips in (1, 2, 3, 4)},
    "audit": Button.OK,
    "pause": Button.BACK,
}
_HELD = ("audit", "pause")
_COLUMN = [sum(1 << y * 8 for y in range(8) if value >> y & 1) for value in range(256)]


def virtual_table_config(**table: int) -> Config:
    """Both kinds of die input, no rest unless given, and round times."""
    config = Config()
    return replace(
        config,
        buttons=replace(config.buttons, debounce_ms=DEBOUNCE_MS, hold_ms=HOLD_MS),
        die=replace(config.die, input="both"),
        table=replace(config.table, **{"rest_after_s": 0, **table}),
    )


class FrameRecorder(Max7219Chip):
    """A chip that records its frames with their times: 64 bits, LED 0 in the lowest."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._loop = loop
        self.frames: list[tuple[float, int]] = []

    def transfer(self, data: bytes) -> None:
        super().transfer(data)
        now, frame = round(self._loop.time(), 6), self.bits()
        if self.frames and self.frames[-1][0] == now:
            self.frames.pop()  # a frame arrives column by column
        if not self.frames or self.frames[-1][1] != frame:
            self.frames.append((now, frame))

    def bits(self) -> int:
        registers = self.registers
        if not registers[self.SHUTDOWN] & 1 or registers[self.SCAN_LIMIT] & 7 != 7:
            return 0
        return sum(_COLUMN[registers[x + 1]] << x for x in range(8))

    def is_lit(self, led: int) -> bool:
        return bool(self.bits() >> led & 1)

    def first_lit(self, led: int, since: float) -> float | None:
        """When an LED was first lit, at or after a time."""
        return next((at for at, frame in self.frames if at >= since and frame >> led & 1), None)


class VirtualTable:
    def __init__(
        self,
        folder: Path,
        *,
        config: Config | None = None,
        filesystem: Filesystem = OS_FILESYSTEM,
        rolls: Iterable[int] = repeat(3),
        recorder: FrameRecorder | None = None,
        codes: Iterable[str] = repeat("0417"),
    ) -> None:
        self.loop = asyncio.get_running_loop()
        self.folder = folder
        self.config = config or virtual_table_config()
        self.hardware = VirtualHardware(self.config)
        self.recorder = recorder or FrameRecorder(self.loop)
        self.hardware.spi.chip = self.recorder
        self.contacts = self.hardware.contacts
        self.workers: dict[str, LoopWorker] = {}
        self.table = open_table(
            self.loop,
            self.config,
            self.hardware,
            folder,
            random_source=ScriptedDice(rolls),
            make_worker=self._make_worker,
            filesystem=filesystem,
            begun=lambda: BEGUN,
            make_code=iter(codes).__next__,
        )
        self.views: list[TableView] = []
        self.table.controller.watch(self.views.append)

    def _make_worker(self, loop: asyncio.AbstractEventLoop, name: str) -> LoopWorker:
        self.workers[name] = LoopWorker(loop)
        return self.workers[name]

    def __enter__(self) -> VirtualTable:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.table.close()

    # --- Presses ----------------------------------------------------------------------

    async def press(self, inputs: str) -> VirtualTable:
        """Press and release the buttons and keys named in `inputs`, one after the other."""
        for name in inputs.split():
            await self._press_one(name)
        return self

    async def _press_one(self, name: str) -> None:
        contact = _CONTACTS[name]
        self.contacts.press(contact)
        await asyncio.sleep((DEBOUNCE_MS + (HOLD_MS if name in _HELD else 5)) / 1000)
        self.contacts.release(contact)
        await asyncio.sleep((DEBOUNCE_MS + 5) / 1000)

    # --- State -----------------------------------------------------------------------

    @property
    def view(self) -> TableView:
        return self.table.controller.view

    @property
    def conversation(self) -> Conversation:
        return self.view.conversation

    @property
    def stage(self) -> Stage:
        return self.conversation.stage

    @property
    def journal(self) -> bytes:
        path = self.folder / "game.jsonl"
        return path.read_bytes() if path.exists() else b""

    def entry_count(self) -> int:
        """The number of journal lines without the header; -1 without a game."""
        return self.journal.count(b"\n") - 1


def bits(frame: LedFrame | None) -> int:
    assert frame is not None
    return lit_bits(frame)
