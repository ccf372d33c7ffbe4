"""Where the control socket is, and how it comes there.

It is its owner's alone (0600), from its first moment: it is made in a folder that nobody else may
enter, and moved to its place when it listens. So it also takes the place of one that a companion
left behind when it was killed, without a moment in between. A companion that still answers there
keeps its socket.
"""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.errors import CompanionError, one_line

NAME = "control.sock"
SYSTEM_PATH = Path("/run/marrakech") / NAME
"""Where systemd's RuntimeDirectory= has it."""
LONGEST_PATH = 107
"""Bytes: the system has room for 108, and the last is zero."""
_LONGEST_TOLD = 200


class ControlError(CompanionError, OSError):
    """There is no control socket. The table does without."""


def socket_path(environ: Mapping[str, str], folder: Path) -> Path:
    """As systemd says, where such things of a user belong, or beside the games."""
    if given := environ.get("RUNTIME_DIRECTORY", "").partition(":")[0]:
        return Path(given) / NAME  # systemd lists several with colons
    return user_path(environ) or folder / NAME


def user_path(environ: Mapping[str, str]) -> Path | None:
    runtime = Path(environ.get("XDG_RUNTIME_DIR", ""))
    return runtime / "marrakech" / NAME if runtime.is_absolute() else None


class Listener:
    """A socket that listens at a path. `close` takes it away; twice is no trouble."""

    def __init__(self, path: Path, *, backlog: int) -> None:
        self.path = path
        try:
            self.socket = _listen(path, backlog)
        except ControlError:
            raise
        except OSError as error:
            why = one_line(error.strerror or str(error))
            raise ControlError(
                f"{_no_control(path)} ({why}): let the companion's user write there"
            ) from error
        self._identity = _identity(path)

    def close(self) -> None:
        """Whatever else came to lie there meanwhile stays."""
        self.socket.close()
        if self._identity is not None and _identity(self.path) == self._identity:
            with suppress(OSError):
                self.path.unlink()
        self._identity = None


def _listen(path: Path, backlog: int) -> socket.socket:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".", dir=path.parent) as private:  # its mode is 0700
        made = Path(private) / "s"
        for one in (path, made):
            if (length := len(os.fsencode(one))) > LONGEST_PATH:
                raise ControlError(
                    f"{_no_control(path)}: its path has {length} bytes, and a socket's has at "
                    f"most {LONGEST_PATH}: keep the games in a folder with a shorter path, or set "
                    "$XDG_RUNTIME_DIR"
                )
        _check_place(path)
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            listening.bind(os.fspath(made))
            made.chmod(0o600)
            listening.listen(backlog)
            made.rename(path)
        except BaseException:
            listening.close()
            raise
    return listening


def _check_place(path: Path) -> None:
    """Nothing is there, or a socket that nobody listens at."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(found.st_mode):
        raise ControlError(f"{_no_control(path)}: something else is there, move it away")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as caller:
        caller.setblocking(False)  # one that is too busy to be connected to is alive, too
        with suppress(ConnectionRefusedError, FileNotFoundError):
            with suppress(BlockingIOError):
                caller.connect(os.fspath(path))
            raise ControlError(f"{_no_control(path)}: another companion answers there")


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.lstat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _no_control(path: Path) -> str:
    return f"no control socket at {one_line(os.fspath(path), _LONGEST_TOLD)}"
