"""Font sets for the tests' browser, which sees no other installed fonts.

A set is a fontconfig file with one folder of links to its fonts, and aliases for `sans-serif` and
`serif`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import ImageFont, features

from helpers.requirements import missing_tool

_FOLDER = Path("/usr/share/fonts")
_DEJAVU, _LIBERATION = "truetype/dejavu/DejaVu", "truetype/liberation/Liberation"
_NOTO, _CJK = "truetype/noto/Noto", "opentype/noto/Noto"
_PACKAGES = {
    _DEJAVU: "fonts-dejavu-core",
    _LIBERATION: "fonts-liberation",
    _NOTO: "fonts-noto-core",
    _CJK: "fonts-noto-cjk",
}
# Scripts that the narrow and the wide fonts lack. As on a phone, other fonts add them.
_OTHER_SCRIPTS = (
    *(f"{_NOTO}{name}.ttf" for name in ("SansThai-Regular", "SansThai-Bold")),
    *(f"{_NOTO}{name}.ttf" for name in ("SansArabic-Regular", "SansArabic-Bold")),
    *(f"{_CJK}{name}.ttc" for name in ("SansCJK-Regular", "SansCJK-Bold")),
)


@dataclass(frozen=True)
class FontSet:
    """Two families and all files that the browser may use."""

    sans: str
    serif: str
    files: tuple[str, ...]


FONT_SETS = {
    "dejavu": FontSet(
        "DejaVu Sans",
        "DejaVu Serif",
        (
            *(f"{_DEJAVU}{name}.ttf" for name in ("Sans", "Sans-Bold", "Serif", "Serif-Bold")),
            *_OTHER_SCRIPTS,
        ),
    ),
    "liberation": FontSet(
        "Liberation Sans",
        "Liberation Serif",
        (
            *(f"{_LIBERATION}{name}-Regular.ttf" for name in ("Sans", "Serif")),
            *(f"{_LIBERATION}{name}-Bold.ttf" for name in ("Sans", "Serif")),
            *_OTHER_SCRIPTS,
        ),
    ),
    "noto": FontSet(
        "Noto Sans",
        "Noto Serif",
        (
            *(f"{_NOTO}{name}-Regular.ttf" for name in ("Sans", "Serif")),
            *(f"{_NOTO}{name}-Bold.ttf" for name in ("Sans", "Serif")),
            *_OTHER_SCRIPTS,
        ),
    ),
}
"""The widest common fonts, the narrowest, and those of Android phones."""
USUAL_FONTS = "noto"

_CONFIG = """\
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>{folder}/fonts</dir>
  <cachedir>{folder}/cache</cachedir>
  {aliases}
</fontconfig>
"""
_ALIAS = (
    '<alias binding="strong"><family>{name}</family><prefer><family>{family}</family></prefer>'
    "</alias>"
)


@contextmanager
def fontconfig_file(name: str) -> Iterator[Path]:
    """A fontconfig file for this set, for the environment variable FONTCONFIG_FILE."""
    fonts = FONT_SETS[name]
    with TemporaryDirectory(prefix="marrakech-fonts-") as made:
        folder = Path(made)
        (folder / "fonts").mkdir()
        for file in fonts.files:
            source = _FOLDER / file
            if not source.exists():
                prefix = max((one for one in _PACKAGES if file.startswith(one)), key=len)
                missing_tool(str(source), _PACKAGES[prefix])
            (folder / "fonts" / source.name).symlink_to(source)
        families = {"sans-serif": fonts.sans, "serif": fonts.serif}
        aliases = "\n  ".join(
            _ALIAS.format(name=generic, family=family) for generic, family in families.items()
        )
        config = folder / "fonts.conf"
        config.write_text(_CONFIG.format(folder=folder, aliases=aliases))
        yield config


def need_picture_fonts() -> None:
    """Skip the test unless Pillow has a font with most scripts, and libraqm for text shaping."""
    file = "DejaVuSans.ttf"
    try:
        ImageFont.truetype(file, 28)
    except OSError:
        missing_tool(file, _PACKAGES[_DEJAVU])
    if not features.check("raqm"):
        missing_tool("libfribidi.so.0", "libfribidi0")
