"""What just happened, word for word."""

from __future__ import annotations

import pytest
from helpers.table.table_driver import CORNERED, at, begun

RED3 = "......./......./......./...R1.../...R2R2../......./......."
TO_PAY = f"{RED3} e5e pay Y R:30:10,Y:{{}}:11,B:30:12,N:30:12 {{}}"
PIVOT_LAST = {"turn_order": "pivot-last"}


@pytest.mark.parametrize(
    ("words", "news"),
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
def test_of_a_turn(words: str, news: list[str]) -> None:
    assert begun(words).news() == news


def test_of_an_electronic_roll() -> None:
    talk = begun("roll", rolls=[3], names=("Ana", "Bo", "Cleo", "Dan"))
    assert talk.news() == ["An electronic roll of 3 for Ana: Assam walks to d7 and faces south."]
    assert talk.say("back 3").news() == ["Ana rolled 3: Assam walks to d7 and faces south."]


def test_of_a_draw() -> None:
    assert begun("3 east", players=2).news() == ["Red & Yellow drew yellow."]


def test_of_a_pivot() -> None:
    assert begun("3 ok west ok", options=PIVOT_LAST).news() == ["Red turned Assam to face west."]


def test_of_paying() -> None:
    assert at(TO_PAY.format(30, "-"), "ok").news() == ["Yellow paid 3 dirhams to Red."]
    assert at(TO_PAY.format(1, "bankruptcy=spare"), "ok").news() == [
        "Yellow paid 1 dirham of 3 to Red."
    ]


def test_of_going_out_and_of_the_end_that_comes_of_it() -> None:
    position = f"{RED3} e5e pay Y R:30:13,Y:0:15 two_player=one-colour"
    assert at(position, "ok").news() == [
        "Yellow paid 0 dirhams of 3 to Red.",
        "Yellow is out. The rugs left go into the box; those that lie stay, "
        "and nobody pays on them.",
        "The game is over.",
    ]


def test_of_a_rug_in_the_box() -> None:
    assert at(CORNERED, "ok").news() == ["Yellow put a yellow rug back into the box."]


def test_of_the_last_rug() -> None:
    position = f"{'/'.join(['.' * 7] * 7)} d4s lay N R:30:0,Y:30:0,B:30:0,N:30:1 -"
    assert at(position, "ok").news() == [
        "Brown laid a brown rug on d5 and d6.",
        "The game is over.",
    ]


def test_what_is_refused_leaves_the_news_as_they_are() -> None:
    assert begun("3 1").news() == ["Red rolled 3: Assam walks to d7 and faces south."]
