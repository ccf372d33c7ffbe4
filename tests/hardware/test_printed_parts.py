"""Every printed part renders to a solid that fits the printer and the other parts."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from helpers.requirements import need_tools
from helpers.solids import Vertex, triangles
from PIL import Image

from hardware.render import PARTS, PICTURES, SCAD, VIEWS, RenderError, render_part, render_picture

pytestmark = pytest.mark.openscad
ALL_PARTS = [(name, part) for name, parts in PARTS.items() for part in parts]


@pytest.fixture(autouse=True, scope="module")
def openscad() -> None:
    need_tools({"openscad": "openscad"})


def parameter(name: str) -> float:
    text = (SCAD / "parameters.scad").read_text(encoding="utf-8")
    (value,) = re.findall(rf"^{name} = ([\d.]+);", text, re.MULTILINE)
    return float(value)


def rendered(folder: Path, name: str, part: str, *settings: str) -> list[Vertex]:
    target = folder / f"{name}-{part}.stl"
    render_part(name, part, target, *settings)
    return [corner for each in triangles(target) for corner in each]


def extent(corners: list[Vertex]) -> list[float]:
    return [max(values) - min(values) for values in zip(*corners, strict=True)]


@pytest.mark.parametrize(("name", "part"), ALL_PARTS)
def test_a_part_is_closed_lies_flat_and_fits_on_the_printer(
    name: str, part: str, tmp_path: Path
) -> None:
    """Closed: every edge of the surface belongs to one triangle in each direction."""
    render_part(name, part, tmp_path / "part.stl")
    faces = triangles(tmp_path / "part.stl")
    edges = Counter(
        (face[n], face[(n + 1) % 3]) for face in faces if len(set(face)) == 3 for n in range(3)
    )
    assert len(faces) > 10
    assert [edge for edge in edges if edges[edge] != edges[edge[1], edge[0]]] == []
    corners = [corner for face in faces for corner in face]
    assert min(corner[2] for corner in corners) == pytest.approx(0, abs=1e-3), "flat on the bed"
    assert max(extent(corners)) <= parameter("bed")


@pytest.mark.parametrize("pitch", [38, 36.5])
def test_the_leds_of_a_bar_have_the_pitch_of_the_squares(pitch: float, tmp_path: Path) -> None:
    """Each is between two pegs, the only parts in the channel."""
    corners = [
        *rendered(tmp_path, "frame", "bar_west", f"square_pitch={pitch}"),
        *rendered(tmp_path, "frame", "bar_east", f"square_pitch={pitch}"),
    ]
    top, side = max(z for _, _, z in corners), max(y for _, y, _ in corners)
    pegs = sorted({x for x, y, z in corners if z == top and abs(y) < side - 2})
    apart = parameter("strip_piece") + 2
    # A peg is octagonal and 1.6 mm wide: closer vertices belong to the same peg.
    middles = [(min(group) + max(group)) / 2 for group in _groups(pegs, 2)]
    assert len(middles) == 16
    leds = [(west + east) / 2 for west, east in zip(middles[::2], middles[1::2], strict=True)]
    assert [east - west for west, east in zip(middles[::2], middles[1::2], strict=True)] == (
        pytest.approx([apart] * 8, abs=0.01)
    )
    assert leds == pytest.approx(
        [parameter("market_margin") + pitch * (n + 0.5) for n in range(8)], abs=0.01
    )


def _groups(values: list[float], width: float) -> list[list[float]]:
    groups: list[list[float]] = []
    for value in values:
        if groups and value - groups[-1][0] < width:
            groups[-1].append(value)
        else:
            groups.append([value])
    return groups


def test_the_four_corners_surround_the_board(tmp_path: Path) -> None:
    corners = [
        corner
        for part in PARTS["frame"]
        if part.startswith("corner")
        for corner in rendered(tmp_path, "frame", part)
    ]
    wanted = parameter("board_size") + 2 * parameter("frame_wall") + 2 * parameter("tolerance")
    assert extent(corners)[:2] == pytest.approx([wanted, wanted])


@pytest.mark.parametrize(
    ("name", "setting", "error"),
    [
        ("frame", "square_pitch=60", "the rail is not on the board"),
        ("frame", "strip_piece=40", "longer than a square"),
        ("frame", "strip_width=40", "the bars are wider than a square"),
        ("frame", "bed=150", "a corner is larger than the printer"),
        ("button_box", "button_hole=22", "the buttons touch each other"),
        ("pad_enclosure", "nano_size=[150, 18]", "the Nano is too long for the pad"),
        ("pad_enclosure", 'part="lid"', "no part is called lid"),
    ],
)
def test_parameters_that_do_not_fit_are_an_error(
    name: str, setting: str, error: str, tmp_path: Path
) -> None:
    with pytest.raises(RenderError, match=error):
        render_part(name, "bar_west", tmp_path / "part.stl", setting)


@pytest.mark.parametrize("name", VIEWS)
def test_every_picture_of_the_guide_can_be_rendered_and_is_not_empty(
    name: str, tmp_path: Path
) -> None:
    need_tools({"xvfb-run": "xvfb", "xauth": "xauth"})
    render_picture(name, tmp_path / "picture.png")
    for picture in (tmp_path / "picture.png", PICTURES / f"{name}.png"):
        assert picture.stat().st_size < 200_000
        with Image.open(picture) as image:
            assert image.size == (1000, 700)
            colours = image.convert("RGB").getcolors(1_000_000)
        assert colours is not None
        background = max(count for count, _ in colours)
        assert 0.1 * 700_000 < background < 0.8 * 700_000
        assert len(colours) > 20
