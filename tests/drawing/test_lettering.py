"""Names in pictures: cleaning, shortening, width and fonts."""

from __future__ import annotations

from functools import partial

import pytest
from PIL import ImageFont

from companion.drawing import lettering
from companion.drawing.lettering import (
    clean_text,
    estimated_ems,
    font_for,
    fonts,
    has_glyphs,
    is_rtl,
    shortened,
    spelling_variants,
)

ALI_REZA = "علی\u200cرضا"
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
BIDI_CONTROLS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


# --- Text ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [ALI_REZA, FAMILY, "Zoë", "李", "\U0001fae8", "O'Neil & <b>"])
def test_clean_text_keeps_names(name: str) -> None:
    assert clean_text(name) == name


def test_clean_text_removes_bidi_controls() -> None:
    assert clean_text(f"A{BIDI_CONTROLS}na\ufeff\u00ad") == "Ana"
    assert clean_text("\u2068Ana\u2069: \u202eout", kept="\u2068\u2069") == "\u2068Ana\u2069: out"


def test_clean_text_turns_every_space_into_a_plain_space() -> None:
    assert clean_text("山田\u3000花子\u00a0A") == "山田 花子 A"


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a\nb\x1b", r"a\nb\x1b"),
        ("\x00", r"\x00"),
        ("\u2028\u2029", r"\u2028\u2029"),
        ("\ud83d", r"\ud83d"),
        ("\ufffe\uffff", r"\ufffe\uffff"),
    ],
)
def test_clean_text_escapes_control_and_invalid_characters(text: str, escaped: str) -> None:
    assert clean_text(text) == escaped


def test_shortened_yields_shorter_and_shorter_names() -> None:
    assert [*shortened("Bo Li", 5)] == ["Bo Li", "Bo L…", "Bo…", "Bo…", "B…"]
    assert [*shortened("Amina", 3)] == ["Ami…", "Am…", "A…"]
    assert [*shortened("", 3)] == [""]


def test_shortened_keeps_combining_marks_and_never_ends_in_a_joiner() -> None:
    assert [*shortened("ae\u0301o", 9)] == ["ae\u0301o", "ae\u0301…", "a…"]
    assert [*shortened(f"{FAMILY}!", 9)] == [f"{FAMILY}!", f"{FAMILY}…"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Ana دانا", False), ("دانا Ana", True), ("1. דנה", True), ("12", False), ("花子", False)],
)
def test_the_first_letter_decides_the_direction(text: str, expected: bool) -> None:
    assert is_rtl(text) is expected


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
def test_no_name_is_wider_than_estimated(name: str) -> None:
    """DejaVu is one of the widest fonts in use."""
    assert ImageFont.truetype("DejaVuSans.ttf", 100).getlength(name) <= 100 * estimated_ems(name)


def test_the_estimated_width_is_not_much_too_large() -> None:
    assert estimated_ems("Katharina Petersdorf") < 13.4
    assert estimated_ems("W" * 20) == pytest.approx(22)
    assert estimated_ems("花" * 20) == pytest.approx(22)
    assert estimated_ems("e\u0301\u200d") == estimated_ems("é") == estimated_ems("e")


# --- Fonts --------------------------------------------------------------------------------


@pytest.fixture
def no_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without fonts."""
    monkeypatch.setattr(lettering, "FONT", "nowhere.ttf")
    monkeypatch.setattr(lettering, "OTHER_FONTS", ("nowhere_else.ttf",))


@pytest.mark.usefixtures("no_fonts")
def test_without_fonts_pillows_built_in_font_is_used() -> None:
    (font,) = fonts(28)
    assert has_glyphs(font, "Ana 12…")
    assert not has_glyphs(font, "Ana 李")
    assert font_for("李", 28) is None


@pytest.mark.usefixtures("picture_fonts", "no_fonts")
def test_other_fonts_are_searched_for_missing_glyphs(
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
def test_without_raqm_no_font_is_found_for_text_that_needs_shaping(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    basic = partial(ImageFont.truetype, layout_engine=ImageFont.Layout.BASIC)
    monkeypatch.setattr(ImageFont, "truetype", basic)
    assert font_for(name, 28) is None
    assert font_for("Zoë", 28) is not None


@pytest.mark.usefixtures("picture_fonts")
@pytest.mark.parametrize("name", [ALI_REZA, "محمد", "דנה", "Zoe\u0308"])
def test_with_raqm_a_font_is_found_for_text_that_needs_shaping(name: str) -> None:
    assert font_for(name, 28) is not None


def test_spelling_variants_end_without_accents() -> None:
    assert [*spelling_variants("Zoe\u0308")] == ["Zoe\u0308", "Zoë", "Zoe"]
    assert [*spelling_variants("Dvořák 민준 กั้น")] == [
        "Dvořák 민준 กั้น", "Dvořák 민준 กั้น", "Dvorak 민준 กั้น"
    ]  # fmt: skip
