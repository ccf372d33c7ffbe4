"""Generates files from pinout.toml: run `python -m hardware.generate` in the checkout.

With --check nothing is written: it lists files that are out of date, and fails if there are any.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from hardware.pad_drawing import draw_pad
from hardware.pinout import Pinout, faults, read_pinout
from hardware.table_drawing import draw_table
from hardware.tables import pad_page, pinout_module, wiring_page

ROOT = Path(__file__).parent.parent


def generate(pinout: Pinout) -> dict[str, str]:
    """The text of every generated file, by its path in the checkout."""
    return {
        "companion/config/pinout.py": pinout_module(pinout),
        "hardware/wiring.svg": draw_table(pinout),
        "hardware/wiring.md": wiring_page(pinout),
        "hardware/pad-wiring.svg": draw_pad(pinout),
        "hardware/pad-wiring.md": pad_page(pinout),
    }


def outdated(root: Path, files: dict[str, str]) -> list[str]:
    """The files of a checkout that are missing or out of date."""
    return [
        path
        for path, text in files.items()
        if not (root / path).exists() or (root / path).read_text(encoding="utf-8") != text
    ]


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(prog="python -m hardware.generate", description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="write nothing, list files that are out of date"
    )
    args = parser.parse_args(arguments)
    pinout = read_pinout()
    if found := faults(pinout):
        print(*(f"pinout.toml: {fault}" for fault in found), sep="\n", file=sys.stderr)
        return 1
    files = generate(pinout)
    for path in outdated(root, files):
        print(f"{path}: {'out of date' if args.check else 'written'}")
        if not args.check:
            (root / path).write_text(files[path], encoding="utf-8")
    return int(args.check and bool(outdated(root, files)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
