"""Renders the printed parts: run `python -m hardware.render` in the checkout. Needs OpenSCAD.

STL files go to build/stl, one for each part. With --pictures, renders the pictures of the guide
instead; that needs Debian's xvfb.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
SCAD = HERE / "scad"
PICTURES = HERE / "pictures"
STL = HERE.parent / "build" / "stl"

# For each file: its parts, and the number to print.
PARTS = {
    "frame": {
        "corner_nw": 1,
        "corner_ne": 1,
        "corner_se": 1,
        "corner_sw": 1,
        "bar_west": 8,
        "bar_east": 8,
    },
    "button_box": {"panel": 1, "tray": 1},
    "pad_enclosure": {"panel": 1, "tray": 1},
}
# Cameras of OpenSCAD: centre, rotation, distance.
CAMERAS = {
    "frame": "172,158,0,42,0,12,930",
    "button_box": "92,52,10,42,0,12,430",
    "pad_enclosure": "78,24,15,45,0,12,370",
}


class RenderError(RuntimeError):
    """The output of a failed OpenSCAD."""


def render_part(name: str, part: str, target: Path, *settings: str) -> None:
    """Render a part as STL. `settings` such as `square_pitch=40` override parameters."""
    _openscad([], name, part, target, settings)


def render_picture(name: str, target: Path) -> None:
    """Render the assembly of a file as PNG."""
    view = ["--imgsize=1000,700", "--colorscheme=Tomorrow", f"--camera={CAMERAS[name]}"]
    _openscad(view, name, "assembly", target, (), ["xvfb-run", "-a"])


def _openscad(
    view: list[str],
    name: str,
    part: str,
    target: Path,
    settings: Sequence[str],
    wrapper: Sequence[str] = (),
) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    overrides = [word for each in (f'part="{part}"', *settings) for word in ("-D", each)]
    command = [*wrapper, "openscad", "--hardwarnings", "-o", str(target), *view, *overrides]
    done = subprocess.run(
        [*command, str(SCAD / f"{name}.scad")], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RenderError(f"{name}, {part}:\n{done.stdout}{done.stderr}")


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m hardware.render", description=__doc__)
    parser.add_argument("--pictures", action="store_true", help="render the pictures of the guide")
    args = parser.parse_args(arguments)
    try:
        if args.pictures:
            for name in PARTS:
                render_picture(name, PICTURES / f"{name}.png")
            return 0
        for name, parts in PARTS.items():
            for part, count in parts.items():
                target = STL / f"{name}-{part}.stl"
                render_part(name, part, target)
                print(f"{target}: print {count}")
    except FileNotFoundError as error:
        print(f"{error.filename} is missing: sudo apt install openscad xvfb xauth", file=sys.stderr)
        return 1
    except RenderError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
