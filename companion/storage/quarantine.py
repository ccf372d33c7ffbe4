"""Quarantine files beside a journal: data found in its place is never deleted.

    game.jsonl.torn       torn tails that were removed, one after the other
    game.jsonl.damaged    a journal whose intact beginning was rescued
    game.jsonl.strange    a foreign file that replaced the journal of a running game

If a name is taken, `-2` is appended to it, then `-3`, and so on.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

from companion.storage.filesystem import Filesystem, write_all

TORN_SUFFIX = "torn"
DAMAGED_SUFFIX = "damaged"
FOREIGN_SUFFIX = "strange"


def save_torn_tail(path: Path, tail: bytes) -> None:
    """Append a torn tail to the `.torn` file, before it is removed from the journal.

    Only for diagnosis: it is not synced, and errors are ignored.
    """
    with suppress(OSError):
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NONBLOCK
        file = os.open(_with_suffix(path, TORN_SUFFIX), flags, 0o644)
        with os.fdopen(file, "ab") as torn:
            torn.write(tail + b"\n")


def copy_to_quarantine(path: Path, data: bytes, suffix: str, filesystem: Filesystem) -> Path:
    """Write a copy beside the journal, whose own name always keeps a file."""
    for kept in _candidate_names(path, suffix):
        with suppress(FileExistsError):
            write_new_file(kept, data, filesystem)
            return kept
    raise AssertionError("unreachable: the candidates are infinite")


def move_to_quarantine(path: Path, suffix: str, filesystem: Filesystem) -> Path:
    """Rename a file, folder or pipe to the first free name."""
    kept = next(name for name in _candidate_names(path, suffix) if not os.path.lexists(name))
    filesystem.rename(path, kept)
    filesystem.fsync_folder(path.parent)
    return kept


def write_new_file(path: Path, data: bytes, filesystem: Filesystem) -> None:
    """Create and sync a file. On failure no file is left behind."""
    file = filesystem.open(path, is_new=True)
    try:
        write_all(filesystem, file, data)
    except BaseException:
        with suppress(OSError):
            path.unlink()
        raise
    finally:
        filesystem.close(file)


def _candidate_names(path: Path, suffix: str) -> Iterator[Path]:
    yield _with_suffix(path, suffix)
    for number in count(2):
        yield _with_suffix(path, f"{suffix}-{number}")


def _with_suffix(path: Path, suffix: str) -> Path:
    return path.with_name(f"{path.name}.{suffix}")
