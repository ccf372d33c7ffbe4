"""Solids of OpenSCAD: their triangles, and how much of two of them overlaps."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

from hardware.render import SCAD, run_openscad

Vertex = tuple[float, float, float]
Triangle = tuple[Vertex, Vertex, Vertex]


def triangles(stl: Path) -> list[Triangle]:
    found = re.findall(r"vertex (\S+) (\S+) (\S+)", stl.read_text())
    corners = [(float(x), float(y), float(z)) for x, y, z in found]
    return list(zip(corners[::3], corners[1::3], corners[2::3], strict=True))


def volume(faces: list[Triangle]) -> float:
    """Of a closed solid: the sum of the tetrahedra between its faces and the origin."""
    return sum(
        a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
        for a, b, c in faces
    ) / 6  # fmt: skip


def overlaps(folder: Path, name: str, solid: str, *others: str, setting: str = "") -> list[float]:
    """How many mm³ each of `others` has in common with `solid`.

    All are statements in OpenSCAD, with the modules and variables of the file `name`.
    """
    source, target, apart = folder / "overlap.scad", folder / "overlap.stl", 1000
    # A cube of 1 mm³ in every result, since OpenSCAD does not render nothing.
    results = "".join(
        f"translate([{apart * n}, 0, 0]) {{ translate([0, 0, -500]) cube(1); "
        f"intersection() {{ union() {{ {solid} }} union() {{ {other} }} }} }}\n"
        for n, other in enumerate(others)
    )
    source.write_text(f"include <{SCAD / name}.scad>\n{results}", encoding="utf-8")
    run_openscad(source, target, 'part="none"', *([setting] if setting else []))
    faces = triangles(target)
    borders = [apart * (n - 0.5) for n in range(len(others) + 1)]
    return [
        round(volume([face for face in faces if west < face[0][0] < east]) - 1, 3)
        for west, east in pairwise(borders)
    ]
