"""Compiles the catalogues when the companion is built; pyproject.toml names it.

Translators edit marrakech.po; gettext reads marrakech.mo, which is made of it here. A checkout has
it beside its source, a wheel has it inside, git has it nowhere. Nothing of this runs on a table.
"""

from __future__ import annotations

from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from setuptools.command.build_py import build_py

LOCALE = Path("companion", "i18n", "locale")


class BuildWithCatalogues(build_py):  # type: ignore[misc]
    """The usual build of modules, and after it the catalogues."""

    def run(self) -> None:
        super().run()
        target = Path() if self.editable_mode else Path(self.build_lib)
        compile_all(LOCALE, target / LOCALE)


def compile_all(source: Path, target: Path) -> None:
    """Every .po below `source`, to the same place below `target`."""
    for po in sorted(source.glob("*/LC_MESSAGES/*.po")):
        with po.open("rb") as file:
            catalogue = read_po(file, locale=po.parts[-3], abort_invalid=True)
        mo = target / po.relative_to(source).with_suffix(".mo")
        mo.parent.mkdir(parents=True, exist_ok=True)
        with mo.with_suffix(".new").open("wb") as file:
            write_mo(file, catalogue)
        mo.with_suffix(".new").replace(mo)  # somebody may be reading the old one
