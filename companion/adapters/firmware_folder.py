"""The die pad's firmware: its images, and in a checkout what it takes to build them.

All of this may block: it starts programs.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from companion.errors import CompanionError, listed, one_line

FOLDER = Path(__file__).parents[2] / "firmware"
INSTALLED = Path(sys.prefix) / "share" / "marrakech" / "firmware"
"""Only the released images, beside an installed companion."""
BUILD = FOLDER / "build"

# What each target of the Makefile needs: a program or a file, and the Debian package it is in.
_HOST = {"make": "make", "gcc": "gcc", "/usr/include/stdio.h": "libc6-dev"}
NEEDS = {
    "all": {"make": "make", "avr-gcc": "gcc-avr", "/usr/lib/avr/include/avr/io.h": "avr-libc"},
    "sim": {**_HOST, "/usr/include/simavr/sim_avr.h": "libsimavr-dev"},
}
_RELEASE = re.compile(r"pad-(\d+)\.(\d+)\.(\d+)\.hex")


class FirmwareError(CompanionError):
    """The firmware cannot be built, or is not there."""


class Firmware:
    """The folder of the firmware, and the one for what is built.

    Unless told: a checkout's own, or what was installed with the companion.
    """

    def __init__(self, folder: Path | None = None, build: Path | None = None) -> None:
        self.folder = folder or (FOLDER if _has_source(FOLDER) else INSTALLED)
        self.build = build or BUILD
        if not (_has_source(self.folder) or (self.folder / "release").is_dir()):
            raise FirmwareError(
                "the die pad's firmware is not installed with the companion: use a checkout of it, "
                "where ./marrakech is"
            )

    def released_image(self) -> Path:
        """The newest image that comes with the companion: `pad-1.0.0.hex`."""
        found = [
            (tuple(map(int, name.groups())), path)
            for path in (self.folder / "release").glob("*.hex")
            if (name := _RELEASE.fullmatch(path.name))
        ]
        if not found:
            raise FirmwareError(f"there is no image in {self.folder / 'release'}: use --build")
        return max(found)[1]

    def built_image(self) -> tuple[Path, str]:
        """A fresh image, and what was said of its size."""
        return self.build / "pad.hex", self._make("all").strip().splitlines()[-1]

    def simulator(self) -> Path:
        """The program that runs an image in simavr: make knows if it is older than its sources.

        Without the tools it is the one that is there.
        """
        program = self.build / "pad_sim"
        if not (program.exists() and missing_packages("sim")):
            self._make("sim")
        return program

    def _make(self, target: str) -> str:
        if not _has_source(self.folder):
            raise FirmwareError(
                "the source of the die pad's firmware is not installed with the companion: use a "
                "checkout of it, where ./marrakech is"
            )
        if packages := missing_packages(target):
            raise FirmwareError(
                f"the die pad's firmware cannot be built without {listed(packages, 'and')}: "
                f"sudo apt install {' '.join(packages)}"
            )
        made = subprocess.run(
            ["make", "--no-print-directory", "-C", self.folder, f"BUILD={self.build}", target],
            capture_output=True,
            text=True,
            check=False,
        )
        if made.returncode:
            last = (made.stderr.strip() or made.stdout.strip()).splitlines()[-1:]
            raise FirmwareError(
                f"'make -C {self.folder} {target}' failed: {one_line(''.join(last))}"
            )
        return made.stdout


def _has_source(folder: Path) -> bool:
    return (folder / "Makefile").exists()


def missing_packages(target: str) -> list[str]:
    """The Debian packages that building a target needs and that are not there."""
    return [
        package
        for tool, package in NEEDS[target].items()
        if not (Path(tool).exists() if tool.startswith("/") else shutil.which(tool))
    ]
