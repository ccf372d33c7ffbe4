"""Anybody's name as letters in a picture: what is kept of it, how wide it is, and in which font.

A name may be of any script, and the machine's fonts may not have it. Then it is not drawn at all:
whoever draws has another word to say, and nobody knows a name again by its question marks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING
from unicodedata import bidirectional, category, east_asian_width, normalize

from companion.errors import one_line

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont, ImageFont

    Font = FreeTypeFont | ImageFont

FONT = "DejaVuSans.ttf"
OTHER_FONTS = (
    "NotoSansCJK-Regular.ttc",
    "DroidSansFallbackFull.ttf",
    "NanumGothic.ttf",
    "NotoSansThai-Regular.ttf",
    "Loma.ttf",
    "Loma.otf",
)
"""Of Debian's packages noto-cjk, droid-fallback, nanum, noto-core and tlwg, for what FONT lacks."""
JOINERS = "\u200c\u200d"
"""Part of how a name is written: in Persian and in the scripts of India, and of many an emoji."""
_RIGHT_TO_LEFT = ("R", "AL")
_ALPHABETS = ((0x20, 0x250), (0x370, 0x530), (0xE00, 0xE80), (0x1E00, 0x2000))
"""Latin, Greek, Cyrillic and Thai: most of their letters are much narrower than high."""
_ACCENTS = {chr(sign) for sign in range(0x300, 0x370)}
_NARROW = " .,:;'!|-()[]/\\·ijltfrIJıіι"
_WIDE = "mwMW@%æœÆŒωжшщюфмыњљџћђЖШЩЮФМЫЊЉДЂЋЏΩ©®дцъĦħΜǄǅǆฌญฑฒณسشصضطظ"


def clean(text: str, kept: str = "") -> str:
    """One line, and valid in XML: with joiners, and with no other sign that is not seen."""
    return "".join(sign if sign in kept else _clean(sign) for sign in text)


def _clean(sign: str) -> str:
    kind = category(sign)
    if kind == "Zs":
        return " "
    if kind == "Cf":
        return sign if sign in JOINERS else ""
    if kind in ("Cc", "Cs", "Zl", "Zp") or ord(sign) & 0xFFFE == 0xFFFE:
        return one_line(sign)
    return sign


def shorter(name: str, most: int) -> Iterator[str]:
    """The name, if it is not too long, and then ever less of it; no letter loses its marks."""
    if len(name) <= most:
        yield name
    for end in range(min(most, len(name) - 1), 0, -1):
        if not category(name[end]).startswith("M") and not set(name[end - 1 : end + 1]) & {
            *JOINERS
        }:
            yield f"{name[:end].rstrip()}…"


def is_rtl(text: str) -> bool:
    """Whether its first letter is read from the right."""
    kinds = (bidirectional(sign) for sign in text)
    return next((kind != "L" for kind in kinds if kind in ("L", *_RIGHT_TO_LEFT)), False)


def ems(text: str) -> float:
    """How wide it is at most, in heights of its letters, in whatever font somebody may have."""
    return sum(map(_ems, normalize("NFC", text)))


def _ems(sign: str) -> float:
    kind, base = category(sign), normalize("NFD", sign)[0]
    if kind in ("Mn", "Me", "Cf"):
        return 0.0
    if kind == "So" and ord(sign) > 0x2000:
        return 1.4  # emoji
    if base in _WIDE or east_asian_width(sign) in ("W", "F"):
        return 1.1
    if base in _NARROW:
        return 0.42
    if bidirectional(sign) in _RIGHT_TO_LEFT:
        return 0.72  # what is wider at the end of a word is narrower within
    if any(first <= ord(sign) < end for first, end in _ALPHABETS):
        return 0.66 if kind in ("Ll", "Nd", "Lo") else 0.84
    return 1.0


# --- Fonts --------------------------------------------------------------------------------


def fonts(size: int) -> Iterator[Font]:
    """One with many letters, or the few that Pillow brings along; then what else there is."""
    from PIL import ImageFont

    try:
        yield ImageFont.truetype(FONT, size)
    except OSError:
        yield ImageFont.load_default(size)
    for name in OTHER_FONTS:
        try:
            yield ImageFont.truetype(name, size)
        except OSError:  # not on this machine
            continue


def fonts_for(text: str, size: int) -> Iterator[Font]:
    """Those in which its letters would not stand apart, or the wrong way round."""
    is_plain = not needs_shaping(text)
    return (font for font in fonts(size) if is_plain or can_shape(font))


def font_for(text: str, size: int) -> Font | None:
    """The first that has all of it."""
    return next((font for font in fonts_for(text, size) if has_all(font, text)), None)


def has_all(font: Font, text: str) -> bool:
    blank = bytes(font.getmask("\uffff"))
    return all(
        sign.isspace() or sign in JOINERS or bytes(font.getmask(sign)) != blank for sign in {*text}
    )


def needs_shaping(text: str) -> bool:
    """Whether letters are to be joined, turned, or set above one another."""
    return any(
        sign in JOINERS or category(sign).startswith("M") or bidirectional(sign) in _RIGHT_TO_LEFT
        for sign in text
    )


def can_shape(font: Font) -> bool:
    """Pillow leaves it to a library, which not every machine has, nor every font is opened with."""
    from PIL.ImageFont import FreeTypeFont, Layout

    return isinstance(font, FreeTypeFont) and font.layout_engine == Layout.RAQM


def spellings(name: str) -> Iterator[str]:
    """As it is, with every accent in its letter, and without: better Zoe than no name."""
    whole = normalize("NFC", name)
    yield from (name, whole)
    bare = "".join(sign for sign in normalize("NFD", whole) if sign not in _ACCENTS)
    yield normalize("NFC", bare)
