"""The line of `systemctl status`, word for word."""

from __future__ import annotations

from dataclasses import replace

import pytest
from helpers.table.table_driver import TableDriver, at, begun

from companion.daemon.controller import TableView
from companion.daemon.status_line import status_line
from companion.daemon.trouble import disk_trouble, matrix_trouble
from companion.table.conversation import Playing, resumed
from companion.table.scenes.stage_scenes import Status

RED3 = "......./......./......./...R1.../...R2R2../......./......."
TO_PAY = f"{RED3} e5e pay Y R:30:10,Y:30:11,B:30:12,N:30:12 -"
PAID_OUT = f"{RED3} e5e pay Y R:30:10,Y:1:11,B:30:12,N:30:12 bankruptcy=out"


def line(talk: TableDriver, status: Status | None = None) -> str:
    return status_line(TableView(talk.conversation, status or Status()))


def test_a_table_without_a_game() -> None:
    assert line(TableDriver()) == "A new game | 4 players. Directions change it, OK goes on."


def test_whose_turn_it_is_how_far_the_game_is_and_what_to_do() -> None:
    assert line(begun()) == (
        "Red: your turn | turn 1, 4 of 4 play | Assam faces south. Turn him left or right or "
        "leave him, then press what the die shows."
    )
    assert line(at(TO_PAY)) == (
        "Yellow: your turn | turn 1, 4 of 4 play | Yellow pays 3 dirhams to Red. "
        "OK when they are paid."
    )


@pytest.mark.parametrize(
    ("words", "turn"),
    [
        ("east", 1),
        ("2", 1),
        ("2 ok", 2),
        ("2 ok back", 1),
        ("2 ok back back", 1),
        ("2 ok west 1 ok", 3),
    ],
)
def test_turns_are_counted_and_back_takes_them_back(words: str, turn: int) -> None:
    assert f" | turn {turn}, 4 of 4 play | " in line(begun(words))


def test_who_is_out_plays_no_more() -> None:
    assert "3 of 4 play | " in line(at(PAID_OUT, "ok"))


def test_names_are_said_as_everywhere() -> None:
    talk = begun(names=("Amina", "Ben", "Cleo", "Dan"))
    assert line(talk).startswith("Amina: your turn | turn 1, 4 of 4 play | ")


def test_an_audit_says_what_to_compare_and_no_turn() -> None:
    assert line(begun("audit")) == (
        "Compare with the cardboard | Assam stands on d4. OK if he does; directions move him."
    )


def test_a_game_that_waits_says_where_it_stopped() -> None:
    talk = begun("2 ok")
    talk.conversation = resumed(talk.conversation.customs, talk.game)
    assert line(talk) == (
        "A game is waiting | turn 2, 4 of 4 play | Yellow is to play. OK goes on."
    )


def test_a_game_that_is_over_says_who_won_and_not_the_whole_count() -> None:
    talk = at(f"{RED3} e5e over R R:33:0,Y:27:0,B:30:0,N:30:0 -")
    assert isinstance(talk.conversation.page, Playing)
    assert line(talk) == (
        "Red wins with 36 points | OK puts the game into the archive and begins a new one."
    )


# --- What comes before it -----------------------------------------------------------------


def test_what_is_simulated_says_so_before_everything() -> None:
    assert line(TableDriver(), Status(is_simulated=True)).startswith("SIMULATED | A new game | ")


def test_trouble_comes_before_the_game() -> None:
    view = TableView(TableDriver().conversation, Status(is_simulated=True))
    full, gone = disk_trouble(OSError(28, "")), matrix_trouble(OSError(5, "Input/output error"))
    assert status_line(replace(view, trouble=(full, gone))) == (
        "SIMULATED | The disk is full, and what is told is not saved. Free some space; until this "
        "has gone, do not pull the plug. | The matrix cannot be written to (Input/output error): "
        "check its wires and its supply. | A new game | 4 players. Directions change it, OK goes "
        "on."
    )


def test_what_is_refused_or_heard_changes_nothing() -> None:
    """It is gone before anybody reads it."""
    talk = begun()
    before = line(talk)
    talk.say("north")
    assert talk.refused is not None
    assert status_line(TableView(talk.conversation, Status(is_heard=True), talk.refused)) == before
