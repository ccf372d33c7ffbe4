"""Catalogues are compiled beside their source, or into the build folder."""

from __future__ import annotations

from gettext import GNUTranslations
from pathlib import Path

import pytest
from babel.messages.pofile import PoFileError

from companion.i18n.build_catalogues import compile_all

PO = """\
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=3; plural=((n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2);\\n"

msgctxt "no.edge"
msgid "The market ends here."
msgstr "Tady trh končí."
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    (folder / "cs" / "LC_MESSAGES").mkdir(parents=True)
    (folder / "cs" / "LC_MESSAGES" / "marrakech.po").write_text(PO)
    return folder


def test_each_catalogue_is_compiled_to_the_same_relative_path(source: Path, tmp_path: Path) -> None:
    compile_all(source, tmp_path / "built")
    assert [path.name for path in tmp_path.glob("built/cs/LC_MESSAGES/*")] == ["marrakech.mo"]
    with (tmp_path / "built" / "cs" / "LC_MESSAGES" / "marrakech.mo").open("rb") as file:
        translations = GNUTranslations(file)
    assert translations.pgettext("no.edge", "The market ends here.") == "Tady trh končí."


def test_compiling_again_replaces_the_old_catalogue(source: Path) -> None:
    compile_all(source, source)
    po = source / "cs" / "LC_MESSAGES" / "marrakech.po"
    po.write_text(PO.replace("Tady", "Zde"))
    compile_all(source, source)
    with po.with_suffix(".mo").open("rb") as file:
        translations = GNUTranslations(file)
    assert translations.pgettext("no.edge", "The market ends here.") == "Zde trh končí."


def test_a_broken_catalogue_fails_the_build(source: Path) -> None:
    (source / "cs" / "LC_MESSAGES" / "marrakech.po").write_text(PO + 'msgid "open\n')
    with pytest.raises(PoFileError):
        compile_all(source, source)
