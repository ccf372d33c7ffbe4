"""A folder of games for the tests of `marrakech games`: played in, looked into, damaged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.cli.main import main
from companion.storage.game_store import GameStore
from companion.storage.line_codec import Members, decode_line, encode_line
from companion.table.conversation import Stage, resumed
from helpers.storage.stored_games import SET_UP, kept, quick_disk
from helpers.table.table_driver import INPUTS, TableDriver

PUT_AWAY = "pause pause"
NAMES = ("Ana", "Bo", "Cleo", "Dan")
BEGUN = "2026-03-01T20:14:05+01:00"


@pytest.fixture(scope="module", autouse=True)
def at_once() -> Iterator[None]:
    with quick_disk():
        yield


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place of its own, whatever was played on this machine."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MARRAKECH_CONFIG", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("NO_COLOR", "1")
    return tmp_path


@pytest.fixture
def folder(here: Path) -> Path:
    return here / "state" / "marrakech"


def play(folder: Path, words: str, about: Members | None = None, **customs: Any) -> TableDriver:  # noqa: ANN401
    """Play at a table that keeps its games there, by these words."""
    said = {"begun": BEGUN, "simulated": False} if about is None else about
    keeper = GameStore(folder, about=lambda: said)
    game, _ = keeper.load()
    talk = TableDriver(**customs)
    if game is not None:
        talk.conversation = resumed(talk.conversation.customs, game)
    for word in words.split():
        answer = talk.hear(INPUTS[word])
        assert talk.refused is None, word
        keeper.save(kept(answer))
    keeper.close()
    return talk


def play_to_the_end(folder: Path, **customs: Any) -> TableDriver:  # noqa: ANN401
    talk = play(folder, SET_UP, **customs)
    words = []
    while not talk.state.is_over:
        words.append("2" if talk.stage is Stage.ORIENT else "ok")
        talk.say(words[-1])
    return play(folder, " ".join(["ok", *words]), **customs)


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert main(["games", *words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert main(["games", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err.removeprefix("marrakech: ")


def damage(path: Path, line: int) -> None:
    """A line is not as it was written."""
    lines = path.read_bytes().splitlines(keepends=True)
    lines[line - 1] = lines[line - 1].replace(b'"told"', b'"tolt"')
    path.write_bytes(b"".join(lines))


def rewrite(path: Path, line: int, **members: object) -> None:
    """A line says something else, with the checksum of it."""
    lines = path.read_bytes().splitlines(keepends=True)
    told = decode_line(lines[line - 1].rstrip(b"\n"))
    assert told is not None
    lines[line - 1] = encode_line(told.pop("seq"), told | members)
    path.write_bytes(b"".join(lines))
