"""Games that are put away stay where they are, and a damaged one is never thrown away."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from helpers.storage.faulty_filesystem import FaultyDisk

from companion.storage.archive import (
    Archive,
    ArchiveError,
    ArchiveUnsyncedError,
    UnknownGameError,
    rescue,
    set_aside,
)
from companion.storage.journal_reader import (
    JournalContent,
    JournalDamagedError,
    JournalError,
    read_journal,
)
from companion.storage.journal_writer import Journal, JournalInUseError
from companion.storage.line_codec import Members

ENTRIES: list[Members] = [{"told": "turn"}, {"told": "roll", "pips": 2}, {"told": "lay"}]


def begin(path: Path, name: str = "Zoë") -> Path:
    journal = Journal.create(path, {"name": name})
    journal.append(ENTRIES)
    journal.close()
    return path


def name_of(path: Path) -> object:
    header = read_journal(path).header
    return header and header["name"]


@pytest.fixture
def state(tmp_path: Path) -> Path:
    folder = tmp_path / "state"
    folder.mkdir()
    return folder


def tree(folder: Path) -> dict[str, bytes]:
    """Every file and what is in it."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_games_are_numbered_in_the_order_they_come(state: Path) -> None:
    archive = Archive(state / "archive")
    for number in (1, 2, 3):
        assert archive.put_away(begin(state / "game.jsonl", str(number))) == number
    assert archive.numbers() == [1, 2, 3]
    assert [name_of(archive.path_of(n)) for n in (1, 2, 3)] == ["1", "2", "3"]
    assert list(tree(state)) == [f"archive/000{n}.jsonl" for n in (1, 2, 3)]


def test_a_number_that_was_deleted_is_not_given_to_another_game(state: Path) -> None:
    archive = Archive(state / "archive")
    for _ in range(3):
        archive.put_away(begin(state / "game.jsonl"))
    archive.path_of(2).unlink()
    assert archive.put_away(begin(state / "game.jsonl")) == 4
    assert archive.numbers() == [1, 3, 4]


def test_there_are_numbers_after_9999(state: Path) -> None:
    folder = state / "archive"
    folder.mkdir()
    begin(folder / "9999.jsonl")
    archive = Archive(folder)
    assert archive.put_away(begin(state / "game.jsonl")) == 10000
    assert archive.path_of(10000) == folder / "10000.jsonl"
    assert archive.numbers() == [9999, 10000]


@pytest.mark.parametrize("is_there", [True, False])
def test_an_archive_may_be_empty_or_missing(state: Path, is_there: bool) -> None:
    if is_there:
        (state / "archive").mkdir()
    archive = Archive(state / "archive")
    assert archive.numbers() == []
    with pytest.raises(UnknownGameError, match=r"^no game 1 in the archive: it is empty$"):
        archive.path_of(1)
    assert (state / "archive").exists() == is_there
    assert archive.put_away(begin(state / "game.jsonl")) == 1


def test_foreign_files_are_no_games(state: Path) -> None:
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
    assert archive.put_away(begin(state / "game.jsonl")) == 1
    assert all((folder / name).read_bytes() == b"mine" for name in foreign)


