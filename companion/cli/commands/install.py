"""`marrakech install`, as the installed command has it: it says where to start it."""

from __future__ import annotations

import argparse

from companion.install import main


def add_arguments(parser: argparse.ArgumentParser) -> None:
    main.add_arguments(parser, "install")


def run(args: argparse.Namespace) -> int:
    return main.run("install", args)
