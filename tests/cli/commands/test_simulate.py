"""`marrakech simulate` and random games."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from companion.cli.main import main
from companion.games.marrakech import (
    Colour,
    Setup,
    Stepper,
    booklet_named,
    new_game,
    parse_position,
    usual_players,
)
from companion.games.marrakech.playouts import play_out, play_out_stepper

TABLES = {
    "": 4,
    "--players 2": 2,
    "--players 3": 3,
    "--players 2 --booklet cs": 2,
    "--players 2 --booklet fi": 2,
    "--players 2 --booklet hu-notes": 2,
    "--players 2 --option two_player=one-colour": 2,
    "--players 3 --booklet fa": 3,
    "--booklet zh-TW": 4,
    "--option turn_order=pivot-last": 4,
    "--players 3 --booklet es --option turn_order=pivot-last": 3,
}


def simulated(capsys: pytest.CaptureFixture[str], words: str) -> dict[str, Any]:
    assert main(["simulate", "--json", *words.split()]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    result = json.loads(out)
    assert isinstance(result, dict)
    return result


def test_json_has_these_fields(capsys: pytest.CaptureFixture[str]) -> None:
    result = simulated(capsys, "--players 2 --games 3 --seed 5 --booklet cs --option loops=nw-se")
    turns, seats = result.pop("turns"), result.pop("seats")
    assert result == {
        "players": 2,
        "games": 3,
        "seed": 5,
        "booklet": "cs",
        "options": {
            "bankruptcy": "out",
            "covering": "no-whole-rug",
            "two_player": "alternating",
            "turn_order": "classic",
            "pivot": "must",
            "purse": "thirty",
            "tie_break": "shared",
            "box": "60",
            "short_colour": "brown",
            "loops": "nw-se",
        },
    }
    assert 2 <= turns <= 48
    assert [seat["player"] for seat in seats] == ["red+yellow", "blue+brown"]
    for seat in seats:
        assert list(seat) == ["player", "wins", "score", "dirhams", "visible", "out"]


def test_the_same_seed_plays_the_same_games(capsys: pytest.CaptureFixture[str]) -> None:
    first = simulated(capsys, "--games 20 --seed 7")
    assert simulated(capsys, "--games 20 --seed 7") == first
    other = simulated(capsys, "--games 20 --seed 8")
    assert other["seats"] != first["seats"]


@pytest.mark.parametrize("words", TABLES)
def test_averages_add_up(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Wins add up to 1, dirhams to those in play, visible halves to 49 at most.

    A player who is out has given everything away, so no dirham is lost.
    """
    result = simulated(capsys, f"{words} --games 40")
    seats = result["seats"]
    assert result["players"] == len(seats) == TABLES[words]
    assert sum(seat["wins"] for seat in seats) == pytest.approx(1)
    assert sum(seat["dirhams"] for seat in seats) == pytest.approx(30 * len(seats))
    assert 0 < sum(seat["visible"] for seat in seats) <= 49
    assert all(0 <= seat["out"] < 1 for seat in seats)


@pytest.mark.parametrize(("players", "rugs"), [(2, 48), (3, 45), (4, 48)])
def test_every_rug_is_a_turn_if_nobody_goes_out(
    players: int, rugs: int, capsys: pytest.CaptureFixture[str]
) -> None:
    result = simulated(capsys, f"--players {players} --booklet hu-notes --games 10")
    assert result["turns"] == rugs
    assert [seat["out"] for seat in result["seats"]] == [0.0] * players


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_dirhams_of_the_box_can_be_in_play(
    players: int, capsys: pytest.CaptureFixture[str]
) -> None:
    result = simulated(capsys, f"--players {players} --option purse=share-120 --games 20")
    assert sum(seat["dirhams"] for seat in result["seats"]) == pytest.approx(120)


def test_scores_are_dirhams_and_visible_halves_if_nobody_goes_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for seat in simulated(capsys, "--booklet hu-notes --games 20")["seats"]:
        assert seat["score"] == pytest.approx(seat["dirhams"] + seat["visible"])


def test_the_table_has_the_same_numbers_as_the_json(capsys: pytest.CaptureFixture[str]) -> None:
    words = "--players 3 --games 30 --seed 2"
    result = simulated(capsys, words)
    assert main(["simulate", *words.split()]) == 0
    head, titles, *rows, note = capsys.readouterr().out.splitlines()
    assert head == f"30 random games of 3, {result['turns']:.1f} turns each"
    assert titles.split() == ["player", "wins", "score*", "dirhams", "visible", "out"]
    assert note == "* of the games in which the player was not out"
    assert [row.split() for row in rows] == [
        [
            seat["player"],
            f"{seat['wins']:.1%}",
            f"{seat['score']:.2f}",
            f"{seat['dirhams']:.2f}",
            f"{seat['visible']:.2f}",
            f"{seat['out']:.2%}",
        ]
        for seat in result["seats"]
    ]


def test_the_table_is_drawn_in_columns(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--players", "2", "--games", "1", "--booklet", "hu-notes"]) == 0
    head, titles, *rows, _ = capsys.readouterr().out.splitlines()
    assert head == "1 random game of 2, 48.0 turns each"
    assert len(rows) == 2
    assert {len(row) for row in rows} == {len(titles)}


# --- Random games -------------------------------------------------------------------------


def setup(players: int, booklet: str = "en", **changes: str) -> Setup:
    options = booklet_named(booklet).options.with_changes(changes)
    return Setup(usual_players(players, options), options)


@pytest.mark.parametrize(
    "table",
    [
        setup(4),
        setup(3, "es", turn_order="pivot-last"),
        setup(2),
        setup(2, "cs"),
        setup(2, "fi"),
    ],
    ids=["four", "pivot-last", "shuffled", "alternating", "two-colours"],
)
def test_a_random_game_ends_with_the_money_it_began_with(table: Setup) -> None:
    final = play_out(new_game(table), Random(3))
    assert final.is_over
    assert sum(final.dirhams) == 30 * len(table.players)


def test_a_shuffled_pile_is_drawn_to_the_last_rug() -> None:
    final = play_out(new_game(setup(2, "hu-notes")), Random(1))
    assert final.left == (0, 0, 0, 0)


def test_step_out_counts_the_turns() -> None:
    stepper = Stepper(new_game(setup(4, "hu-notes")))
    assert play_out_stepper(stepper, Random(1)) == 48
    assert stepper.is_over
    assert play_out_stepper(stepper, Random(1)) == 0


# Wherever yellow rolls to, down the second column, two halves beside Assam are both red.
NOWHERE = (
    "R1R1R2R2.../R3R3R4R4.../R5R5R6R6.../R7R7R8R8.../R9R9R10..../.R11...../......."
    " a1n roll Y R:30:4,Y:30:1,B:30:0 covering=two-colours,turn_order=pivot-last"
)


@pytest.mark.parametrize("seed", range(4))
def test_a_rug_without_a_legal_place_is_returned_and_the_game_continues(seed: int) -> None:
    """Some booklets forbid covering two halves of the same colour at once."""
    start = parse_position(NOWHERE)
    stepper = Stepper(start)
    assert play_out_stepper(stepper, Random(seed)) == 5
    final = play_out(start, Random(seed))
    for left, colours in ((stepper.left, stepper.colours), (final.left, final.colours)):
        assert list(left) == [0, 0, 0, 0]
        assert colours[Colour.YELLOW] == 0
