"""The prompts of every stage, word for word."""

from __future__ import annotations

import pytest
from helpers.table.table_driver import TableDriver, game_at, started_game

RED3 = "......./......./......./...R1.../...R2R2../......./......."
TO_LAY = f"{RED3} e5e lay Y R:33:10,Y:27:11,B:30:12,N:30:12 -"
TO_PAY = f"{RED3} e5e pay Y R:30:10,Y:{{}}:11,B:30:12,N:30:12 {{}}"
PIVOT_LAST = {"turn_order": "pivot-last"}


@pytest.mark.parametrize(
    ("inputs", "todo"),
    [
        ("", ["4 players. Directions change it, OK goes on."]),
        (
            "ok",
            [
                "Booklet 1: English. East and west leaf through them, OK goes on.",
                "Assam is turned before the roll. North or south changes the order.",
            ],
        ),
        (
            "ok east north",
            [
                "Booklet 2: Français. East and west leaf through them, OK goes on.",
                "Assam is turned after the rug is laid. North or south changes the order.",
            ],
        ),
        (
            "ok ok east",
            [
                "Seat 2: Yellow. North and south change the colour, east and west the seat, "
                "OK goes on."
            ],
        ),
        (
            "ok ok ok east",
            [
                "Turn the board until its two big corner loops are where the light is: "
                "north-east and south-west.",
                "Assam stands in the middle and faces east. Directions turn him, "
                "OK or the die begins.",
            ],
        ),
    ],
)
def test_prompts_of_the_set_up(inputs: str, todo: list[str]) -> None:
    driver = TableDriver().press(inputs)
    assert (driver.title(), driver.todo()) == ("A new game", todo)


def test_prompt_for_a_board_with_the_loops_in_the_other_corners() -> None:
    assert TableDriver(options={"loops": "nw-se"}).press("ok ok ok").todo()[0] == (
        "Turn the board until its two big corner loops are where the light is: "
        "north-west and south-east."
    )


@pytest.mark.parametrize(
    ("inputs", "title", "todo"),
    [
        (
            "east",
            "Red: your turn",
            [
                "Assam faces east. Turn him left or right or leave him, "
                "then press what the die shows."
            ],
        ),
        (
            "3",
            "Red: your turn",
            [
                "Lay the red rug on b7 and c7. Directions offer another place, "
                "OK when it lies there."
            ],
        ),
        (
            "3 ok back",
            "Put the cardboard back",
            [
                "OK when it is put back. BACK or west goes further back.",
                "East tells it again as it was.",
            ],
        ),
        (
            "3 ok pause",
            "A game is waiting",
            [
                "Yellow is to play. OK goes on.",
                "BACK held down puts the game away.",
            ],
        ),
    ],
)
def test_a_turn(inputs: str, title: str, todo: list[str]) -> None:
    driver = started_game(inputs)
    assert (driver.title(), driver.todo()) == (title, todo)


def test_prompt_says_if_ok_rolls() -> None:
    assert started_game(ok_rolls=True).todo() == [
        "Assam faces south. Turn him left or right or leave him, then OK rolls."
    ]
    assert started_game(options=PIVOT_LAST).todo() == [
        "Assam goes south. Roll, and press what the die shows."
    ]
    assert started_game(options=PIVOT_LAST, ok_rolls=True).todo() == ["Assam goes south. OK rolls."]


def test_prompt_mentions_ok_and_the_die_keys_if_there_are_both() -> None:
    assert started_game(ok_rolls=True, has_die_keys=True).todo() == [
        "Assam faces south. Turn him left or right or leave him, then OK rolls, "
        "or press what the die shows."
    ]
    assert started_game(options=PIVOT_LAST, ok_rolls=True, has_die_keys=True).todo() == [
        "Assam goes south. OK rolls, or press what the die shows."
    ]
    assert started_game(has_die_keys=True).todo() == started_game().todo()


def test_prompt_of_a_pivot() -> None:
    assert started_game("3 ok east", options=PIVOT_LAST).todo() == [
        "Turn Assam left or right for the next player; he faces east. OK when he stands."
    ]
    assert started_game("3 ok", options=PIVOT_LAST | {"pivot": "may"}).todo() == [
        "Turn Assam left or right for the next player, or leave him; he faces south. "
        "OK when he stands."
    ]


def test_prompt_of_a_draw() -> None:
    driver = started_game("3", players=2)
    assert (driver.title(), driver.todo()) == (
        "Red & Yellow: your turn",
        ["Which rug is next on the pile? West: red. East: yellow."],
    )


def test_prompt_of_a_payment() -> None:
    assert game_at(TO_PAY.format(3, "-")).todo() == [
        "Yellow pays 3 dirhams to Red. OK when they are paid."
    ]


@pytest.mark.parametrize(
    ("inputs", "todo"),
    [
        ("", "Assam stands on e5. OK if he does; directions move him."),
        ("north", "Assam stands on e4. OK if he does; directions move him."),
        ("ok south", "Assam faces south. OK if he does; directions turn him."),
        (
            "ok ok",
            "Red: 3 halves can be seen where the light is. OK if so; "
            "a direction goes to the square that differs.",
        ),
        (
            "ok ok ok west",
            "Red: 28 dirhams. OK if so; north and south change it by 1, east and west by 5.",
        ),
        (
            "ok ok east west",
            "Go to the square that differs, then OK: d5. BACK when all is well.",
        ),
        ("ok ok east ok", "e5: red on top. Directions change it, OK if so."),
        ("ok ok east ok west", "e5: no rug. Directions change it, OK if so."),
        (
            "ok ok east ok north ok",
            "Where can the other half of the yellow rug on e5 be seen? "
            "Press that direction, or OK if it is covered.",
        ),
    ],
)
def test_prompts_of_the_audit(inputs: str, todo: str) -> None:
    driver = game_at(TO_LAY, f"audit {inputs}")
    assert (driver.title(), driver.todo()) == ("Compare with the cardboard", [todo])


@pytest.mark.parametrize(
    ("players", "options", "title", "rows"),
    [
        (
            "R:30:0,Y:30:0,B:0:0,N:60:0",
            "-",
            "Brown wins with 60 points",
            [
                "Blue: 0 + 0 = 0 points",
                "Yellow: 30 + 0 = 30 points",
                "Red: 30 + 3 = 33 points",
                "Brown: 60 + 0 = 60 points",
            ],
        ),
        (
            "R:28:0,Y:31:0,B:out",
            "tie_break=shared",
            "2 players share the win",
            ["Blue: out, no score", "Yellow: 31 + 0 = 31 points", "Red: 28 + 3 = 31 points"],
        ),
        (
            "R:out,Y:1:0,B:out",
            "-",
            "Yellow wins with 1 point",
            ["Blue: out, no score", "Red: out, no score", "Yellow: 1 + 0 = 1 point"],
        ),
    ],
)
def test_prompts_of_the_end(players: str, options: str, title: str, rows: list[str]) -> None:
    driver = game_at(f"{RED3} a1n over Y {players} {options}")
    assert driver.title() == title
    assert driver.todo() == [*rows, "OK puts the game into the archive and begins a new one."]


def test_prompts_use_names_where_they_are_known() -> None:
    driver = started_game("3 ok pause", names=("Ana", "Bo", "Cleo", "Dan"))
    assert driver.todo()[0] == "Bo is to play. OK goes on."
