"""Makes whatever follows from pinout.toml. `python -m hardware.generate` in the checkout.

With --check nothing is written: it says what is not as it would be made, and fails.
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


def made(pinout: Pinout) -> dict[str, str]:
    """Every generated file, by its path in the checkout."""
    return {
        "companion/config/pinout.py": pinout_module(pinout),
        "hardware/wiring.svg": draw_table(pinout),
        "hardware/wiring.md": wiring_page(pinout),
        "hardware/pad-wiring.svg": draw_pad(pinout),
        "hardware/pad-wiring.md": pad_page(pinout),
    }


def stale(root: Path, files: dict[str, str]) -> list[str]:
    """Which files in a checkout are not what the generator makes."""
    return [
        path
        for path, text in files.items()
        if not (root / path).exists() or (root / path).read_text(encoding="utf-8") != text
    ]


def main(words: Sequence[str], root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(prog="python -m hardware.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, say what is stale")
    args = parser.parse_args(words)
    pinout = read_pinout()
    if wrong := faults(pinout):
        print(*(f"pinout.toml: {fault}" for fault in wrong), sep="\n", file=sys.stderr)
        return 1
    files = made(pinout)
    for path in stale(root, files):
        print(f"{path}: {'not as it would be made' if args.check else 'made'}")
        if not args.check:
            (root / path).write_text(files[path], encoding="utf-8")
    return int(args.check and bool(stale(root, files)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
