"""`marrakech uninstall`, as the installed command has it: the checkout may be long gone."""

from __future__ import annotations

import argparse

from companion.install import main


def add_arguments(parser: argparse.ArgumentParser) -> None:
    main.add_arguments(parser, "uninstall")


def run(args: argparse.Namespace) -> int:
    return main.run("uninstall", args)
