"""An onlooker at the simulator: presses what players press, and reads what is on the screen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

from textual._compositor import LayoutUpdate
from textual.pilot import Pilot

from companion.config.model import Config
from companion.daemon.wiring import Table
from companion.games.marrakech import position_text
from companion.simulator.app import Simulator, plug_in_virtual_pad
from companion.simulator.market import Market
from companion.table.conversation import Stage
from companion.table.scenes.stage_scenes import LINK, Link
from helpers.patience import PATIENCE_S

if TYPE_CHECKING:
    from companion.adapters.hardware import MakePad
    from companion.simulator.remote_clients import AddressOf

HOLD_MS = 3000
"""Longer than a busy machine keeps a tap waiting."""
HOLD_LONGER_MS = 1500


def quick(config: Config | None = None, hold_ms: int = HOLD_MS) -> Config:
    """A table where a hold takes three seconds, and the disk is tried again soon."""
    config = config or Config()
    return replace(
        config,
        buttons=replace(config.buttons, hold_ms=hold_ms),
        journal=replace(config.journal, retry_s=0.1),
    )


class SimulatorUser:
    """Somebody before the screen."""

    def __init__(self, app: Simulator, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def table(self) -> Table:
        assert self.app.table is not None
        return self.app.table

    @property
    def stage(self) -> Stage:
        return self.table.daemon.view.conversation.stage

    @property
    def market(self) -> Market:
        return self.app.screen_stack[0].query_one(Market)

    def has_settled(self) -> bool:
        """Whether all has its place on the screen, the chip its light, and the pad is heard."""
        plan = self.market.plan
        size = self.market.size
        light = self.market.light
        awaited = light if self.app.hands.pad is None else light[LINK : LINK + 1]
        return size == (plan.width, plan.rows) and any(map(any, awaited))

    @property
    def link(self) -> Link:
        return self.table.daemon.view.status.link

    def position(self) -> str:
        """The cardboard as it is drawn, in one line."""
        cardboard = self.market.cardboard
        assert cardboard is not None
        assert cardboard.state is not None
        return position_text(cardboard.state)

    def screen(self) -> str:
        """What can be read on the screen, line by line.

        By Textual's own renderer: its public way, a screenshot in SVG, takes 100 ms.
        """
        app = self.app
        update = app.screen._compositor.render_update(
            full=True, screen_stack=app._background_screens
        )
        assert isinstance(update, LayoutUpdate)
        return "\n".join("".join(strip.text for strip in line) for line in update.strips)

    def words(self) -> str:
        """What the panel says, as one line: sentences are wrapped anyhow."""
        panel = self.market.region.right
        return " ".join(" ".join(line[panel:] for line in self.screen().splitlines()).split())

    async def until(self, is_so: Callable[[], bool], what: str) -> None:
        """Wait for something to come about; how long it takes is nobody's promise here."""
        for _ in range(round(PATIENCE_S / 0.01)):
            if is_so():
                return
            await asyncio.sleep(0.01)
        raise AssertionError(f"never: {what}\n{self.screen()}")

    async def read(self, text: str) -> None:
        """Wait until something can be read in the panel."""
        await self.until(lambda: text in self.words(), text)

    async def press(self, key: str, stage: Stage) -> None:
        """Press a key and wait for where it leads."""
        self.app.simulate_key(key)
        await self.until(lambda: self.stage is stage, f"{key} leads to {stage}")

    async def set_up(self) -> None:
        """OK, OK, OK: the board lies there."""
        for stage in (Stage.BOOKLET, Stage.COLOURS, Stage.SETTING):
            await self.press("enter", stage)

    async def begin(self) -> None:
        """A game for four, Assam faces south."""
        await self.set_up()
        await self.press("enter", Stage.ORIENT)


@asynccontextmanager
async def looking_at(
    folder: Path,
    config: Config | None = None,
    *,
    size: tuple[int, int] = (100, 32),
    make_pad: MakePad | None = plug_in_virtual_pad,
    hold_ms: int = HOLD_MS,
    address_of: AddressOf | None = None,
) -> AsyncIterator[SimulatorUser]:
    """Somebody at a simulator that is running; with `address_of`, others can reach it too."""
    app = Simulator(
        quick(config, hold_ms),
        folder,
        origin="the defaults",
        make_pad=make_pad,
        address_of=address_of,
    )
    # On a busy machine a finger may be heard late, and must stay down for as much longer.
    with patch("companion.simulator.app.HOLD_LONGER_MS", HOLD_LONGER_MS):
        async with app.run_test(size=size) as pilot:
            guest = SimulatorUser(app, pilot)
            await guest.until(guest.has_settled, "the table is laid out")
            yield guest
    if app.stopped_by is not None:
        raise app.stopped_by
