"""`marrakech upgrade`, as the installed command has it: only --back needs no checkout."""

from __future__ import annotations

import argparse

from companion.install import main


def add_arguments(parser: argparse.ArgumentParser) -> None:
    main.add_arguments(parser, "upgrade")


def run(args: argparse.Namespace) -> int:
    return main.run("upgrade", args)
