"""The news after an input, word for word."""

from __future__ import annotations

import pytest
from helpers.table.table_driver import CORNERED, game_at, started_game

RED3 = "......./......./......./...R1.../...R2R2../......./......."
TO_PAY = f"{RED3} e5e pay Y R:30:10,Y:{{}}:11,B:30:12,N:30:12 {{}}"
PIVOT_LAST = {"turn_order": "pivot-last"}


@pytest.mark.parametrize(
    ("inputs", "news"),
    [
        ("east", ["Assam faces east."]),
        ("1", ["Red rolled 1: Assam walks to d5 and faces south."]),
        ("4", ["Red rolled 4: Assam walks to e7 and faces north."]),
        ("3 east", []),
        ("3 ok", ["Red laid a red rug on b7 and c7."]),
        ("3 back ok", []),
        ("3 ok back east", ["Red laid a red rug on b7 and c7."]),
        ("3 pause ok", []),
        ("3 audit", []),
    ],
)
def test_news_of_a_turn(inputs: str, news: list[str]) -> None:
    assert started_game(inputs).news() == news


def test_news_of_an_electronic_roll() -> None:
    driver = started_game("roll", rolls=[3], names=("Ana", "Bo", "Cleo", "Dan"))
    assert driver.news() == ["An electronic roll of 3 for Ana: Assam walks to d7 and faces south."]
    assert driver.press("back 3").news() == ["Ana rolled 3: Assam walks to d7 and faces south."]


def test_news_of_a_draw() -> None:
    assert started_game("3 east", players=2).news() == ["Red & Yellow drew yellow."]


def test_news_of_a_pivot() -> None:
    assert started_game("3 ok west ok", options=PIVOT_LAST).news() == [
        "Red turned Assam to face west."
    ]


def test_news_of_a_payment() -> None:
    assert game_at(TO_PAY.format(30, "-"), "ok").news() == ["Yellow paid 3 dirhams to Red."]
    assert game_at(TO_PAY.format(1, "bankruptcy=spare"), "ok").news() == [
        "Yellow paid 1 dirham of 3 to Red."
    ]


def test_news_of_a_player_going_out_and_ending_the_game() -> None:
    position = f"{RED3} e5e pay Y R:30:13,Y:0:15 two_player=one-colour"
    assert game_at(position, "ok").news() == [
        "Yellow paid 0 dirhams of 3 to Red.",
        "Yellow is out. The rugs left go into the box; those that lie stay, "
        "and nobody pays on them.",
        "The game is over.",
    ]


def test_news_of_a_rug_returned_to_the_box() -> None:
    assert game_at(CORNERED, "ok").news() == ["Yellow put a yellow rug back into the box."]


def test_news_of_the_last_rug() -> None:
    position = f"{'/'.join(['.' * 7] * 7)} d4s lay N R:30:0,Y:30:0,B:30:0,N:30:1 -"
    assert game_at(position, "ok").news() == [
        "Brown laid a brown rug on d5 and d6.",
        "The game is over.",
    ]


def test_a_refused_input_keeps_the_news() -> None:
    assert started_game("3 1").news() == ["Red rolled 3: Assam walks to d7 and faces south."]
