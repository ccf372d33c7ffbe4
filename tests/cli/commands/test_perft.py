"""`marrakech perft`: counts that can be checked by hand."""

from __future__ import annotations

import pytest

from companion.cli.main import main

# Two players with one rug left: after blue's turn nothing follows.
LAST_RUG = (
    "......./......./......./......./......./......./......."
    " d4s roll B R:30:0,B:30:1 two_player=one-colour"
)
OVER = LAST_RUG.replace("roll B", "over B").replace("B:30:1", "B:30:0")


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["perft", *words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


@pytest.mark.parametrize(("depth", "count"), [(0, 1), (1, 3), (2, 12), (3, 111)])
def test_the_start_position_has_the_counts_computed_by_hand(
    depth: int, count: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three directions, four rolls, then the rugs next to Assam.

    Southward he comes to d5, d6, d7 and by the loop to e7. A square in the middle has four
    neighbours with three free sides each: 12 rugs on d5. The edge takes one from d7: 11 on d6.
    On the edge itself three neighbours have 3 + 2 + 2: 7 on d7 and on e7. 12 + 11 + 7 + 7 = 37 for
    each of the three facings.
    """
    assert printed(capsys, str(depth)) == f"{count}\n"


def test_divide_prints_the_count_of_each_first_action(capsys: pytest.CaptureFixture[str]) -> None:
    expected = "face south: 37\nface east: 37\nface west: 37\n111\n"
    assert printed(capsys, "3", "--divide") == expected


def test_divide_prints_no_actions_at_depth_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "0", "--divide") == "1\n"


def test_divide_at_depth_1_counts_every_action_once(capsys: pytest.CaptureFixture[str]) -> None:
    rolls = "".join(f"a roll of {pips}: 1\n" for pips in (1, 2, 3, 4))
    assert printed(capsys, "1", LAST_RUG, "--divide") == f"{rolls}4\n"


def test_a_position_needs_no_quotes(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "2", *LAST_RUG.split()) == "37\n"
    assert printed(capsys, "2", LAST_RUG) == "37\n"


def test_a_position_may_follow_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    start = "/".join(["......."] * 7) + " d4s orient R R:30:12,Y:30:12,B:30:12,N:30:12 -"
    expected = "face south: 1\nface east: 1\nface west: 1\n3\n"
    market, *rest = start.split()
    assert printed(capsys, "1", "--divide", start) == expected
    assert printed(capsys, "--divide", "1", start) == expected
    assert printed(capsys, "1", "--divide", market, *rest) == expected
    assert printed(capsys, "1", market, "--divide", *rest) == expected
    assert printed(capsys, "1", "--divide", "--", start) == expected


def test_a_finished_game_has_no_actions(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "3", LAST_RUG) == "0\n"
    assert printed(capsys, "0", OVER) == "1\n"
    assert printed(capsys, "1", OVER) == "0\n"
