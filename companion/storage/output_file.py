"""Output files that the user named: created whole, or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from companion.errors import MAX_FILE_NAME_LENGTH, CompanionError, one_line


@contextmanager
def create_output_file(path: Path) -> Iterator[BinaryIO]:
    """Create a file and open it for writing. Never overwrites; removes the file on failure."""
    shown_path = one_line(str(path), MAX_FILE_NAME_LENGTH)
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
        raise CompanionError(f"{shown_path} already exists: choose another name") from None
    except OSError as error:
        raise CompanionError(f"cannot write {shown_path}: {error.strerror}") from None
