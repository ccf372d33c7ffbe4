"""The checkout that is installed: the files that make a version, and the version's name."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from companion.install.paths import (
    ANNOUNCEMENT,
    RULES,
    SHARE,
    SHARED_ANNOUNCEMENT,
    SHARED_RULES,
    SHARED_UNIT,
    UNIT,
)
from companion.install.steps import InstallError

BUILD_FILES = ("LICENSE", "README.md", "constraints.txt", "pyproject.toml")
"""What pip needs to build the companion, beside the package itself."""
_UNIT, _RULES = f"systemd/{UNIT.name}", f"systemd/{RULES.name}"
_ANNOUNCEMENT = f"systemd/avahi/{ANNOUNCEMENT.name}"
REQUIRED_FILES = (*BUILD_FILES, "companion/__init__.py", _UNIT, _RULES, _ANNOUNCEMENT)
_VERSION = re.compile(r'^__version__ = "([0-9a-z.]+)"$', re.MULTILINE)


@dataclass(frozen=True)
class SystemFiles:
    """The files of a version that are installed outside its folder."""

    unit: bytes
    rules: bytes
    announcement: bytes | None = None
    """None for an old version without a phone page."""


class Checkout:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        missing = [name for name in REQUIRED_FILES if not (folder / name).is_file()]
        if missing:
            raise InstallError(
                f"{folder} is not a complete checkout of the companion: {missing[0]} is missing",
                advice="clone it again, and run 'sudo ./marrakech install' there",
            )
        found = _VERSION.search((folder / "companion" / "__init__.py").read_text("utf-8"))
        if found is None:
            raise InstallError(f"{folder / 'companion/__init__.py'} has no __version__")
        self.version = found[1]

    def version_name(self, *build_options: str) -> str:
        """`0.1.0+3f0a52c1d7`: the version, and a hash of its files and of `build_options`.

        The same files built with the same options are the same version.
        """
        digest = hashlib.sha256()
        for name in [*self.sources(), *map(str, self.shared())]:
            data = (self.folder / name).read_bytes()
            digest.update(f"{name}\0{len(data)}\0".encode() + data)
        digest.update("\0".join(build_options).encode())
        return f"{self.version}+{digest.hexdigest()[:10]}"

    def sources(self) -> list[str]:
        """The files that pip builds the companion from, relative to the checkout."""
        return [*BUILD_FILES, *self._files_under("companion")]

    def shared(self) -> dict[str, Path]:
        """Files that are kept beside the program: name in the checkout, path in the version."""
        images = self._files_under("firmware/release")
        return {
            _UNIT: SHARED_UNIT,
            _RULES: SHARED_RULES,
            _ANNOUNCEMENT: SHARED_ANNOUNCEMENT,
            **{name: SHARE / name for name in images if name.endswith(".hex")},
        }

    def system_files(self) -> SystemFiles:
        return SystemFiles(
            *((self.folder / name).read_bytes() for name in (_UNIT, _RULES, _ANNOUNCEMENT))
        )

    def copy_sources(self, target: Path) -> None:
        """Copy the sources to a build folder, so that nothing is written into the checkout."""
        for name in self.sources():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.folder / name, target / name)

    def _files_under(self, name: str) -> list[str]:
        return sorted(str(path.relative_to(self.folder)) for path in _walk(self.folder / name))


def _walk(folder: Path) -> Iterator[Path]:
    """All files but hidden ones, compiled modules and compiled catalogues."""
    for path in folder.rglob("*"):
        is_hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        is_compiled = path.parent.name == "__pycache__" or path.suffix == ".mo"
        if path.is_file() and not is_hidden and not is_compiled:
            yield path


def find_checkout() -> Checkout:
    """The checkout that this module is in."""
    folder = Path(__file__).parents[2]
    if not (folder / "pyproject.toml").is_file():
        raise InstallError(
            "the companion is installed from a checkout",
            advice="run 'sudo ./marrakech install' or 'sudo ./marrakech upgrade' in a checkout",
        )
    return Checkout(folder)
