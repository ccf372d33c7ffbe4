"""What is told goes to the disk once and in order, and the game comes back from it."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from faulty_disk import FaultyDisk
from hypothesis import given, settings
from strategies import seeds
from talk import INPUTS, Dice, Talk, random_customs, random_word

from companion.daemon.journal import (
    Journal,
    JournalExistsError,
    JournalInUseError,
    JournalUnsavedError,
)
from companion.daemon.keeper import Entry, Keeper, KeptNote, fingerprint, replay
from companion.daemon.line import Members
from companion.daemon.reading import JournalDamagedError, Reading, read_journal
from companion.games.marrakech import Facing, Setup, usual_players
from companion.table.game import Game, begin, tell
from companion.table.pages import Answer, Begin, PutAway, fresh
from companion.table.told import Beginning, Face, Told, plain_of

ABOUT = {"begun": "2026-03-01T20:14:05+01:00", "simulated": True}
FOUR = Beginning(Setup(usual_players(4)), names=("Ana", "Bo", "Zoë", "Dan"))


@pytest.fixture(scope="module", autouse=True)
def quick_disk() -> Iterator[None]:
    """Nobody pulls the plug here: what was written can be read without waiting for the disk."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        patch.setattr(os, "fdatasync", lambda _: None)
        yield


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "state"


def keeper_of(folder: Path, disk: FaultyDisk | None = None) -> Keeper:
    return Keeper(folder, about=lambda: ABOUT, disk=disk or FaultyDisk())


def kept(answer: Answer) -> tuple[KeptNote, ...]:
    """What a daemon hands on."""
    return tuple(
        note
        if isinstance(note, Begin | PutAway)
        else Entry(note, fingerprint(answer.conversation.playing))
        for note in answer.notes
    )


def batches_of(talk: Talk, words: str) -> list[tuple[KeptNote, ...]]:
    """What is to be written down, word by word."""
    batches = [kept(talk.hear(INPUTS[word])) for word in words.split()]
    assert talk.refused is None
    return [batch for batch in batches if batch]


