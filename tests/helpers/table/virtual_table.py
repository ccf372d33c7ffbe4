"""A sitting at a virtual table: fingers on mock pins, the daemon, and the light on film.

    async def scenario() -> None:
        with Sitting(tmp_path) as sitting:
            await sitting.say("ok ok ok ok 3")

Words are those of `talk`. Everything happens on a virtual loop, and nothing in a thread.
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
from companion.daemon.controller import TableView
from companion.daemon.wiring import open_table
from companion.daemon.worker_thread import LoopWorker
from companion.light.frame import Picture, mono
from companion.storage.filesystem import OS_FILESYSTEM, Filesystem
from companion.table.conversation import Conversation, Stage
from companion.table.inputs import Button
from helpers.table.table_driver import Rolls

DEBOUNCE_MS = 10
HOLD_MS = 1000
BEGUN = "2014-01-01T20:00:00+00:00"
_WORDS: dict[str, Button | int] = {
    **{button.value: button for button in Button},
    **{str(pips): pips for pips in (1, 2, 3, 4)},
    "audit": Button.OK,
    "pause": Button.BACK,
}
_HELD = ("audit", "pause")
_COLUMN = [sum(1 << y * 8 for y in range(8) if value >> y & 1) for value in range(256)]


def sitting_config(**table: int) -> Config:
    """Both dice, no rest unless said, and round times."""
    config = Config()
    return replace(
        config,
        buttons=replace(config.buttons, debounce_ms=DEBOUNCE_MS, hold_ms=HOLD_MS),
        die=replace(config.die, input="both"),
        table=replace(config.table, **{"rest_after_s": 0, **table}),
    )


class Film(Max7219Chip):
    """A chip that keeps each light it gave, and when: 64 bits, LED 0 in the lowest."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._loop = loop
        self.frames: list[tuple[float, int]] = []

    def transfer(self, data: bytes) -> None:
        super().transfer(data)
        now, light = round(self._loop.time(), 6), self.bits()
        if self.frames and self.frames[-1][0] == now:
            self.frames.pop()  # a frame comes column by column
        if not self.frames or self.frames[-1][1] != light:
            self.frames.append((now, light))

    def bits(self) -> int:
        registers = self.registers
        if not registers[self.SHUTDOWN] & 1 or registers[self.SCAN_LIMIT] & 7 != 7:
            return 0
        return sum(_COLUMN[registers[x + 1]] << x for x in range(8))

    def is_lit(self, led: int) -> bool:
        return bool(self.bits() >> led & 1)

    def first_lit(self, led: int, since: float) -> float | None:
        """When a LED was first lit at or after a time."""
        return next((at for at, light in self.frames if at >= since and light >> led & 1), None)


class VirtualTable:
    """A table that is open, and somebody who plays on it."""

    def __init__(
        self,
        folder: Path,
        *,
        config: Config | None = None,
        disk: Filesystem = OS_FILESYSTEM,
        rolls: Iterable[int] = repeat(3),
        film: Film | None = None,
        codes: Iterable[str] = repeat("0417"),
    ) -> None:
        self.loop = asyncio.get_running_loop()
        self.folder = folder
        self.config = config or sitting_config()
        self.hardware = VirtualHardware(self.config)
        self.film = film or Film(self.loop)
        self.hardware.spi.chip = self.film
        self.hands = self.hardware.hands
        self.workers: dict[str, LoopWorker] = {}
        self.table = open_table(
            self.loop,
            self.config,
            self.hardware,
            folder,
            chance=Rolls(rolls),
            make_worker=self._make_worker,
            disk=disk,
            begun=lambda: BEGUN,
            make_code=iter(codes).__next__,
        )
        self.views: list[TableView] = []
        self.table.daemon.watch(self.views.append)

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

    # --- Fingers ----------------------------------------------------------------------

    async def say(self, words: str) -> VirtualTable:
        for word in words.split():
            await self.press(word)
        return self

    async def press(self, word: str) -> None:
        """Press and let go, and wait until the table has heard both."""
        contact = _WORDS[word]
        self.hands.press(contact)
        await asyncio.sleep((DEBOUNCE_MS + (HOLD_MS if word in _HELD else 5)) / 1000)
        self.hands.release(contact)
        await asyncio.sleep((DEBOUNCE_MS + 5) / 1000)

    # --- What there is to see ---------------------------------------------------------

    @property
    def view(self) -> TableView:
        return self.table.daemon.view

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

    def entries(self) -> int:
        """How many things the journal tells, its header aside; -1 without a game."""
        return self.journal.count(b"\n") - 1


def bits(shown: Picture | None) -> int:
    assert shown is not None
    return mono(shown)
