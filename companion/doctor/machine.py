"""The machine as the doctor sees it: files, programs, users. Nothing here changes anything.

`Machine` is the port; a test passes one that is made of dictionaries.
"""

from __future__ import annotations

import grp
import os
import platform
import pwd
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from tempfile import TemporaryDirectory
from typing import Protocol

RUN_S = 5.0
"""How long a program may take."""
LARGEST = 1_000_000
"""Bytes of a file or of what a program says: a device may never end."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a program."""

    code: int
    out: str = ""
    err: str = ""


@dataclass(frozen=True, slots=True)
class Space:
    """What is left on a file system for those who are not root."""

    free_bytes: int
    free_files: int | None
    """None where it does not count them."""
    is_readonly: bool = False


class Machine(Protocol):
    """Every call may raise an OSError, and none waits for long."""

    environ: Mapping[str, str]
    architecture: str
    is_64_bit: bool
    """Of Python itself: a 64-bit kernel may run a 32-bit system."""
    python: tuple[int, int, int]
    user: str
    is_root: bool

    def read(self, path: str) -> str: ...
    def list(self, folder: str) -> list[str]:
        """The names in a folder, sorted."""

    def run(self, *words: str) -> Ran:
        """Run a program that only tells; one that does not answer in time is a TimeoutError."""

    def groups(self) -> set[str]:
        """Those of this process, which are as old as the login."""

    def groups_of(self, user: str) -> set[str]:
        """As they are written down; empty for a user that is none."""

    def has_group(self, group: str) -> bool: ...
    def space(self, path: str) -> Space: ...
    def may_write(self, path: str) -> bool: ...
    def package_version(self, name: str) -> str | None:
        """Of an installed Python package."""

    def import_fault(self, module: str) -> str:
        """Why a module cannot be imported; empty if it can."""


class ThisMachine:
    """The one this runs on."""

    def __init__(self) -> None:
        self.environ: Mapping[str, str] = os.environ
        self.architecture = platform.machine()
        self.is_64_bit = sys.maxsize > 2**32
        self.python = sys.version_info[:3]
        self.user = _user_name(os.geteuid())
        self.is_root = os.geteuid() == 0

    def read(self, path: str) -> str:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # a pipe is not waited for
        with os.fdopen(file, "rb") as opened:
            return opened.read(LARGEST).decode(errors="replace")

    def list(self, folder: str) -> list[str]:
        return sorted(os.listdir(folder))  # noqa: PTH208 - names, not paths

    def run(self, *words: str) -> Ran:
        return self._run(words, None)

    def groups(self) -> set[str]:
        return {_group_name(number) for number in {os.getegid(), *os.getgroups()}}

    def groups_of(self, user: str) -> set[str]:
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

    def space(self, path: str) -> Space:
        told = os.statvfs(path)
        return Space(
            told.f_bavail * told.f_frsize,
            told.f_favail if told.f_files else None,  # btrfs and FAT make them as needed
            bool(told.f_flag & os.ST_RDONLY),
        )

    def may_write(self, path: str) -> bool:
        return os.access(path, os.W_OK | os.X_OK)

    def package_version(self, name: str) -> str | None:
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            return None

    def import_fault(self, module: str) -> str:
        """Tried by another Python, in a folder of its own: lgpio leaves a pipe where it starts."""
        with TemporaryDirectory(prefix="marrakech-") as folder:
            tried = self._run((sys.executable, "-P", "-c", f"import {module}"), folder)
        if tried.code == 0:
            return ""
        return (tried.err.strip().splitlines() or [f"exit code {tried.code}"])[-1]

    @staticmethod
    def _run(words: tuple[str, ...], folder: str | None) -> Ran:
        try:
            done = subprocess.run(
                words,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=RUN_S,
                cwd=folder,
                env={**os.environ, "LC_ALL": "C", "SYSTEMD_PAGER": "", "SYSTEMD_COLORS": "0"},
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"{words[0]} does not answer") from None
        out, err = (said[-LARGEST:].decode(errors="replace") for said in (done.stdout, done.stderr))
        return Ran(done.returncode, out, err)


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
