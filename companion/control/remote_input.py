"""The one finger of the control socket: presses, or sets up, and knows what came of it.

Nobody tells a contact from afar what it led to, so the answer is read off the table: the first
thing that is done or refused after a press. Therefore presses come one after the other, and each
waits until what others have told is answered.
"""

from __future__ import annotations

import asyncio

from companion.control.protocol import Press
from companion.control.remote_keys import Fingers
from companion.daemon.controller import Controller, TableView
from companion.errors import CompanionError
from companion.i18n.message import Message
from companion.table.inputs import Button
from companion.table.setup_stages import Wishes

ANSWER_S = 10.0
"""A disk may be slow, but not as slow as that."""
QUIET_S = 3.0
"""How long somebody at the table may keep a button down before we press all the same."""
_LOOK_S = 0.01


class NotAnsweredError(CompanionError, TimeoutError):
    """A press of which nothing came."""


class RemoteInput:
    """All on the loop."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        daemon: Controller,
        fingers: Fingers,
        *,
        hold_ms: float,
    ) -> None:
        self._loop = loop
        self._daemon = daemon
        self._fingers = fingers
        self._hold_ms = hold_ms
        self._one_at_a_time = asyncio.Lock()
        self._down: Button | int | None = None
        """What the finger is on."""
        self._seen = daemon.view
        self._answer: asyncio.Future[Message | None] | None = None
        """What comes of the press that is under way: nothing to say, or why it is refused."""
        daemon.watch(self._see)

    async def press(self, press: Press) -> Message | None:
        """Press, and wait until the table has answered: None if it is done, or why it is not."""
        async with self._one_at_a_time:
            await self._wait_until_quiet()
            return _fault(self._daemon.view) or await self._press(press)

    async def agree(self, wishes: Wishes) -> Message | None:
        """Put wishes on the page of the set-up, in its turn, and wait as for a press."""
        async with self._one_at_a_time:
            await self._wait_until_quiet()
            self._answer = answer = self._loop.create_future()
            return self._daemon.agree(wishes) or await _in_time(answer)

    def close(self) -> None:
        """Hands off; twice is no trouble."""
        key, self._down = self._down, None
        if key is not None:
            self._fingers.lift(key)

    async def _wait_until_quiet(self) -> None:
        """Until what was told before is answered, so that its answer is not taken for ours."""
        quiet_at = self._loop.time() + QUIET_S
        while self._daemon.is_answering and self._loop.time() < quiet_at:
            await asyncio.sleep(_LOOK_S)

    async def _press(self, press: Press) -> Message | None:
        self._answer = answer = self._loop.create_future()
        touch_s = self._fingers.touch_ms / 1000
        self._down = press.key
        self._fingers.press(press.key)
        try:
            await asyncio.sleep(touch_s)
            if press.is_held:  # by the time, and by its answer: a busy machine may hear it late
                await asyncio.sleep(self._hold_ms / 1000)
                await _in_time(answer)
        finally:
            self.close()
        refused = await _in_time(answer)
        await asyncio.sleep(touch_s)  # the next press may be of the same button
        return refused

    def _see(self, view: TableView) -> None:
        before, self._seen = self._seen, view
        if self._answer is None or self._answer.done():
            return
        fault = _fault(view)
        refused = view.refused if view.refused is not before.refused else None
        if fault or refused or view.conversation is not before.conversation:
            self._answer.set_result(fault or refused)


def _fault(view: TableView) -> Message | None:
    """Why nothing is answered any more, if that is so."""
    return next((told for told in view.trouble if told.key == "trouble.fault"), None)


async def _in_time(answer: asyncio.Future[Message | None]) -> Message | None:
    try:
        async with asyncio.timeout(ANSWER_S):
            return await asyncio.shield(answer)
    except TimeoutError:
        raise NotAnsweredError(
            f"the table has not answered for {ANSWER_S:.0f} s: look whether a button is stuck or "
            "the disk hangs"
        ) from None
