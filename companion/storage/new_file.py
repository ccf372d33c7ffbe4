"""A file that somebody asked for: new, whole, or not there at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from companion.errors import LONGEST_FILE, CompanionError, one_line


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """One that is there already is somebody's, and stays as it is."""
    told = one_line(str(path), LONGEST_FILE)
    try:
        with path.open("xb") as file:
            try:
                yield file
                file.flush()
            except BaseException:
                with suppress(OSError):
                    path.unlink()
                raise
    except FileExistsError:
        raise CompanionError(f"{told} is there already: name another file") from None
    except OSError as error:
        raise CompanionError(f"cannot write {told}: {error.strerror}") from None
