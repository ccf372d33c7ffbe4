"""The machine as the installer sees it: files under a root, commands, and a clock.

Tests put a machine of their own in its place: another root, and commands that are played.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from companion.errors import CompanionError
from companion.install.places import LOCK

NOT_FOUND = 127
"""The exit code of a command that is not there, as shells have it."""


@dataclass(frozen=True)
class Outcome:
    """How a command ended, and all it said."""

    code: int
    text: str = ""

    @property
    def is_good(self) -> bool:
        return self.code == 0

    def last_lines(self, most: int = 10) -> list[str]:
        return [line for line in self.text.splitlines() if line.strip()][-most:]


class CommandError(CompanionError):
    """A command that had to work did not."""

    def __init__(self, command: Sequence[str], outcome: Outcome) -> None:
        super().__init__(f"'{' '.join(command)}' ended with code {outcome.code}")
        self.lines = outcome.last_lines()


class System:
    """The real machine. Reading never fails for what is not there; changing raises an OSError."""

    def __init__(self, root: Path = Path("/")) -> None:
        self._root = root

    def at(self, path: Path) -> Path:
        return self._root / path.relative_to("/")

    @property
    def is_root(self) -> bool:
        return os.geteuid() == 0

    # --- Reading --------------------------------------------------------------------------

    def exists(self, path: Path) -> bool:
        """A link counts even if it leads nowhere."""
        return os.path.lexists(self.at(path))

    def read(self, path: Path) -> bytes | None:
        try:
            return self.at(path).read_bytes()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None

    def link_target(self, path: Path) -> Path | None:
        try:
            return self.at(path).readlink()
        except OSError:
            return None

    def names_in(self, folder: Path) -> list[str]:
        try:
            return sorted(entry.name for entry in self.at(folder).iterdir())
        except (FileNotFoundError, NotADirectoryError):
            return []

    # --- Changing -------------------------------------------------------------------------

    def write(self, path: Path, data: bytes) -> None:
        """For all to read. There is the old file or the new one, never half of it."""
        target = self.at(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        new = target.with_name(f".{target.name}.new")
        with new.open("wb") as file:
            file.write(data)
            os.fchmod(file.fileno(), 0o644)
            os.fsync(file.fileno())
        new.replace(target)

    def link(self, path: Path, target: Path) -> None:
        """At once, whatever it led to before: there is no moment without it."""
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
        """A file, a link (not what it leads to), or a folder with all that is in it."""
        place = self.at(path)
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place)
        else:
            place.unlink(missing_ok=True)

    def sync(self) -> None:
        """Everything written so far is on the disk, should somebody pull the plug."""
        os.sync()

    # --- Commands -------------------------------------------------------------------------

    def query(self, *command: str | Path) -> Outcome:
        """Ask something; the command changes nothing."""
        return _start([str(word) for word in command])

    def run(
        self,
        *command: str | Path,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> str:
        """Do something that must work. What it said; a `CommandError` if it fails."""
        words = [str(word) for word in command]
        outcome = _start(words, environment, None if folder is None else self.at(folder))
        if not outcome.is_good:
            raise CommandError(words, outcome)
        return outcome.text

    # --- Time, and others -----------------------------------------------------------------

    def seconds(self) -> float:
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        time.sleep(seconds)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Nobody else installs meanwhile."""
        place = self.at(LOCK)
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise CompanionError(
                    "the companion is being installed already: wait until that has ended"
                ) from None
            yield


def _start(
    words: list[str], environment: Mapping[str, str] | None = None, folder: Path | None = None
) -> Outcome:
    """In English, so that answers can be read by a program, and with nobody to ask."""
    try:
        done = subprocess.run(
            words,
            env={**os.environ, "LC_ALL": "C.UTF-8", **(environment or {})},
            cwd=folder or "/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
    except OSError as error:
        return Outcome(NOT_FOUND, f"{words[0]}: {error.strerror}")
    return Outcome(done.returncode, done.stdout)
