"""The client of `status`, `press` and `watch`: which socket it uses, and invalid answers."""

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
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty machine: `run` is the system's folder, `user` and `home` are the user's."""
    with TemporaryDirectory(prefix="m") as folder:
        for name in ("STATE_DIRECTORY", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "MARRAKECH_CONFIG"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("XDG_RUNTIME_DIR", f"{folder}/user")
        monkeypatch.setenv("HOME", f"{folder}/home")
        monkeypatch.chdir(folder)
        monkeypatch.setattr(client_module, "SYSTEM_PATH", Path(folder) / "run" / "control.sock")
        yield Path(folder)


class FakeServer:
    """Sends these bytes to one client, whatever it asks, and disconnects."""

    def __init__(self, path: Path, answer: bytes) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(path))
        self._listening.listen()
        self._answer = answer
        self._thread = Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        client, _ = self._listening.accept()
        with client, self._listening:
            client.recv(65_536)
            client.sendall(self._answer)

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None:
        self._thread.join()


def leave_stale_socket(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))


# --- Finding the socket -------------------------------------------------------------------


def test_the_systems_socket_comes_first_then_the_users(machine: Path) -> None:
    assert list(places(os.environ)) == [
        machine / "run/control.sock",
        machine / "user/marrakech/control.sock",
        machine / "home/.local/state/marrakech/control.sock",
        machine / "home/.local/state/marrakech/simulated/control.sock",
    ]


def test_an_invalid_config_does_not_prevent_the_search(machine: Path) -> None:
    (machine / "marrakech.toml").write_text("what")
    assert len(list(places(os.environ))) == 2


@pytest.mark.parametrize("number", range(4))
def test_the_first_socket_that_answers_is_used(machine: Path, number: int) -> None:
    """Sockets that killed tables left behind are skipped."""
    found = list(places(os.environ))
    for place in found[:number]:
        leave_stale_socket(place)
    with FakeServer(found[number], STATUS), open_client() as client:
        assert client.table() == {"version": 1}


@pytest.mark.parametrize("command", ["status", "press ok", "watch", "status --socket /no/where"])
def test_without_a_table_the_error_says_how_to_start_one(
    machine: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    leave_stale_socket(machine / "run/control.sock")
    assert main(command.split()) == 2
    assert capsys.readouterr() == ("", f"marrakech: {NO_TABLE}\n")
    assert NO_TABLE == (
        "no table is running: start it with 'sudo systemctl start marrakech', "
        "or 'marrakech serve', or on a laptop 'marrakech play'"
    )


def test_without_permission_the_error_asks_for_sudo(
    machine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a fake socket, because root, who may run this test, has every permission."""

    class Denied(socket.socket):
        def connect(self, address: object, /) -> None:  # noqa: ARG002 - signature of sockets
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr("companion.control.client.socket.socket", Denied)
    assert main(["status"]) == 2
    assert capsys.readouterr().err == (
        f"marrakech: no permission for {machine}/run/control.sock: run this with sudo "
        "(the socket belongs to the service)\n"
    )


def test_a_path_that_cannot_be_a_socket_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    path = "/" + "x" * 200
    assert main(["status", "--socket", path]) == 2
    assert capsys.readouterr().err == (
        f"marrakech: {path[:200]}… cannot be used (AF_UNIX path too long): give the path of a "
        "table's socket with --socket\n"
    )


# --- Invalid answers ----------------------------------------------------------------------

NOT_A_TABLE = "{} does not answer as a table does"
INVALID_ANSWERS = {
    b"": GONE,
    b'{"ok": true, "table"': GONE,
    b"hello\n": NOT_A_TABLE,
    b"[]\n": NOT_A_TABLE,
    b'{"ok": 1}\n': NOT_A_TABLE,
    b"\xff\n": NOT_A_TABLE,
    b"[" * 100_000 + b"\n": NOT_A_TABLE,
    b'{"ok": true}\n': "the table's snapshot has version None, and this command knows 1: use the "
    "'marrakech' that runs the table",
    b'{"ok": true, "table": {"version": 2}}\n': "the table's snapshot has version 2, and this "
    "command knows 1: use the 'marrakech' that runs the table",
    b'{"ok": false, "error": "16 clients\\u001b are connected"}\n': "16 clients\\x1b are connected",
}


@pytest.mark.parametrize("answer", INVALID_ANSWERS, ids=lambda answer: str(answer[:30]))
@pytest.mark.parametrize("command", ["status", "press", "watch"])
def test_an_invalid_answer_is_an_error_without_a_traceback(
    machine: Path, command: str, answer: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    path = machine / "s"
    words = [command, *(["ok"] if command == "press" else []), "--socket", str(path)]
    with FakeServer(path, answer):
        assert main(words) == 2
    assert capsys.readouterr() == ("", f"marrakech: {INVALID_ANSWERS[answer].format(path)}\n")


def test_watching_has_no_timeout(machine: Path) -> None:
    with FakeServer(machine / "s", STATUS * 2), open_client(machine / "s") as client:
        watching = client.watch()
        assert [next(watching), next(watching)] == [{"version": 1}] * 2
        assert client._socket.gettimeout() is None


def test_a_table_that_hangs_is_an_error_after_a_timeout(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "ANSWER_TIMEOUT_S", 0.01)
    path = machine / "s"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()
        with open_client(path) as client, pytest.raises(NoTableError) as caught:
            client.table()
    assert str(caught.value) == f"the table at {path} does not answer: start it again"
