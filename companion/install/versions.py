"""The versions in /opt/marrakech: built side by side, and switched with one link.

A version's folder is a virtual environment with the companion, and with the unit, the udev rules
and the firmware that belong to it. It is never changed once it is complete.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from companion.install.checkout import Checkout, SystemFiles
from companion.install.paths import (
    COMPLETE,
    CURRENT,
    PREVIOUS,
    PYTHON,
    SHARED_ANNOUNCEMENT,
    SHARED_RULES,
    SHARED_UNIT,
    VERSIONS,
)
from companion.machine.writable_machine import WritableMachine

_BUILD = "build"


class Versions:
    def __init__(self, machine: WritableMachine) -> None:
        self._machine = machine

    @property
    def current(self) -> str | None:
        return self._linked(CURRENT)

    @property
    def previous(self) -> str | None:
        return self._linked(PREVIOUS)

    def _linked(self, link: Path) -> str | None:
        """The version that a link points to, if it is complete."""
        target = self._machine.link_target(link)
        return target.name if target and self.is_complete(target.name) else None

    def is_complete(self, name: str) -> bool:
        return self._machine.exists(VERSIONS / name / COMPLETE)

    def system_files(self, name: str) -> SystemFiles:
        folder = VERSIONS / name
        unit = self._machine.contents(folder / SHARED_UNIT)
        rules = self._machine.contents(folder / SHARED_RULES)
        assert unit is not None and rules is not None, "a complete version has them"  # noqa: PT018
        return SystemFiles(unit, rules, self._machine.contents(folder / SHARED_ANNOUNCEMENT))

    # --- Building -------------------------------------------------------------------------

    def build(self, name: str, checkout: Checkout, extras: Sequence[str]) -> None:
        """Build a version, after removing incomplete ones.

        `extras` are packages that this machine needs beside the companion's dependencies.
        """
        machine, folder = self._machine, VERSIONS / name
        for incomplete in self.incomplete():
            machine.remove(VERSIONS / incomplete)
        machine.make_folder(folder)
        # With Debian's packages: lgpio and spidev do not have wheels for every Python.
        machine.run(PYTHON, "-m", "venv", "--system-site-packages", folder)
        build = folder / _BUILD
        checkout.copy_sources(machine.at(build))
        # Dependencies are installed from wheels only: there may be no compiler.
        pip = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        machine.run(
            *(folder / "bin" / "python", *pip, "--only-binary", ":all:"),
            *("--constraint", "constraints.txt", ".", *extras),
            environ={"PIP_CONSTRAINT": "constraints.txt"},  # pins build dependencies, too
            folder=build,
        )
        machine.remove(build)
        for source, path in checkout.shared().items():
            machine.write(folder / path, (checkout.folder / source).read_bytes())
        machine.sync()
        machine.write(folder / COMPLETE, f"{name}\n".encode())

    def incomplete(self) -> list[str]:
        names = self._machine.names_in(VERSIONS)
        return [name for name in names if not self.is_complete(name)]

    # --- Switching ------------------------------------------------------------------------

    def switch_to(self, name: str) -> None:
        """Use another version, and keep the one before as the previous one."""
        before = self.current
        if before is not None and before != name:
            self._machine.link(PREVIOUS, VERSIONS / before)
        self._machine.link(CURRENT, VERSIONS / name)

    def restore(self, current: str, previous: str | None) -> None:
        """Set both links to what they were before a switch."""
        self._machine.link(CURRENT, VERSIONS / current)
        if previous is None:
            self._machine.remove(PREVIOUS)
        else:
            self._machine.link(PREVIOUS, VERSIONS / previous)

    # --- Cleaning up ----------------------------------------------------------------------

    def unused(self) -> list[str]:
        """Versions that are neither current nor previous."""
        kept = {self.current, self.previous}
        return [name for name in self._machine.names_in(VERSIONS) if name not in kept]

    def remove_unused(self) -> None:
        """Removes the mark first: a folder that is partly removed must not count as complete."""
        for name in self.unused():
            with suppress(FileNotFoundError):
                self._machine.remove(VERSIONS / name / COMPLETE)
            self._machine.remove(VERSIONS / name)
