"""The names of files in a games folder.

game.jsonl            the current game
archive/0001.jsonl    earlier games, numbered from 1
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

CURRENT_GAME_FILE = "game.jsonl"
CURRENT_GAME = "now"
"""The current game in commands; archived games have numbers."""
ARCHIVE_FOLDER = "archive"
_ARCHIVE_NAME = re.compile(r"(0\d{3}|[1-9]\d{3,5})\.jsonl", re.ASCII)
"""Up to six digits: a file with a longer number is not ours."""


def archive_number(name: str) -> int | None:
    """The number of an archived game by its file name; None for another file."""
    found = _ARCHIVE_NAME.fullmatch(name)
    return int(found[1]) if found else None


def game_in_folder(path: Path) -> tuple[Path, str] | None:
    """The games folder and the name of the game in commands; None if it is another file."""
    number = archive_number(path.name)
    if path.name == CURRENT_GAME_FILE:
        return path.parent, CURRENT_GAME
    if path.parent.name == ARCHIVE_FOLDER and number is not None:
        return path.parent.parent, str(number)
    return None


def rescue_command(path: Path) -> str:
    """The command that rescues this journal, wherever it is."""
    folder, game = game_in_folder(path) or (path.parent, str(path))
    return f"marrakech games rescue --folder {shlex.quote(str(folder))} {shlex.quote(game)}"
