"""`marrakech show`: the exact drawing."""

from __future__ import annotations

import io
import sys

import pytest

from companion.cli.main import main
from companion.cli.market_text import has_colours, name_of
from companion.games.marrakech import Setup, new_game, usual_players

START = """\
     a     b     c     d     e     f     g
   +─────+─────+─────+─────+─────+─────+─────+
 1 │     │     │     │     │     │     │     │
   +─────+─────+─────+─────+─────+─────+─────+
 2 │     │     │     │     │     │     │     │
   +─────+─────+─────+─────+─────+─────+─────+
 3 │     │     │     │     │     │     │     │
   +─────+─────+─────+─────+─────+─────+─────+
 4 │     │     │     │▼    │     │     │     │
   +─────+─────+─────+─────+─────+─────+─────+
 5 │     │     │     │     │     │     │     │
   +─────+─────+─────+─────+─────+─────+─────+
 6 │     │     │     │     │     │     │     │
   +─────+─────+─────+─────+─────+─────+─────+
 7 │     │     │     │     │     │     │     │
   +─────+─────+─────+─────+─────+─────+─────+

→  R  red               30 dirhams +  0 visible =  30   12 rugs left
   Y  yellow            30 dirhams +  0 visible =  30   12 rugs left
   B  blue              30 dirhams +  0 visible =  30   12 rugs left
   N  brown             30 dirhams +  0 visible =  30   12 rugs left

Assam is on d4 and faces south. The three-quarter loops are north-east and south-west.
red may face south, east or west.
"""

# Red has two rugs that touch: R1 lies west-east on c3 and d3, R2 north-south on d4 and d5. R10 has
# lost a half to Y1.
OWING = (
    "Y1.....N12/Y1R10....N12/..R1R1.../...R2.../...R2..B2/......./......."
    " d4n pay Y R:32:1,Y:1:11,B:out,N:30:0 loops=nw-se"
)
OWED = """\
     a     b     c     d     e     f     g
   +─────+─────+─────+─────+─────+─────+─────+
 1 │ Y1  │     │     │     │     │     │ N12 │
   +     +─────+─────+─────+─────+─────+     +
 2 │ Y1  │ R10 │     │     │     │     │ N12 │
   +─────+─────+─────+─────+─────+─────+─────+
 3 │     │     │ R1 *  R1 *│     │     │     │
   +─────+─────+─────+─────+─────+─────+─────+
 4 │     │     │     │▲R2 *│     │     │     │
   +─────+─────+─────+     +─────+─────+─────+
 5 │     │     │     │ R2 *│     │     │ B2  │
   +─────+─────+─────+─────+─────+─────+─────+
 6 │     │     │     │     │     │     │     │
   +─────+─────+─────+─────+─────+─────+─────+
 7 │     │     │     │     │     │     │     │
   +─────+─────+─────+─────+─────+─────+─────+

   R  red               32 dirhams +  5 visible =  37   1 rug left
→  Y  yellow             1 dirham  +  2 visible =   3   11 rugs left
   B  blue             out
   N  brown             30 dirhams +  2 visible =  32   0 rugs left

Assam is on d4 and faces north. The three-quarter loops are north-west and south-east.
Here yellow owes red 4: d4 d3 d5 c3.
yellow is to pay.
"""

EMPTY = "......./......./......./......./......./......./......."


class Terminal(io.StringIO):
    """A terminal with colours."""

    def isatty(self) -> bool:
        return True


def shown(capsys: pytest.CaptureFixture[str], *position: str) -> str:
    assert main(["show", *position]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def last_lines(capsys: pytest.CaptureFixture[str], position: str, count: int = 1) -> list[str]:
    return shown(capsys, position).splitlines()[-count:]


def test_the_start_is_shown_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys) == START


