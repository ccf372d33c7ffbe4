"""Names as letters: what is kept, what is cut, how wide it is, and which font has it."""

from __future__ import annotations

from functools import partial

import pytest
from PIL import ImageFont

from companion.drawing import lettering
from companion.drawing.lettering import (
    clean,
    ems,
    font_for,
    fonts,
    has_all,
    is_rtl,
    shorter,
    spellings,
)

ALI_REZA = "علی\u200cرضا"
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
TURNING = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


# --- Text ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [ALI_REZA, FAMILY, "Zoë", "李", "\U0001fae8", "O'Neil & <b>"])
def test_a_name_is_kept_as_it_is_written(name: str) -> None:
    assert clean(name) == name


def test_what_turns_the_order_of_letters_is_left_out() -> None:
    assert clean(f"A{TURNING}na\ufeff\u00ad") == "Ana"
    assert clean("\u2068Ana\u2069: \u202eout", kept="\u2068\u2069") == "\u2068Ana\u2069: out"


def test_every_blank_is_a_blank() -> None:
    assert clean("山田\u3000花子\u00a0A") == "山田 花子 A"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a\nb\x1b", r"a\nb\x1b"),
        ("\x00", r"\x00"),
        ("\u2028\u2029", r"\u2028\u2029"),
        ("\ud83d", r"\ud83d"),
        ("\ufffe\uffff", r"\ufffe\uffff"),
    ],
)
def test_what_no_xml_and_no_line_may_hold_is_spelt_out(text: str, told: str) -> None:
    assert clean(text) == told


def test_a_name_gets_ever_shorter() -> None:
    assert [*shorter("Bo Li", 5)] == ["Bo Li", "Bo L…", "Bo…", "Bo…", "B…"]
    assert [*shorter("Amina", 3)] == ["Ami…", "Am…", "A…"]
    assert [*shorter("", 3)] == [""]


def test_no_letter_loses_its_marks_and_nothing_ends_in_a_joiner() -> None:
    assert [*shorter("ae\u0301o", 9)] == ["ae\u0301o", "ae\u0301…", "a…"]
    assert [*shorter(f"{FAMILY}!", 9)] == [f"{FAMILY}!", f"{FAMILY}…"]


@pytest.mark.parametrize(
    ("text", "from_the_right"),
    [("Ana دانا", False), ("دانا Ana", True), ("1. דנה", True), ("12", False), ("花子", False)],
)
def test_the_first_letter_says_how_a_text_is_read(text: str, from_the_right: bool) -> None:
    assert is_rtl(text) is from_the_right


@pytest.mark.usefixtures("picture_fonts")
@pytest.mark.parametrize(
    "name",
    [
        "W" * 20, "m" * 20, "Maximiliane Wertheim", "ABCDEFGHIJKLMNOPQRST", "abcdefghijklmnopqrst",
        "uvwxyzUVWXYZ", "0123456789 + = 43", "Владимир Александров", "Щука Жюль Юлия Фомы",
        "Μωυσής Ψαρράς Ωμέγα", "Łukasz Dąbrowski", "Þórður Ægisson", ALI_REZA,
        "مصطفى شمس الدين", "שרה לוינסון", "دبدبدب",
    ],
)  # fmt: skip
def test_no_name_is_wider_than_it_is_thought_to_be(name: str) -> None:
    """DejaVu is among the widest fonts that a page is shown in."""
    assert ImageFont.truetype("DejaVuSans.ttf", 100).getlength(name) <= 100 * ems(name)


def test_a_usual_name_of_twenty_letters_is_not_thought_to_be_much_wider_than_it_is() -> None:
    assert ems("Katharina Petersdorf") < 13.4
    assert ems("W" * 20) == pytest.approx(22)
    assert ems("花" * 20) == pytest.approx(22)
    assert ems("e\u0301\u200d") == ems("é") == ems("e")


# --- Fonts --------------------------------------------------------------------------------


@pytest.fixture
def only_pillows_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without fonts."""
    monkeypatch.setattr(lettering, "FONT", "nowhere.ttf")
    monkeypatch.setattr(lettering, "OTHER_FONTS", ("nowhere_else.ttf",))


@pytest.mark.usefixtures("only_pillows_own")
def test_without_fonts_there_are_the_letters_that_pillow_brings_along() -> None:
    (font,) = fonts(28)
    assert has_all(font, "Ana 12…")
    assert not has_all(font, "Ana 李")
    assert font_for("李", 28) is None


@pytest.mark.usefixtures("picture_fonts", "only_pillows_own")
def test_letters_that_the_first_font_lacks_are_looked_for_in_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lettering, "OTHER_FONTS", ("nowhere.ttf", "DejaVuSans.ttf"))
    font = font_for("Ⴀ", 28)  # Georgian
    assert isinstance(font, ImageFont.FreeTypeFont)
    assert font.getname()[0] == "DejaVu Sans"
    assert font_for("Ana", 28) is not None
    assert font_for("Ana", 28).getname() != font.getname()  # type: ignore[union-attr]
    assert font_for("花子", 28) is None


@pytest.mark.usefixtures("picture_fonts")
@pytest.mark.parametrize("name", [ALI_REZA, "محمد", "דנה", "Zoe\u0308"])
def test_what_must_be_joined_or_turned_is_not_drawn_where_nobody_can(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    basic = partial(ImageFont.truetype, layout_engine=ImageFont.Layout.BASIC)
    monkeypatch.setattr(ImageFont, "truetype", basic)
    assert font_for(name, 28) is None
    assert font_for("Zoë", 28) is not None


@pytest.mark.usefixtures("picture_fonts")
@pytest.mark.parametrize("name", [ALI_REZA, "محمد", "דנה", "Zoe\u0308"])
def test_what_must_be_joined_or_turned_is_drawn_where_somebody_can(name: str) -> None:
    assert font_for(name, 28) is not None


def test_a_name_may_be_spelt_without_its_accents() -> None:
    assert [*spellings("Zoe\u0308")] == ["Zoe\u0308", "Zoë", "Zoe"]
    assert [*spellings("Dvořák 민준 กั้น")] == [
        "Dvořák 민준 กั้น", "Dvořák 민준 กั้น", "Dvorak 민준 กั้น"
    ]  # fmt: skip
