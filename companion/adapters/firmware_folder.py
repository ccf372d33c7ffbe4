"""The folder of the die pad's firmware: released images, and in a checkout the build.

Functions here block: they run make.
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
"""An installed companion has only the released images."""
BUILD = FOLDER / "build"

# For each target of the Makefile: the programs and files it needs, and their Debian packages.
_HOST = {"make": "make", "gcc": "gcc", "/usr/include/stdio.h": "libc6-dev"}
NEEDS = {
    "all": {"make": "make", "avr-gcc": "gcc-avr", "/usr/lib/avr/include/avr/io.h": "avr-libc"},
    "sim": {**_HOST, "/usr/include/simavr/sim_avr.h": "libsimavr-dev"},
}
_RELEASE = re.compile(r"pad-(\d+)\.(\d+)\.(\d+)\.hex")


class FirmwareError(CompanionError):
    """The firmware cannot be built, or is not installed."""


class Firmware:
    """Images and builds of the firmware.

    `folder` defaults to that of the checkout, or to the installed one.
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
        """The newest released image: `pad-1.0.0.hex`."""
        found = [
            (tuple(map(int, name.groups())), path)
            for path in (self.folder / "release").glob("*.hex")
            if (name := _RELEASE.fullmatch(path.name))
        ]
        if not found:
            raise FirmwareError(f"there is no image in {self.folder / 'release'}: use --build")
        return max(found)[1]

    def built_image(self) -> tuple[Path, str]:
        """Build an image. Returns its path and a line about its size."""
        return self.build / "pad.hex", self._make("all").strip().splitlines()[-1]

    def simulator(self) -> Path:
        """The program that runs an image in simavr. Rebuilt if its sources changed.

        Without build tools an existing program is used as it is.
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
    """The Debian packages that a target needs and that are missing."""
    return [
        package
        for tool, package in NEEDS[target].items()
        if not (Path(tool).exists() if tool.startswith("/") else shutil.which(tool))
    ]
