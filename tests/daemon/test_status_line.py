"""The status line for `systemctl status`."""

from __future__ import annotations

from dataclasses import replace

import pytest
from helpers.table.table_driver import TableDriver, game_at, started_game

from companion.daemon.status_line import status_line
from companion.daemon.trouble import disk_trouble, matrix_trouble
from companion.table.conversation import Playing, resumed_conversation
from companion.table.scenes.stage_scenes import RailStatus
from companion.table.view import TableView

RED3 = "......./......./......./...R1.../...R2R2../......./......."
TO_PAY = f"{RED3} e5e pay Y R:30:10,Y:30:11,B:30:12,N:30:12 -"
PAID_OUT = f"{RED3} e5e pay Y R:30:10,Y:1:11,B:30:12,N:30:12 bankruptcy=out"


def line(driver: TableDriver, status: RailStatus | None = None) -> str:
    return status_line(TableView(driver.conversation, status or RailStatus()))


def test_a_table_without_a_game() -> None:
    assert line(TableDriver()) == "A new game | 4 players. Directions change it, OK goes on."


def test_a_game_has_the_player_the_turn_and_what_to_do() -> None:
    assert line(started_game()) == (
        "Red: your turn | turn 1, 4 of 4 play | Assam faces south. Turn him left or right or "
        "leave him, then press what the die shows."
    )
    assert line(game_at(TO_PAY)) == (
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
def test_turns_are_counted_and_back_uncounts_them(words: str, turn: int) -> None:
    assert f" | turn {turn}, 4 of 4 play | " in line(started_game(words))


def test_a_player_who_is_out_is_not_counted() -> None:
    assert "3 of 4 play | " in line(game_at(PAID_OUT, "ok"))


def test_players_are_called_by_their_names() -> None:
    driver = started_game(names=("Amina", "Ben", "Cleo", "Dan"))
    assert line(driver).startswith("Amina: your turn | turn 1, 4 of 4 play | ")


def test_an_audit_has_what_to_compare_and_no_turn() -> None:
    assert line(started_game("audit")) == (
        "Compare with the cardboard | Assam stands on d4. OK if he does; directions move him."
    )


def test_a_waiting_game_has_the_turn_where_it_stopped() -> None:
    driver = started_game("2 ok")
    driver.conversation = resumed_conversation(driver.conversation.preferences, driver.game)
    assert line(driver) == (
        "A game is waiting | turn 2, 4 of 4 play | Yellow is to play. OK goes on."
    )


def test_a_finished_game_has_the_winner_but_not_the_count() -> None:
    driver = game_at(f"{RED3} e5e over R R:33:0,Y:27:0,B:30:0,N:30:0 -")
    assert isinstance(driver.conversation.activity, Playing)
    assert line(driver) == (
        "Red wins with 36 points | OK puts the game into the archive and begins a new one."
    )


# --- Before the game ----------------------------------------------------------------------


def test_a_simulated_table_says_so_first() -> None:
    assert line(TableDriver(), RailStatus(is_simulated=True)).startswith(
        "SIMULATED | A new game | "
    )


def test_problems_come_before_the_game() -> None:
    view = TableView(TableDriver().conversation, RailStatus(is_simulated=True))
    full, gone = disk_trouble(OSError(28, "")), matrix_trouble(OSError(5, "Input/output error"))
    assert status_line(replace(view, trouble=(full, gone))) == (
        "SIMULATED | The disk is full, and what is told is not saved. Free some space; until this "
        "has gone, do not pull the plug. | The matrix cannot be written to (Input/output error): "
        "check its wires and its supply. | A new game | 4 players. Directions change it, OK goes "
        "on."
    )


def test_refusals_and_pending_inputs_are_not_shown() -> None:
    """They are over before anybody could read them."""
    driver = started_game()
    before = line(driver)
    driver.press("north")
    assert driver.refusal is not None
    assert (
        status_line(TableView(driver.conversation, RailStatus(is_pending=True), driver.refusal))
        == before
    )
