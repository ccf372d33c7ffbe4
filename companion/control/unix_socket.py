"""The path of the control socket, and a listener at it.

Only the owner can use the socket (mode 0600), from the start: it is created in a private folder and
moved to its path once it listens. The move also replaces a socket that a killed companion left
behind. A companion that still answers at the path keeps its socket.
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
"""In systemd's RuntimeDirectory=."""
MAX_PATH_BYTES = 107
"""The kernel has room for 108, and the last is zero."""
_MAX_PATH_LENGTH = 200


class ControlError(CompanionError, OSError):
    """The control socket cannot be opened. The table runs without it."""


def socket_path(environ: Mapping[str, str], folder: Path) -> Path:
    """The path by systemd, the user's runtime folder, or the games folder, in this order."""
    if given := environ.get("RUNTIME_DIRECTORY", "").partition(":")[0]:
        return Path(given) / NAME  # systemd separates several with colons
    return user_path(environ) or folder / NAME


def user_path(environ: Mapping[str, str]) -> Path | None:
    runtime = Path(environ.get("XDG_RUNTIME_DIR", ""))
    return runtime / "marrakech" / NAME if runtime.is_absolute() else None


class Listener:
    """A socket that listens at a path. `close` removes it and is idempotent."""

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
        """Leaves a file alone that has replaced the socket since."""
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
            if (length := len(os.fsencode(one))) > MAX_PATH_BYTES:
                raise ControlError(
                    f"{_no_control(path)}: its path has {length} bytes, more than the "
                    f"{MAX_PATH_BYTES} of a socket: keep the games in a folder with a short path, "
                    "or set $XDG_RUNTIME_DIR"
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
    """Raise unless the path is free or has a socket without a listener."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(found.st_mode):
        raise ControlError(f"{_no_control(path)}: the path is not a socket: move that file away")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as caller:
        caller.setblocking(False)  # a companion that is too busy to accept is alive as well
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
    return f"no control socket at {one_line(os.fspath(path), _MAX_PATH_LENGTH)}"
