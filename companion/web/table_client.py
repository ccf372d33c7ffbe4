"""The page's line to the table: the control socket, watched, and asked when a phone wants it.

The table is never asked for what is known already, and by no more than a few at a time: its socket
has room for sixteen, and people at the table use it too.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from companion.control.protocol import PLAIN_WORDS
from companion.i18n.message import message
from companion.web.http.refusal import Refusal

LONGEST_LINE = 1 << 20
"""Bytes of an answer; an account has some twenty thousand."""
ANSWER_S = 30.0
"""A press may have to wait for others, for a hold and for the disk."""
MOST_ASKING = 3
MOST_WAITING = 8
FIRST_RETRY_S = 0.2
LAST_RETRY_S = 5.0
_RESTLESS = ("sequence", "uptime_s", "light", "pad", "page", "refused_at")
"""Members of an account that change by themselves, or with whatever else does."""

Plain = dict[str, Any]


class TableClient:
    """What the table tells. `run` goes on for ever; all on the loop."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.table: Plain | None = None
        """The last account; None while the table cannot be reached."""
        self.version = 0
        """Grows with every change of `table`."""
        self.meetings = 0
        """How often the table was met: it may be another one each time."""
        self._changed = asyncio.Event()
        self._asking = asyncio.Semaphore(MOST_ASKING)
        self._waiting = 0

    # --- Watching ---------------------------------------------------------------------

    async def run(self) -> None:
        """Watch the table, and look for it again and again when it is gone."""
        delay_s = FIRST_RETRY_S
        while True:
            try:
                if await self._watch():
                    delay_s = FIRST_RETRY_S
            except (OSError, ValueError, KeyError, TypeError):
                pass  # nobody there, or nobody who speaks as a table does: the same to us
            if self.table is not None:
                self._change(None)
            await asyncio.sleep(delay_s)
            delay_s = min(2 * delay_s, LAST_RETRY_S)

    async def _watch(self) -> bool:
        """Until it hangs up; whether it told anything."""
        reader, writer = await self._connect()
        try:
            writer.write(_line({"do": "watch", "words": PLAIN_WORDS}))
            while line := await reader.readline():
                self.meetings += self.table is None
                table = json.loads(line)["table"]
                if not isinstance(table, dict):
                    raise TypeError("an account is an object")
                self._change({**table, "refused_at": self._refused_at(table)})
        finally:
            writer.transport.abort()
        return self.table is not None

    def _refused_at(self, table: Plain) -> object:
        """Which change of the table's was the refusal that stands; None if there is none.

        It stands while other things change, such as whether a button is down. Where nothing else
        has changed, it has come again.
        """
        before = self.table
        if table.get("refused") is None:
            return None
        if before is None or before.get("refused") != table["refused"]:
            return table.get("sequence")
        is_new = _lasting(before) == _lasting(table)
        return table.get("sequence") if is_new else before["refused_at"]

    def _change(self, table: Plain | None) -> None:
        self.table = table
        self.version += 1
        self._changed.set()
        self._changed = asyncio.Event()

    async def wait_for_change(self, seen: int) -> None:
        """Until there is something newer than the version that was seen."""
        while self.version == seen:
            await self._changed.wait()

    # --- Asking -----------------------------------------------------------------------

    async def ask(self, do: str, /, **members: object) -> Plain:
        """One request, one answer, which may be a refusal of the table's. Members may have any
        name: what a phone sends comes here."""
        if self.table is None:
            raise Refusal(503, message("page.no_table"))
        if self._waiting >= MOST_WAITING:
            raise Refusal(503, message("page.busy"))
        self._waiting += 1
        try:
            async with asyncio.timeout(ANSWER_S), self._asking:
                return await self._ask({**members, "do": do, "words": PLAIN_WORDS})
        except (OSError, ValueError, TypeError):  # a timeout is an OSError
            raise Refusal(503, message("page.no_answer")) from None
        finally:
            self._waiting -= 1

    async def _ask(self, request: Plain) -> Plain:
        reader, writer = await self._connect()
        try:
            writer.write(_line(request))
            answer = json.loads(await reader.readline())
            if not isinstance(answer, dict):
                raise TypeError("an answer is an object")
            return answer
        finally:
            writer.transport.abort()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_unix_connection(str(self._path), limit=LONGEST_LINE)


def _lasting(table: Plain) -> Plain:
    return {name: told for name, told in table.items() if name not in _RESTLESS}


def _line(plain: Plain) -> bytes:
    return json.dumps(plain, separators=(",", ":")).encode() + b"\n"
