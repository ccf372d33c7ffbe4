"""The game store under faults: all commands are stored once, whichever calls fail."""

from __future__ import annotations

import errno
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from helpers.profiles import examples
from helpers.rules.strategies import seeds
from helpers.storage.stored_games import (
    FOUR,
    HEADER_EXTRAS,
    SET_UP,
    command_batches,
    entry_kinds,
    load_game,
    make_store,
    stamp_commands,
    tree,
    write_game,
)
from helpers.table.table_driver import (
    INPUTS,
    RandomDice,
    TableDriver,
    random_input,
    random_preferences,
)
from hypothesis import given, settings

from companion.games.marrakech import Facing
from companion.storage.game_store import GameStore, StampedCommand, StampedEntry, fingerprint
from companion.storage.journal_reader import read_journal
from companion.storage.journal_writer import (
    JournalExistsError,
    JournalUnsavedError,
)
from companion.table.conversation import ArchiveGame, BeginGame, new_conversation
from companion.table.entries import Face, entry_to_json
from companion.testing.faulty_filesystem import FaultyFilesystem

pytestmark = pytest.mark.usefixtures("no_fsync")


SESSION = (
    SET_UP + "east 3 ok back ok pause pause "  # archived
    "ok ok ok 2 "  # a die key begins a game
    "ok pause pause " + SET_UP + "west"
)
Batches = list[tuple[StampedCommand, ...]]


def batch_per_press() -> Batches:
    """Two games and the beginning of a third, one batch for each press."""
    return command_batches(TableDriver(), SESSION)


def single_batch() -> Batches:
    """The same commands in one batch, as after a long failure of the disk."""
    return [tuple(command for batch in batch_per_press() for command in batch)]


def save_all(folder: Path, filesystem: FaultyFilesystem, batches: Batches) -> None:
    """Save all batches, and retry until nothing is pending."""
    store = make_store(folder, filesystem)
    store.load()
    for batch in batches:
        with suppress(OSError):
            store.save(batch)
    for _ in range(3):
        with suppress(OSError):
            store.save()
    store.save()
    store.close()


@pytest.fixture(scope="module", params=[batch_per_press, single_batch])
def batches(request: pytest.FixtureRequest) -> Batches:
    made: Batches = request.param()
    return made


@pytest.fixture(scope="module")
def expected_files(
    batches: Batches, tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[str, bytes], int]:
    """The files that must result, and how many filesystem calls it takes."""
    folder, filesystem = tmp_path_factory.mktemp("expected_files") / "state", FaultyFilesystem()
    save_all(folder, filesystem, batches)
    return tree(folder), len(filesystem.calls)


def test_session_is_stored_in_three_journals(folder: Path) -> None:
    save_all(folder, FaultyFilesystem(), batch_per_press())
    assert {name: entry_kinds(folder / name) for name in tree(folder)} == {
        "archive/0001.jsonl": ["face", "roll", "lay", "back", "ready"],
        "archive/0002.jsonl": ["roll", "lay"],
        "game.jsonl": ["face"],
    }


def test_all_commands_are_stored_whichever_call_fails(
    folder: Path, batches: Batches, expected_files: tuple[dict[str, bytes], int]
) -> None:
    """The files are the same to the byte."""
    expected, calls = expected_files
    for call in range(calls):
        filesystem = FaultyFilesystem(errors_at={call: errno.EIO})
        save_all(folder / str(call), filesystem, batches)
        assert filesystem.errors_at == {}
        assert tree(folder / str(call)) == expected, f"call {call}: {filesystem.calls[call]}"


@pytest.mark.parametrize("loses_unsynced_data", [True, False])
def test_all_commands_are_stored_whichever_two_calls_fail(
    loses_unsynced_data: bool,
    folder: Path,
    batches: Batches,
    expected_files: tuple[dict[str, bytes], int],
) -> None:
    """The second one fails during the recovery from the first, or soon after it."""
    expected, calls = expected_files
    for call in range(calls):
        for after in range(1, 8):
            place = folder / f"{call}-{after}"
            faults = dict.fromkeys((call, call + after), errno.ENOSPC)
            filesystem = FaultyFilesystem(errors_at=faults, loses_unsynced_data=loses_unsynced_data)
            save_all(place, filesystem, batches)
            assert tree(place) == expected, (call, after)


def test_header_has_the_time_of_the_first_attempt(folder: Path) -> None:
    times = iter(["20:14", "20:15", "20:16"])
    filesystem = FaultyFilesystem()
    store = GameStore(folder, header_extras=lambda: {"begun": next(times)}, filesystem=filesystem)
    store.load()
    filesystem.fail_next(errno.EIO)
    with pytest.raises(JournalUnsavedError):
        store.save([BeginGame(FOUR)])
    store.save([ArchiveGame(), BeginGame(FOUR)])
    begun = [read_journal(folder / name).header or {} for name in tree(folder)]
    assert [header["begun"] for header in begun] == ["20:14", "20:15"]
    store.close()


