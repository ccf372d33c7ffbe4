"""A machine that can be changed: files and links that are replaced atomically, and commands."""

from __future__ import annotations

import fcntl
import os
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from companion.errors import CompanionError
from companion.machine.commands import CommandError, run_command
from companion.machine.machine import Machine


class WritableMachine(Machine):
    """Changes raise an OSError or a `CommandError` if they fail."""

    def write(self, path: Path, data: bytes) -> None:
        """Replace a file atomically. Everybody may read it."""
        target = self.at(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        new = target.with_name(f".{target.name}.new")
        with new.open("wb") as file:
            file.write(data)
            os.fchmod(file.fileno(), 0o644)
            os.fsync(file.fileno())
        new.replace(target)

    def link(self, path: Path, target: Path) -> None:
        """Create a symbolic link, or replace it atomically."""
        place = self.at(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        new = place.with_name(f".{place.name}.new")
        with suppress(FileNotFoundError):
            new.unlink()
        new.symlink_to(target)
        new.replace(place)

    def make_folder(self, path: Path) -> None:
        self.at(path).mkdir(parents=True, exist_ok=True)

    def remove(self, path: Path) -> None:
        """Remove a file, a link (not its target), or a folder with its contents. Idempotent."""
        place = self.at(path)
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place)
        else:
            place.unlink(missing_ok=True)

    def sync(self) -> None:
        """Flush everything written so far to the disk."""
        os.sync()

    def run(
        self,
        *command: str | Path,
        environ: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> str:
        """Run a command that must succeed. Returns what it printed."""
        words = [str(word) for word in command]
        result = run_command(
            words,
            environ=environ,
            folder=None if folder is None else self.at(folder),
            is_merged=True,
        )
        if not result.is_ok:
            raise CommandError(words, result)
        return result.output

    def monotonic_s(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    @contextmanager
    def exclusive(self, lock: Path) -> Iterator[None]:
        """Hold a lock file; raise if another process holds it."""
        place = self.at(lock)
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise CompanionError(
                    "another installation of the companion is running: wait until it has ended"
                ) from None
            yield
