"""The fake of `companion.machine`, for the tests of `doctor` and of `install`.

Files are real, in a folder of the test. Commands are scripted, time passes only in `sleep`, and any
change can fail or be the moment of a power cut.
"""

from __future__ import annotations

import errno
import os
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path

from companion.machine.commands import NOT_FOUND, CommandError, CommandResult
from companion.machine.machine import FreeSpace
from companion.machine.writable_machine import WritableMachine

Answer = CommandResult | Callable[[list[str]], CommandResult]
Effect = Callable[[list[str], Path | None], object]


class PowerCut(BaseException):
    """Not an Exception: no cleanup code may run after it."""


class FakeMachine(WritableMachine):
    """An empty 64-bit machine of the user `ana`, where no command is installed."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.environ: Mapping[str, str] = {"HOME": "/home/ana"}
        self.architecture = "aarch64"
        self.is_64_bit = True
        self.python = (3, 11, 2)
        self.user = "ana"
        self.is_root = False
        self.answers: dict[str, Answer] = {}
        """Results of queries, by the first words of the command line, without the program's
        folder. Without an answer, the program does not exist."""
        self.effects: dict[str, Effect] = {}
        """What `run` does, by the program's name; gets the words and the working folder."""
        self.queries: list[str] = []
        self.commands: list[str] = []
        """The command lines of `run`."""
        self.current_groups: set[str] = set()
        self.user_database: dict[str, set[str]] = {}
        """The groups of each user."""
        self.system_groups: set[str] = set()
        self.free_spaces: dict[str, FreeSpace | OSError] = {}
        self.unwritable: set[str] = set()
        self.python_packages: dict[str, str] = {}
        self.import_errors: dict[str, str] = {}
        self.changes = 0
        self.fails_at: int | None = None
        """The number of the change that fails."""
        self.dies_at: int | None = None
        """The number of the change at which the power is cut."""
        self.is_dead = False
        self.now_s = 100.0

    # --- Setting it up --------------------------------------------------------------------

    def place(self, path: str | Path, text: str = "") -> None:
        """Create or replace a file, without counting it as a change."""
        self.at(path).parent.mkdir(parents=True, exist_ok=True)
        self.at(path).write_text(text)

    def delete(self, path: str | Path) -> None:
        """Delete a file, without counting it as a change."""
        self.at(path).unlink()

    # --- Queries --------------------------------------------------------------------------

    def query(self, *command: str | Path) -> CommandResult:
        words = [str(word) for word in command]
        line = " ".join([Path(words[0]).name, *words[1:]])
        self.queries.append(line)
        for start, answer in self.answers.items():
            if line == start or line.startswith(f"{start} "):
                return answer(words) if callable(answer) else answer
        return CommandResult(NOT_FOUND, error_output=f"{words[0]}: {os.strerror(errno.ENOENT)}")

    def process_groups(self) -> set[str]:
        return self.current_groups

    def groups_of(self, user: str) -> set[str]:
        return self.user_database.get(user, set())

    def has_group(self, group: str) -> bool:
        return group in self.system_groups

    def free_space(self, path: str | Path) -> FreeSpace:
        missing = FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
        found = self.free_spaces.get(str(path), missing)
        if isinstance(found, OSError):
            raise found
        return found

    def is_writable(self, folder: str | Path) -> bool:
        return str(folder) not in self.unwritable

    def package_version(self, name: str) -> str | None:
        return self.python_packages.get(name)

    def import_error(self, module: str) -> str:
        return self.import_errors.get(module, "")

    # --- Changes --------------------------------------------------------------------------

    def _count_change(self, what: str) -> None:
        if self.is_dead:
            raise PowerCut
        self.changes += 1
        if self.changes == self.dies_at:
            self.is_dead = True
            raise PowerCut
        if self.changes == self.fails_at:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), what)

    def write(self, path: Path, data: bytes) -> None:
        self._count_change(str(path))
        super().write(path, data)

    def link(self, path: Path, target: Path) -> None:
        self._count_change(str(path))
        super().link(path, target)

    def make_folder(self, path: Path) -> None:
        self._count_change(str(path))
        super().make_folder(path)

    def remove(self, path: Path) -> None:
        self._count_change(str(path))
        super().remove(path)

    def sync(self) -> None:
        self._count_change("sync")

    def run(
        self,
        *command: str | Path,
        environ: Mapping[str, str] | None = None,  # noqa: ARG002 - part of the port
        folder: Path | None = None,
    ) -> str:
        words = [str(word) for word in command]
        try:
            self._count_change(shlex.join(words))
        except OSError:
            raise CommandError(words, CommandResult(1, "some output\nno network\n")) from None
        self.commands.append(shlex.join(words))
        printed = self.effects[Path(words[0]).name](words, folder)
        return printed if isinstance(printed, str) else ""

    def monotonic_s(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds
