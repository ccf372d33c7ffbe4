"""The versions under /opt/marrakech: made beside each other, and switched by one link.

A version's folder is a virtual environment with the companion in it, and with the unit, the udev
rules and the firmware that belong to it. It is never changed once it is complete.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from companion.install.checkout import Checkout, Parts
from companion.install.machine import System
from companion.install.places import (
    COMPLETE,
    CURRENT,
    PREVIOUS,
    PYTHON,
    SHARED_ANNOUNCEMENT,
    SHARED_RULES,
    SHARED_UNIT,
    VERSIONS,
)

_BUILD = "build"


class Versions:
    def __init__(self, system: System) -> None:
        self._system = system

    @property
    def current(self) -> str | None:
        return self._linked(CURRENT)

    @property
    def previous(self) -> str | None:
        return self._linked(PREVIOUS)

    def _linked(self, link: Path) -> str | None:
        """The version that a link leads to, if all of it is there."""
        target = self._system.link_target(link)
        return target.name if target and self.is_complete(target.name) else None

    def is_complete(self, name: str) -> bool:
        return self._system.exists(VERSIONS / name / COMPLETE)

    def parts(self, name: str) -> Parts:
        folder = VERSIONS / name
        unit = self._system.read(folder / SHARED_UNIT)
        rules = self._system.read(folder / SHARED_RULES)
        assert unit is not None and rules is not None, "a complete version has them"  # noqa: PT018
        return Parts(unit, rules, self._system.read(folder / SHARED_ANNOUNCEMENT))

    # --- Making ---------------------------------------------------------------------------

    def make(self, name: str, checkout: Checkout, extras: Sequence[str]) -> None:
        """Build a version; what was left half-made is removed first.

        `extras` are packages that this machine needs beside those the companion names.
        """
        system, folder = self._system, VERSIONS / name
        for half in self.half_made():
            system.remove(VERSIONS / half)
        system.make_folder(folder)
        # It sees Debian's own packages: lgpio and spidev have no wheels for every Python.
        system.run(PYTHON, "-m", "venv", "--system-site-packages", folder)
        build = folder / _BUILD
        checkout.copy_sources(system.at(build))
        # Everything but the companion itself comes ready-made: there may be no compiler.
        pip = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        system.run(
            *(folder / "bin" / "python", *pip, "--only-binary", ":all:"),
            *("--constraint", "constraints.txt", ".", *extras),
            # pins what pip fetches to build with, too
            environment={"PIP_CONSTRAINT": "constraints.txt"},
            folder=build,
        )
        system.remove(build)
        for source, place in checkout.shared().items():
            system.write(folder / place, (checkout.folder / source).read_bytes())
        system.sync()
        system.write(folder / COMPLETE, f"{name}\n".encode())

    def half_made(self) -> list[str]:
        names = self._system.names_in(VERSIONS)
        return [name for name in names if not self.is_complete(name)]

    # --- Switching ------------------------------------------------------------------------

    def switch_to(self, name: str) -> None:
        """Use another version, and keep the one before to go back to."""
        before = self.current
        if before is not None and before != name:
            self._system.link(PREVIOUS, VERSIONS / before)
        self._system.link(CURRENT, VERSIONS / name)

    def restore(self, current: str, previous: str | None) -> None:
        """Have both links as they were before a switch."""
        self._system.link(CURRENT, VERSIONS / current)
        if previous is None:
            self._system.remove(PREVIOUS)
        else:
            self._system.link(PREVIOUS, VERSIONS / previous)

    # --- Clearing up ----------------------------------------------------------------------

    def unused(self) -> list[str]:
        """Neither in use nor kept to go back to."""
        kept = {self.current, self.previous}
        return [name for name in self._system.names_in(VERSIONS) if name not in kept]

    def remove_unused(self) -> None:
        """Its mark first: what is half-removed must not be taken for a version."""
        for name in self.unused():
            with suppress(FileNotFoundError):
                self._system.remove(VERSIONS / name / COMPLETE)
            self._system.remove(VERSIONS / name)
