"""Drives the simulator of `marrakech play`: presses keys and reads the screen."""

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
from companion.simulator.app import Simulator, connect_virtual_pad
from companion.simulator.board_view.market import Market
from companion.table.conversation import Stage
from companion.table.scenes.stage_scenes import LINK, LinkState
from helpers.patience import PATIENCE_S

if TYPE_CHECKING:
    from companion.adapters.hardware import MakePad
    from companion.simulator.remote_clients import AddressOf

HOLD_MS = 10_000
"""Longer than a loaded machine delays a tap."""
HOLD_MARGIN_MS = 1500


def fast_retry_config(config: Config | None = None, hold_ms: int = HOLD_MS) -> Config:
    """A config with a long hold, and a short delay before the journal is tried again."""
    config = config or Config()
    return replace(
        config,
        buttons=replace(config.buttons, hold_ms=hold_ms),
        journal=replace(config.journal, retry_s=0.1),
    )


class SimulatorUser:
    def __init__(self, app: Simulator, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def table(self) -> Table:
        assert self.app.table is not None
        return self.app.table

    @property
    def stage(self) -> Stage:
        return self.table.controller.view.conversation.stage

    @property
    def market(self) -> Market:
        return self.app.screen_stack[0].query_one(Market)

    def has_settled(self) -> bool:
        """Whether the layout is final, the matrix is lit, and the pad (if any) is connected."""
        layout = self.market.board_layout
        size = self.market.size
        light = self.market.light
        expected_lit = light if self.app.controls.pad is None else light[LINK : LINK + 1]
        return size == (layout.width, layout.rows) and any(map(any, expected_lit))

    @property
    def link(self) -> LinkState:
        return self.table.controller.view.status.link

    def position(self) -> str:
        """The position that the market shows, as text."""
        cardboard = self.market.cardboard
        assert cardboard is not None
        assert cardboard.state is not None
        return position_text(cardboard.state)

    def screen_text(self) -> str:
        """The text of the screen, line by line.

        Uses Textual's private renderer: the public API, an SVG screenshot, takes 100 ms.
        """
        app = self.app
        update = app.screen._compositor.render_update(
            full=True, screen_stack=app._background_screens
        )
        assert isinstance(update, LayoutUpdate)
        return "\n".join("".join(strip.text for strip in line) for line in update.strips)

    def panel_text(self) -> str:
        """The text of the panel as one line, because sentences wrap."""
        panel = self.market.region.right
        return " ".join(" ".join(line[panel:] for line in self.screen_text().splitlines()).split())

    async def wait_until(self, is_so: Callable[[], bool], what: str) -> None:
        for _ in range(round(PATIENCE_S / 0.01)):
            if is_so():
                return
            await asyncio.sleep(0.01)
        raise AssertionError(f"still not so: {what}\n{self.screen_text()}")

    async def wait_for_text(self, text: str) -> None:
        """Wait until the panel shows a text."""
        await self.wait_until(lambda: text in self.panel_text(), text)

    async def press(self, key: str, stage: Stage) -> None:
        """Press a key and wait for the stage that it leads to."""
        self.app.simulate_key(key)
        await self.wait_until(lambda: self.stage is stage, f"{key} leads to {stage}")

    async def go_to_setting(self) -> None:
        """Accept the set-up up to its last stage."""
        for stage in (Stage.BOOKLET, Stage.COLOURS, Stage.SETTING):
            await self.press("enter", stage)

    async def start_game(self) -> None:
        """Start a game for four with Assam facing south."""
        await self.go_to_setting()
        await self.press("enter", Stage.ORIENT)


@asynccontextmanager
async def open_simulator(
    folder: Path,
    config: Config | None = None,
    *,
    size: tuple[int, int] = (100, 32),
    make_pad: MakePad | None = connect_virtual_pad,
    hold_ms: int = HOLD_MS,
    address_of: AddressOf | None = None,
) -> AsyncIterator[SimulatorUser]:
    """Run a simulator. With `address_of` it serves the phone page too."""
    app = Simulator(
        fast_retry_config(config, hold_ms),
        folder,
        origin="the defaults",
        make_pad=make_pad,
        address_of=address_of,
    )
    # On a loaded machine a press may be delayed, so a hold must last longer.
    with patch("companion.simulator.app.HOLD_MARGIN_MS", HOLD_MARGIN_MS):
        async with app.run_test(size=size) as pilot:
            user = SimulatorUser(app, pilot)
            await user.wait_until(user.has_settled, "the simulator is ready")
            yield user
    if app.stopped_by is not None:
        raise app.stopped_by
