"""`marrakech hotseat --record`: atomic saving, and errors."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.rules.sample_records import DEBT
from helpers.table.hotseat_keyboard import (
    Keyboard,
    ScriptedAnswers,
    dialogue_lines,
    hotseat_errors,
    play_hotseat,
)

from companion.cli.hotseat.record_file import RecordFile
from companion.errors import CompanionError


def files_in(folder: str = ".") -> list[str]:
    return sorted(path.name for path in Path(folder).iterdir())


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def usual_umask() -> Iterator[None]:
    before = os.umask(0o027)
    yield
    os.umask(before)


# --- Unwritable files ---------------------------------------------------------------------


def fail_if_asked(question: str) -> str:
    raise AssertionError(f"asked: {question}")


@pytest.mark.parametrize("words", ["", "--players 4"])
@pytest.mark.parametrize(
    ("name", "trouble"),
    [
        ("nowhere/game.txt", "cannot write nowhere/game.txt: No such file or directory"),
        ("", "--record needs the name of a file"),
        ("-", "--record needs the name of a file"),
        ("x" * 300, f"cannot read {'x' * 200}…: File name too long"),
        ("loop", "cannot read loop: Too many levels of symbolic links"),
    ],
    ids=["folder", "empty", "dash", "long", "loop"],
)
def test_an_unwritable_folder_is_refused_before_the_first_question(
    name: str,
    trouble: str,
    words: str,
    file: Path,
    set_keyboard: Keyboard,
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("loop").symlink_to("loop")
    set_keyboard(fail_if_asked)
    assert hotseat_errors(capsys, *words.split(), "--record", name) == [f"marrakech: {trouble}"]
    assert files_in() == ["loop"]


def test_a_full_disk_is_found_before_the_first_turn(
    file: Path,
    set_keyboard: Keyboard,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(os, "fsync", no_space)
    set_keyboard(fail_if_asked)
    full = "marrakech: cannot write game.txt: No space left on device"
    assert hotseat_errors(capsys, "--players", "4", "--record", str(file)) == [full]
    assert files_in() == []


def no_space(*args: object, **kwargs: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_read_only_record_is_not_continued(
    file: Path,
    set_keyboard: Keyboard,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Its folder is not writable; a finished game needs no saving."""
    text = DEBT.format(booklet="en", options="two_player=one-colour")
    file.write_text(text)
    monkeypatch.setattr("companion.cli.hotseat.record_file.mkstemp", no_space)
    set_keyboard(fail_if_asked)
    full = "marrakech: cannot write game.txt: No space left on device"
    assert hotseat_errors(capsys, "--record", str(file)) == [full]
    file.write_text(f"{text}1. Y S1 d5s pays R 1 of 2 is out\n")
    assert "\nThe count:\n" in play_hotseat(capsys, "--record", str(file))


def test_a_failed_save_is_reported_and_the_game_continues(
    file: Path, set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    """The folder is removed and restored."""
    folder = Path("games")
    folder.mkdir()
    question_count = 0

    def meddle() -> None:
        nonlocal question_count
        question_count += 1
        if question_count == 2:
            shutil.rmtree(folder)
        elif question_count == 4:
            folder.mkdir()

    set_keyboard(ScriptedAnswers(["s", "3", "d6-e6", "e", "q"], on_question=meddle))
    dialogue = dialogue_lines(play_hotseat(capsys, "--players", "4", "--record", "games/game.txt"))
    trouble = "  NOT SAVED: cannot write games/game.txt: No such file or directory."
    assert dialogue.count(f"{trouble} The game goes on.") == 2
    assert dialogue[-2:] == [
        "The game is saved in games/game.txt.",
        "'marrakech hotseat --record games/game.txt' continues it.",
    ]
    assert (folder / "game.txt").read_text().endswith("\n1. R S3 d7s lays d6-e6\n2. Y E\n")


def test_a_game_that_was_not_saved_is_printed_instead(
    file: Path, set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    """The output does not claim that it is saved."""
    folder = Path("games")
    folder.mkdir()
    set_keyboard(
        ScriptedAnswers(
            ["s", "3", "q"], on_question=lambda: shutil.rmtree(folder, ignore_errors=True)
        )
    )
    out = play_hotseat(capsys, "--players", "4", "--record", "games/game.txt")
    assert "is saved in" not in out
    assert "\n1. R S3 d7s\n" in out


# --- Writing the file ---------------------------------------------------------------------


def test_a_new_file_has_the_default_mode(file: Path, usual_umask: None) -> None:
    RecordFile("game.txt").save("one\n")
    assert file.read_text() == "one\n"
    assert mode_of(file) == 0o640
    assert os.umask(0o027) == 0o027


def test_a_file_keeps_its_mode(file: Path, usual_umask: None) -> None:
    file.write_text("one\n")
    file.chmod(0o604)
    RecordFile("game.txt").save("two\n")
    assert (file.read_text(), mode_of(file)) == ("two\n", 0o604)


@pytest.mark.parametrize("is_new", [False, True])
def test_a_link_stays_a_link(is_new: bool, file: Path) -> None:
    Path("games").mkdir()
    target = Path("games/first.txt")
    if not is_new:
        target.write_text("one\n")
    file.symlink_to(target)
    record_file = RecordFile("game.txt")
    assert record_file.exists() is not is_new
    record_file.save("two\n")
    assert file.is_symlink()
    assert target.read_text() == "two\n"
    assert files_in() == ["game.txt", "games"]
    assert files_in(folder="games") == ["first.txt"]


def test_other_files_are_not_changed(
    file: Path, set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("game.txt.new").write_text("a shopping list\n")
    set_keyboard(ScriptedAnswers(["s", "3", "1"]))
    play_hotseat(capsys, "--players", "4", "--record", str(file))
    assert Path("game.txt.new").read_text() == "a shopping list\n"
    assert files_in() == ["game.txt", "game.txt.new"]


def test_the_file_is_synced_before_the_rename_and_the_folder_before_the_next_question(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    sync, replace = os.fsync, os.replace

    def note_sync(descriptor: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        done.append("sync folder" if is_folder else "sync file")
        sync(descriptor)

    def note_replace(one: str, other: Path) -> None:
        done.append("replace")
        replace(one, other)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(os, "replace", note_replace)
    RecordFile("game.txt").save("one\n")
    assert done == ["sync file", "replace", "sync folder"]


def test_a_folder_that_cannot_be_synced_is_ignored(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some network file systems do not support it."""
    sync = os.fsync

    def sync_files(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(22, "Invalid argument")
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", sync_files)
    record_file = RecordFile("game.txt")
    record_file.save("one\n")
    assert record_file.is_saved
    assert file.read_text() == "one\n"


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failed_save_leaves_the_old_text_and_no_other_file(
    step: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text("one\n")
    monkeypatch.setattr(os, step, no_space)
    record_file = RecordFile("game.txt")
    with pytest.raises(CompanionError, match=r"^cannot write game\.txt: No space left on device$"):
        record_file.save("two\n")
    assert not record_file.is_saved
    assert file.read_text() == "one\n"
    assert files_in() == ["game.txt"]


def test_an_interrupted_save_leaves_nothing_behind(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        RecordFile("game.txt").save("one\n")
    assert files_in() == []
