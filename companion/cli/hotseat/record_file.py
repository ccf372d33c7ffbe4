"""Keeping a game in a file while it is played."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp

from companion.cli.arguments import read_record
from companion.errors import LONGEST_FILE, CompanionError, one_line
from companion.games.marrakech import Record

_PREFIX = ".marrakech-"


class RecordFile:
    """The file of `--record`: read once, written whole after every step."""

    def __init__(self, name: str) -> None:
        if name in ("", "-"):
            raise CompanionError("--record needs the name of a file")
        self.path = Path(name)
        self.name = one_line(name, LONGEST_FILE)
        """As it is told."""
        self.is_saved = False
        """Whether the file has the game as it stands."""

    def exists(self) -> bool:
        try:
            self.path.stat()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise CompanionError(f"cannot read {self.name}: {error.strerror}") from None
        return True

    def read(self) -> Record:
        record = read_record(str(self.path))
        self.is_saved = True
        return record

    def check(self) -> None:
        """Refuse a place that cannot be written to, before anybody has played on it."""
        try:
            descriptor, beside = mkstemp(prefix=_PREFIX, dir=self._target().parent)
            os.close(descriptor)
            Path(beside).unlink()
        except OSError as error:
            raise self._trouble(error) from None

    def save(self, text: str) -> None:
        """Write the game down, so that a power cut leaves the old text or the new."""
        self.is_saved = False
        try:
            self._replace(self._target(), text.encode())
        except OSError as error:
            raise self._trouble(error) from None
        self.is_saved = True

    def _target(self) -> Path:
        """Where the text is: a link to it stays a link."""
        return self.path.resolve()

    def _trouble(self, error: OSError) -> CompanionError:
        return CompanionError(f"cannot write {self.name}: {error.strerror}")

    @staticmethod
    def _replace(path: Path, text: bytes) -> None:
        descriptor, beside = mkstemp(prefix=_PREFIX, dir=path.parent)
        try:
            with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor, not a path
                file.write(text)
                file.flush()
                os.fsync(descriptor)
            _give_mode(path, beside)
            os.replace(beside, path)  # noqa: PTH105
        except BaseException:
            with suppress(OSError):
                Path(beside).unlink()
            raise
        _sync_folder(path.parent)


def _give_mode(path: Path, beside: str) -> None:
    """Who may read the file stays as it is; a new one is like any other new file."""
    try:
        shutil.copymode(path, beside)
    except FileNotFoundError:
        umask = os.umask(0)  # it can only be read by setting it
        os.umask(umask)
        Path(beside).chmod(0o666 & ~umask)


def _sync_folder(folder: Path) -> None:
    """Make the new name last, too, where the file system can: some on the network cannot."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
