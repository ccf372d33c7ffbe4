"""The control socket's path and permissions, and what it replaces."""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from companion.control.unix_socket import MAX_PATH_BYTES, ControlError, Listener, socket_path

GAMES = Path("/games")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short path."""
    with TemporaryDirectory(prefix="m") as name:
        yield Path(name)


@pytest.fixture
def umask_zero() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def can_connect(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(str(path)) == 0


# --- The path -----------------------------------------------------------------------------


def test_under_systemd_the_path_is_in_the_runtime_directory() -> None:
    environ = {"RUNTIME_DIRECTORY": "/run/marrakech:/run/other", "XDG_RUNTIME_DIR": "/run/user/7"}
    assert socket_path(environ, GAMES) == Path("/run/marrakech/control.sock")


def test_for_a_user_the_path_is_in_the_runtime_folder() -> None:
    environ = {"RUNTIME_DIRECTORY": "", "XDG_RUNTIME_DIR": "/run/user/7"}
    assert socket_path(environ, GAMES) == Path("/run/user/7/marrakech/control.sock")


@pytest.mark.parametrize("environ", [{}, {"XDG_RUNTIME_DIR": ""}, {"XDG_RUNTIME_DIR": "run"}])
def test_otherwise_the_path_is_in_the_games_folder(environ: dict[str, str]) -> None:
    assert socket_path(environ, GAMES) == Path("/games/control.sock")


# --- Permissions --------------------------------------------------------------------------


@pytest.mark.usefixtures("umask_zero")
def test_only_the_owner_can_use_the_socket_and_its_new_folder(folder: Path) -> None:
    path = folder / "marrakech" / "control.sock"
    listener = Listener(path, backlog=1)
    assert can_connect(path)
    assert (mode_of(path), mode_of(path.parent)) == (0o600, 0o700)
    assert list(path.parent.iterdir()) == [path], "the private folder is removed"
    listener.close()


@pytest.mark.usefixtures("umask_zero")
def test_others_can_never_use_the_socket_while_it_is_created(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until its mode is set, it is in a folder that only the owner may enter."""
    path, modes = folder / "control.sock", []
    for name in ("chmod", "rename"):
        real = getattr(Path, name)

        def spy(made: Path, *args: object, name: str = name, real: object = real) -> object:
            modes.append((name, mode_of(made), mode_of(made.parent), path.exists()))
            assert callable(real)
            return real(made, *args)

        monkeypatch.setattr(Path, name, spy)
    Listener(path, backlog=1).close()
    assert modes == [("chmod", 0o777, 0o700, False), ("rename", 0o600, 0o700, False)]


# --- Existing files -----------------------------------------------------------------------


def test_a_socket_of_a_killed_companion_is_replaced(folder: Path) -> None:
    path = folder / "control.sock"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    assert not can_connect(path)
    listener = Listener(path, backlog=1)
    assert can_connect(path)
    listener.close()
    assert list(folder.iterdir()) == []


def test_a_socket_that_answers_is_not_replaced(folder: Path) -> None:
    path = folder / "control.sock"
    first = Listener(path, backlog=1)
    with pytest.raises(ControlError) as caught:
        Listener(path, backlog=1)
    assert str(caught.value) == f"no control socket at {path}: another companion answers there"
    assert can_connect(path)
    first.close()


def test_a_socket_that_is_too_busy_to_accept_is_not_replaced(folder: Path) -> None:
    path = folder / "control.sock"
    first = Listener(path, backlog=0)
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))
        with pytest.raises(ControlError, match="another companion answers there"):
            Listener(path, backlog=1)
    first.close()


def test_another_file_at_the_path_is_kept(folder: Path) -> None:
    path = folder / "control.sock"
    path.write_text("notes")
    with pytest.raises(ControlError) as caught:
        Listener(path, backlog=1)
    assert str(caught.value) == (
        f"no control socket at {path}: the path is not a socket: move that file away"
    )
    assert path.read_text() == "notes"


def test_closing_keeps_a_file_that_has_replaced_the_socket(folder: Path) -> None:
    path = folder / "control.sock"
    listener = Listener(path, backlog=1)
    path.unlink()
    other = Listener(path, backlog=1)
    listener.close()
    assert can_connect(path)
    other.close()
    other.close()
    assert not path.exists()


# --- Errors -------------------------------------------------------------------------------


def test_a_path_that_is_too_long_is_an_error(folder: Path) -> None:
    folder = folder / ("x" * (MAX_PATH_BYTES - len(str(folder)) - len("//control.sock")))
    fits, too_long = folder / "control.sock", Path(f"{folder}x") / "control.sock"
    assert len(str(fits)) == MAX_PATH_BYTES
    Listener(fits, backlog=1).close()
    with pytest.raises(ControlError) as caught:
        Listener(too_long, backlog=1)
    assert str(caught.value) == (
        f"no control socket at {too_long}: its path has 108 bytes, more than the 107 of a socket: "
        "keep the games in a folder with a short path, or set $XDG_RUNTIME_DIR"
    )


def test_a_folder_that_cannot_be_created_is_an_error(folder: Path) -> None:
    (folder / "file").touch()
    path = folder / "file" / "control.sock"
    with pytest.raises(ControlError) as caught:
        Listener(path, backlog=1)
    assert str(caught.value) == (
        f"no control socket at {path} (File exists): let the companion's user write there"
    )