def test_game_that_another_process_began_is_not_overwritten(folder: Path) -> None:
    """Its header is the same as ours, but it has an entry."""
    filesystem = FaultyFilesystem()
    store = make_store(folder, filesystem)
    store.load()
    filesystem.fail_next(errno.EIO)
    with pytest.raises(JournalUnsavedError):
        store.save([BeginGame(FOUR)])
    write_game(folder, [Face(Facing.EAST)])
    before = tree(folder)
    with pytest.raises(JournalExistsError):
        store.save()
    assert tree(folder) == before


def test_confirmed_commands_are_stored_wherever_the_disk_dies(
    folder: Path, batches: Batches, expected_files: tuple[dict[str, bytes], int]
) -> None:
    """The files contain a prefix of all commands, with at least the confirmed ones."""
    _, calls = expected_files
    commands = [command for batch in batches for command in batch]
    for call in range(calls + 1):
        place = folder / str(call)
        filesystem = FaultyFilesystem(errors_at=dict.fromkeys(range(call, call + 1000), errno.EIO))
        store = make_store(place, filesystem)
        store.load()
        confirmed, is_alive = 0, True
        for batch in batches:
            try:
                store.save(batch)
            except OSError:
                is_alive = False
            confirmed += len(batch) if is_alive else 0
        store.close()
        found = stored_content(place)
        assert found == [expected_content(command) for command in commands[: len(found)]], call
        assert len(found) >= confirmed, call
        load_game(place)


def expected_content(command: StampedCommand) -> object:
    match command:
        case BeginGame(beginning):
            return {**beginning.to_json(), **HEADER_EXTRAS}
        case StampedEntry(entry, entry_fingerprint):
            return entry_to_json(entry) | {"hash": entry_fingerprint}
    return "archived"


def stored_content(folder: Path) -> list[object]:
    """The content of all files of a folder, in the order in which it was saved."""
    found: list[object] = []
    for name in tree(folder):  # the archive by number, then the current game
        content = read_journal(folder / name)
        if content.header is not None:
            found += [content.header, *content.entries]
            found += ["archived"] if name.startswith("archive") else []
    return found


def test_error_counts_the_unsaved_entries(folder: Path) -> None:
    filesystem = FaultyFilesystem()
    store = make_store(folder, filesystem)
    store.load()
    session = batch_per_press()
    store.save(session[0])
    filesystem.fail_next(errno.ENOSPC)
    with pytest.raises(JournalUnsavedError, match=r"^1 entry is not saved in .* free some space"):
        store.save(session[1])
    filesystem.fail_next(errno.ENOSPC)
    with pytest.raises(JournalUnsavedError, match=r"^2 entries are not saved"):
        store.save(session[2])
    store.save(session[3])
    assert entry_kinds(store.path) == ["face", "roll", "lay"]
    store.close()


def test_game_does_not_begin_before_the_last_one_is_archived(folder: Path) -> None:
    filesystem = FaultyFilesystem()
    store = make_store(folder, filesystem)
    store.load()
    store.save([BeginGame(FOUR)])
    before = tree(folder)
    filesystem.fail_next(errno.EROFS)
    with pytest.raises(OSError, match="was not moved to the archive"):
        store.save([ArchiveGame(), BeginGame(FOUR), StampedEntry(Face(Facing.EAST), "1")])
    assert tree(folder) == before
    store.save()
    assert entry_kinds(store.path) == ["face"]
    assert list(tree(folder)) == ["archive/0001.jsonl", "game.jsonl"]
    store.close()


@settings(max_examples=examples(40))
@given(seeds)
def test_random_session_with_random_errors_is_stored(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    """Random presses, random batches, random errors."""
    random = Random(seed)
    driver = TableDriver(new_conversation(random_preferences(random)))
    driver.random_source = RandomDice(random)
    faults = {call: errno.EIO for call in range(2000) if random.random() < 0.1}
    filesystem = FaultyFilesystem(errors_at=faults, max_write_bytes=random.choice((7, None)))
    store = make_store(tmp_path_factory.mktemp("any"), filesystem)
    folder = store.path.parent
    store.load()
    commands: list[StampedCommand] = []
    pending: list[StampedCommand] = []
    for _ in range(150):
        batch = stamp_commands(driver.handle(INPUTS[random_input(random, driver.stage)]))
        commands += batch
        pending += batch
        if random.random() < 0.7:
            with suppress(OSError):
                store.save(pending)
            pending = []
    filesystem.errors_at.clear()
    store.save(pending)
    store.close()
    assert stored_content(folder) == [expected_content(command) for command in commands]
    game = load_game(folder)
    if game is None:
        assert driver.conversation.game is None
    else:
        assert fingerprint(game) == fingerprint(driver.game)
