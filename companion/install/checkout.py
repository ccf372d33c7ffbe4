"""The checkout that is installed: which of its files make a version, and the version's name."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from companion.install.places import (
    ANNOUNCEMENT,
    RULES,
    SHARE,
    SHARED_ANNOUNCEMENT,
    SHARED_RULES,
    SHARED_UNIT,
    UNIT,
)
from companion.install.steps import InstallError

# What pip builds the companion from, and what is kept beside it.
BUILT = ("LICENSE", "README.md", "constraints.txt", "pyproject.toml")
_UNIT, _RULES = f"systemd/{UNIT.name}", f"systemd/{RULES.name}"
_ANNOUNCEMENT = f"systemd/avahi/{ANNOUNCEMENT.name}"
NEEDED = (*BUILT, "companion/__init__.py", _UNIT, _RULES, _ANNOUNCEMENT)
_VERSION = re.compile(r'^__version__ = "([0-9a-z.]+)"$', re.MULTILINE)


@dataclass(frozen=True)
class Parts:
    """What a version has outside its folder."""

    unit: bytes
    rules: bytes
    announcement: bytes | None = None
    """None: of a version that had no page yet."""


class Checkout:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        missing = [name for name in NEEDED if not (folder / name).is_file()]
        if missing:
            raise InstallError(
                f"{folder} is no whole checkout of the companion: {missing[0]} is missing",
                advice="clone it again, and run 'sudo ./marrakech install' there",
            )
        found = _VERSION.search((folder / "companion" / "__init__.py").read_text("utf-8"))
        if found is None:
            raise InstallError(f"{folder / 'companion/__init__.py'} says no version")
        self.version = found[1]

    def version_name(self, *circumstances: str) -> str:
        """`0.1.0+3f0a52c1d7`: a version, and a stamp of all that makes it.

        The same files in the same circumstances are the same version: there is nothing to do.
        """
        digest = hashlib.sha256()
        for name in [*self.sources(), *map(str, self.shared())]:
            data = (self.folder / name).read_bytes()
            digest.update(f"{name}\0{len(data)}\0".encode() + data)
        digest.update("\0".join(circumstances).encode())
        return f"{self.version}+{digest.hexdigest()[:10]}"

    def sources(self) -> list[str]:
        """The files pip needs to build the companion, by their names in the checkout."""
        return [*BUILT, *self._files_under("companion")]

    def shared(self) -> dict[str, Path]:
        """What is kept beside the program, and where in the version's folder."""
        images = self._files_under("firmware/release")
        return {
            _UNIT: SHARED_UNIT,
            _RULES: SHARED_RULES,
            _ANNOUNCEMENT: SHARED_ANNOUNCEMENT,
            **{name: SHARE / name for name in images if name.endswith(".hex")},
        }

    def parts(self) -> Parts:
        return Parts(
            *((self.folder / name).read_bytes() for name in (_UNIT, _RULES, _ANNOUNCEMENT))
        )

    def copy_sources(self, target: Path) -> None:
        """A tree to build in: nothing is ever written into the checkout."""
        for name in self.sources():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.folder / name, target / name)

    def _files_under(self, name: str) -> list[str]:
        return sorted(str(path.relative_to(self.folder)) for path in _walk(self.folder / name))


def _walk(folder: Path) -> Iterator[Path]:
    """All files, but what Python, an editor or an earlier build has left there."""
    for path in folder.rglob("*"):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        is_left = path.parent.name == "__pycache__" or path.suffix == ".mo"
        if path.is_file() and not hidden and not is_left:
            yield path


def find_checkout() -> Checkout:
    """The one this program is started from."""
    folder = Path(__file__).parents[2]
    if not (folder / "pyproject.toml").is_file():
        raise InstallError(
            "the companion is installed from a checkout of it",
            advice="run 'sudo ./marrakech install' or 'sudo ./marrakech upgrade' in a checkout",
        )
    return Checkout(folder)
