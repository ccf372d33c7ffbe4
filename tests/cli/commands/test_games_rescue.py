"""`marrakech games rescue`: restores the intact part of a damaged game, and deletes nothing."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from helpers.storage.game_folder import (
    ARCHIVE_WORDS,
    damage,
    folder,
    here,
    no_fsync,
    play,
    printed,
    refused,
    rewrite,
)
from helpers.storage.stored_games import SET_UP, tree

from companion.cli.main import main
from companion.storage.archive import Archive
from companion.storage.game_store import GameStore
from companion.storage.journal_reader import read_journal

__all__ = ["folder", "here", "no_fsync"]  # fixtures


def test_the_intact_part_of_a_damaged_game_is_restored(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP + "east 3 ok 2 ok")
    path = folder / "game.jsonl"
    damage(path, 5)
    before = path.read_bytes()
    assert printed(capsys, "rescue", "--yes", "now").splitlines() == [
        f"3 entries are intact; the game in {path} is now:",
        "  2026-03-01 20:14  red, yellow, blue and brown (en), 1 turn: "
        "unfinished, red leads with 32",
        f"the damaged file is kept as {path}.damaged",
    ]
    assert Path(f"{path}.damaged").read_bytes() == before
    assert play(folder, "ok 2").state.mover == 1


def test_a_journal_that_contradicts_its_results_is_rescued(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every line is intact, but the replay gives another result."""
    play(folder, SET_UP + "east 3 ok 2 ok")
    path = folder / "game.jsonl"
    rewrite(path, 3, pips=1)
    assert printed(capsys, "rescue", "--yes", str(path)).startswith(
        "1 entry is intact; the game in "
    )
    assert [entry["told"] for entry in read_journal(path).entries] == ["face"]


def test_the_first_of_two_damages_counts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play(folder, SET_UP + "east 3 ok 2 ok")
    path = folder / "game.jsonl"
    rewrite(path, 3, pips=1)
    damage(path, 5)
    assert printed(capsys, "rescue", "--yes", "now").startswith("1 entry is intact")
    assert printed(capsys, "rescue", "--yes", "now") == f"nothing to rescue: {path} is intact\n"


def test_an_archived_game_is_rescued_by_its_number(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP + "east 3 ok " + ARCHIVE_WORDS)
    damage(folder / "archive" / "0001.jsonl", 3)
    assert printed(capsys, "rescue", "--yes", "1").startswith("1 entry is intact")
    assert Archive(folder / "archive").numbers() == [1]


