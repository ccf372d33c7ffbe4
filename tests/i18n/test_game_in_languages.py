"""Plays a game and compares every sentence with golden files in five languages.

They are a right-to-left language with six plural forms, and languages with four, three, two and
one. After changing sentences, run with MARRAKECH_GOLDEN=write and review the diff.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.table.table_driver import INPUTS, TableDriver, game_at

from companion.i18n.catalogue_loader import renderer_for
from companion.i18n.renderer import TextRenderer
from companion.table.text.prompts import prompts_of

GOLDEN = Path(__file__).parent / "golden"
NAMES = ("Amina", "", "Chloé", "دانا")
SET_UP = "west east ok east west ok south ok east"
TURNS = (
    "2 south ok 3 ok east 1 ok ok south 2 ok back back ok east ok west 3 4 ok ok "
    "north 1 ok ok audit ok east ok ok north ok audit"
)
ARRANGED = {
    "one owes more than there is": (
        "......./......./..Y1Y1Y3../...Y2Y3../...Y2Y4../....Y4../....... "
        "d4s pay R R:3:11,Y:57:8,B:30:12,N:30:12 -",
        "north ok",
    ),
    "the last rug": (
        "......./......./..Y1Y1Y3../...Y2Y3../...Y2Y4../....Y4../....... "
        "d4s pay R R:30:1,Y:22:0,B:21:0,N:47:0 -",
        "ok ok",
    ),
}


def sentences(driver: TableDriver, renderer: TextRenderer) -> Iterator[str]:
    prompts = prompts_of(driver.conversation)
    yield f"= {renderer.render(prompts.title)}"
    yield from (f"  {renderer.render(one)}" for one in prompts.todo)
    yield from (f"+ {renderer.render(one)}" for one in prompts.news)
    if driver.refusal is not None:
        yield f"! {renderer.render(driver.refusal)}"


def game(renderer: TextRenderer) -> Iterator[str]:
    driver = TableDriver(names=NAMES)
    yield from sentences(driver, renderer)
    for word in f"{SET_UP} {TURNS}".split():
        driver.handle(INPUTS[word])
        yield f"\n[{word}]"
        yield from sentences(driver, renderer)
    for name, (position, words) in ARRANGED.items():
        driver = game_at(position)
        yield f"\n[{name}]"
        yield from sentences(driver, renderer)
        for word in words.split():
            driver.handle(INPUTS[word])
            yield f"\n[{word}]"
            yield from sentences(driver, renderer)


@pytest.mark.parametrize("language", ["ar", "de", "ja", "ru", "sl"])
def test_a_game_in_this_language_matches_its_golden_file(language: str) -> None:
    path = GOLDEN / f"{language}.txt"
    text = "\n".join(game(renderer_for(language))) + "\n"
    if os.environ.get("MARRAKECH_GOLDEN") == "write":
        path.write_text(text)
    assert text == path.read_text()


def test_the_game_has_every_kind_of_sentence() -> None:
    text = "\n".join(game(TextRenderer()))
    for part in ("your turn", "Roll", "pays", "owes", "is out", "Lift", "Corrected", "Put Assam"):
        assert part in text
    assert "! " in text
