"""The measures of the printed parts stand in one file."""

from __future__ import annotations

import re

from hardware.render import PARTS, SCAD


def test_every_measure_is_in_one_file() -> None:
    """Parts use parameters; only what no builder changes is written beside them."""
    for name in PARTS:
        text = (SCAD / f"{name}.scad").read_text(encoding="utf-8")
        assert "include <parameters.scad>" in text or "include <box.scad>" in text
        for told in re.findall(r"^(\w+) = [\d.]+;", text, re.MULTILINE):
            assert told in ("gap", "ledge"), f"{told} belongs into parameters.scad"
