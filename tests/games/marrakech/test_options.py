"""Options and booklets: their values, and how wrong names are refused."""

from __future__ import annotations

import pytest

from companion.errors import SettingError
from companion.games.marrakech import BOOKLETS, OPTIONS, Colour, Options, booklet_named
from companion.games.marrakech.booklets import AGREED, LOT, LOT_OR_YOUNGEST, MOROCCO
from companion.games.marrakech.options import parse_options

THIRTY = [
    "en",
    "fr",
    "nl",
    "es",
    "it",
    "fi",
    "sv",
    "cs",
    "el",
    "pt",
    "pl",
    "is",
    "ar",
    "et",
    "lv",
    "lt",
    "ru",
    "zh-TW",
    "ja",
    "zh-CN",
    "hu",
    "sl",
    "ro",
    "nb",
    "sr",
    "hr",
    "de",
    "ko",
    "th",
    "fa",
]

# The options in which each booklet differs from the English one.
DIFFERENCES = {
    "en": {},
    "fr": {},
    "nl": {},
    "es": {"pivot": "may"},
    "it": {},
    "fi": {"covering": "two-colours"},
    "sv": {},
    "cs": {"two_player": "alternating", "tie_break": "shared"},
    "el": {},
    "pt": {},
    "pl": {},
    "is": {},
    "ar": {"covering": "two-colours"},
    "et": {},
    "lv": {},
    "lt": {},
    "ru": {},
    "zh-TW": {"covering": "two-colours"},
    "ja": {},
    "zh-CN": {"covering": "two-colours"},
    "hu": {},
    "sl": {"box": "57"},
    "ro": {},
    "nb": {},
    "sr": {"box": "57"},
    "hr": {},
    "de": {},
    "ko": {"pivot": "may"},
    "th": {"two_player": "alternating"},
    "fa": {"box": "57"},
    "ru-2012": {"box": "57"},
    "fa-sheet": {"box": "57"},
    "hu-notes": {"bankruptcy": "spare"},
}


@pytest.mark.parametrize("code", DIFFERENCES)
def test_booklets_differ_from_the_english_one_in_these_options(code: str) -> None:
    assert booklet_named(code).options.differences(Options()) == DIFFERENCES[code]


def test_there_are_thirty_booklets_in_the_box_and_three_more() -> None:
    assert list(BOOKLETS) == [*THIRTY, "ru-2012", "fa-sheet", "hu-notes"]
    assert set(BOOKLETS) == set(DIFFERENCES)
    assert all(booklet.code == code for code, booklet in BOOKLETS.items())


def test_the_english_booklet_plays_by_the_publishers_rules() -> None:
    assert dict(booklet_named("en").options.items()) == {
        "bankruptcy": "out",
        "covering": "no-whole-rug",
        "two_player": "shuffled",
        "turn_order": "classic",
        "pivot": "must",
        "purse": "thirty",
        "tie_break": "dirhams",
        "box": "60",
        "short_colour": "brown",
        "loops": "ne-sw",
    }


def test_some_booklets_print_the_pivot_last_variant() -> None:
    printed = [code for code, booklet in BOOKLETS.items() if booklet.has_pivot_last_variant]
    assert printed == ["en", "fr", "nl", "es", "it", "ja", "ko", "th", "fa", "fa-sheet"]


def test_booklets_say_who_has_the_first_turn() -> None:
    first_player: dict[str, list[str]] = {}
    for code, booklet in BOOKLETS.items():
        first_player.setdefault(booklet.first_player, []).append(code)
    assert first_player.pop(MOROCCO) == ["fr", "nl", "es", "it", "pt", "de"]
    assert first_player.pop(LOT) == ["ja", "fa", "fa-sheet"]
    assert first_player.pop(LOT_OR_YOUNGEST) == ["ar"]
    assert list(first_player) == [AGREED]


def test_booklets_are_found_in_any_case() -> None:
    assert booklet_named("ZH-tw") is BOOKLETS["zh-TW"]


@pytest.mark.parametrize(
    ("name", "code"),
    [("German", "de"), ("english", "en"), ("JP", "ja"), ("gr", "el"), ("GB", "en"), ("kr", "ko"),
     ("se", "sv"), ("ee", "et"), ("tw", "zh-TW"), ("cn", "zh-CN"), ("si", "sl"), ("no", "nb"),
     ("ir", "fa")],
)  # fmt: skip
def test_booklets_are_found_by_language_and_by_page_heading(name: str, code: str) -> None:
    assert booklet_named(name) is BOOKLETS[code]


def test_an_unknown_booklet_is_refused_with_a_suggestion() -> None:
    with pytest.raises(
        SettingError, match=r"unknown booklet 'hu-note': .*; did you mean 'hu-notes'\?$"
    ):
        booklet_named("hu-note")


def test_the_first_value_of_each_option_is_the_default() -> None:
    assert dict(Options().items()) == {name: next(iter(OPTIONS[name])) for name in OPTIONS}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in OPTIONS.items() for value in values]
)
def test_each_option_can_be_set_alone(name: str, value: str) -> None:
    changed = booklet_named("cs").options.with_changes({name: value})
    assert dict(changed.items()) == {**dict(booklet_named("cs").options.items()), name: value}


def test_an_unknown_value_is_refused_with_the_allowed_values() -> None:
    with pytest.raises(SettingError) as error:
        Options(covering="two-colors")
    assert str(error.value) == (
        "unknown value of covering 'two-colors': use no-whole-rug, two-colours or "
        "own-rug-allowed; did you mean 'two-colours'?"
    )


def test_a_value_without_similar_ones_gets_no_suggestion() -> None:
    with pytest.raises(SettingError) as error:
        Options(pivot="zzz")
    assert str(error.value) == "unknown value of pivot 'zzz': use must or may"


def test_an_unknown_option_is_refused_with_a_suggestion() -> None:
    with pytest.raises(SettingError, match=r"^unknown option 'tiebreak': .* 'tie_break'\?$"):
        Options().with_changes({"tiebreak": "shared"})


def test_options_are_parsed_as_name_and_value() -> None:
    assert parse_options(["loops=nw-se", "box=57"]) == {"loops": "nw-se", "box": "57"}


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["loops"], "'loops' is not an option: write name=value, like loops=nw-se"),
        (["box=57", "box=60"], "option box is set twice"),
    ],
)
def test_invalid_option_texts_are_refused(texts: list[str], message: str) -> None:
    with pytest.raises(SettingError) as error:
        parse_options(texts)
    assert str(error.value) == message


def test_only_the_short_colour_of_a_box_of_57_has_twelve_rugs() -> None:
    short = Options(box="57", short_colour="red")
    assert [short.rugs_in_box(colour) for colour in Colour] == [12, 15, 15, 15]
    assert [Options().rugs_in_box(colour) for colour in Colour] == [15, 15, 15, 15]
