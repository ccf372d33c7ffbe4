"""`marrakech hotseat`: options of a new game, and of a continued one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers.table.hotseat_keyboard import (
    HELP,
    Keyboard,
    ScriptedAnswers,
    dialogue_lines,
    hotseat_errors,
    play_hotseat,
)

from companion.games.marrakech import parse_record

# --- Colours and facing -------------------------------------------------------------------

COLOURS = {
    "--players 3 --colours R,B,N": ["R", "B", "N"],
    "--players 3 --colours red,blue,brown": ["R", "B", "N"],
    "--colours n,y,r,b": ["N", "Y", "R", "B"],
    "--colours RY,BN": ["RY", "BN"],
    "--colours red+brown,blue+yellow": ["RN", "BY"],
    "--colours rb,Yellow+N": ["RB", "YN"],
    "--colours brown,blue --option two_player=one-colour": ["N", "B"],
    "--colours R,B,N --booklet sl --option short_colour=yellow": ["R", "B", "N"],
}


@pytest.mark.parametrize("words", COLOURS)
def test_colours_are_chosen_in_seating_order(
    words: str, file: Path, set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    """Their number is the number of players."""
    set_keyboard(ScriptedAnswers([]))
    assert "How many" not in play_hotseat(capsys, *words.split(), "--record", str(file))
    setup = parse_record(file.read_text()).start.setup
    assert [setup.label(player) for player in range(len(setup.players))] == COLOURS[words]


def test_spaces_around_colours_do_not_matter(
    set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    set_keyboard(ScriptedAnswers([]))
    out = play_hotseat(capsys, "--colours", "red + blue, yellow + brown")
    assert "→  R  B  red+blue" in out
    assert "   Y  N  yellow+brown" in out


def test_facing_sets_assams_direction(
    file: Path, set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    set_keyboard(ScriptedAnswers([""]))
    out = play_hotseat(capsys, "--players", "4", "--facing", "W", "--record", str(file))
    assert "red: where shall Assam face, n/s/w? [w] \n" in out
    assert file.read_text().endswith("\nfacing: w\n\n1. R W\n")


REFUSED = {
    "--colours R,B,green": "unknown colour 'green': use red, yellow, blue or brown; did you mean "
    "'red'?",
    "--colours R,,B": "unknown colour '': use red, yellow, blue or brown",
    "--colours R,B,R": "red is taken twice, by players 1 and 3: every colour has one owner; still "
    "free: yellow, brown",
    "--colours R": "1 player: Marrakech is for 2, 3 or 4; the nearest is 2",
    "--players 4 --colours R,B,N": "--colours names 3 players, and --players 4",
    "--players 2 --colours R": "--colours names 1 player, and --players 2",
    "--players 4 --facing north": "'north' is not a direction: use n, e, s or w",
    "--players 3 --told-piles": "--told-piles is for two players with shuffled piles",
    "--players 2 --booklet cs --told-piles": "--told-piles is for two players with shuffled piles",
    "--players 2 --option two_player=one-colour --told-piles": "--told-piles is for two players "
    "with shuffled piles",
    "--players 3 --names A": "1 name for 3 players: A",
    "--players 3 --booklet=": "unknown booklet '': use en, fr, nl, es, it, fi, sv, cs, el, pt, pl, "
    "is, ar, et, lv, lt, ru, zh-TW, ja, zh-CN, hu, sl, ro, nb, sr, hr, de, ko, th, fa, ru-2012, "
    "fa-sheet or hu-notes",
}


@pytest.mark.parametrize("words", REFUSED)
def test_invalid_setups_are_refused(
    words: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hotseat_errors(capsys, *words.split(), "--record", str(file)) == [
        f"marrakech: {REFUSED[words]}"
    ]
    assert list(Path().iterdir()) == []


# --- Continuing a game --------------------------------------------------------------------

FLAGS = {
    "--players 0": "--players",
    "--booklet fr --players 3": "--players and --booklet",
    "--option box=57 --names A,B,C --told-piles": "--option, --names and --told-piles",
    "--facing n --colours R,B,N": "--colours and --facing",
}


@pytest.mark.parametrize("words", FLAGS)
def test_setup_options_are_refused_for_an_existing_record(
    words: str, file: Path, set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    set_keyboard(ScriptedAnswers(["s"]))
    play_hotseat(capsys, "--players", "3", "--record", str(file))
    before = file.read_text()
    assert hotseat_errors(capsys, *words.split(), "--record", str(file)) == [
        f"marrakech: game.txt is a game already begun: leave out {FLAGS[words]}, or name another "
        "file"
    ]
    assert file.read_text() == before


def test_output_fits_into_100_columns(
    set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    """With long names, many legal places and the help text."""
    set_keyboard(ScriptedAnswers(["", "1", "?", "a1-a2"]))
    names = f"{'A' * 60},{'B' * 60}"
    out = play_hotseat(capsys, "--players", "2", "--names", names).partition("The game so far:")[0]
    assert [line for line in out.splitlines() if len(line) > 100] == []
    assert dialogue_lines(out)[:2] == ["Marrakech, everybody at one keyboard.", HELP]
    places = [line for line in dialogue_lines(out) if re.match(r"  [17] ", line)][:2]
    assert places == [
        "  1 d3-d4  2 c4-d4  3 c4-c5  4 d4-e4  5 e4-e5  6 b5-c5",
        "  7 c5-c6  8 e5-f5  9 e5-e6  10 c6-d6  11 d6-e6  12 d6-d7",
    ]