def test_rugs_are_boxes_and_the_tribute_region_has_stars(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert shown(capsys, OWING) == OWED


def test_a_position_needs_no_quotes(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, *OWING.split()) == OWED


def test_before_the_roll_the_tribute_is_conditional(capsys: pytest.CaptureFixture[str]) -> None:
    tribute, may = last_lines(capsys, OWING.replace("pay Y", "orient Y"), 2)
    assert tribute == "Here yellow would owe red 4: d4 d3 d5 c3."
    assert may == "yellow may face north, west or east."


def test_paid_tribute_is_not_shown_as_owed(capsys: pytest.CaptureFixture[str]) -> None:
    """LAY comes after PAY."""
    assert "owe" not in shown(capsys, OWING.replace("pay Y", "lay Y"))


def test_nothing_is_owed_after_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    over = OWING.replace("pay Y", "over Y").replace("32:1", "32:0").replace("1:11", "1:0")
    assert "owe" not in shown(capsys, over)


def test_nothing_is_owed_on_ones_own_rug(capsys: pytest.CaptureFixture[str]) -> None:
    out = shown(capsys, OWING.replace("pay Y", "orient R"))
    assert "owe" not in out
    assert "*" not in out


def test_legal_places_are_listed_as_squares(capsys: pytest.CaptureFixture[str]) -> None:
    (may,) = last_lines(capsys, f"{EMPTY} a1n lay R R:30:12,Y:30:12,B:30:12,N:30:12 -")
    assert may == "red may lay: b1-c1, b1-b2, a2-b2, a2-a3."


def test_a_rug_without_a_legal_place_must_be_returned(capsys: pytest.CaptureFixture[str]) -> None:
    red = ".R1R1..../R3R2...../R3R2...../......./......./......./......."
    setting = "R:30:12,Y:30:15,B:30:15 covering=two-colours"
    (may,) = last_lines(capsys, f"{red} a1n lay Y {setting}")
    assert may == "yellow can lay nowhere: the rug goes back to the box."


def test_two_players_have_two_colours(capsys: pytest.CaptureFixture[str]) -> None:
    lines = last_lines(capsys, f"{EMPTY} d4e draw RY RY:30:12+11,BN:30:12+12 -", 5)
    assert lines == [
        "→  R  Y  red+yellow        30 dirhams +  0 visible =  30   23 rugs left (12+11)",
        "   B  N  blue+brown        30 dirhams +  0 visible =  30   24 rugs left (12+12)",
        "",
        "Assam is on d4 and faces east. The three-quarter loops are north-east and south-west.",
        "RY is to draw red or yellow.",
    ]


def test_a_single_rug_left_is_singular(capsys: pytest.CaptureFixture[str]) -> None:
    lines = last_lines(capsys, f"{EMPTY} d4e draw BN RY:30:1+0,BN:30:1+2 -", 5)
    assert lines[0] == "   R  Y  red+yellow        30 dirhams +  0 visible =  30   1 rug left (1+0)"
    assert lines[-1] == "BN is to draw blue or brown."


def test_the_player_to_roll_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    (roll,) = last_lines(capsys, f"{EMPTY} d4s roll R R:30:12,Y:30:12,B:30:12,N:30:12 -")
    assert roll == "red is to roll."


def test_the_end_names_the_winner(capsys: pytest.CaptureFixture[str]) -> None:
    (won,) = last_lines(capsys, f"{EMPTY} d4s over R R:29:0,Y:31:0,B:30:0,N:30:0 -")
    assert won == "The game is over. Won by yellow."


def test_a_shared_win_names_all_winners_and_no_mover(capsys: pytest.CaptureFixture[str]) -> None:
    out = shown(capsys, f"{EMPTY} d4s over R R:30:0,Y:30:0,B:30:0,N:out -")
    assert out.endswith("The game is over. Won by red, yellow and blue.\n")
    assert "→" not in out


def test_pivot_directions_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    setting = "R:30:11,Y:30:12,B:30:12,N:30:12 turn_order=pivot-last"
    (may,) = last_lines(capsys, f"{EMPTY} d4s pivot R {setting}")
    assert may == "red may turn Assam east or west."


def test_no_line_is_wider_than_100_columns(capsys: pytest.CaptureFixture[str]) -> None:
    """Also with a large tribute region and many legal places."""
    lay = f"{EMPTY} d4s lay:B BN RY:30:12+12,BN:30:12+12 -"
    pay = "/".join(f"B{n}B{n}B{n + 1}B{n + 1}B{n + 2}B{n + 2}." for n in (1, 4, 7, 10))
    pay = f"{pay}/......./......./....... c4s pay RY RY:30:12+12,BN:30:0+12 -"
    assert last_lines(capsys, lay, 2) == [
        "blue+brown may lay: d2-d3, c3-d3, c3-c4, d3-e3, e3-e4, b4-c4, c4-c5, e4-f4, e4-e5, c5-d5, "
        "d5-e5,",
        "  d5-d6.",
    ]
    assert last_lines(capsys, pay, 3) == [
        "Here red+yellow owes blue+brown 24: c4 c3 b4 d4 c2 b3 d3 a4 e4 c1 b2 d2 a3 e3 f4 b1 d1 a2 "
        "e2 f3 a1",
        "  e1 f2 f1.",
        "red+yellow is to pay.",
    ]
    for position in ([], [lay], [pay]):
        assert [line for line in shown(capsys, *position).splitlines() if len(line) > 100] == []


# --- Colours ------------------------------------------------------------------------------


def test_a_terminal_gets_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    screen = Terminal()
    monkeypatch.setattr(sys, "stdout", screen)
    assert main(["show", OWING]) == 0
    monkeypatch.undo()
    lines = screen.getvalue().splitlines()
    yellow, red = "\x1b[48;5;220;38;5;16m", "\x1b[48;5;196;38;5;16m"
    assert lines[4].startswith(f" 2 │{yellow} Y1  \x1b[0m│{red} R10 \x1b[0m│     │")
    assert lines[17].startswith(f"  {red} R \x1b[0m red  ")
    assert lines[18].startswith(f"→ {yellow} Y \x1b[0m yellow  ")


def test_no_color_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any value that is not empty (no-color.org)."""
    monkeypatch.setenv("NO_COLOR", "1")
    assert not has_colours(Terminal())
    monkeypatch.setenv("NO_COLOR", "")
    assert has_colours(Terminal())


def test_a_file_gets_no_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert not has_colours(io.StringIO())


def test_a_player_without_a_name_has_the_colours_as_name() -> None:
    state = new_game(Setup(usual_players(2)))
    assert name_of(state, 0) == "red+yellow"
    assert name_of(state, 0, ("Amina", "")) == "Amina (red+yellow)"
    assert name_of(state, 1, ("Amina", "")) == "blue+brown"


def test_control_characters_in_names_are_escaped_and_long_names_cut() -> None:
    state = new_game(Setup(usual_players(4)))
    assert name_of(state, 0, ("A\x1b[2J", "", "", "")) == "A\\x1b[2J (red)"
    assert name_of(state, 0, ("A" * 99, "", "", "")) == f"{'A' * 20}… (red)"
