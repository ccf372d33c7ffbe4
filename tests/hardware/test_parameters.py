"""The dimensions of the printed parts are in one file."""

from __future__ import annotations

import re

from hardware.render import PARTS, SCAD


def test_every_dimension_is_in_one_file() -> None:
    """Other files have only dimensions that builders do not change."""
    for part in PARTS:
        text = (SCAD / f"{part}.scad").read_text(encoding="utf-8")
        assert "include <parameters.scad>" in text or "include <box.scad>" in text
        for name in re.findall(r"^(\w+) = [\d.]+;", text, re.MULTILINE):
            assert name in ("gap", "ledge"), f"{name} belongs into parameters.scad"
