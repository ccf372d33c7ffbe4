"""The firmware image: no warnings, small, and reproducible."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from helpers.pad.tools import FIRMWARE, make
from helpers.requirements import forbidden_here

pytestmark = pytest.mark.firmware

RELEASE_COMPILER = "5.4.0"
"""The avr-gcc that built the released image: Debian 12."""


def released() -> Path:
    text = (FIRMWARE / "version.h").read_text()
    version = ".".join(re.findall(r"define VERSION_\w+ (\d+)", text))
    return FIRMWARE / "release" / f"pad-{version}.hex"


def test_the_image_is_built_without_a_warning_and_is_small(tmp_path: Path) -> None:
    output = make("all", tmp_path)
    assert "warning" not in output
    sizes = re.search(r"flash (\d+) of 32768 bytes, RAM (\d+) of 2048 bytes", output)
    assert sizes is not None
    flash, ram = int(sizes[1]), int(sizes[2])
    print(f"flash {flash} bytes, RAM {ram} bytes")
    assert 4000 < flash < 16 * 1024
    assert 200 < ram < 1024


def test_the_build_is_reproducible(tmp_path: Path) -> None:
    """The image contains no time, path or random number."""
    make("all", tmp_path / "one")
    make("all", tmp_path / "two")
    built = (tmp_path / "one" / "pad.hex").read_bytes()
    assert built == (tmp_path / "two" / "pad.hex").read_bytes()


def test_the_released_image_is_built_from_these_sources(tmp_path: Path) -> None:
    make("all", tmp_path)
    version = subprocess.run(
        ["avr-gcc", "-dumpversion"], capture_output=True, text=True, check=True
    ).stdout.strip()
    if version != RELEASE_COMPILER:
        forbidden_here(
            f"the release was built by avr-gcc {RELEASE_COMPILER}, and this is {version}: "
            "compare it on Debian 12"
        )
    assert (tmp_path / "pad.hex").read_bytes() == released().read_bytes(), (
        "sources changed: make a new version, or run `make release`"
    )


def test_only_one_release_is_kept() -> None:
    assert list((FIRMWARE / "release").iterdir()) == [released()]
