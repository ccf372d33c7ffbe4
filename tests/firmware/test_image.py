"""The firmware image: no warnings, small, and reproducible."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers.pad.tools import FIRMWARE, make

pytestmark = pytest.mark.firmware


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


def test_the_released_image_is_built_from_these_sources(tmp_path: Path) -> None:
    """The build is reproducible: the image contains no time, path or random number."""
    make("all", tmp_path / "one")
    make("all", tmp_path / "two")
    built = (tmp_path / "one" / "pad.hex").read_bytes()
    assert built == (tmp_path / "two" / "pad.hex").read_bytes()
    assert built == released().read_bytes(), (
        "sources changed: make a new version, or run `make release`"
    )


def test_only_one_release_is_kept() -> None:
    assert list((FIRMWARE / "release").iterdir()) == [released()]
