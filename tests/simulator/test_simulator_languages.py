"""The simulator speaks the language that is set, or that of the booklet."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.table.simulator_user import SimulatorUser, looking_at

from companion.config.model import Config
from companion.i18n import catalogue_loader
from companion.i18n.catalogue_loader import speech_in
from companion.i18n.languages import LANGUAGES
from companion.i18n.message import Message, message


def said(language: str, key: str) -> str:
    return speech_in(language).say(Message(key))


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_of_the_screen_is_in_the_language_that_is_set(language: str, tmp_path: Path) -> None:
    async def scene() -> None:
        config = replace(Config(), language=language)
        async with looking_at(tmp_path, config, size=(110, 42)) as guest:
            title = said(language, "title.setup")
            await guest.until(lambda: title in guest.words(), title)
            for key in ("sim.step_players", "sim.step_board"):
                assert said(language, key) in guest.words()
            assert said(language, "sim.banner") in text_of(guest, "Banner")
            assert said(language, "sim.keys") in text_of(guest, "#keys")
            assert said(language, "sim.hold") in text_of(guest, "#ok")

    asyncio.run(scene())


def text_of(guest: SimulatorUser, selector: str) -> str:
    return str(guest.app.query(selector).first().render())


def test_it_goes_with_the_booklet_that_is_leafed_to(tmp_path: Path) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path, Config()) as guest:
            assert said("en", "sim.keys") in text_of(guest, "#keys")
            await guest.pilot.press("enter", "right")
            title = said("fr", "title.setup")
            await guest.until(lambda: title in guest.words(), title)
            assert said("fr", "sim.keys") in text_of(guest, "#keys")
            await guest.pilot.press("question_mark")
            helped = speech_in("fr").say(message("sim.does_quit"))
            await guest.until(lambda: helped[:20] in guest.screen(), "help")

    asyncio.run(scene())


def test_a_language_that_cannot_be_read_is_told_on_the_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path, replace(Config(), language="fi")) as guest:
            await guest.read("☞ the words of fi cannot be read")
            assert said("en", "title.setup") in guest.words()

    monkeypatch.setattr(catalogue_loader, "LOCALE", tmp_path)
    speech_in.cache_clear()
    try:
        asyncio.run(scene())
    finally:
        speech_in.cache_clear()
