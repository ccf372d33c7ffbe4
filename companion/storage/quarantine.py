"""What is kept beside a journal: nothing that is found in its place is ever thrown away.

    game.jsonl.torn       ends that were cut off, one after the other
    game.jsonl.damaged    a journal from which the beginning was rescued
    game.jsonl.strange    what somebody put in the place of a game that was being played

Where such a name is taken, `-2` comes after it, and so on.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

from companion.storage.filesystem import Filesystem, write_all

TORN, DAMAGED, STRANGE = "torn", "damaged", "strange"


def keep_torn(path: Path, tail: bytes) -> None:
    """Add what is about to be cut off to what was before.

    Only for those who look into it later: no game waits for it, and none fails by it.
    """
    with suppress(OSError):
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NONBLOCK
        file = os.open(_beside(path, TORN), flags, 0o644)
        with os.fdopen(file, "ab") as torn:
            torn.write(tail + b"\n")


def copy_aside(path: Path, data: bytes, ending: str, disk: Filesystem) -> Path:
    """A copy, not a move: the name of the game is never without a game."""
    for kept in _names(path, ending):
        with suppress(FileExistsError):
            write_new(kept, data, disk)
            return kept
    raise AssertionError("numbers do not end")


def move_aside(path: Path, ending: str, disk: Filesystem) -> Path:
    """Under a name that nothing has, whatever it is."""
    kept = next(name for name in _names(path, ending) if not os.path.lexists(name))
    disk.rename(path, kept)
    disk.fsync_folder(path.parent)
    return kept


def write_new(path: Path, data: bytes, disk: Filesystem) -> None:
    """A whole file, or none."""
    file = disk.open(path, is_new=True)
    try:
        write_all(disk, file, data)
    except BaseException:
        with suppress(OSError):
            path.unlink()
        raise
    finally:
        disk.close(file)


def _names(path: Path, ending: str) -> Iterator[Path]:
    yield _beside(path, ending)
    for number in count(2):
        yield _beside(path, f"{ending}-{number}")


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(f"{path.name}.{ending}")
