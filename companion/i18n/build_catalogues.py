"""Build step of pyproject.toml: compiles the catalogues, marrakech.po to marrakech.mo.

An editable install has the .mo files beside the .po files, a wheel contains them, git ignores
them. Not used at run time.
"""

from __future__ import annotations

from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from setuptools.command.build_py import build_py

LOCALE = Path("companion", "i18n", "locale")


class BuildWithCatalogues(build_py):  # type: ignore[misc]
    """The standard `build_py`, then the catalogues."""

    def run(self) -> None:
        super().run()
        target = Path() if self.editable_mode else Path(self.build_lib)
        compile_all(LOCALE, target / LOCALE)


def compile_all(source: Path, target: Path) -> None:
    """Compile every .po below `source` to the same path below `target`."""
    for po in sorted(source.glob("*/LC_MESSAGES/*.po")):
        with po.open("rb") as file:
            catalogue = read_po(file, locale=po.parts[-3], abort_invalid=True)
        mo = target / po.relative_to(source).with_suffix(".mo")
        mo.parent.mkdir(parents=True, exist_ok=True)
        with mo.with_suffix(".new").open("wb") as file:
            write_mo(file, catalogue)
        mo.with_suffix(".new").replace(mo)  # atomic: another process may be reading it
