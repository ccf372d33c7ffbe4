"""The archive never loses or overwrites a game, and a damaged journal is never deleted."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from helpers.storage.stored_games import tree

from companion.json_types import JsonObject
from companion.storage.archive import (
    Archive,
    ArchiveError,
    ArchiveUnsyncedError,
    UnknownGameError,
    quarantine_journal,
    rescue,
)
from companion.storage.journal_reader import (
    JournalContent,
    JournalDamagedError,
    JournalError,
    read_journal,
)
from companion.storage.journal_writer import JournalInUseError, JournalWriter
from companion.testing.faulty_filesystem import FaultyFilesystem

ENTRIES: list[JsonObject] = [{"told": "turn"}, {"told": "roll", "pips": 2}, {"told": "lay"}]


def write_journal(path: Path, name: str = "Zoë") -> Path:
    journal = JournalWriter.create(path, {"name": name})
    journal.append(ENTRIES)
    journal.close()
    return path


def header_name(path: Path) -> object:
    header = read_journal(path).header
    return header and header["name"]


@pytest.fixture
def state(tmp_path: Path) -> Path:
    folder = tmp_path / "state"
    folder.mkdir()
    return folder


def test_games_are_numbered_in_order(state: Path) -> None:
    archive = Archive(state / "archive")
    for number in (1, 2, 3):
        assert archive.add(write_journal(state / "game.jsonl", str(number))) == number
    assert archive.numbers() == [1, 2, 3]
    assert [header_name(archive.path_of(n)) for n in (1, 2, 3)] == ["1", "2", "3"]
    assert list(tree(state)) == [f"archive/000{n}.jsonl" for n in (1, 2, 3)]


def test_number_of_a_deleted_game_is_not_reused(state: Path) -> None:
    archive = Archive(state / "archive")
    for _ in range(3):
        archive.add(write_journal(state / "game.jsonl"))
    archive.path_of(2).unlink()
    assert archive.add(write_journal(state / "game.jsonl")) == 4
    assert archive.numbers() == [1, 3, 4]


def test_numbers_continue_after_9999(state: Path) -> None:
    folder = state / "archive"
    folder.mkdir()
    write_journal(folder / "9999.jsonl")
    archive = Archive(folder)
    assert archive.add(write_journal(state / "game.jsonl")) == 10000
    assert archive.path_of(10000) == folder / "10000.jsonl"
    assert archive.numbers() == [9999, 10000]


@pytest.mark.parametrize("is_there", [True, False])
def test_archive_may_be_empty_or_missing(state: Path, is_there: bool) -> None:
    if is_there:
        (state / "archive").mkdir()
    archive = Archive(state / "archive")
    assert archive.numbers() == []
    with pytest.raises(UnknownGameError, match=r"^no game 1 in the archive: it is empty$"):
        archive.path_of(1)
    assert (state / "archive").exists() == is_there
    assert archive.add(write_journal(state / "game.jsonl")) == 1


def test_foreign_files_are_ignored(state: Path) -> None:
    folder = state / "archive"
    (folder / "0007.jsonl").mkdir(parents=True)
    foreign = [
        "12.jsonl",
        "00012.jsonl",
        "0000x.jsonl",
        "0003.jsonl.damaged",
        "1000000.jsonl",
        "9999999999999.jsonl",
        "٠٠٠٤.jsonl",
        "notes",
    ]
    for name in foreign:
        (folder / name).write_bytes(b"mine")
    archive = Archive(folder)
    assert archive.numbers() == []
    assert archive.add(write_journal(state / "game.jsonl")) == 1
    assert all((folder / name).read_bytes() == b"mine" for name in foreign)


def test_unreadable_archive_raises_an_error(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(folder: Path) -> list[Path]:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(ArchiveError, match=f"^cannot read {state}: Permission denied$"):
        Archive(state).numbers()


def test_unknown_number_lists_the_known_ones(state: Path) -> None:
    folder = state / "archive"
    folder.mkdir()
    for number in (1, 2, 3, 5, 8, 9):
        write_journal(folder / f"{number:04}.jsonl")
    message = r"^no game 4 in the archive: there are 1 to 3, 5 and 8 to 9$"
    with pytest.raises(UnknownGameError, match=message) as caught:
        Archive(folder).path_of(4)
    assert isinstance(caught.value, LookupError)


def test_number_that_is_taken_at_the_same_time_is_not_overwritten(state: Path) -> None:
    """The second writer finds the name taken, and uses the next one."""
    folder = state / "archive"
    folder.mkdir()

    class RacingFilesystem(FaultyFilesystem):
        def open(self, path: Path, *, is_new: bool = False) -> int:
            if path == folder / "0001.jsonl" and not path.exists():
                write_journal(path, "theirs")
            return super().open(path, is_new=is_new)

    archive = Archive(folder, RacingFilesystem())
    assert archive.add(write_journal(state / "game.jsonl", "ours")) == 2
    assert [header_name(archive.path_of(n)) for n in (1, 2)] == ["theirs", "ours"]


def test_empty_file_is_not_a_game_and_its_number_is_not_reused(state: Path) -> None:
    """A power cut between reserving the number and moving the game leaves an empty file."""
    folder = state / "archive"
    folder.mkdir()
    (folder / "0001.jsonl").touch()
    archive = Archive(folder)
    assert archive.numbers() == []
    assert archive.add(write_journal(state / "game.jsonl")) == 2


def test_archive_and_source_folder_are_synced(state: Path) -> None:
    filesystem = FaultyFilesystem()
    Archive(state / "archive", filesystem).add(write_journal(state / "game.jsonl"))
    assert filesystem.calls == [
        "open",
        "fsync state",
        "open",
        "rename",
        "fsync archive",
        "fsync state",
    ]


def test_game_that_is_being_played_is_not_archived(state: Path) -> None:
    journal = JournalWriter.create(state / "game.jsonl", {})
    before = tree(state)
    with pytest.raises(JournalInUseError):
        Archive(state / "archive").add(state / "game.jsonl")
    assert tree(state) == before
    journal.close()


@pytest.mark.parametrize("is_there", [True, False])
def test_file_without_a_game_is_not_archived(state: Path, is_there: bool) -> None:
    if is_there:
        (state / "game.jsonl").touch()
    with pytest.raises(ArchiveError, match="was not moved to the archive"):
        Archive(state / "archive").add(state / "game.jsonl")
    assert Archive(state / "archive").numbers() == []


@pytest.mark.parametrize("call", range(6))
def test_game_is_in_one_place_whichever_call_fails(state: Path, call: int) -> None:
    game = write_journal(state / "game.jsonl")
    content = game.read_bytes()
    filesystem = FaultyFilesystem(errors_at={call: errno.ENOSPC})
    archive = Archive(state / "archive", filesystem)
    with pytest.raises(ArchiveError, match=r"\(No space left on device: free some space\)$") as e:
        archive.add(game)
    assert e.value.errno == errno.ENOSPC
    assert isinstance(e.value, ArchiveUnsyncedError) == (call >= 4)
    if call < 4:
        assert tree(state) == {"game.jsonl": content}
        assert archive.add(game) == 1
    else:
        assert archive.numbers() == [1]
    assert tree(state) == {"archive/0001.jsonl": content}


def write_damaged_journal(path: Path) -> JournalContent:
    """Write a journal whose line 3, the second entry, is damaged."""
    write_journal(path)
    path.write_bytes(path.read_bytes().replace(b'"pips":2', b'"pips":3'))
    with pytest.raises(JournalDamagedError) as caught:
        read_journal(path)
    return caught.value.intact


def test_rescue_keeps_the_intact_beginning_and_a_copy_of_the_damaged_journal(state: Path) -> None:
    game = state / "game.jsonl"
    intact = write_damaged_journal(game)
    whole = game.read_bytes()
    assert rescue(game, intact) == state / "game.jsonl.damaged"
    assert read_journal(game) == intact
    assert intact.entries == ENTRIES[:1]
    assert tree(state) == {
        "game.jsonl": whole[: intact.intact_bytes],
        "game.jsonl.damaged": whole,
    }
    journal = JournalWriter.open(game, intact)
    journal.append(ENTRIES[1:])
    journal.close()
    assert read_journal(game).entries == ENTRIES


def test_copies_of_damaged_journals_are_numbered(state: Path) -> None:
    game = state / "game.jsonl"
    for number, name in enumerate(["", "-2", "-3"], 1):
        kept = rescue(game, write_damaged_journal(game))
        assert kept == state / f"game.jsonl.damaged{name}"
        assert len(tree(state)) == number + 1
        game.unlink()


def test_archived_game_is_rescued_in_the_archive(state: Path) -> None:
    archive = Archive(state / "archive")
    intact = write_damaged_journal(state / "game.jsonl")
    path = archive.path_of(archive.add(state / "game.jsonl"))
    assert rescue(path, intact) == state / "archive" / "0001.jsonl.damaged"
    assert read_journal(archive.path_of(1)) == intact
    assert archive.numbers() == [1]


def test_copy_of_the_damaged_journal_is_synced_before_it_is_replaced(state: Path) -> None:
    intact = write_damaged_journal(state / "game.jsonl")
    filesystem = FaultyFilesystem()
    rescue(state / "game.jsonl", intact, filesystem)
    assert filesystem.calls == [
        *("open", "open", "write", "fdatasync", "open", "write", "fdatasync"),
        *("fsync state", "rename", "fsync state"),
    ]


@pytest.mark.parametrize("call", range(10))
def test_rescue_loses_nothing_whichever_call_fails(state: Path, call: int) -> None:
    game = state / "game.jsonl"
    intact = write_damaged_journal(game)
    whole = game.read_bytes()
    with pytest.raises(ArchiveError, match=r"was not rescued \(No space left on device: free"):
        rescue(game, intact, FaultyFilesystem(errors_at={call: errno.ENOSPC}))
    if call < 8:
        assert tree(state) == {"game.jsonl": whole}
    else:
        assert tree(state)["game.jsonl.damaged"] == whole
    if call < 9:
        assert game.read_bytes() == whole
        rescue(game, intact)
    assert read_journal(game) == intact
    assert not (state / "game.jsonl.rescued").exists()


def test_game_that_is_being_played_is_not_rescued(state: Path) -> None:
    game = write_journal(state / "game.jsonl")
    journal = JournalWriter.open(game, read_journal(game))
    with pytest.raises(JournalInUseError):
        rescue(game, read_journal(game))
    journal.close()


def test_journal_with_nothing_to_rescue_is_set_aside(state: Path) -> None:
    game = state / "game.jsonl"
    for name in ("game.jsonl.damaged", "game.jsonl.damaged-2"):
        game.write_bytes(name.encode())
        filesystem = FaultyFilesystem()
        assert quarantine_journal(game, filesystem) == state / name
        assert filesystem.calls == ["open", "rename", "fsync state"]
        assert not game.exists()
        assert (state / name).read_bytes() == name.encode()


def test_game_that_is_being_played_is_not_set_aside(state: Path) -> None:
    journal = JournalWriter.create(state / "game.jsonl", {})
    with pytest.raises(JournalInUseError):
        quarantine_journal(state / "game.jsonl")
    journal.close()
    with pytest.raises(ArchiveError, match=r"game\.jsonl was not set aside \(No space left on dev"):
        quarantine_journal(state / "game.jsonl", FaultyFilesystem(errors_at={1: errno.ENOSPC}))
    assert list(tree(state)) == ["game.jsonl"]


def test_rescue_refuses_content_that_does_not_match_the_file(state: Path) -> None:
    game = state / "game.jsonl"
    intact = write_damaged_journal(game)
    other = JournalContent(intact.header, ENTRIES[:2], intact.intact_bytes, 0)
    before = tree(state)
    with pytest.raises(JournalError, match=r"was not rescued: it has changed since it was read$"):
        rescue(game, other)
    with pytest.raises(JournalError, match=r"was not rescued: its header is not intact$"):
        rescue(game, JournalContent(None, [], 0, 0))
    assert tree(state) == before
