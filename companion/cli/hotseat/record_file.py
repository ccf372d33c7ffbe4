"""The record file of a hotseat game, saved after every step."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp

from companion.cli.arguments import read_record
from companion.errors import MAX_FILE_NAME_LENGTH, CompanionError, one_line
from companion.games.marrakech import Record

_PREFIX = ".marrakech-"


class RecordFile:
    """The file of `--record`: read once, replaced atomically after every step."""

    def __init__(self, name: str) -> None:
        if name in ("", "-"):
            raise CompanionError("--record needs the name of a file")
        self.path = Path(name)
        self.shown_name = one_line(name, MAX_FILE_NAME_LENGTH)
        """Shortened for messages."""
        self.is_saved = False
        """Whether the file holds the current state of the game."""

    def exists(self) -> bool:
        try:
            self.path.stat()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise CompanionError(f"cannot read {self.shown_name}: {error.strerror}") from None
        return True

    def read(self) -> Record:
        record = read_record(str(self.path))
        self.is_saved = True
        return record

    def check(self) -> None:
        """Raise if the folder is not writable, before the game starts."""
        try:
            descriptor, temporary_name = mkstemp(prefix=_PREFIX, dir=self._target().parent)
            os.close(descriptor)
            Path(temporary_name).unlink()
        except OSError as error:
            raise self._write_error(error) from None

    def save(self, text: str) -> None:
        """Replace the file atomically: a power cut leaves the old text or the new one."""
        self.is_saved = False
        try:
            self._replace(self._target(), text.encode())
        except OSError as error:
            raise self._write_error(error) from None
        self.is_saved = True

    def _target(self) -> Path:
        """The file itself, if the path is a symbolic link: the link stays a link."""
        return self.path.resolve()

    def _write_error(self, error: OSError) -> CompanionError:
        return CompanionError(f"cannot write {self.shown_name}: {error.strerror}")

    @staticmethod
    def _replace(path: Path, text: bytes) -> None:
        descriptor, temporary_name = mkstemp(prefix=_PREFIX, dir=path.parent)
        try:
            with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor, not a path
                file.write(text)
                file.flush()
                os.fsync(descriptor)
            _copy_mode(path, temporary_name)
            os.replace(temporary_name, path)  # noqa: PTH105
        except BaseException:
            with suppress(OSError):
                Path(temporary_name).unlink()
            raise
        _sync_folder(path.parent)


def _copy_mode(path: Path, temporary_name: str) -> None:
    """Keep the mode of an existing file; give a new file the default mode."""
    try:
        shutil.copymode(path, temporary_name)
    except FileNotFoundError:
        umask = os.umask(0)  # the umask can only be read by setting it
        os.umask(umask)
        Path(temporary_name).chmod(0o666 & ~umask)


def _sync_folder(folder: Path) -> None:
    """Make the rename durable. Some network file systems do not support this."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
