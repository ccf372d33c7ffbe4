"""The page's client of the table's control socket: watches the table and sends requests to it.

The socket has room for sixteen clients, and players use it too. So the page answers from the last
snapshot where it can, and sends only a few requests at a time.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from companion.control.protocol import WIRE_WORDS
from companion.i18n.message import message
from companion.json_types import JsonObject
from companion.web.http.http_error import HttpError

MAX_LINE_BYTES = 1 << 20
"""Of one answer; a snapshot has about 20 kB."""
ANSWER_TIMEOUT_S = 30.0
"""A press may wait for other presses, for a hold and for the disk."""
MAX_CONCURRENT_REQUESTS = 3
MAX_WAITING = 8
FIRST_RETRY_S = 0.2
LAST_RETRY_S = 5.0
_VOLATILE_MEMBERS = ("sequence", "uptime_s", "light", "pad", "page", "refused_at")
"""Members of a snapshot that change by themselves or with any other change."""


class TableClient:
    """Keeps the table's last snapshot while `run` runs. Belongs to the event loop."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.snapshot: JsonObject | None = None
        """None while the table cannot be reached."""
        self.version = 0
        """Grows with every change of `snapshot`."""
        self.connection_count = 0
        """Grows with every connection: it may be another table each time."""
        self._changed = asyncio.Event()
        self._requests = asyncio.Semaphore(MAX_CONCURRENT_REQUESTS)
        self._waiting = 0

    # --- Watching ---------------------------------------------------------------------

    async def run(self) -> None:
        """Watch the table; reconnect for ever, with growing delays."""
        delay_s = FIRST_RETRY_S
        while True:
            try:
                if await self._watch():
                    delay_s = FIRST_RETRY_S
            except (OSError, ValueError, KeyError, TypeError):
                pass  # nothing there, or not a table: retry either way
            if self.snapshot is not None:
                self._change(None)
            await asyncio.sleep(delay_s)
            delay_s = min(2 * delay_s, LAST_RETRY_S)

    async def _watch(self) -> bool:
        """Watch until the table disconnects. Returns whether it sent anything."""
        reader, writer = await self._connect()
        try:
            writer.write(_line({"do": "watch", "words": WIRE_WORDS}))
            while line := await reader.readline():
                self.connection_count += self.snapshot is None
                snapshot = json.loads(line)["table"]
                if not isinstance(snapshot, dict):
                    raise TypeError("a snapshot must be an object")
                self._change({**snapshot, "refused_at": self._refused_at(snapshot)})
        finally:
            writer.transport.abort()
        return self.snapshot is not None

    def _refused_at(self, snapshot: JsonObject) -> object:
        """The sequence number at which the current refusal came; None if there is none.

        A refusal stays in the snapshot while other members change, such as whether a button is
        down. If no lasting member has changed, the same refusal came again.
        """
        before = self.snapshot
        if snapshot.get("refused") is None:
            return None
        if before is None or before.get("refused") != snapshot["refused"]:
            return snapshot.get("sequence")
        is_new = _lasting_members(before) == _lasting_members(snapshot)
        return snapshot.get("sequence") if is_new else before["refused_at"]

    def _change(self, snapshot: JsonObject | None) -> None:
        self.snapshot = snapshot
        self.version += 1
        self._changed.set()
        self._changed = asyncio.Event()

    async def wait_for_change(self, version: int) -> None:
        """Wait until there is a newer version than this one."""
        while self.version == version:
            await self._changed.wait()

    # --- Requests ---------------------------------------------------------------------

    async def request(self, do: str, /, **members: object) -> JsonObject:
        """Send a request and return the table's answer, which may be a refusal.

        Members come from phones and may have any name.
        """
        if self.snapshot is None:
            raise HttpError(503, message("page.no_table"))
        if self._waiting >= MAX_WAITING:
            raise HttpError(503, message("page.busy"))
        self._waiting += 1
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT_S), self._requests:
                return await self._request({**members, "do": do, "words": WIRE_WORDS})
        except (OSError, ValueError, TypeError):  # a timeout is an OSError
            raise HttpError(503, message("page.no_answer")) from None
        finally:
            self._waiting -= 1

    async def _request(self, members: JsonObject) -> JsonObject:
        reader, writer = await self._connect()
        try:
            writer.write(_line(members))
            answer = json.loads(await reader.readline())
            if not isinstance(answer, dict):
                raise TypeError("an answer must be an object")
            return answer
        finally:
            writer.transport.abort()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_unix_connection(str(self._path), limit=MAX_LINE_BYTES)


def _lasting_members(snapshot: JsonObject) -> JsonObject:
    return {name: value for name, value in snapshot.items() if name not in _VOLATILE_MEMBERS}


def _line(members: JsonObject) -> bytes:
    return json.dumps(members, separators=(",", ":")).encode() + b"\n"
