"""A blocking client of the control socket: sends a line, reads a line."""

from __future__ import annotations

import argparse
import json
import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from companion.config.file import load_config
from companion.control.snapshot import VERSION
from companion.control.unix_socket import NAME, SYSTEM_PATH, user_path
from companion.errors import MAX_FILE_NAME_LENGTH, CompanionError, one_line
from companion.json_types import JsonObject

ANSWER_TIMEOUT_S = 30.0
"""A press may wait for other presses, for a hold and for the disk."""
_CHUNK = 65_536
NO_TABLE = (
    "no table is running: start it with 'sudo systemctl start marrakech', or 'marrakech serve', or "
    "on a laptop 'marrakech play'"
)
GONE = "the table has closed the connection: it was stopped, or this client read too slowly"


class NoTableError(CompanionError, ConnectionError):
    """No table answers at the control socket, or not as expected."""


def add_socket_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--socket",
        type=Path,
        metavar="PATH",
        help="the table's control socket (default: the system's, or else your own)",
    )


class ControlClient:
    """One connection: a context manager."""

    def __init__(self, connected: socket.socket, path: Path) -> None:
        self._socket = connected
        self._path_text = one_line(os.fspath(path), MAX_FILE_NAME_LENGTH)
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

    def ask(self, do: str, **members: object) -> JsonObject:
        """Send a request and return the answer, which may be an error."""
        request = json.dumps({"do": do, **members})
        with suppress(OSError):  # an answer sent before it closed may still be readable
            self._socket.sendall(request.encode() + b"\n")
        return self._read()

    def table(self) -> JsonObject:
        return self._table_in(self.ask("status"))

    def watch(self) -> Iterator[JsonObject]:
        """Yield the snapshot now and after every change, until the table stops."""
        yield self._table_in(self.ask("watch"))
        self._socket.settimeout(None)
        while True:
            yield self._table_in(self._read())

    def _table_in(self, answer: JsonObject) -> JsonObject:
        if answer["ok"] is not True:
            raise NoTableError(one_line(str(answer.get("error"))))
        return table_in(answer)

    def _read(self) -> JsonObject:
        """The next line."""
        try:
            while (end := self._rest.find(b"\n")) < 0:
                read = self._socket.recv(_CHUNK)
                if not read:
                    raise NoTableError(GONE)
                self._rest += read
        except TimeoutError:
            raise NoTableError(
                f"the table at {self._path_text} does not answer: start it again"
            ) from None
        except ConnectionError as error:
            raise NoTableError(GONE) from error
        line = bytes(self._rest[:end])
        del self._rest[: end + 1]
        with suppress(ValueError, RecursionError):
            answer = json.loads(line)
            if isinstance(answer, dict) and isinstance(answer.get("ok"), bool):
                return answer
        raise NoTableError(f"{self._path_text} does not answer as a table does")


def table_in(answer: JsonObject) -> JsonObject:
    """The snapshot in an answer. Raises `NoTableError` if it has another version."""
    table = answer.get("table")
    version = table.get("version") if isinstance(table, dict) else None
    if not isinstance(table, dict) or version != VERSION:
        raise NoTableError(
            f"the table's snapshot has version {one_line(str(version), 20)}, and this command "
            f"knows {VERSION}: use the 'marrakech' that runs the table"
        )
    return table


# --- Connecting ---------------------------------------------------------------------------


def open_client(path: Path | None = None) -> ControlClient:
    """Connect to this socket, or to the first usual path with a listener."""
    for place in places(os.environ) if path is None else (path,):
        with suppress(FileNotFoundError, NotADirectoryError, ConnectionRefusedError):
            return ControlClient(_connect(place), place)
    raise NoTableError(NO_TABLE)


def places(environ: Mapping[str, str]) -> Iterator[Path]:
    yield SYSTEM_PATH
    if own := user_path(environ):
        yield own
    with suppress(CompanionError):  # an invalid config, or no games folder
        config, _ = load_config(environ=environ, cwd=Path.cwd())
        folder = config.journal_folder(environ)
        yield folder / NAME
        yield folder / "simulated" / NAME


def _connect(path: Path) -> socket.socket:
    connecting = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connecting.settimeout(ANSWER_TIMEOUT_S)
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
    text = one_line(os.fspath(path), MAX_FILE_NAME_LENGTH)
    if isinstance(error, PermissionError):
        return f"no permission for {text}: run this with sudo (the socket belongs to the service)"
    why = one_line(error.strerror or str(error))
    return f"{text} cannot be used ({why}): give the path of a table's socket with --socket"
