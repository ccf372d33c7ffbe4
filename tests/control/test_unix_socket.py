"""The control socket in its folder: its owner's alone, in the place of a dead one, of no other."""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from companion.control.unix_socket import LONGEST_PATH, ControlError, Listener, socket_path

GAMES = Path("/games")


@pytest.fixture
def den() -> Iterator[Path]:
    """A folder with a short path."""
    with TemporaryDirectory(prefix="m") as folder:
        yield Path(folder)


@pytest.fixture
def open_to_all() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def can_connect(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as caller:
        return caller.connect_ex(str(path)) == 0


# --- Where it is --------------------------------------------------------------------------


def test_systemd_says_where_it_is() -> None:
    environ = {"RUNTIME_DIRECTORY": "/run/marrakech:/run/other", "XDG_RUNTIME_DIR": "/run/user/7"}
    assert socket_path(environ, GAMES) == Path("/run/marrakech/control.sock")


def test_a_user_has_it_where_such_things_belong() -> None:
    environ = {"RUNTIME_DIRECTORY": "", "XDG_RUNTIME_DIR": "/run/user/7"}
    assert socket_path(environ, GAMES) == Path("/run/user/7/marrakech/control.sock")


@pytest.mark.parametrize("environ", [{}, {"XDG_RUNTIME_DIR": ""}, {"XDG_RUNTIME_DIR": "run"}])
def test_else_it_is_beside_the_games(environ: dict[str, str]) -> None:
    assert socket_path(environ, GAMES) == Path("/games/control.sock")


# --- Whose it is --------------------------------------------------------------------------


@pytest.mark.usefixtures("open_to_all")
def test_it_is_its_owners_alone_and_so_is_a_folder_made_for_it(den: Path) -> None:
    path = den / "marrakech" / "control.sock"
    listener = Listener(path, backlog=1)
    assert can_connect(path)
    assert (mode_of(path), mode_of(path.parent)) == (0o600, 0o700)
    assert list(path.parent.iterdir()) == [path], "what it was made in is gone"
    listener.close()


@pytest.mark.usefixtures("open_to_all")
def test_there_is_no_moment_in_which_it_is_open_to_others(
    den: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until its own mode is set it lies in a folder that nobody else may enter."""
    path, modes = den / "control.sock", []
    for name in ("chmod", "rename"):
        real = getattr(Path, name)

        def spy(made: Path, *args: object, name: str = name, real: object = real) -> object:
            modes.append((name, mode_of(made), mode_of(made.parent), path.exists()))
            assert callable(real)
            return real(made, *args)

        monkeypatch.setattr(Path, name, spy)
    Listener(path, backlog=1).close()
    assert modes == [("chmod", 0o777, 0o700, False), ("rename", 0o600, 0o700, False)]


# --- What is there already ----------------------------------------------------------------


def test_one_that_a_dead_companion_left_is_replaced(den: Path) -> None:
    path = den / "control.sock"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    assert not can_connect(path)
    listener = Listener(path, backlog=1)
    assert can_connect(path)
    listener.close()
    assert list(den.iterdir()) == []


def test_one_that_answers_is_not_stolen(den: Path) -> None:
    path = den / "control.sock"
    first = Listener(path, backlog=1)
    with pytest.raises(ControlError) as caught:
        Listener(path, backlog=1)
    assert str(caught.value) == f"no control socket at {path}: another companion answers there"
    assert can_connect(path)
    first.close()


def test_one_that_is_too_busy_to_be_called_is_not_stolen(den: Path) -> None:
    path = den / "control.sock"
    first = Listener(path, backlog=0)
    with socket.socket(socket.AF_UNIX) as caller:
        caller.connect(str(path))
        with pytest.raises(ControlError, match="another companion answers there"):
            Listener(path, backlog=1)
    first.close()


def test_something_else_in_its_place_stays(den: Path) -> None:
    path = den / "control.sock"
    path.write_text("notes")
    with pytest.raises(ControlError) as caught:
        Listener(path, backlog=1)
    assert str(caught.value) == (
        f"no control socket at {path}: something else is there, move it away"
    )
    assert path.read_text() == "notes"


def test_what_came_into_its_place_meanwhile_stays(den: Path) -> None:
    path = den / "control.sock"
    listener = Listener(path, backlog=1)
    path.unlink()
    other = Listener(path, backlog=1)
    listener.close()
    assert can_connect(path)
    other.close()
    other.close()
    assert not path.exists()


# --- What cannot be -----------------------------------------------------------------------


def test_a_path_that_is_too_long_is_told(den: Path) -> None:
    folder = den / ("x" * (LONGEST_PATH - len(str(den)) - len("//control.sock")))
    fits, too_long = folder / "control.sock", Path(f"{folder}x") / "control.sock"
    assert len(str(fits)) == LONGEST_PATH
    Listener(fits, backlog=1).close()
    with pytest.raises(ControlError) as caught:
        Listener(too_long, backlog=1)
    assert str(caught.value) == (
        f"no control socket at {too_long}: its path has 108 bytes, and a socket's has at most 107: "
        "keep the games in a folder with a shorter path, or set $XDG_RUNTIME_DIR"
    )


def test_a_folder_that_cannot_be_is_told(den: Path) -> None:
    (den / "file").touch()
    path = den / "file" / "control.sock"
    with pytest.raises(ControlError) as caught:
        Listener(path, backlog=1)
    assert str(caught.value) == (
        f"no control socket at {path} (File exists): let the companion's user write there"
    )
