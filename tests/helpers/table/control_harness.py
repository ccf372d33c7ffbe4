"""A virtual table with a control server, and clients that write raw lines to its socket.

    async def scenario() -> None:
        async with open_control(tmp_path) as harness:
            client = await harness.connect()
            answer = await client.press("ok ok ok ok 3")

Key names are those of `TableDriver`. Works on a virtual loop, where no real time passes, and on a
real one. Starts no threads.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from companion.adapters.pad_health import PadHealth
from companion.control.remote_input import DirectKeys, RemoteKeys, remote_keys_for
from companion.control.server import ControlServer
from helpers.table.virtual_table import HOLD_MS, VirtualTable

JsonObject = dict[str, Any]
PRESSES: dict[str, JsonObject] = {
    **{name: {"button": name} for name in ("north", "east", "south", "west", "ok", "back")},
    **{str(pips): {"die": pips} for pips in (1, 2, 3, 4)},
    "audit": {"button": "ok", "hold": True},
    "pause": {"button": "back", "hold": True},
    "roll": {"roll": True},
}


class RawControlClient:
    """One connection to the control socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def send(self, data: bytes) -> None:
        self.writer.write(data)

    async def read(self) -> JsonObject:
        """Read the next response."""
        line = await self.reader.readline()
        assert line.endswith(b"\n"), "the server closed the connection"
        response = json.loads(line)
        assert isinstance(response, dict)
        return response

    async def is_closed(self) -> bool:
        """Whether the server has closed the connection. Consumes a byte if not."""
        try:
            return not await self.reader.read(1)
        except ConnectionError:
            return True

    async def request(self, do: str, **members: object) -> JsonObject:
        self.send(json.dumps({"do": do, **members}).encode() + b"\n")
        return await self.read()

    async def snapshot(self) -> JsonObject:
        snapshot = (await self.request("status"))["table"]
        assert isinstance(snapshot, dict)
        return snapshot

    async def press(self, inputs: str) -> JsonObject:
        """Press these keys. Only the last may be refused."""
        response: JsonObject = {"ok": True}
        for name in inputs.split():
            assert response["ok"], f"before {name!r}: {response}"
            response = await self.request("press", **PRESSES[name])
        return response

    def abort(self) -> None:
        self.writer.transport.abort()


class ControlHarness:
    """A table, its control server and the clients of it."""

    def __init__(self, virtual_table: VirtualTable, control: ControlServer) -> None:
        self.virtual_table = virtual_table
        self.control = control
        self.log: list[str] = []
        """What the control server logged."""
        self._clients: list[RawControlClient] = []

    @property
    def path(self) -> Path:
        return self.control.path

    async def connect(self) -> RawControlClient:
        connection = await asyncio.open_unix_connection(str(self.path), limit=1 << 20)
        client = RawControlClient(*connection)
        self._clients.append(client)
        return client

    async def close(self) -> None:
        self.control.close()
        for client in self._clients:
            client.abort()
        await let_loop_run()


async def let_loop_run() -> None:
    """Let the loop run a few times: it takes that to close a connection."""
    for _ in range(10):
        await asyncio.sleep(0)


def direct_keys(virtual_table: VirtualTable) -> RemoteKeys:
    """The remote keys of a table with real hardware."""
    return DirectKeys(virtual_table.loop, virtual_table.table.controller)


@asynccontextmanager
async def open_control(
    folder: Path,
    *,
    make_keys: Callable[[VirtualTable], RemoteKeys] | None = None,
    pad: PadHealth | None = None,
    **table_arguments: Any,  # noqa: ANN401 - passed on to VirtualTable
) -> AsyncIterator[ControlHarness]:
    """Open a table and its control server, with a socket path short enough for the system."""
    with (
        TemporaryDirectory(prefix="m") as short,
        VirtualTable(folder, **table_arguments) as virtual_table,
        _logged_by("companion.control") as log,
    ):
        table, loop = virtual_table.table, virtual_table.loop
        make_keys = make_keys or (
            lambda at: remote_keys_for(at.loop, at.table.controller, at.config, at.hardware)
        )
        control = ControlServer(
            loop,
            table,
            make_keys(virtual_table),
            Path(short) / "control.sock",
            hold_ms=HOLD_MS,
            pad=lambda: pad,
        )
        harness = ControlHarness(virtual_table, control)
        harness.log = log
        await control.start()
        try:
            yield harness
        finally:
            await harness.close()


@contextmanager
def _logged_by(name: str) -> Iterator[list[str]]:
    """Collect the log messages of a package."""
    lines: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger(name)
    logger.addHandler(handler)
    try:
        yield lines
    finally:
        logger.removeHandler(handler)