def test_an_archive_that_cannot_be_read_says_so(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(folder: Path) -> list[Path]:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(ArchiveError, match=f"^cannot read {state}: Permission denied$"):
        Archive(state).numbers()


def test_an_unknown_number_names_those_there_are(state: Path) -> None:
    folder = state / "archive"
    folder.mkdir()
    for number in (1, 2, 3, 5, 8, 9):
        begin(folder / f"{number:04}.jsonl")
    words = r"^no game 4 in the archive: there are 1 to 3, 5 and 8 to 9$"
    with pytest.raises(UnknownGameError, match=words) as caught:
        Archive(folder).path_of(4)
    assert isinstance(caught.value, LookupError)


def test_a_number_that_is_taken_at_the_same_moment_is_left_alone(state: Path) -> None:
    """Whoever comes second finds the name taken, and takes the next."""
    folder = state / "archive"
    folder.mkdir()

    class Race(FaultyDisk):
        def open(self, path: Path, *, is_new: bool = False) -> int:
            if path == folder / "0001.jsonl" and not path.exists():
                begin(path, "theirs")
            return super().open(path, is_new=is_new)

    archive = Archive(folder, Race())
    assert archive.put_away(begin(state / "game.jsonl", "ours")) == 2
    assert [name_of(archive.path_of(n)) for n in (1, 2)] == ["theirs", "ours"]


def test_a_number_without_a_game_is_no_game_and_not_given_again(state: Path) -> None:
    """So it is when the power goes between taking the number and moving the game."""
    folder = state / "archive"
    folder.mkdir()
    (folder / "0001.jsonl").touch()
    archive = Archive(folder)
    assert archive.numbers() == []
    assert archive.put_away(begin(state / "game.jsonl")) == 2


def test_the_names_are_on_the_disk_before_it_is_said(state: Path) -> None:
    disk = FaultyDisk()
    Archive(state / "archive", disk).put_away(begin(state / "game.jsonl"))
    assert disk.calls == ["open", "fsync state", "open", "rename", "fsync archive", "fsync state"]


def test_a_game_that_is_being_played_is_not_put_away(state: Path) -> None:
    journal = Journal.create(state / "game.jsonl", {})
    before = tree(state)
    with pytest.raises(JournalInUseError):
        Archive(state / "archive").put_away(state / "game.jsonl")
    assert tree(state) == before
    journal.close()


@pytest.mark.parametrize("is_there", [True, False])
def test_where_no_game_was_begun_none_is_put_away(state: Path, is_there: bool) -> None:
    if is_there:
        (state / "game.jsonl").touch()
    with pytest.raises(ArchiveError, match="was not put into the archive"):
        Archive(state / "archive").put_away(state / "game.jsonl")
    assert Archive(state / "archive").numbers() == []


@pytest.mark.parametrize("call", range(6))
def test_a_game_is_in_one_place_whichever_call_fails(state: Path, call: int) -> None:
    game = begin(state / "game.jsonl")
    content = game.read_bytes()
    disk = FaultyDisk({call: errno.ENOSPC})
    archive = Archive(state / "archive", disk)
    with pytest.raises(ArchiveError, match=r"\(No space left on device: free some space\)$") as e:
        archive.put_away(game)
    assert e.value.errno == errno.ENOSPC
    assert isinstance(e.value, ArchiveUnsyncedError) == (call >= 4)
    if call < 4:
        assert tree(state) == {"game.jsonl": content}
        assert archive.put_away(game) == 1
    else:
        assert archive.numbers() == [1]
    assert tree(state) == {"archive/0001.jsonl": content}


def damaged(path: Path) -> JournalContent:
    """Line 3, that is the second entry, of four is damaged."""
    begin(path)
    path.write_bytes(path.read_bytes().replace(b'"pips":2', b'"pips":3'))
    with pytest.raises(JournalDamagedError) as caught:
        read_journal(path)
    return caught.value.intact


def test_the_intact_beginning_is_a_journal_again_and_the_damaged_one_is_kept(state: Path) -> None:
    game = state / "game.jsonl"
    intact = damaged(game)
    whole = game.read_bytes()
    assert rescue(game, intact) == state / "game.jsonl.damaged"
    assert read_journal(game) == intact
    assert intact.entries == ENTRIES[:1]
    assert tree(state) == {
        "game.jsonl": whole[: intact.good_bytes],
        "game.jsonl.damaged": whole,
    }
    journal = Journal.open(game, intact)
    journal.append(ENTRIES[1:])
    journal.close()
    assert read_journal(game).entries == ENTRIES


def test_a_damaged_journal_is_kept_beside_older_ones(state: Path) -> None:
    game = state / "game.jsonl"
    for number, name in enumerate(["", "-2", "-3"], 1):
        kept = rescue(game, damaged(game))
        assert kept == state / f"game.jsonl.damaged{name}"
        assert len(tree(state)) == number + 1
        game.unlink()


def test_a_game_in_the_archive_is_rescued_there(state: Path) -> None:
    archive = Archive(state / "archive")
    intact = damaged(state / "game.jsonl")
    path = archive.path_of(archive.put_away(state / "game.jsonl"))
    assert rescue(path, intact) == state / "archive" / "0001.jsonl.damaged"
    assert read_journal(archive.path_of(1)) == intact
    assert archive.numbers() == [1]


def test_the_damaged_one_is_kept_on_the_disk_before_its_name_is_taken(state: Path) -> None:
    intact = damaged(state / "game.jsonl")
    disk = FaultyDisk()
    rescue(state / "game.jsonl", intact, disk)
    assert disk.calls == [
        *("open", "open", "write", "fdatasync", "open", "write", "fdatasync"),
        *("fsync state", "rename", "fsync state"),
    ]


@pytest.mark.parametrize("call", range(10))
def test_a_rescue_loses_nothing_whichever_call_fails(state: Path, call: int) -> None:
    game = state / "game.jsonl"
    intact = damaged(game)
    whole = game.read_bytes()
    with pytest.raises(ArchiveError, match=r"was not rescued \(No space left on device: free"):
        rescue(game, intact, FaultyDisk({call: errno.ENOSPC}))
    if call < 8:
        assert tree(state) == {"game.jsonl": whole}
    else:
        assert tree(state)["game.jsonl.damaged"] == whole
    if call < 9:
        assert game.read_bytes() == whole
        rescue(game, intact)
    assert read_journal(game) == intact
    assert not (state / "game.jsonl.rescued").exists()


def test_a_game_that_is_being_played_is_not_rescued(state: Path) -> None:
    game = begin(state / "game.jsonl")
    journal = Journal.open(game, read_journal(game))
    with pytest.raises(JournalInUseError):
        rescue(game, read_journal(game))
    journal.close()


def test_a_journal_of_which_nothing_is_left_is_set_aside(state: Path) -> None:
    game = state / "game.jsonl"
    for name in ("game.jsonl.damaged", "game.jsonl.damaged-2"):
        game.write_bytes(name.encode())
        disk = FaultyDisk()
        assert set_aside(game, disk) == state / name
        assert disk.calls == ["open", "rename", "fsync state"]
        assert not game.exists()
        assert (state / name).read_bytes() == name.encode()


def test_a_game_that_is_being_played_is_not_set_aside(state: Path) -> None:
    journal = Journal.create(state / "game.jsonl", {})
    with pytest.raises(JournalInUseError):
        set_aside(state / "game.jsonl")
    journal.close()
    with pytest.raises(ArchiveError, match=r"game\.jsonl was not set aside \(No space left on dev"):
        set_aside(state / "game.jsonl", FaultyDisk({1: errno.ENOSPC}))
    assert list(tree(state)) == ["game.jsonl"]


def test_nothing_is_rescued_from_another_reading(state: Path) -> None:
    game = state / "game.jsonl"
    intact = damaged(game)
    other = JournalContent(intact.header, ENTRIES[:2], intact.good_bytes, 0)
    before = tree(state)
    with pytest.raises(JournalError, match=r"was not rescued: it has changed since it was read$"):
        rescue(game, other)
    with pytest.raises(JournalError, match=r"was not rescued: its header is not intact$"):
        rescue(game, JournalContent(None, [], 0, 0))
    assert tree(state) == before
