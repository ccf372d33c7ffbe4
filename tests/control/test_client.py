"""The caller behind `status`, `press` and `watch`: whom it calls, and what is no answer to it."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import pytest

from companion.cli.main import main
from companion.control import client as client_module
from companion.control.client import GONE, NO_TABLE, NoTableError, open_client, places

STATUS = b'{"ok": true, "table": {"version": 1}}\n'


@pytest.fixture
def den(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A machine with nothing on it: `run` is the system's place, `user` and `home` the user's."""
    with TemporaryDirectory(prefix="m") as folder:
        for name in ("STATE_DIRECTORY", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "MARRAKECH_CONFIG"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("XDG_RUNTIME_DIR", f"{folder}/user")
        monkeypatch.setenv("HOME", f"{folder}/home")
        monkeypatch.chdir(folder)
        monkeypatch.setattr(client_module, "SYSTEM_PATH", Path(folder) / "run" / "control.sock")
        yield Path(folder)


class Answering:
    """Somebody at a socket who gives one caller these bytes, whatever is asked, and hangs up."""

    def __init__(self, path: Path, answer: bytes) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(path))
        self._listening.listen()
        self._answer = answer
        self._thread = Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        caller, _ = self._listening.accept()
        with caller, self._listening:
            caller.recv(65_536)
            caller.sendall(self._answer)

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None:
        self._thread.join()


def leave_stale(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))


# --- Finding it ---------------------------------------------------------------------------


def test_the_systems_comes_first_then_the_users_own(den: Path) -> None:
    assert list(places(os.environ)) == [
        den / "run/control.sock",
        den / "user/marrakech/control.sock",
        den / "home/.local/state/marrakech/control.sock",
        den / "home/.local/state/marrakech/simulated/control.sock",
    ]


def test_a_config_with_faults_is_no_reason_not_to_look(den: Path) -> None:
    (den / "marrakech.toml").write_text("what")
    assert len(list(places(os.environ))) == 2


@pytest.mark.parametrize("number", range(4))
def test_the_first_that_answers_is_called(den: Path, number: int) -> None:
    """Also past those that killed tables have left behind."""
    found = list(places(os.environ))
    for place in found[:number]:
        leave_stale(place)
    with Answering(found[number], STATUS), open_client() as client:
        assert client.table() == {"version": 1}


@pytest.mark.parametrize("command", ["status", "press ok", "watch", "status --socket /no/where"])
def test_without_a_table_it_is_said_how_to_start_one(
    den: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    leave_stale(den / "run/control.sock")
    assert main(command.split()) == 2
    assert capsys.readouterr() == ("", f"marrakech: {NO_TABLE}\n")
    assert NO_TABLE == (
        "no table is running: start it with 'sudo systemctl start marrakech', "
        "or 'marrakech serve', or on a laptop 'marrakech play'"
    )


def test_a_socket_of_another_user_asks_for_sudo(
    den: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By a socket that says so: root, who may run this test, is denied nothing."""

    class Denied(socket.socket):
        def connect(self, address: object, /) -> None:  # noqa: ARG002 - as sockets have it
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr("companion.control.client.socket.socket", Denied)
    assert main(["status"]) == 2
    assert capsys.readouterr().err == (
        f"marrakech: {den}/run/control.sock may not be used: run it with sudo "
        "(the socket is the service user's)\n"
    )


def test_a_path_that_cannot_be_a_socket_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    path = "/" + "x" * 200
    assert main(["status", "--socket", path]) == 2
    assert capsys.readouterr().err == (
        f"marrakech: {path[:200]}… cannot be used (AF_UNIX path too long): give the path of a "
        "table's socket with --socket\n"
    )


# --- What is no answer --------------------------------------------------------------------

STRANGE = "{} does not answer as a table does"
NO_ANSWERS = {
    b"": GONE,
    b'{"ok": true, "table"': GONE,
    b"hello\n": STRANGE,
    b"[]\n": STRANGE,
    b'{"ok": 1}\n': STRANGE,
    b"\xff\n": STRANGE,
    b"[" * 100_000 + b"\n": STRANGE,
    b'{"ok": true}\n': "the table tells of itself in form None, and this command knows 1: use the "
    "'marrakech' that runs the table",
    b'{"ok": true, "table": {"version": 2}}\n': "the table tells of itself in form 2, and this "
    "command knows 1: use the 'marrakech' that runs the table",
    b'{"ok": false, "error": "16 clients\\u001b are here"}\n': "16 clients\\x1b are here",
}


@pytest.mark.parametrize("answer", NO_ANSWERS, ids=lambda answer: str(answer[:30]))
@pytest.mark.parametrize("command", ["status", "press", "watch"])
def test_whatever_answers_there_is_no_traceback(
    den: Path, command: str, answer: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    path = den / "s"
    words = [command, *(["ok"] if command == "press" else []), "--socket", str(path)]
    with Answering(path, answer):
        assert main(words) == 2
    assert capsys.readouterr() == ("", f"marrakech: {NO_ANSWERS[answer].format(path)}\n")


def test_who_watches_waits_for_as_long_as_nothing_happens(den: Path) -> None:
    with Answering(den / "s", STATUS * 2), open_client(den / "s") as client:
        watching = client.watch()
        assert [next(watching), next(watching)] == [{"version": 1}] * 2
        assert client._socket.gettimeout() is None


def test_a_table_that_hangs_is_not_waited_for_for_ever(
    den: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "ANSWER_S", 0.01)
    path = den / "s"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()
        with open_client(path) as client, pytest.raises(NoTableError) as caught:
            client.table()
    assert str(caught.value) == f"the table at {path} does not answer: start it again"