def test_a_journal_without_a_valid_header_is_moved_aside(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "game.jsonl"
    play(folder, SET_UP + "east 3 ok")
    rewrite(path, 1, booklet="xx")
    unreadable = path.read_bytes()
    garbage = b"no journal at all\n"
    for content, name in ((unreadable, "damaged"), (garbage, "damaged-2")):
        path.write_bytes(content)
        command = refused(capsys, "show", "now").rpartition("set the file aside: marrakech ")[2]
        assert printed(capsys, *command.split()[1:], "--yes").splitlines() == [
            f"nothing can be rescued from {path}: line 1 does not begin a game",
            f"the damaged file is kept as {path}.{name}; a new game can start",
        ]
        assert tree(folder)[f"game.jsonl.{name}"] == content
        assert printed(capsys) == f"no games in {folder} yet\n"
        play(folder, SET_UP)


def test_a_long_file_name_does_not_hide_the_remedy(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = here / ("x" * 200) / ("y" * 200)
    play(folder, SET_UP + "east 3 ok")
    damage(folder / "game.jsonl", 3)
    error = refused(capsys, "--folder", str(folder), "show", "now")
    assert error.count(str(folder)) == 1
    assert printed(capsys, *error.rpartition("marrakech games ")[2].split(), "--yes").startswith(
        "1 entry"
    )


def test_a_folder_or_pipe_is_refused_without_waiting(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "game.jsonl"
    path.mkdir(parents=True)
    for action in ("show", "export", "rescue"):
        error = refused(capsys, action, "now")
        assert error == f"cannot read {path} (Is a directory: move it away)\n"
    path.rmdir()
    os.mkfifo(path)
    assert printed(capsys).endswith("(It is a pipe or a device, not a file: move it away)\n")


def test_an_empty_journal_has_nothing_to_rescue(
    folder: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "torn.jsonl").write_bytes(b'{"crc":"1234')
    error = refused(capsys, "rescue", "torn.jsonl")
    assert error == "nothing to rescue: no game was begun in torn.jsonl\n"


def test_a_running_game_is_not_rescued(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play(folder, SET_UP + "east 3 ok")
    path = folder / "game.jsonl"
    store = GameStore(folder)
    store.load()
    damage(path, 3)
    before = tree(folder)
    error = refused(capsys, "rescue", "--yes", "now")
    store.close()
    assert error == f"another companion is playing this game ({path}): stop it first\n"
    assert tree(folder) == before


def test_a_journal_of_another_version_is_not_changed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP)
    rewrite(folder / "game.jsonl", 1, journal=2)
    for action in ("show", "export", "rescue"):
        assert "this is a journal of version 2" in refused(capsys, action, "now")
    assert "cannot be read" in printed(capsys)


# --- What is not changed --------------------------------------------------------------------


def test_a_file_that_is_not_a_journal_is_refused(
    folder: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also if its folder is named: a wrong name must not move a file of the system."""
    file = here / "passwd"
    file.write_text("root:x:0:0:root:/root:/bin/bash\n")
    for words in ((), ("--folder", str(here))):
        error = refused(capsys, "rescue", "--yes", *words, str(file))
        assert error == f"{file} is not a journal of a game: nothing was changed\n"
    assert [path.name for path in here.iterdir()] == ["passwd"]


def test_a_journal_outside_the_games_folder_needs_its_folder_named(
    folder: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = here / "other"
    play(other, SET_UP + "east 3 ok")
    path = other / "game.jsonl"
    damage(path, 3)
    before = tree(other)
    error = refused(capsys, "rescue", "--yes", str(path))
    assert error == (
        f"{path} is not in the games folder {folder}: nothing was changed; if it is to be changed "
        f"there, add --folder {other}\n"
    )
    assert tree(other) == before
    assert printed(capsys, "rescue", "--yes", "--folder", str(other), str(path)).startswith("1 en")


def test_a_link_to_a_journal_elsewhere_is_not_in_the_games_folder(
    folder: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = here / "other"
    play(other, SET_UP + "east 3 ok")
    damage(other / "game.jsonl", 3)
    before = tree(other)
    folder.mkdir(parents=True)
    (folder / "game.jsonl").symlink_to(other / "game.jsonl")
    assert "is not in the games folder" in refused(capsys, "rescue", "--yes", "now")
    assert tree(other) == before


def test_without_a_terminal_and_without_yes_nothing_is_changed(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    play(folder, SET_UP + "east 3 ok")
    path = folder / "game.jsonl"
    damage(path, 3)
    before = tree(folder)
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    assert refused(capsys, "rescue", "now") == (
        f"nothing was changed: 1 entry is intact in {path}. Go on from there, and keep the damaged "
        "file? Repeat the command with --yes\n"
    )
    assert tree(folder) == before


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("answer", ["", "\n", "n\n", "no\n", "yess\n"])
def test_in_a_terminal_only_a_yes_changes_files(
    answer: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    play(folder, SET_UP + "east 3 ok")
    damage(folder / "game.jsonl", 3)
    before = tree(folder)
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    assert main(["games", "rescue", "now"]) == 2
    out, err = capsys.readouterr()
    assert out.endswith("Go on from there, and keep the damaged file? [y/N] ")
    assert err == "marrakech: nothing was changed\n"
    assert tree(folder) == before


@pytest.mark.parametrize("answer", ["y\n", "YES\n"])
@pytest.mark.parametrize("line", [1, 3])
def test_in_a_terminal_a_yes_rescues(
    answer: str,
    line: int,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    play(folder, SET_UP + "east 3 ok")
    path = folder / "game.jsonl"
    damage(path, line) if line > 1 else path.write_bytes(b"garbage\n")
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    assert f"the damaged file is kept as {path}.damaged" in printed(capsys, "rescue", "now")
