"""`marrakech light`: tests the matrix, or shows a turn of a record on it."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from companion.adapters.hardware import open_configured_matrix
from companion.adapters.kernel_spi import open_kernel_spi
from companion.adapters.matrix import KINDS, Matrix
from companion.adapters.virtual.spi import Light, VirtualSpi, virtual_chip
from companion.cli.arguments import read_record, whole_number
from companion.config.file import load_config
from companion.config.model import MatrixConfig
from companion.drawing.turn_pictures import LAST_SHOT_MS, actions_by_turn, scenes_of_turn
from companion.errors import CompanionError
from companion.light.frame import duration_ms, next_change, render_frame
from companion.light.lamp_test import advice, lamp_test_scene
from companion.table.scenes.scene import MATRIX, Scene

SIMULATED = "SIMULATED: what the chip would show, decoded from the bytes on its bus"
COMPASS_MS = 10_000
"""How long the arrow stays: time to compare it with the printed advice."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "record", nargs="?", help="a game record (default: light every LED, one by one)"
    )
    parser.add_argument(
        "--turn", type=whole_number(1), metavar="N", help="turn number (default: the last)"
    )
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="config file (default: the first marrakech.toml found)",
    )
    parser.add_argument(
        "--matrix", choices=KINDS, help="kind of matrix (default: from the config, or max7219)"
    )
    parser.add_argument(
        "--brightness",
        type=whole_number(0),
        metavar="B",
        help="0 to 15 (default: from the config, or 3)",
    )
    parser.add_argument(
        "--virtual",
        action="store_true",
        help="show a simulated matrix in the terminal, without hardware",
    )


def run(args: argparse.Namespace) -> int:
    if args.brightness is not None and args.brightness > 15:
        raise CompanionError(f"brightness {args.brightness}: use 0 to 15")
    config = _matrix_config(args)
    layout = config.layout()
    is_test = args.record is None
    scenes = [lamp_test_scene(layout)] if is_test else _scenes(args.record, args.turn)
    stays_ms = COMPASS_MS if is_test else LAST_SHOT_MS
    if args.virtual:
        chip = virtual_chip(config.kind)
        print(SIMULATED)
        terminal = _TerminalMatrix()
        matrix = open_configured_matrix(VirtualSpi(chip), config)
        _play_scenes(
            scenes, stays_ms, matrix, lambda ms: terminal.show(layout.as_seen(chip.light()), ms)
        )
        return 0
    device = open_kernel_spi(Path(f"/dev/spidev{config.bus}.{config.chip_select}"))
    try:
        matrix = open_configured_matrix(device, config)
        if is_test:
            _print_advice(config)
        _play_scenes(scenes, stays_ms, matrix, lambda ms: time.sleep(ms / 1000))
    except OSError as error:
        raise CompanionError(
            f"cannot write to the matrix ({error.strerror}): check its wiring and power supply"
        ) from None
    return 0


def _matrix_config(args: argparse.Namespace) -> MatrixConfig:
    """The settings of the config file, overridden by the command line."""
    config, _ = load_config(args.config, environ=os.environ, cwd=Path.cwd())
    arguments = {"kind": args.matrix, "brightness": args.brightness}
    return replace(
        config.matrix, **{key: value for key, value in arguments.items() if value is not None}
    )


def _print_advice(config: MatrixConfig) -> None:
    """Print what to look for, before the test starts."""
    lines = advice(
        config.layout(),
        rotation=config.rotation,
        is_mirrored=config.mirrored,
        wiring=config.wiring if config.has_chain else None,
    )
    print(*lines, sep="\n", flush=True)


def _scenes(record: str, turn: int | None) -> list[Scene]:
    game = read_record(record)
    number = len(actions_by_turn(game)) if turn is None else turn
    return [act.scene for act in scenes_of_turn(game, number)]


def _play_scenes(
    scenes: list[Scene], stays_ms: int, matrix: Matrix, wait_ms: Callable[[int], None]
) -> None:
    """Show one scene after another, waiting from each change to the next."""
    try:
        for scene in scenes:
            end = sum(duration_ms(shot) for shot in scene.shots[:-1]) + stays_ms
            now = 0
            while now < end:
                matrix.show(render_frame(scene, now))
                following = min(next_change(scene, now) or end, end)
                wait_ms(following - now)
                now = following
    finally:
        matrix.close()


class _TerminalMatrix:
    """Prints frames: animated in a terminal, one after another in a file or pipe."""

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
