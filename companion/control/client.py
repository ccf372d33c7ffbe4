"""A caller at the control socket of a table that runs: asks a line, reads a line, and blocks."""

from __future__ import annotations

import argparse
import json
import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from companion.config.file import load_config
from companion.control.snapshot import VERSION
from companion.control.unix_socket import NAME, SYSTEM_PATH, user_path
from companion.errors import LONGEST_FILE, CompanionError, one_line

ANSWER_S = 30.0
"""A press may have to wait for others, for a hold and for the disk."""
_CHUNK = 65_536
NO_TABLE = (
    "no table is running: start it with 'sudo systemctl start marrakech', or 'marrakech serve', or "
    "on a laptop 'marrakech play'"
)
GONE = "the table does not answer any more: it was stopped, or this was read too slowly"

Plain = dict[str, Any]


class NoTableError(CompanionError, ConnectionError):
    """Nobody answers at a control socket, or not as a table does."""


def add_socket_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--socket",
        type=Path,
        metavar="PATH",
        help="the table's control socket (default: the system's, or else your own)",
    )


class ControlClient:
    """One connection; to be closed, or used in a `with`."""

    def __init__(self, connected: socket.socket, path: Path) -> None:
        self._socket = connected
        self._told = one_line(os.fspath(path), LONGEST_FILE)
        self._rest = bytearray()

    def __enter__(self) -> ControlClient:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._socket.close()

    def ask(self, do: str, **members: object) -> Plain:
        """One request, one answer, which may be a refusal."""
        request = json.dumps({"do": do, **members})
        with suppress(OSError):  # what it said before it hung up may still be read
            self._socket.sendall(request.encode() + b"\n")
        return self._read()

    def table(self) -> Plain:
        return self._table_in(self.ask("status"))

    def watch(self) -> Iterator[Plain]:
        """The account of the table now, and after every change. Ends with the table only."""
        yield self._table_in(self.ask("watch"))
        self._socket.settimeout(None)
        while True:
            yield self._table_in(self._read())

    def _table_in(self, answer: Plain) -> Plain:
        if answer["ok"] is not True:
            raise NoTableError(one_line(str(answer.get("error"))))
        return table_in(answer)

    def _read(self) -> Plain:
        """The next line."""
        try:
            while (end := self._rest.find(b"\n")) < 0:
                read = self._socket.recv(_CHUNK)
                if not read:
                    raise NoTableError(GONE)
                self._rest += read
        except TimeoutError:
            raise NoTableError(
                f"the table at {self._told} does not answer: start it again"
            ) from None
        except ConnectionError as error:
            raise NoTableError(GONE) from error
        line = bytes(self._rest[:end])
        del self._rest[: end + 1]
        with suppress(ValueError, RecursionError):
            answer = json.loads(line)
            if isinstance(answer, dict) and isinstance(answer.get("ok"), bool):
                return answer
        raise NoTableError(f"{self._told} does not answer as a table does")


def table_in(answer: Plain) -> Plain:
    """The account in an answer, if it has the form that we know."""
    table = answer.get("table")
    version = table.get("version") if isinstance(table, dict) else None
    if not isinstance(table, dict) or version != VERSION:
        raise NoTableError(
            f"the table tells of itself in form {one_line(str(version), 20)}, and this command "
            f"knows {VERSION}: use the 'marrakech' that runs the table"
        )
    return table


# --- Finding it ---------------------------------------------------------------------------


def open_client(path: Path | None = None) -> ControlClient:
    """At this socket, or at the first that somebody listens at: the system's, the user's."""
    for place in places(os.environ) if path is None else (path,):
        with suppress(FileNotFoundError, NotADirectoryError, ConnectionRefusedError):
            return ControlClient(_connect(place), place)
    raise NoTableError(NO_TABLE)


def places(environ: Mapping[str, str]) -> Iterator[Path]:
    yield SYSTEM_PATH
    if own := user_path(environ):
        yield own
    with suppress(CompanionError):  # a config with faults, or no place for games
        config, _ = load_config(environ=environ, cwd=Path.cwd())
        folder = config.journal_folder(environ)
        yield folder / NAME
        yield folder / "simulated" / NAME


def _connect(path: Path) -> socket.socket:
    connecting = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connecting.settimeout(ANSWER_S)
    try:
        connecting.connect(os.fspath(path))
    except (FileNotFoundError, NotADirectoryError, ConnectionRefusedError):
        connecting.close()
        raise
    except OSError as error:
        connecting.close()
        raise NoTableError(_refusal(path, error)) from error
    return connecting


def _refusal(path: Path, error: OSError) -> str:
    told = one_line(os.fspath(path), LONGEST_FILE)
    if isinstance(error, PermissionError):
        return f"{told} may not be used: run it with sudo (the socket is the service user's)"
    why = one_line(error.strerror or str(error))
    return f"{told} cannot be used ({why}): give the path of a table's socket with --socket"
