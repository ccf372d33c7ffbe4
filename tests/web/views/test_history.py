"""The game in progress, moment by moment: what was told, also if it was taken back."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from helpers.storage.archived_games import EAST, FOUR, LAID, THREE, TURN, keep, put_away, whole_game
from helpers.storage.game_folder import damage, rewrite
from helpers.storage.stored_games import quick_disk, tree
from helpers.table.table_driver import Dice, begun, random_word

from companion.control import snapshot
from companion.daemon.controller import TableView
from companion.games.marrakech import Rolled, legal_actions, parse_position
from companion.table.conversation import Conversation, Playing, Preferences
from companion.table.entries import Act, Aim, CorrectDirhams, Ready, TakeBack, TellAgain
from companion.table.game import begin, tell
from companion.table.scenes.stage_scenes import Status
from companion.web.views import history as history_module
from companion.web.views.history import LONGEST_FILE, History, NoMomentError, Shelf, read_story

AIM = Aim(LAID.action.placement)  # type: ignore[attr-defined]


@pytest.fixture(scope="module", autouse=True)
def at_once() -> Iterator[None]:
    with quick_disk():
        yield


def column(folder: Path, name: str) -> list[Any]:
    return [moment[name] for moment in History(folder).moments()]


# --- Moments ------------------------------------------------------------------------------


def test_every_moment_says_who_did_what_and_what_everybody_has_then(tmp_path: Path) -> None:
    keep(tmp_path, *TURN)
    assert History(tmp_path).moments() == [
        {
            "number": 0,
            "turn": 1,
            "told": "begin",
            "seat": None,
            "who": None,
            "words": ["The game begins, by the booklet: English."],
            "taken_back": False,
            "dirhams": [30, 30, 30, 30],
            "scores": [30, 30, 30, 30],
        },
        *(
            {
                "number": number,
                "turn": 1,
                "told": told,
                "seat": 0,
                "who": "Ana",
                "words": [words],
                "taken_back": False,
                "dirhams": [30, 30, 30, 30],
                "scores": [score, 30, 30, 30],
            }
            for number, told, words, score in (
                (1, "face", "Assam faces east.", 30),
                (2, "roll", "Ana rolled 3: Assam walks to g4 and faces east.", 30),
                (3, "lay", "Ana laid a red rug on f4 and f5.", 32),
            )
        ),
    ]


def test_turns_are_counted_by_those_that_stand(tmp_path: Path) -> None:
    keep(tmp_path, *TURN, Act(Rolled(1)), TakeBack(), TakeBack(), Ready(), LAID, Act(Rolled(1)))
    assert column(tmp_path, "turn") == [1, 1, 1, 1, 2, 1, 2]
    assert column(tmp_path, "seat") == [None, 0, 0, 0, 1, 0, 1]


def test_what_was_taken_back_stays_in_its_place_and_is_marked(tmp_path: Path) -> None:
    keep(tmp_path, EAST, THREE, TakeBack(), Ready(), Act(Rolled(1)))
    assert column(tmp_path, "told") == ["begin", "face", "roll", "roll"]
    assert column(tmp_path, "taken_back") == [False, False, True, False]


def test_what_was_told_again_is_one_moment_and_stands(tmp_path: Path) -> None:
    keep(tmp_path, EAST, THREE, TakeBack(), TakeBack(), TellAgain())
    assert column(tmp_path, "taken_back") == [False, False, True]
    keep_on = History(tmp_path).moment(1)
    assert keep_on["assam"] == {"square": "d4", "facing": "east"}


def test_where_a_rug_would_be_laid_is_no_moment(tmp_path: Path) -> None:
    keep(tmp_path, EAST, THREE, AIM, LAID)
    assert column(tmp_path, "told") == ["begin", "face", "roll", "lay"]


def test_a_correction_is_nobodys(tmp_path: Path) -> None:
    keep(tmp_path, CorrectDirhams(1, 7))
    assert column(tmp_path, "who") == [None, None]
    assert column(tmp_path, "words")[1] == ["Corrected: Bo has 7 dirhams."]
    assert column(tmp_path, "dirhams")[1] == [30, 7, 30, 30]


def test_who_has_no_name_is_called_by_colour(tmp_path: Path) -> None:
    told = whole_game(3)
    keep(tmp_path, *told)
    assert set(column(tmp_path, "who")) == {None, "Ana", "Bo", "Zoë", "Brown"}
    assert column(tmp_path, "turn")[-1] == 48


def test_a_correction_after_the_end_belongs_to_the_last_turn(tmp_path: Path) -> None:
    keep(tmp_path, *whole_game(3), CorrectDirhams(1, 2))
    assert column(tmp_path, "turn")[-2:] == [48, 48]


def test_without_a_game_there_are_no_moments(tmp_path: Path) -> None:
    past = History(tmp_path / "nowhere")
    assert (past.moments(), past.damaged()) == ([], None)
    with pytest.raises(NoMomentError, match=r"^no moment 0: there is no game$"):
        past.moment(0)


# --- The table then -----------------------------------------------------------------------


def test_a_moment_is_told_as_the_account_told_it(tmp_path: Path) -> None:
    """To the letter, also those that were taken back."""
    told = [*whole_game(5)[:40], TakeBack(), TakeBack(), Ready()]
    game = begin(FOUR)
    for one in told:
        game = tell(game, one)
    told.append(Act(legal_actions(game.state)[-1]))
    keep(tmp_path, *told)
    past, game, number = History(tmp_path), begin(FOUR), 0
    for one in told:
        game = tell(game, one)
        if isinstance(one, TakeBack | Ready):
            continue
        number += 1
        view = TableView(Conversation(Preferences(), Playing(), game), Status())
        assert past.moment(number) == snapshot.snapshot_of(view)["game"]
    assert number == 41


@pytest.mark.parametrize("number", [-1, 4, 10**6])
def test_a_moment_that_there_is_not_is_refused_by_number(tmp_path: Path, number: int) -> None:
    keep(tmp_path, *TURN)
    with pytest.raises(NoMomentError, match=f"^no moment {number}: there are 0 to 3$"):
        History(tmp_path).moment(number)


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_played_can_be_looked_back_on(tmp_path: Path, seed: int) -> None:
    """Any talk: numbers run on, all of it is JSON, and the last moment that stands is now."""
    chance = Random(seed)
    talk = begun(players=2 + seed % 3, names=("Ana", "", "Cleo", "Dan"))
    talk.chance = Dice(chance)
    while len(talk.notes) < 150 and not talk.state.is_over:
        word = random_word(chance, talk.stage)
        talk.refused = None
        talk.say(word if word != "pause" else "ok")
    keep(tmp_path, *talk.told, beginning=talk.game.beginning)
    past = History(tmp_path)
    found = past.moments()
    assert json.loads(json.dumps(found)) == found
    assert [moment["number"] for moment in found] == list(range(len(found)))
    standing = [moment["number"] for moment in found if not moment["taken_back"]]
    assert len(standing) == talk.game.now.number + 1 < len(found)
    assert parse_position(past.moment(standing[-1])["position"]) == talk.state


# --- While the table writes ---------------------------------------------------------------


def test_a_last_line_that_is_not_whole_yet_is_not_there_yet(tmp_path: Path) -> None:
    """At every byte of the writing, there is the game so far and nothing is called damaged."""
    keep(tmp_path, *TURN)
    path = tmp_path / "game.jsonl"
    data, past = path.read_bytes(), History(tmp_path)
    ends = [n + 1 for n, byte in enumerate(data) if byte == 10]
    for cut in range(len(data) + 1):
        path.write_bytes(data[:cut])
        assert len(past.moments()) == sum(end <= cut for end in ends)
        assert past.damaged() is None


def test_what_is_told_since_is_seen(tmp_path: Path) -> None:
    keep(tmp_path, *TURN)
    path = tmp_path / "game.jsonl"
    data, past = path.read_bytes(), History(tmp_path)
    path.write_bytes(data[: data.rindex(b"\n", 0, -1) + 1])
    assert len(past.moments()) == 3
    path.write_bytes(data)
    assert len(past.moments()) == 4
    put_away(tmp_path)
    assert past.moments() == []


def test_looking_changes_nothing(tmp_path: Path) -> None:
    keep(tmp_path, *TURN)
    path = tmp_path / "game.jsonl"
    path.write_bytes(path.read_bytes() + b'{"crc":"')
    before = tree(tmp_path)
    past = History(tmp_path)
    past.moments()
    past.moment(2)
    assert tree(tmp_path) == before


def test_a_file_is_read_once_until_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[Path] = []

    def counted(path: Path, *more: Any) -> Any:  # noqa: ANN401 - as it is
        reads.append(path)
        return read_story(path, *more)

    monkeypatch.setattr(history_module, "read_story", counted)
    keep(tmp_path, *TURN)
    path = tmp_path / "game.jsonl"
    past = History(tmp_path)
    assert past.moments() is past.moments()
    past.moment(1)
    assert len(reads) == 1
    os.utime(path, ns=(1, 1))
    past.moments()
    assert len(reads) == 2


def test_a_shelf_keeps_the_last_few(tmp_path: Path) -> None:
    for name in "abc":
        keep(tmp_path / name, *TURN)
    paths = [tmp_path / name / "game.jsonl" for name in "abc"]
    shelf = Shelf(2)
    first, second = shelf.story(paths[0]), shelf.story(paths[1])
    assert shelf.story(paths[0]) is first  # so the second is the oldest
    shelf.story(paths[2])
    assert shelf.story(paths[0]) is first
    assert shelf.story(paths[1]) is not second


# --- Damage -------------------------------------------------------------------------------


def test_of_a_damaged_game_the_intact_beginning_is_told_and_what_to_do(tmp_path: Path) -> None:
    keep(tmp_path, *TURN)
    path = tmp_path / "game.jsonl"
    damage(path, 3)
    past = History(tmp_path)
    assert [moment["told"] for moment in past.moments()] == ["begin", "face"]
    said = past.damaged()
    assert said is not None
    assert said.startswith("This game is damaged: line 3 of the journal: ")
    assert said.endswith(f"1 entry before it is intact; to go on from there: {rescue(path)}")


def rescue(path: Path) -> str:
    return f"marrakech games rescue {path}"


def test_a_game_that_comes_out_otherwise_is_told_as_far_as_it_does_not(tmp_path: Path) -> None:
    keep(tmp_path, *TURN)
    rewrite(tmp_path / "game.jsonl", 3, pips=4)
    past = History(tmp_path)
    assert [moment["told"] for moment in past.moments()] == ["begin", "face"]
    assert "comes out otherwise than it was played" in (past.damaged() or "")


def test_a_game_without_its_header_has_no_moments(tmp_path: Path) -> None:
    keep(tmp_path, *TURN)
    rewrite(tmp_path / "game.jsonl", 1, players=["Q"])
    past = History(tmp_path)
    assert past.moments() == []
    assert (past.damaged() or "").startswith("This game is damaged: line 1 of the journal: ")


def test_a_file_of_another_version_is_not_called_damaged(tmp_path: Path) -> None:
    keep(tmp_path, *TURN)
    rewrite(tmp_path / "game.jsonl", 1, journal=2)
    assert (History(tmp_path).damaged() or "").startswith("This game cannot be read: ")


def test_what_is_no_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").mkdir()
    said = History(tmp_path).damaged()
    assert said is not None
    assert said.endswith("(Is a directory: move it away)")


def test_a_file_that_is_far_too_long_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "game.jsonl").open("wb") as file:
        file.truncate(LONGEST_FILE + 1)
    assert "longer than a game gets" in (History(tmp_path).damaged() or "")


@pytest.mark.parametrize("seed", range(40))
def test_garbage_is_told_of_and_never_raised(tmp_path: Path, seed: int) -> None:
    """A journal with bytes changed, lines lost, cut or doubled: moments, or what is wrong."""
    chance = Random(seed)
    keep(tmp_path, *whole_game(seed)[:30])
    path = tmp_path / "game.jsonl"
    whole = column(tmp_path, "told")
    lines = path.read_bytes().splitlines(keepends=True)
    data = bytearray(b"".join(lines))
    match seed % 4:
        case 0:
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        case 1:
            del lines[chance.randrange(len(lines))]
            data = bytearray(b"".join(lines))
        case 2:
            lines.insert(chance.randrange(len(lines)), chance.choice(lines))
            data = bytearray(b"".join(lines))
        case 3:
            data[chance.randrange(len(data)) :] = chance.randbytes(chance.randrange(200))
    path.write_bytes(data)
    past = History(tmp_path)
    told = [moment["told"] for moment in past.moments()]
    assert told == whole[: len(told)]
    if seed % 4 in (0, 2):  # else it may look as if nobody had told the rest yet
        assert past.damaged() is not None
