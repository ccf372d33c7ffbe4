"""Player names in pictures: allowed characters, width, and fonts.

A name may be in any script, and the machine may have no font for it. Callers then draw another
text instead of replacement characters.
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
"""For glyphs that `FONT` lacks. From the Debian packages fonts-noto-cjk, fonts-droid-fallback,
fonts-nanum, fonts-noto-core and fonts-tlwg."""
JOINERS = "\u200c\u200d"
"""Part of the spelling in Persian and in scripts of India, and of many emoji."""
_RIGHT_TO_LEFT = ("R", "AL")
_ALPHABETS = ((0x20, 0x250), (0x370, 0x530), (0xE00, 0xE80), (0x1E00, 0x2000))
"""Latin, Greek, Cyrillic and Thai: most letters are much narrower than an em."""
_ACCENTS = {chr(char) for char in range(0x300, 0x370)}
_NARROW = " .,:;'!|-()[]/\\·ijltfrIJıіι"
_WIDE = "mwMW@%æœÆŒωжшщюфмыњљџћђЖШЩЮФМЫЊЉДЂЋЏΩ©®дцъĦħΜǄǅǆฌญฑฒณسشصضطظ"


def clean_text(text: str, kept: str = "") -> str:
    """The text on one line and valid in XML, without invisible characters other than joiners."""
    return "".join(char if char in kept else _clean(char) for char in text)


def _clean(char: str) -> str:
    kind = category(char)
    if kind == "Zs":
        return " "
    if kind == "Cf":
        return char if char in JOINERS else ""
    if kind in ("Cc", "Cs", "Zl", "Zp") or ord(char) & 0xFFFE == 0xFFFE:
        return one_line(char)
    return char


def shortened(name: str, max_length: int) -> Iterator[str]:
    """The name if it is short enough, then shorter and shorter beginnings of it.

    Letters keep their combining marks.
    """
    if len(name) <= max_length:
        yield name
    for end in range(min(max_length, len(name) - 1), 0, -1):
        if not category(name[end]).startswith("M") and not set(name[end - 1 : end + 1]) & {
            *JOINERS
        }:
            yield f"{name[:end].rstrip()}…"


def is_rtl(text: str) -> bool:
    """Whether the first letter with a direction is right-to-left."""
    kinds = (bidirectional(char) for char in text)
    return next((kind != "L" for kind in kinds if kind in ("L", *_RIGHT_TO_LEFT)), False)


def estimated_ems(text: str) -> float:
    """An upper limit of the width in any usual font, in multiples of the font size."""
    return sum(map(_ems, normalize("NFC", text)))


def _ems(char: str) -> float:
    kind, base = category(char), normalize("NFD", char)[0]
    if kind in ("Mn", "Me", "Cf"):
        return 0.0
    if kind == "So" and ord(char) > 0x2000:
        return 1.4  # emoji
    if base in _WIDE or east_asian_width(char) in ("W", "F"):
        return 1.1
    if base in _NARROW:
        return 0.42
    if bidirectional(char) in _RIGHT_TO_LEFT:
        return 0.72  # final forms are wider, others are narrower
    if any(first <= ord(char) < end for first, end in _ALPHABETS):
        return 0.66 if kind in ("Ll", "Nd", "Lo") else 0.84
    return 1.0


# --- Fonts --------------------------------------------------------------------------------


def fonts(size: int) -> Iterator[Font]:
    """`FONT`, or Pillow's built-in font if it is missing, then the other fonts found."""
    from PIL import ImageFont

    try:
        yield ImageFont.truetype(FONT, size)
    except OSError:
        yield ImageFont.load_default(size)
    for name in OTHER_FONTS:
        try:
            yield ImageFont.truetype(name, size)
        except OSError:  # not installed
            continue


def fonts_for(text: str, size: int) -> Iterator[Font]:
    """The fonts that can lay out the text: joined letters, right-to-left, combining marks."""
    is_simple = not needs_shaping(text)
    return (font for font in fonts(size) if is_simple or can_shape(font))


def font_for(text: str, size: int) -> Font | None:
    """The first font that has all glyphs."""
    return next((font for font in fonts_for(text, size) if has_glyphs(font, text)), None)


def has_glyphs(font: Font, text: str) -> bool:
    blank = bytes(font.getmask("\uffff"))
    return all(
        char.isspace() or char in JOINERS or bytes(font.getmask(char)) != blank for char in {*text}
    )


def needs_shaping(text: str) -> bool:
    """Whether the text has joined or right-to-left letters, or combining marks."""
    return any(
        char in JOINERS or category(char).startswith("M") or bidirectional(char) in _RIGHT_TO_LEFT
        for char in text
    )


def can_shape(font: Font) -> bool:
    """Whether the font was opened with Raqm. Pillow may be built without it."""
    from PIL.ImageFont import FreeTypeFont, Layout

    return isinstance(font, FreeTypeFont) and font.layout_engine == Layout.RAQM


def spelling_variants(name: str) -> Iterator[str]:
    """The name, its composed form (NFC), and the name without accents."""
    whole = normalize("NFC", name)
    yield from (name, whole)
    bare = "".join(char for char in normalize("NFD", whole) if char not in _ACCENTS)
    yield normalize("NFC", bare)