def tree(folder: Path) -> dict[str, bytes]:
    """Every file and what is in it."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def told_in(path: Path) -> list[str]:
    return [entry["told"] for entry in read_journal(path).entries]


def loaded(folder: Path) -> Game | None:
    keeper = keeper_of(folder)
    game, _ = keeper.load()
    keeper.close()
    return game


# --- One game after the other -------------------------------------------------------------

SET_UP = "ok ok ok ok "
TURN = "east 3 ok "


def test_without_a_folder_there_is_no_game_and_the_folder_is_made(folder: Path) -> None:
    keeper = keeper_of(folder / "deep")
    assert keeper.load() == (None, 0)
    assert (folder / "deep").is_dir()
    assert tree(folder) == {}


def test_a_game_begins_with_what_the_set_up_decided_and_what_is_said_about_it(
    folder: Path,
) -> None:
    keeper = keeper_of(folder)
    keeper.load()
    keeper.save([Begin(FOUR)])
    assert read_journal(keeper.path).header == {**FOUR.plain(), **ABOUT}
    keeper.close()


def test_entries_are_kept_with_the_fingerprint_of_the_game_they_led_to(folder: Path) -> None:
    keeper = keeper_of(folder)
    keeper.load()
    keeper.save([Begin(FOUR), Entry(Face(Facing.EAST), "0123abcd")])
    assert read_journal(keeper.path).entries == [
        {"told": "face", "facing": "e", "hash": "0123abcd"}
    ]
    keeper.close()


def test_a_game_comes_back_as_it_was(folder: Path) -> None:
    talk, keeper = Talk(), keeper_of(folder)
    keeper.load()
    for batch in batches_of(talk, SET_UP + TURN + "west back back"):
        keeper.save(batch)
    keeper.close()
    game = loaded(folder)
    assert game is not None
    assert game.beginning == talk.game.beginning
    assert game.state == talk.state
    assert game.is_putting_back
    assert fingerprint(game) == fingerprint(talk.game)


def test_a_game_goes_on_after_every_single_word(folder: Path) -> None:
    """Switched off and on all the time, the journal is what it is in one go."""
    batches = batches_of(Talk(), SET_UP + TURN + "south back ok 2 ok")
    for batch in batches:
        keeper = keeper_of(folder)
        keeper.load()
        keeper.save(batch)
        keeper.close()
    other = keeper_of(folder / "other")
    other.load()
    other.save([note for batch in batches for note in batch])
    other.close()
    assert tree(folder)["game.jsonl"] == tree(folder / "other")["game.jsonl"]


def test_several_entries_are_one_write(folder: Path) -> None:
    disk = FaultyDisk()
    keeper = keeper_of(folder, disk)
    keeper.load()
    batches = batches_of(Talk(), SET_UP + TURN)
    keeper.save(batches[0])
    disk.calls.clear()
    keeper.save([note for batch in batches[1:] for note in batch])
    assert disk.calls == ["write", "fdatasync"]
    assert told_in(keeper.path) == ["face", "roll", "lay"]
    keeper.close()


def test_nothing_to_save_touches_nothing(folder: Path) -> None:
    disk = FaultyDisk()
    keeper = keeper_of(folder, disk)
    keeper.load()
    keeper.save()
    keeper.save([])
    assert disk.calls == []
    assert tree(folder) == {}


def test_a_game_that_is_put_away_is_in_the_archive_and_the_next_one_may_begin(
    folder: Path,
) -> None:
    keeper = keeper_of(folder)
    keeper.load()
    keeper.save([Begin(FOUR), Entry(Face(Facing.EAST), "1")])
    keeper.save([PutAway()])
    assert list(tree(folder)) == ["archive/0001.jsonl"]
    keeper.save([Begin(FOUR), Entry(Face(Facing.WEST), "2"), PutAway(), Begin(FOUR)])
    assert list(tree(folder)) == ["archive/0001.jsonl", "archive/0002.jsonl", "game.jsonl"]
    assert [read_journal(keeper.archive.path_of(n)).entries[0]["hash"] for n in (1, 2)] == [
        "1",
        "2",
    ]
    keeper.close()


def test_a_game_that_was_only_loaded_can_be_put_away(folder: Path) -> None:
    keeper = keeper_of(folder)
    keeper.load()
    keeper.save([Begin(FOUR)])
    keeper.close()
    keeper = keeper_of(folder)
    keeper.load()
    keeper.save([PutAway()])
    assert list(tree(folder)) == ["archive/0001.jsonl"]
    assert keeper.load() == (None, 0)


def test_putting_away_where_nothing_is_does_nothing(folder: Path) -> None:
    keeper = keeper_of(folder)
    keeper.load()
    keeper.save([PutAway()])
    assert tree(folder) == {}


def test_closing_twice_is_no_trouble_and_lets_go_of_the_game(folder: Path) -> None:
    keeper = keeper_of(folder)
    keeper.load()
    keeper.save([Begin(FOUR)])
    with pytest.raises(JournalInUseError):
        keeper_of(folder).load()
    keeper.close()
    keeper.close()
    assert loaded(folder) is not None


# --- A torn tail --------------------------------------------------------------------------


def test_a_torn_tail_is_cut_off_and_said(folder: Path) -> None:
    write(folder, [Face(Facing.EAST)])
    path = folder / "game.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"crc":"0')
    keeper = keeper_of(folder)
    game, torn = keeper.load()
    assert game is not None
    assert game.now.facing is Facing.EAST
    assert torn == 9
    assert path.read_bytes() == whole
    keeper.close()


def test_half_a_header_is_no_game_and_the_next_one_takes_its_place(folder: Path) -> None:
    write(folder, [])
    path = folder / "game.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[:40])
    keeper = keeper_of(folder)
    assert keeper.load() == (None, 40)
    assert path.read_bytes() == whole[:40]
    keeper.save([Begin(FOUR)])
    assert path.read_bytes() == whole
    keeper.close()


# --- A disk that refuses ------------------------------------------------------------------


EVENING = (
    SET_UP + "east 3 ok back ok pause pause "  # put away
    "ok ok ok 2 "  # the die begins a game by itself
    "ok pause pause " + SET_UP + "west"
)
Batches = list[tuple[KeptNote, ...]]


def evening() -> Batches:
    """Two games and the beginning of a third, in batches as presses come."""
    return batches_of(Talk(), EVENING)


def in_one_go() -> Batches:
    """The same, as it comes to a disk that was away all the time."""
    return [tuple(note for batch in evening() for note in batch)]


def save_all(folder: Path, disk: FaultyDisk, batches: Batches) -> None:
    """Tell it all, whatever the disk says, and go on trying until it takes it."""
    keeper = keeper_of(folder, disk)
    keeper.load()
    for batch in batches:
        with suppress(OSError):
            keeper.save(batch)
    for _ in range(3):
        with suppress(OSError):
            keeper.save()
    keeper.save()
    keeper.close()


@pytest.fixture(scope="module", params=[evening, in_one_go])
def batches(request: pytest.FixtureRequest) -> Batches:
    told: Batches = request.param()
    return told


@pytest.fixture(scope="module")
def flawless(
    batches: Batches, tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[str, bytes], int]:
    """What must be on the disk in the end, and how many calls lead there."""
    folder, disk = tmp_path_factory.mktemp("flawless") / "state", FaultyDisk()
    save_all(folder, disk, batches)
    return tree(folder), len(disk.calls)


def test_an_evening_is_as_it_should_be(folder: Path) -> None:
    save_all(folder, FaultyDisk(), evening())
    assert {name: told_in(folder / name) for name in tree(folder)} == {
        "archive/0001.jsonl": ["face", "roll", "lay", "back", "ready"],
        "archive/0002.jsonl": ["roll", "lay"],
        "game.jsonl": ["face"],
    }


def test_whichever_call_fails_all_is_there_in_the_end(
    folder: Path, batches: Batches, flawless: tuple[dict[str, bytes], int]
) -> None:
    """To the byte: nothing is lost, doubled or out of order."""
    expected, calls = flawless
    for call in range(calls):
        disk = FaultyDisk({call: errno.EIO})
        save_all(folder / str(call), disk, batches)
        assert disk.faults == {}
        assert tree(folder / str(call)) == expected, f"call {call}: {disk.calls[call]}"


class CachingDisk(FaultyDisk):
    """After a sync that failed, what was written can still be read: the kernel has it."""

    def fdatasync(self, file: int) -> None:
        self._call("fdatasync")
        os.fdatasync(file)


@pytest.mark.parametrize("make_disk", [FaultyDisk, CachingDisk])
def test_whichever_two_calls_fail_all_is_there_in_the_end(
    make_disk: type[FaultyDisk],
    folder: Path,
    batches: Batches,
    flawless: tuple[dict[str, bytes], int],
) -> None:
    """The second one while the first is being mended, or soon after."""
    expected, calls = flawless
    for call in range(calls):
        for after in range(1, 8):
            place = folder / f"{call}-{after}"
            faults = dict.fromkeys((call, call + after), errno.ENOSPC)
            save_all(place, make_disk(faults), batches)
            assert tree(place) == expected, (call, after)


def test_a_game_was_begun_when_it_was_and_not_when_the_disk_took_it(folder: Path) -> None:
    times = iter(["20:14", "20:15", "20:16"])
    disk = FaultyDisk()
    keeper = Keeper(folder, about=lambda: {"begun": next(times)}, disk=disk)
    keeper.load()
    disk.fail(errno.EIO)
    with pytest.raises(JournalUnsavedError):
        keeper.save([Begin(FOUR)])
    keeper.save([PutAway(), Begin(FOUR)])
    begun = [read_journal(folder / name).header or {} for name in tree(folder)]
    assert [header["begun"] for header in begun] == ["20:14", "20:15"]
    keeper.close()


def test_a_game_that_somebody_else_began_stays(folder: Path) -> None:
    """However much it looks like ours, it has been played."""
    disk = FaultyDisk()
    keeper = keeper_of(folder, disk)
    keeper.load()
    disk.fail(errno.EIO)
    with pytest.raises(JournalUnsavedError):
        keeper.save([Begin(FOUR)])
    write(folder, [Face(Facing.EAST)])
    before = tree(folder)
    with pytest.raises(JournalExistsError):
        keeper.save()
    assert tree(folder) == before


def test_wherever_the_disk_dies_what_was_confirmed_comes_back(
    folder: Path, batches: Batches, flawless: tuple[dict[str, bytes], int]
) -> None:
    """The power goes: what is found is a beginning of what was told, and all that was shown."""
    _, calls = flawless
    notes = [note for batch in batches for note in batch]
    for call in range(calls + 1):
        place = folder / str(call)
        disk = FaultyDisk(dict.fromkeys(range(call, call + 1000), errno.EIO))
        keeper = keeper_of(place, disk)
        keeper.load()
        confirmed, is_alive = 0, True
        for batch in batches:
            try:
                keeper.save(batch)
            except OSError:
                is_alive = False
            confirmed += len(batch) if is_alive else 0
        keeper.close()
        found = found_in(place)
        assert found == [_name(note) for note in notes[: len(found)]], call
        assert len(found) >= confirmed, call
        loaded(place)


def _name(note: KeptNote) -> object:
    match note:
        case Begin(beginning):
            return {**beginning.plain(), **ABOUT}
        case Entry(told, mark):
            return plain_of(told) | {"hash": mark}
    return "put away"


def found_in(folder: Path) -> list[object]:
    """What the files of a folder say was told, in order."""
    found: list[object] = []
    for name in tree(folder):  # the archive by its numbers, then the game in progress
        reading = read_journal(folder / name)
        if reading.header is not None:
            found += [reading.header, *reading.entries]
            found += ["put away"] if name.startswith("archive") else []
    return found


def test_what_waits_is_counted_and_the_disk_is_named(folder: Path) -> None:
    disk = FaultyDisk()
    keeper = keeper_of(folder, disk)
    keeper.load()
    told = evening()
    keeper.save(told[0])
    disk.fail(errno.ENOSPC)
    with pytest.raises(JournalUnsavedError, match=r"^1 entry is not saved in .* free some space"):
        keeper.save(told[1])
    disk.fail(errno.ENOSPC)
    with pytest.raises(JournalUnsavedError, match=r"^2 entries are not saved"):
        keeper.save(told[2])
    keeper.save(told[3])
    assert told_in(keeper.path) == ["face", "roll", "lay"]
    keeper.close()


def test_a_game_is_not_begun_before_the_last_one_is_put_away(folder: Path) -> None:
    disk = FaultyDisk()
    keeper = keeper_of(folder, disk)
    keeper.load()
    keeper.save([Begin(FOUR)])
    before = tree(folder)
    disk.fail(errno.EROFS)
    with pytest.raises(OSError, match="was not put into the archive"):
        keeper.save([PutAway(), Begin(FOUR), Entry(Face(Facing.EAST), "1")])
    assert tree(folder) == before
    keeper.save()
    assert told_in(keeper.path) == ["face"]
    assert list(tree(folder)) == ["archive/0001.jsonl", "game.jsonl"]
    keeper.close()


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_any_talk_on_any_disk_comes_back(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    """Presses by chance, batches by chance, a disk that fails by chance."""
    chance = Random(seed)
    talk = Talk(fresh(random_customs(chance)))
    talk.chance = Dice(chance)
    faults = {call: errno.EIO for call in range(2000) if chance.random() < 0.1}
    disk = FaultyDisk(faults, most=chance.choice((7, None)))
    keeper = keeper_of(tmp_path_factory.mktemp("any"), disk)
    folder = keeper.path.parent
    keeper.load()
    notes: list[KeptNote] = []
    waiting: list[KeptNote] = []
    for _ in range(150):
        batch = kept(talk.hear(INPUTS[random_word(chance, talk.stage)]))
        notes += batch
        waiting += batch
        if chance.random() < 0.7:
            with suppress(OSError):
                keeper.save(waiting)
            waiting = []
    disk.faults.clear()
    keeper.save(waiting)
    keeper.close()
    assert found_in(folder) == [_name(note) for note in notes]
    game = loaded(folder)
    if game is None:
        assert talk.conversation.game is None
    else:
        assert fingerprint(game) == fingerprint(talk.game)


# --- Replaying ----------------------------------------------------------------------------


def write(folder: Path, told: list[Told]) -> list[Members]:
    """A game as a keeper writes it; its entries."""
    game = begin(FOUR)
    keeper = keeper_of(folder)
    keeper.load()
    keeper.save([Begin(FOUR)])
    for one in told:
        game = tell(game, one)
        keeper.save([Entry(one, fingerprint(game))])
    keeper.close()
    return read_journal(keeper.path).entries


def rewrite(folder: Path, entries: list[Members], header: Members | None = None) -> Path:
    """A journal that is whole, whatever it says."""
    folder.mkdir(exist_ok=True)
    path = folder / "game.jsonl"
    path.unlink(missing_ok=True)
    journal = Journal.create(path, FOUR.plain() if header is None else header)
    journal.append(entries)
    journal.close()
    return path


def refused(folder: Path) -> JournalDamagedError:
    """Why a game does not come back; and nothing was changed by finding out."""
    before = tree(folder)
    with pytest.raises(JournalDamagedError) as caught:
        keeper_of(folder).load()
    assert tree(folder) == before
    return caught.value


def entries_of(words: str = "east 3 ok west 2 ok") -> list[Members]:
    talk = Talk().say(SET_UP)
    notes = [note for batch in batches_of(talk, words) for note in batch]
    return [plain_of(one.told) | {"hash": one.fingerprint} for one in notes if type(one) is Entry]


def test_a_replay_that_differs_is_found_where_it_first_does(folder: Path) -> None:
    """Another roll would have led elsewhere: what was played is not what the file says."""
    entries = entries_of("east 3 ok north 2 ok")
    entries[4]["pips"] = 1
    path = rewrite(folder, entries)
    error = refused(folder)
    lines = path.read_bytes().splitlines(keepends=True)
    assert error.line == 6
    assert "the game comes out otherwise than it was played" in str(error)
    assert error.intact == Reading(FOUR.plain(), entries[:4], sum(map(len, lines[:5])))
    assert replay(error.intact, path).now.facing is Facing.NORTH


def test_the_difference_is_found_before_what_it_makes_illegal(folder: Path) -> None:
    """After another roll the rug cannot lie there; but it was the roll that went astray."""
    entries = entries_of("east 3 ok")
    entries[1]["pips"] = 1
    path = rewrite(folder, entries)
    error = refused(folder)
    assert error.line == 3
    assert error.intact.entries == entries[:1]
    assert replay(error.intact, path).now.facing is Facing.EAST


def test_an_entry_without_a_fingerprint_is_not_trusted(folder: Path) -> None:
    entries = entries_of()
    del entries[-1]["hash"]
    rewrite(folder, entries)
    assert refused(folder).line == len(entries) + 1


def test_an_entry_that_is_not_legal_is_found(folder: Path) -> None:
    entries = entries_of()
    entries[2] = {"told": "lay", "on": "a1-a2", "hash": "00000000"}
    rewrite(folder, entries)
    error = refused(folder)
    assert error.line == 4
    assert error.intact.entries == entries[:2]
    assert "\n" not in str(error)
    assert str(error).endswith("takes the game up to there")


@pytest.mark.parametrize(
    "entry",
    [
        {"told": "sing"},
        {"told": ["roll"]},
        {},
        {"told": "roll"},
        {"told": "roll", "pips": 5},
        {"told": "roll", "pips": True},
        {"told": "roll", "pips": "3"},
        {"told": "lay", "on": 7},
        {"told": "correct-dirhams", "player": 9, "dirhams": 1},
        {"told": "correct-dirhams", "player": 0, "dirhams": 10**30},
        {"told": "again"},
        {"told": "back"},
    ],
    ids=str,
)
def test_an_entry_that_says_nothing_known_is_found(folder: Path, entry: Members) -> None:
    rewrite(folder, [entry])
    error = refused(folder)
    assert error.line == 2
    assert error.intact.entries == []
    assert error.intact.header == FOUR.plain()


@pytest.mark.parametrize(
    "header",
    [
        {},
        {**FOUR.plain(), "players": ["R", "R"]},
        {**FOUR.plain(), "players": "RYBN"},
        {**FOUR.plain(), "booklet": "xx"},
        {**FOUR.plain(), "booklet": []},
        {**FOUR.plain(), "options": 5},
        {**FOUR.plain(), "facing": None},
        {**FOUR.plain(), "names": ["Ana"]},
        {**FOUR.plain(), "piles": ["RYRY"]},
    ],
    ids=str,
)
def test_a_header_that_tells_no_beginning_leaves_nothing(folder: Path, header: Members) -> None:
    rewrite(folder, entries_of(), header)
    error = refused(folder)
    assert error.line == 1
    assert error.intact == Reading(None, [], 0)
    assert "the header does not tell how the game begins" in str(error)
    assert str(error).endswith("nothing before it is left to be rescued")


def test_members_of_a_header_that_are_not_ours_are_left_alone(folder: Path) -> None:
    rewrite(folder, [], {**FOUR.plain(), "mood": "good"})
    assert loaded(folder) is not None


# --- Fingerprints -------------------------------------------------------------------------


def marks(words: str) -> Iterator[str]:
    talk = Talk(options={"turn_order": "pivot-last"}).say(SET_UP)
    for word in words.split():
        talk.say(word)
        yield fingerprint(talk.game)


def test_whatever_is_told_changes_the_fingerprint() -> None:
    """Also what the position does not know: an aim, a turn not committed, putting back."""
    *seen, ready = marks("3 north south ok east ok back ok")
    assert len(set(seen)) == len(seen)
    assert ready == seen[4]  # what was put back is as it was
