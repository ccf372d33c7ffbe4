"""The language of the simulator: as configured, or the booklet's."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.table.simulator_user import SimulatorUser, open_simulator

from companion.config.model import Config
from companion.i18n import catalogue_loader
from companion.i18n.catalogue_loader import renderer_for
from companion.i18n.languages import LANGUAGES
from companion.i18n.message import Message, message


def text_in(language: str, key: str) -> str:
    return renderer_for(language).render(Message(key))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_whole_screen_is_in_the_configured_language(language: str, tmp_path: Path) -> None:
    async def check() -> None:
        config = replace(Config(), language=language)
        async with open_simulator(tmp_path, config, size=(110, 42)) as user:
            title = text_in(language, "title.setup")
            await user.wait_until(lambda: title in user.panel_text(), title)
            for key in ("sim.step_players", "sim.step_board"):
                assert text_in(language, key) in user.panel_text()
            assert text_in(language, "sim.banner") in widget_text(user, "Banner")
            assert text_in(language, "sim.keys") in widget_text(user, "#keys")
            assert text_in(language, "sim.hold") in widget_text(user, "#ok")

    asyncio.run(check())


def widget_text(user: SimulatorUser, selector: str) -> str:
    return str(user.app.query(selector).first().render())


def test_language_follows_the_selected_booklet(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path, Config()) as user:
            assert text_in("en", "sim.keys") in widget_text(user, "#keys")
            await user.pilot.press("enter", "right")
            title = text_in("fr", "title.setup")
            await user.wait_until(lambda: title in user.panel_text(), title)
            assert text_in("fr", "sim.keys") in widget_text(user, "#keys")
            await user.pilot.press("question_mark")
            quit_help = renderer_for("fr").render(message("sim.does_quit"))
            await user.wait_until(lambda: quit_help[:20] in user.screen_text(), "help")

    asyncio.run(check())


def test_unreadable_catalogue_is_reported_on_the_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path, replace(Config(), language="fi")) as user:
            await user.wait_for_text("☞ the catalogue of fi cannot be read")
            assert text_in("en", "title.setup") in user.panel_text()

    monkeypatch.setattr(catalogue_loader, "LOCALE", tmp_path)
    renderer_for.cache_clear()
    try:
        asyncio.run(check())
    finally:
        renderer_for.cache_clear()
