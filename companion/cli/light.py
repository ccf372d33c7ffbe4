"""`marrakech light`: the matrix on its own. A builder's first light, and any turn of a record."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

from companion.adapters.kernel_spi import open_kernel_spi
from companion.adapters.matrix import KINDS, Matrix, open_matrix
from companion.adapters.virtual_spi import Light, VirtualSpi, virtual_chip
from companion.cli.common import read_record, whole_number
from companion.errors import CompanionError
from companion.light.frame import duration_ms, next_change, picture
from companion.picture.film import STAYS_MS, acts_of_turn, turns_of
from companion.table.scene import MATRIX, Scene
from companion.table.staging import lamp_test_scene

SIMULATED = "SIMULATED: what the chip would show, read from the bytes on its bus"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "record", nargs="?", help="a game record (default: every LED is lit, one by one)"
    )
    parser.add_argument(
        "--turn", type=whole_number(1), metavar="N", help="which turn (default: the last)"
    )
    parser.add_argument(
        "--matrix", choices=KINDS, default="max7219", help="which matrix (default: max7219)"
    )
    parser.add_argument(
        "--brightness",
        type=whole_number(0),
        default=3,
        metavar="B",
        help="0 to 15 (default: 3)",
    )
    parser.add_argument(
        "--virtual", action="store_true", help="no hardware: show it in the terminal, SIMULATED"
    )


def run(args: argparse.Namespace) -> int:
    if args.brightness > 15:
        raise CompanionError(f"brightness {args.brightness}: use 0 to 15")
    scenes = [lamp_test_scene()] if args.record is None else _scenes(args.record, args.turn)
    if args.virtual:
        chip = virtual_chip(args.matrix)
        print(SIMULATED)
        matrix = open_matrix(args.matrix, VirtualSpi(chip), brightness=args.brightness)
        screen = _Screen()
        _project(scenes, matrix, lambda ms: screen.show(chip.light(), ms))
        return 0
    try:
        matrix = open_matrix(args.matrix, open_kernel_spi(), brightness=args.brightness)
        _project(scenes, matrix, lambda ms: time.sleep(ms / 1000))
    except OSError as error:
        raise CompanionError(
            f"the matrix cannot be written to ({error.strerror}): check its wires and its supply"
        ) from None
    return 0


def _scenes(record: str, turn: int | None) -> list[Scene]:
    game = read_record(record)
    number = len(turns_of(game)) if turn is None else turn
    return [act.scene for act in acts_of_turn(game, number)]


def _project(scenes: list[Scene], matrix: Matrix, wait_ms: Callable[[int], None]) -> None:
    """Show scene after scene; between two changes there is nothing to do."""
    try:
        for scene in scenes:
            end = sum(duration_ms(shot) for shot in scene.shots[:-1]) + STAYS_MS
            now = 0
            while now < end:
                matrix.show(picture(scene, now))
                following = min(next_change(scene, now) or end, end)
                wait_ms(following - now)
                now = following
    finally:
        matrix.close()


class _Screen:
    """The matrix in the terminal, in place and in time; elsewhere one frame after the other."""

    def __init__(self) -> None:
        self.is_terminal = sys.stdout.isatty()
        self.has_shown = False

    def show(self, light: Light, ms: int) -> None:
        if self.is_terminal and self.has_shown:
            print(f"\x1b[{MATRIX + 1}A", end="")
        rows = [light[start : start + MATRIX] for start in range(0, len(light), MATRIX)]
        print(*("".join(map(self._dot, row)) for row in rows), "", sep="\n")
        self.has_shown = True
        if self.is_terminal:
            sys.stdout.flush()
            time.sleep(ms / 1000)

    def _dot(self, colour: tuple[int, int, int]) -> str:
        if not any(colour):
            return "· "
        if not self.is_terminal:
            return "# "
        return "\x1b[38;2;{};{};{}m●\x1b[0m ".format(*colour)
