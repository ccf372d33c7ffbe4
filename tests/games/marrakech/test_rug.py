"""Colours and rugs."""

from __future__ import annotations

import pytest

from companion.errors import SettingError
from companion.games.marrakech.rug import COLOURS, RUGS, Colour, Rug, colour_named


def test_colours_are_found_by_name_and_letter_in_any_case() -> None:
    for colour in COLOURS:
        for text in (colour.label, colour.letter, colour.name, colour.letter.lower()):
            assert colour_named(text) is colour
    assert [colour.letter for colour in COLOURS] == ["R", "Y", "B", "N"]


def test_an_unknown_colour_is_refused_with_a_suggestion() -> None:
    with pytest.raises(SettingError) as error:
        colour_named("bleu")
    assert str(error.value) == (
        "unknown colour 'bleu': use red, yellow, blue or brown; did you mean 'blue'?"
    )


def test_a_rug_round_trips_through_its_code() -> None:
    for colour in COLOURS:
        for number in range(1, 16):
            rug = Rug(colour, number)
            assert RUGS[rug.code] == rug
    assert RUGS[:4] == (None,) * 4
    assert len(RUGS) == 64
    assert str(Rug(Colour.BROWN, 12)) == "N12"
