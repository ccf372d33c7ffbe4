"""The page's address on the simulator's screen, as text and as a QR code."""

from __future__ import annotations

import asyncio
import sys
from itertools import chain
from pathlib import Path

import pytest
import segno
from helpers.table.simulator_user import SimulatorUser, open_simulator
from rich.color import Color
from rich.style import Style
from textual._compositor import LayoutUpdate
from textual.widgets import Static

from companion.cli.commands.play import make_page_link
from companion.simulator.page_screen import PageScreen
from companion.simulator.remote_clients import PageLink, RemoteClients

URL = "http://192.168.100.100:8080/"
QUIET_ZONE = 4
"""Light modules around a QR code (ISO/IEC 18004)."""
LIGHT, DARK = (255, 255, 255), (0, 0, 0)
Pixel = tuple[int, int, int]


@pytest.fixture
def page_link(monkeypatch: pytest.MonkeyPatch) -> PageLink:
    """The link of a page that the simulator believes to be running."""
    page_link = make_page_link("192.168.100.100", 8080)
    monkeypatch.setattr(RemoteClients, "start", lambda _: None)
    monkeypatch.setattr(RemoteClients, "link", page_link)
    return page_link


async def open_code(user: SimulatorUser) -> None:
    await user.wait_until(lambda: user.app._page_link is not None, "the page")
    user.app.simulate_key("a")
    await user.wait_until(lambda: isinstance(user.app.screen, PageScreen), "the code")
    await user.wait_until(lambda: "type the address" in user.screen_text(), "the address under it")
    assert URL in user.screen_text()


def pixels(user: SimulatorUser) -> list[list[Pixel]]:
    """The screen as pixels: two per cell, one above the other."""
    app = user.app
    update = app.screen._compositor.render_update(full=True, screen_stack=app._background_screens)
    assert isinstance(update, LayoutUpdate)
    rows: list[list[Pixel]] = []
    for strip in update.strips:
        upper, lower = [], []
        for segment in chain.from_iterable(strip):
            ink, ground = _colours(segment.style)
            for char in segment.text:
                upper.append(ink if char in "█▀" else ground)
                lower.append(ink if char in "█▄" else ground)
        rows += [upper, lower]
    return rows


def _colours(style: Style | None) -> tuple[Pixel, Pixel]:
    ink, ground = (style.color, style.bgcolor) if style else (None, None)
    return _pixel(ink, LIGHT), _pixel(ground, DARK)


def _pixel(colour: Color | None, default: Pixel) -> Pixel:
    if colour is None:
        return default
    red, green, blue = colour.get_truecolor()
    return red, green, blue


def code_on_screen(user: SimulatorUser) -> list[list[Pixel]]:
    """The pixels of the QR code with its quiet zone."""
    region = user.app.screen.query_one(".qr", Static).region
    return [row[region.x : region.right] for row in pixels(user)[2 * region.y : 2 * region.bottom]]


@pytest.mark.parametrize("size", [(100, 32), (80, 24)])
@pytest.mark.parametrize("is_monochrome", [False, True])
def test_qr_code_on_the_screen_is_the_code_of_the_address(
    tmp_path: Path,
    page_link: PageLink,
    size: tuple[int, int],
    is_monochrome: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Dark on light with a quiet zone, also on a small screen and without colours."""
    if is_monochrome:
        monkeypatch.setenv("NO_COLOR", "1")

    async def check() -> None:
        async with open_simulator(tmp_path, size=size, address_of=lambda *_: page_link) as user:
            await open_code(user)
            shown = code_on_screen(user)
            matrix = [list(row) for row in segno.make(URL, error="l", micro=False).matrix]
            side = len(matrix)
            assert {pixel for row in shown for pixel in row} == {LIGHT, DARK}
            found = [[int(pixel == DARK) for pixel in row] for row in shown]
            top = next(y for y, row in enumerate(found) if any(row))
            left = min(x for row in found for x, dark in enumerate(row) if dark)
            assert [row[left : left + side] for row in found[top : top + side]] == matrix
            assert sum(map(sum, found)) == sum(map(sum, matrix)), "nothing else is dark"
            assert (
                min(top, left, len(found) - top - side, len(found[0]) - left - side) >= QUIET_ZONE
            )

    asyncio.run(check())


@pytest.mark.parametrize("key", ["escape", "enter", "a", "q"])
def test_keys_close_the_screen(tmp_path: Path, page_link: PageLink, key: str) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path, address_of=lambda *_: page_link) as user:
            stage = user.stage
            await open_code(user)
            assert "SIMULATED · no hardware" in user.screen_text().splitlines()[0]
            user.app.simulate_key(key)
            await user.wait_until(lambda: len(user.app.screen_stack) == 1, "the game")
            assert user.stage is stage
            assert user.app.is_running

    asyncio.run(check())


@pytest.mark.parametrize("size", [(100, 32), (80, 24)])
def test_address_is_in_the_banner(
    tmp_path: Path, page_link: PageLink, size: tuple[int, int]
) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path, size=size, address_of=lambda *_: page_link) as user:
            user.app._update_screen_soon()
            banner = f"SIMULATED · no hardware · phones: {URL} (A)"
            await user.wait_until(lambda: banner in user.screen_text().splitlines()[0], banner)

    asyncio.run(check())


def test_the_help_mentions_the_page(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path, size=(100, 44)) as user:
            user.app.simulate_key("f1")
            found = "the page for phones: its address, and a code to scan"
            await user.wait_until(lambda: found in user.screen_text(), found)

    asyncio.run(check())


def test_without_the_qr_library_only_the_address_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "segno", None)
    alone = make_page_link("192.168.100.100", 8080)
    assert alone == PageLink((URL,))
    monkeypatch.setattr(RemoteClients, "start", lambda _: None)
    monkeypatch.setattr(RemoteClients, "link", alone)

    async def check() -> None:
        async with open_simulator(tmp_path, address_of=lambda *_: alone) as user:
            await open_code(user)
            assert not user.app.screen.query(".qr")

    asyncio.run(check())
