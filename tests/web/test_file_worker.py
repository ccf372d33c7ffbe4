"""Where files are read: one after the other, and not more than so many wait."""

from __future__ import annotations

import asyncio
from threading import Event, current_thread

import pytest
from helpers.patience import PATIENCE_S

from companion.web.file_worker import FileWorker
from companion.web.http.refusal import Refusal


def test_work_is_done_in_a_thread_and_its_errors_come_back() -> None:
    async def scenario() -> None:
        room = FileWorker()
        assert (await room.read(lambda: current_thread().name)).startswith("reader")
        with pytest.raises(ZeroDivisionError):
            await room.read(lambda: 1 // 0)
        room.close()

    asyncio.run(scenario())


def test_when_many_wait_the_next_is_told_to_come_again() -> None:
    async def scenario() -> None:
        room, go_on = FileWorker(most_waiting=2), Event()
        waiting = [asyncio.ensure_future(room.read(go_on.wait)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Refusal) as refused:
            await room.read(lambda: "never")
        assert refused.value.status == 503
        go_on.set()
        assert await asyncio.gather(*waiting) == [True, True]
        assert await room.read(lambda: "again") == "again"
        room.close()

    asyncio.run(scenario())


def test_work_that_takes_too_long_is_not_waited_for_but_keeps_its_place() -> None:
    """Or a flood of slow work would grow behind the backs of those who gave up."""

    async def scenario() -> None:
        room, go_on = FileWorker(most_waiting=1, patience_s=0.01), Event()
        with pytest.raises(Refusal):
            await room.read(go_on.wait)
        assert room._waiting == 1, "the thread is still at it"
        ran: list[str] = []
        with pytest.raises(Refusal):
            await room.read(lambda: ran.append("there was no place"))
        go_on.set()
        async with asyncio.timeout(PATIENCE_S):
            while room._waiting:
                await asyncio.sleep(0.01)
        assert ran == []
        room.close()

    asyncio.run(scenario())
