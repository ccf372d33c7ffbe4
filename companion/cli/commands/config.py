"""`marrakech config`: prints the settings in use as a config file."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from companion.config.file import DEFAULTS, FILE_NAME, effective_text, load_config
from companion.config.model import Config
from companion.errors import CompanionError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    source = parser.add_mutually_exclusive_group()
    source.add_argument(
        "--config", metavar="FILE", help=f"read this file (default: the first {FILE_NAME} found)"
    )
    source.add_argument(
        "--default", action="store_true", help="print the default settings and read no file"
    )


def run(args: argparse.Namespace) -> int:
    if args.default:
        config, origin = Config(), DEFAULTS
    elif args.config == "":
        raise CompanionError("the file name is empty")
    else:
        path = None if args.config is None else Path(args.config)
        config, origin = load_config(path, environ=os.environ, cwd=Path.cwd())
    print(effective_text(config, origin), end="")
    return 0
