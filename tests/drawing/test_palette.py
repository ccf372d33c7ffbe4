"""Colours of pictures: one value for RGB and hex, no Pillow."""

from __future__ import annotations

import subprocess
import sys

import pytest

from companion.drawing.palette import RUGS, TABLE, Paint
from companion.games.marrakech import COLOURS


def test_a_paint_is_an_rgb_tuple_and_a_hex_string() -> None:
    assert TABLE == (58, 46, 38)
    assert TABLE.hex == "#3a2e26"
    assert Paint(0, 5, 255).hex == "#0005ff"


@pytest.mark.parametrize(
    ("brightness", "scaled"), [(1.0, (200, 100, 0)), (0.5, (100, 50, 0)), (2.0, (255, 200, 0))]
)
def test_a_paint_is_scaled_up_to_white(brightness: float, scaled: tuple[int, int, int]) -> None:
    assert Paint(200, 100, 0).scaled(brightness) == scaled


def test_every_rug_colour_has_paint() -> None:
    assert set(RUGS) == set(COLOURS)
    assert len(set(RUGS.values())) == len(COLOURS)


@pytest.mark.parametrize("module", ["palette", "market_layout", "market_svg"])
def test_svg_is_drawn_without_pillow(module: str) -> None:
    script = f"import sys, companion.drawing.{module}; sys.exit('PIL' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
