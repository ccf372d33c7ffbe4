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
    "button_box": {"panel": 1, "tray": 1, "clamp": 1},
    "pi_box": {"panel": 1, "tray": 1},
    "pad_enclosure": {"panel": 1, "tray": 1},
}
# For each picture: the file, what it shows, and OpenSCAD's camera (centre, rotation, distance).
VIEWS = {
    "frame": ("frame", "assembly", "172,158,0,42,0,12,930"),
    "button_box": ("button_box", "assembly", "92,52,10,42,0,12,430"),
    "button_box_back": ("button_box", "back", "92,-52,5,42,0,12,430"),
    "pi_box": ("pi_box", "assembly", "20,64,25,45,0,20,520"),
    "pad_enclosure": ("pad_enclosure", "assembly", "78,24,15,45,0,12,370"),
    "pad_inside": ("pad_enclosure", "inside", "62,28,15,40,0,-25,290"),
}


class RenderError(RuntimeError):
    """The output of a failed OpenSCAD."""


def render_part(name: str, part: str, target: Path, *settings: str) -> None:
    """Render a part as STL. `settings` such as `square_pitch=40` override parameters."""
    run_openscad(SCAD / f"{name}.scad", target, f'part="{part}"', *settings)


def render_picture(view: str, target: Path) -> None:
    """Render a view as PNG."""
    name, part, camera = VIEWS[view]
    options = ["--imgsize=1000,700", "--colorscheme=Tomorrow", f"--camera={camera}"]
    run_openscad(
        SCAD / f"{name}.scad", target, f'part="{part}"', options=options, wrapper=["xvfb-run", "-a"]
    )


def run_openscad(
    source: Path,
    target: Path,
    *settings: str,
    options: Sequence[str] = (),
    wrapper: Sequence[str] = (),
) -> None:
    """Render a file. A warning of OpenSCAD is an error too."""
    target.parent.mkdir(parents=True, exist_ok=True)
    overrides = [word for each in settings for word in ("-D", each)]
    command = [*wrapper, "openscad", "--hardwarnings", "-o", str(target), *options, *overrides]
    done = subprocess.run([*command, str(source)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RenderError(f"{source.name}, {', '.join(settings)}:\n{done.stdout}{done.stderr}")


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m hardware.render", description=__doc__)
    parser.add_argument("--pictures", action="store_true", help="render the pictures of the guide")
    args = parser.parse_args(arguments)
    try:
        if args.pictures:
            for view in VIEWS:
                render_picture(view, PICTURES / f"{view}.png")
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
