"""Callers at the control socket of a virtual table.

    async def scenario() -> None:
        async with control_of(tmp_path) as desk:
            caller = await desk.call()
            answer = await caller.press("ok ok ok ok 3")

Words are those of `talk`. On a virtual loop no real time passes; on a real one, too, nothing is in
a thread but what a test puts there.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from companion.adapters.pad_health import PadHealth
from companion.control.remote_keys import DirectKeys, Fingers, remote_keys_for
from companion.control.server import Control
from helpers.table.virtual_table import HOLD_MS, VirtualTable

Plain = dict[str, Any]
PRESSES: dict[str, Plain] = {
    **{word: {"button": word} for word in ("north", "east", "south", "west", "ok", "back")},
    **{str(pips): {"die": pips} for pips in (1, 2, 3, 4)},
    "audit": {"button": "ok", "hold": True},
    "pause": {"button": "back", "hold": True},
    "roll": {"roll": True},
}


class Caller:
    """One connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def send(self, data: bytes) -> None:
        self.writer.write(data)

    async def read(self) -> Plain:
        """The next answer."""
        line = await self.reader.readline()
        assert line.endswith(b"\n"), "it has hung up"
        answer = json.loads(line)
        assert isinstance(answer, dict)
        return answer

    async def has_ended(self) -> bool:
        """Whether the next thing to be read is the end."""
        try:
            return not await self.reader.read(1)
        except ConnectionError:
            return True

    async def ask(self, do: str, **members: object) -> Plain:
        self.send(json.dumps({"do": do, **members}).encode() + b"\n")
        return await self.read()

    async def table(self) -> Plain:
        table = (await self.ask("status"))["table"]
        assert isinstance(table, dict)
        return table

    async def press(self, words: str) -> Plain:
        """Press all of these; each must be done, the last may be refused."""
        answer: Plain = {"ok": True}
        for word in words.split():
            assert answer["ok"], f"before {word!r}: {answer}"
            answer = await self.ask("press", **PRESSES[word])
        return answer

    def hang_up(self) -> None:
        self.writer.transport.abort()


class Desk:
    """A table, its control, and whoever calls."""

    def __init__(self, sitting: VirtualTable, control: Control) -> None:
        self.sitting = sitting
        self.control = control
        self.told: list[str] = []
        """What the control told of its own faults."""
        self._callers: list[Caller] = []

    @property
    def path(self) -> Path:
        return self.control.path

    async def call(self) -> Caller:
        caller = Caller(*await asyncio.open_unix_connection(str(self.path), limit=1 << 20))
        self._callers.append(caller)
        return caller

    async def close(self) -> None:
        self.control.close()
        for caller in self._callers:
            caller.hang_up()
        await turns()


async def turns() -> None:
    """Some turns of the loop: hanging up takes a few."""
    for _ in range(10):
        await asyncio.sleep(0)


def from_afar(sitting: VirtualTable) -> Fingers:
    """As on a real table."""
    return DirectKeys(sitting.loop, sitting.table.daemon)


@asynccontextmanager
async def control_of(
    folder: Path,
    *,
    make_fingers: Callable[[VirtualTable], Fingers] | None = None,
    pad: PadHealth | None = None,
    **sitting: Any,  # noqa: ANN401 - whatever Sitting has
) -> AsyncIterator[Desk]:
    """A table with its control, at a short path as sockets need it."""
    with TemporaryDirectory(prefix="m") as short, VirtualTable(folder, **sitting) as at:
        table, loop = at.table, at.loop
        make = make_fingers or (
            lambda _: remote_keys_for(loop, table.daemon, at.config, at.hardware)
        )
        told: list[str] = []
        control = Control(
            loop,
            table,
            make(at),
            Path(short) / "control.sock",
            hold_ms=HOLD_MS,
            pad=lambda: pad,
            tell=told.append,
        )
        desk = Desk(at, control)
        desk.told = told
        await control.start()
        try:
            yield desk
        finally:
            await desk.close()
