"""Helpers for tests on a folder of games: play, run `marrakech games`, damage journals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.cli.main import main
from companion.json_types import JsonObject
from companion.storage.game_store import GameStore
from companion.storage.line_codec import decode_line, encode_line
from companion.table.conversation import Stage, resumed_conversation
from helpers.storage.stored_games import SET_UP, stamp_commands, without_fsync
from helpers.table.table_driver import INPUTS, TableDriver

ARCHIVE_WORDS = "pause pause"
"""The presses that archive the current game."""
NAMES = ("Ana", "Bo", "Cleo", "Dan")
BEGUN = "2026-03-01T20:14:05+01:00"


@pytest.fixture(scope="module", autouse=True)
def no_fsync() -> Iterator[None]:
    with without_fsync():
        yield


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory, without the config and games of this machine."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MARRAKECH_CONFIG", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("NO_COLOR", "1")
    return tmp_path


@pytest.fixture
def folder(here: Path) -> Path:
    return here / "state" / "marrakech"


def play(
    folder: Path,
    words: str,
    header_extras: JsonObject | None = None,
    **preferences: Any,  # noqa: ANN401
) -> TableDriver:
    """Play by these words, at a table that stores its games in `folder`."""
    extras = {"begun": BEGUN, "simulated": False} if header_extras is None else header_extras
    store = GameStore(folder, header_extras=lambda: extras)
    game, _ = store.load()
    driver = TableDriver(**preferences)
    if game is not None:
        driver.conversation = resumed_conversation(driver.conversation.preferences, game)
    for word in words.split():
        result = driver.handle(INPUTS[word])
        assert driver.refusal is None, word
        store.save(stamp_commands(result))
    store.close()
    return driver


def play_to_the_end(folder: Path, **preferences: Any) -> TableDriver:  # noqa: ANN401
    driver = play(folder, SET_UP, **preferences)
    words = []
    while not driver.state.is_over:
        words.append("2" if driver.stage is Stage.ORIENT else "ok")
        driver.press(words[-1])
    return play(folder, " ".join(["ok", *words]), **preferences)


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What `marrakech games` prints with these arguments."""
    capsys.readouterr()
    assert main(["games", *words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The error with which `marrakech games` refuses these arguments."""
    capsys.readouterr()
    assert main(["games", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err.removeprefix("marrakech: ")


def damage(path: Path, line: int) -> None:
    """Change a line without its checksum."""
    lines = path.read_bytes().splitlines(keepends=True)
    lines[line - 1] = lines[line - 1].replace(b'"told"', b'"tolt"')
    path.write_bytes(b"".join(lines))


def rewrite(path: Path, line: int, **members: object) -> None:
    """Change members of a line, and its checksum."""
    lines = path.read_bytes().splitlines(keepends=True)
    old = decode_line(lines[line - 1].rstrip(b"\n"))
    assert old is not None
    lines[line - 1] = encode_line(old.pop("seq"), old | members)
    path.write_bytes(b"".join(lines))
