"""The page's address on the simulator's screen: to read, and as a code that phones can scan."""

from __future__ import annotations

import asyncio
import sys
from itertools import chain
from pathlib import Path

import pytest
import segno
from helpers.table.simulator_user import SimulatorUser, looking_at
from rich.color import Color
from rich.style import Style
from textual._compositor import LayoutUpdate
from textual.widgets import Static

from companion.cli.commands.play import sign_of_page
from companion.simulator.page_screen import PageScreen
from companion.simulator.remote_clients import PageLink, RemoteClients

URL = "http://192.168.100.100:8080/"
QUIET = 4
"""Light modules around a code, as its standard wants them (ISO/IEC 18004)."""
LIGHT, DARK = (255, 255, 255), (0, 0, 0)
Pixel = tuple[int, int, int]


@pytest.fixture
def sign(monkeypatch: pytest.MonkeyPatch) -> PageLink:
    """Of a page that is there, as far as the screen knows."""
    sign = sign_of_page("192.168.100.100", 8080)
    monkeypatch.setattr(RemoteClients, "start", lambda _: None)
    monkeypatch.setattr(RemoteClients, "sign", sign)
    return sign


async def open_code(guest: SimulatorUser) -> None:
    await guest.until(lambda: guest.app._sign is not None, "the page")
    guest.app.simulate_key("a")
    await guest.until(lambda: isinstance(guest.app.screen, PageScreen), "the code")
    await guest.until(lambda: "type the address" in guest.screen(), "the address under it")
    assert URL in guest.screen()


def pixels(guest: SimulatorUser) -> list[list[Pixel]]:
    """Every cell of the screen is two, one above the other, in the colours that it is drawn in."""
    app = guest.app
    update = app.screen._compositor.render_update(full=True, screen_stack=app._background_screens)
    assert isinstance(update, LayoutUpdate)
    rows: list[list[Pixel]] = []
    for strip in update.strips:
        upper, lower = [], []
        for segment in chain.from_iterable(strip):
            ink, ground = _colours(segment.style)
            for sign in segment.text:
                upper.append(ink if sign in "█▀" else ground)
                lower.append(ink if sign in "█▄" else ground)
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


def code_on_screen(guest: SimulatorUser) -> list[list[Pixel]]:
    """The pixels of the code, with the light edge around it."""
    region = guest.app.screen.query_one(".qr", Static).region
    return [row[region.x : region.right] for row in pixels(guest)[2 * region.y : 2 * region.bottom]]


@pytest.mark.parametrize("size", [(100, 32), (80, 24)])
@pytest.mark.parametrize("is_plain", [False, True])
def test_code_on_the_screen_is_the_code_of_the_address(
    tmp_path: Path,
    sign: PageLink,
    size: tuple[int, int],
    is_plain: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Dark on light, whole, with its edge, on a small screen and without colours as well."""
    if is_plain:
        monkeypatch.setenv("NO_COLOR", "1")

    async def scene() -> None:
        async with looking_at(tmp_path, size=size, address_of=lambda *_: sign) as guest:
            await open_code(guest)
            shown = code_on_screen(guest)
            matrix = [list(row) for row in segno.make(URL, error="l", micro=False).matrix]
            side = len(matrix)
            assert {pixel for row in shown for pixel in row} == {LIGHT, DARK}
            found = [[int(pixel == DARK) for pixel in row] for row in shown]
            top = next(y for y, row in enumerate(found) if any(row))
            left = min(x for row in found for x, dark in enumerate(row) if dark)
            assert [row[left : left + side] for row in found[top : top + side]] == matrix
            assert sum(map(sum, found)) == sum(map(sum, matrix)), "and nothing else is dark"
            assert min(top, left, len(found) - top - side, len(found[0]) - left - side) >= QUIET

    asyncio.run(scene())


@pytest.mark.parametrize("key", ["escape", "enter", "a", "q"])
def test_keys_lead_back_to_the_game(tmp_path: Path, sign: PageLink, key: str) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path, address_of=lambda *_: sign) as guest:
            stage = guest.stage
            await open_code(guest)
            assert "SIMULATED · no hardware" in guest.screen().splitlines()[0]
            guest.app.simulate_key(key)
            await guest.until(lambda: len(guest.app.screen_stack) == 1, "the game")
            assert guest.stage is stage
            assert guest.app.is_running

    asyncio.run(scene())


@pytest.mark.parametrize("size", [(100, 32), (80, 24)])
def test_address_stands_in_the_banner(
    tmp_path: Path, sign: PageLink, size: tuple[int, int]
) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path, size=size, address_of=lambda *_: sign) as guest:
            guest.app._changed()
            told = f"SIMULATED · no hardware · phones: {URL} (A)"
            await guest.until(lambda: told in guest.screen().splitlines()[0], told)

    asyncio.run(scene())


def test_the_help_tells_of_it(tmp_path: Path) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path, size=(100, 44)) as guest:
            guest.app.simulate_key("f1")
            found = "the page for phones: its address, and a code to scan"
            await guest.until(lambda: found in guest.screen(), found)

    asyncio.run(scene())


def test_an_address_without_a_code_is_shown_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where what draws codes is not installed."""
    monkeypatch.setitem(sys.modules, "segno", None)
    alone = sign_of_page("192.168.100.100", 8080)
    assert alone == PageLink((URL,))
    monkeypatch.setattr(RemoteClients, "start", lambda _: None)
    monkeypatch.setattr(RemoteClients, "sign", alone)

    async def scene() -> None:
        async with looking_at(tmp_path, address_of=lambda *_: alone) as guest:
            await open_code(guest)
            assert not guest.app.screen.query(".qr")

    asyncio.run(scene())
