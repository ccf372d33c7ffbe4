"""Read-only access to this machine: files, commands, users, packages."""

from __future__ import annotations

import grp
import os
import platform
import pwd
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.machine.commands import CommandResult, run_command

MAX_FILE_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class FreeSpace:
    """What a file system has left for users other than root."""

    free_bytes: int
    free_files: int | None
    """None if the file system has no fixed number of files."""
    is_readonly: bool = False


class Machine:
    """All paths are below `root`. Nothing here changes anything.

    Tests use `helpers.system.fake_machine.FakeMachine`: another root, and scripted commands.
    """

    environ: Mapping[str, str]
    architecture: str
    is_64_bit: bool
    """Of Python: a 64-bit kernel may run a 32-bit system."""
    python: tuple[int, int, int]
    user: str
    is_root: bool

    def __init__(self, root: Path = Path("/"), *, query_timeout_s: float | None = None) -> None:
        self._root = root
        self._query_timeout_s = query_timeout_s
        self.environ = os.environ
        self.architecture = platform.machine()
        self.is_64_bit = sys.maxsize > 2**32
        self.python = sys.version_info[:3]
        self.user = _user_name(os.geteuid())
        self.is_root = os.geteuid() == 0

    def at(self, path: str | Path) -> Path:
        """The path below the root."""
        return self._root / Path(path).relative_to("/")

    # --- Files ----------------------------------------------------------------------------

    def exists(self, path: str | Path) -> bool:
        """True for a broken link as well."""
        return os.path.lexists(self.at(path))

    def read_text(self, path: str | Path) -> str:
        """The start of a file. Does not block on a pipe, and ends on an endless device."""
        file = os.open(self.at(path), os.O_RDONLY | os.O_NONBLOCK)
        with os.fdopen(file, "rb") as opened:
            return opened.read(MAX_FILE_BYTES).decode(errors="replace")

    def contents(self, path: str | Path) -> bytes | None:
        """A whole file; None if there is no such file."""
        try:
            return self.at(path).read_bytes()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None

    def link_target(self, path: str | Path) -> Path | None:
        """None if it is not a link."""
        try:
            return self.at(path).readlink()
        except OSError:
            return None

    def names_in(self, folder: str | Path) -> list[str]:
        """Sorted; empty if there is no such folder."""
        try:
            return sorted(os.listdir(self.at(folder)))  # noqa: PTH208 - names, not paths
        except (FileNotFoundError, NotADirectoryError):
            return []

    def free_space(self, path: str | Path) -> FreeSpace:
        stat = os.statvfs(self.at(path))
        return FreeSpace(
            stat.f_bavail * stat.f_frsize,
            stat.f_favail if stat.f_files else None,  # btrfs and FAT create inodes as needed
            bool(stat.f_flag & os.ST_RDONLY),
        )

    def is_writable(self, folder: str | Path) -> bool:
        """Whether this user may create files in the folder."""
        return os.access(self.at(folder), os.W_OK | os.X_OK)

    # --- Commands -------------------------------------------------------------------------

    def query(self, *command: str | Path) -> CommandResult:
        """Run a command that changes nothing. Never raises: see `CommandResult.has_run`."""
        return run_command([str(word) for word in command], timeout_s=self._query_timeout_s)

    # --- Users and groups -----------------------------------------------------------------

    def process_groups(self) -> set[str]:
        """The groups of this process, which are those at the time of the login."""
        return {_group_name(number) for number in {os.getegid(), *os.getgroups()}}

    def groups_of(self, user: str) -> set[str]:
        """The groups of a user in the system's database; empty for an unknown user."""
        try:
            own = pwd.getpwnam(user).pw_gid
        except KeyError:
            return set()
        return {_group_name(number) for number in os.getgrouplist(user, own)}

    def has_group(self, group: str) -> bool:
        try:
            grp.getgrnam(group)
        except KeyError:
            return False
        return True

    # --- Python packages ------------------------------------------------------------------

    def package_version(self, name: str) -> str | None:
        """None if the Python package is not installed."""
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            return None

    def import_error(self, module: str) -> str:
        """Why a module cannot be imported; empty if it can.

        Another Python imports it in a temporary folder: lgpio creates a pipe in the working folder.
        """
        with TemporaryDirectory(prefix="marrakech-") as folder:
            result = run_command(
                [sys.executable, "-P", "-c", f"import {module}"],
                timeout_s=self._query_timeout_s,
                folder=Path(folder),
            )
        if result.is_ok:
            return ""
        return (result.error_output.strip().splitlines() or [f"exit code {result.code}"])[-1]


def _user_name(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def _group_name(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)
