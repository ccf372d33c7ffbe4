"""`marrakech hotseat --record`: the file is written whole, or trouble is said aloud."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.rules.sample_records import DEBT
from helpers.table.hotseat_keyboard import Keyboard, Scenario, played, refused, talk

from companion.cli.hotseat.record_file import RecordFile
from companion.errors import CompanionError


def kept(folder: str = ".") -> list[str]:
    return sorted(path.name for path in Path(folder).iterdir())


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def usual_umask() -> Iterator[None]:
    before = os.umask(0o027)
    yield
    os.umask(before)


# --- Places that cannot be written to -----------------------------------------------------


def nobody_answers(question: str) -> str:
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
def test_a_place_that_cannot_be_written_to_is_refused_before_the_first_question(
    name: str,
    trouble: str,
    words: str,
    file: Path,
    sit_down: Keyboard,
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("loop").symlink_to("loop")
    sit_down(nobody_answers)
    assert refused(capsys, *words.split(), "--record", name) == [f"marrakech: {trouble}"]
    assert kept() == ["loop"]


def test_a_full_disk_is_found_before_the_first_turn(
    file: Path,
    sit_down: Keyboard,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(os, "fsync", no_space)
    sit_down(nobody_answers)
    full = "marrakech: cannot write game.txt: No space left on device"
    assert refused(capsys, "--players", "4", "--record", str(file)) == [full]
    assert kept() == []


def no_space(*told: object, **named: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_record_that_can_only_be_read_is_not_gone_on_with(
    file: Path,
    sit_down: Keyboard,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Its folder takes no new file; a finished game needs none."""
    text = DEBT.format(booklet="en", options="two_player=one-colour")
    file.write_text(text)
    monkeypatch.setattr("companion.cli.hotseat.record_file.mkstemp", no_space)
    sit_down(nobody_answers)
    full = "marrakech: cannot write game.txt: No space left on device"
    assert refused(capsys, "--record", str(file)) == [full]
    file.write_text(f"{text}1. Y S1 d5s pays R 1 of 2 is out\n")
    assert "\nThe count:\n" in played(capsys, "--record", str(file))


def test_trouble_later_is_said_aloud_and_does_not_stop_the_game(
    file: Path, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    """The folder goes away, and comes back."""
    folder = Path("evening")
    folder.mkdir()
    told: list[str] = []

    def meddle() -> None:
        told.append("?")
        if len(told) == 2:
            shutil.rmtree(folder)
        elif len(told) == 4:
            folder.mkdir()

    sit_down(Scenario(["s", "3", "d6-e6", "e", "q"], watch=meddle))
    said = talk(played(capsys, "--players", "4", "--record", "evening/game.txt"))
    trouble = "  NOT SAVED: cannot write evening/game.txt: No such file or directory."
    assert said.count(f"{trouble} The game goes on.") == 2
    assert said[-2:] == [
        "The game is kept in evening/game.txt.",
        "'marrakech hotseat --record evening/game.txt' goes on with it.",
    ]
    assert (folder / "game.txt").read_text().endswith("\n1. R S3 d7s lays d6-e6\n2. Y E\n")


def test_a_game_that_was_not_saved_is_printed_instead(
    file: Path, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody is told that it is kept."""
    folder = Path("evening")
    folder.mkdir()
    sit_down(Scenario(["s", "3", "q"], watch=lambda: shutil.rmtree(folder, ignore_errors=True)))
    out = played(capsys, "--players", "4", "--record", "evening/game.txt")
    assert "is kept in" not in out
    assert "\n1. R S3 d7s\n" in out


# --- How it is written --------------------------------------------------------------------


def test_a_new_file_may_be_read_by_whom_any_new_file_may(file: Path, usual_umask: None) -> None:
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
    Path("evening").mkdir()
    target = Path("evening/first.txt")
    if not is_new:
        target.write_text("one\n")
    file.symlink_to(target)
    keeper = RecordFile("game.txt")
    assert keeper.exists() is not is_new
    keeper.save("two\n")
    assert file.is_symlink()
    assert target.read_text() == "two\n"
    assert kept() == ["evening", "game.txt"]
    assert kept(folder="evening") == ["first.txt"]


def test_other_files_are_left_alone(
    file: Path, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("game.txt.new").write_text("a shopping list\n")
    sit_down(Scenario(["s", "3", "1"]))
    played(capsys, "--players", "4", "--record", str(file))
    assert Path("game.txt.new").read_text() == "a shopping list\n"
    assert kept() == ["game.txt", "game.txt.new"]


def test_the_text_is_on_the_disk_before_its_name_and_the_name_before_the_next_question(
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


def test_a_folder_that_cannot_be_synced_is_no_trouble(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some file systems on the network refuse it."""
    sync = os.fsync

    def sync_files(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(22, "Invalid argument")
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", sync_files)
    keeper = RecordFile("game.txt")
    keeper.save("one\n")
    assert keeper.is_saved
    assert file.read_text() == "one\n"


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_what_fails_leaves_the_old_text_and_nothing_else(
    step: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text("one\n")
    monkeypatch.setattr(os, step, no_space)
    keeper = RecordFile("game.txt")
    with pytest.raises(CompanionError, match=r"^cannot write game\.txt: No space left on device$"):
        keeper.save("two\n")
    assert not keeper.is_saved
    assert file.read_text() == "one\n"
    assert kept() == ["game.txt"]


def test_an_interrupted_save_leaves_nothing_behind(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*told: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        RecordFile("game.txt").save("one\n")
    assert kept() == []
