"""`marrakech hotseat`: prompts and drawings, turn by turn to the final score."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers.rules.sample_records import DEBT
from helpers.table.hotseat_keyboard import (
    HELP,
    Keyboard,
    RandomAnswers,
    ScriptedAnswers,
    dialogue_lines,
    play_hotseat,
)

from companion.games.marrakech import DIE, parse_record

# --- Whole games --------------------------------------------------------------------------

TABLES = {
    "--players 2": 48,
    "--players 2 --told-piles": 48,
    "--players 2 --booklet cs": 48,
    "--players 2 --option two_player=one-colour": 30,
    "--players 3": 45,
    "--players 3 --booklet fi": 45,
    "--players 4": 48,
    "--players 4 --names Amina,Bruno,,Dalia": 48,
    "--players 4 --option turn_order=pivot-last": 48,
    "--players 3 --booklet es --option turn_order=pivot-last": 45,
    "--players 2 --option covering=own-rug-allowed --told-piles": 48,
}


@pytest.mark.parametrize("words", TABLES)
def test_a_game_is_played_to_the_final_score(
    words: str, file: Path, set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    """The record is correct, and the score is the record's."""
    set_keyboard(RandomAnswers(seed=1))
    dialogue = dialogue_lines(play_hotseat(capsys, *words.split(), "--record", str(file)))
    record = parse_record(file.read_text())
    final = record.final()
    assert final.is_over
    at = dialogue.index("The count:")
    assert [line.split()[0] for line in dialogue[at + 1 :]] == [
        f"{row.rank}." for row in final.ranking()
    ]
    lines = file.read_text().splitlines()
    counts = [line for line in lines if line.startswith("count: ")]
    assert [line.split()[-1] for line in counts] == [
        line.split(": ")[1].replace(" ", "") for line in dialogue[at + 1 :]
    ]
    turns = [line for line in lines if re.match(r"\d+\. ", line)]
    assert len(turns) == TABLES[words] or final.out


def test_with_spared_debtors_every_rug_is_laid(
    file: Path, set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    set_keyboard(RandomAnswers(seed=3))
    words = ["--players", "2", "--booklet", "hu-notes", "--told-piles"]
    play_hotseat(capsys, *words, "--record", str(file))
    text = file.read_text()
    assert parse_record(text).final().left == (0, 0, 0, 0)
    assert text.count(" draws ") == 0
    assert len(re.findall(r" lays [RYBN] ", text)) == 48


# --- Turns in detail ----------------------------------------------------------------------


def test_a_turn_asks_for_facing_roll_and_rug(
    set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    set_keyboard(ScriptedAnswers(["", "3", "D6-E6", "e", "1", "1", "n", "1", "", "2", "q"]))
    assert dialogue_lines(
        play_hotseat(capsys, "--players", "3", "--names", "Amina, Bruno ,Chen")
    ) == [
        "Marrakech, everybody at one keyboard.",
        HELP,
        "Amina (red): where shall Assam face, e/s/w? [s] ",
        "Amina (red): roll [Enter rolls, or type your die: 1-4] 3",
        "  Assam goes 3: d5 d6 d7",
        "  1 d5-d6  2 c6-d6  3 c6-c7  4 d6-e6  5 e6-e7  6 b7-c7",
        "  7 e7-f7",
        "Amina (red): a red rug, where? [a number, or two squares like d5-d6] D6-E6",
        "Bruno (yellow): where shall Assam face, e/s/w? [s] e",
        "Bruno (yellow): roll [Enter rolls, or type your die: 1-4] 1",
        "  Assam goes 1: e7",
        "  1 e5-e6  2 d6-d7  3 e6-f6  4 f6-f7  5 c7-d7  6 f7-g7",
        "Bruno (yellow): a yellow rug, where? [a number, or two squares like e5-e6] 1",
        "Chen (blue): where shall Assam face, e/n/s? [e] n",
        "Chen (blue): roll [Enter rolls, or type your die: 1-4] 1",
        "  Assam goes 1: e6",
        "Chen (blue) owes Bruno (yellow) 2 [Enter: paid] ",
        "  Chen (blue) pays Bruno (yellow) 2.",
        "  1 e4-e5  2 d5-e5  3 d5-d6  4 e5-f5  5 f5-f6  6 c6-d6",
        "  7 d6-d7  8 f6-g6  9 f6-f7  10 d7-e7  11 e7-f7",
        "Chen (blue): a blue rug, where? [a number, or two squares like e4-e5] 2",
        "Amina (red): where shall Assam face, e/n/w? [n] q",
        "The game so far:",
        "marrakech record 1",
        "booklet: en",
        "player: R Amina",
        "player: Y Bruno",
        "player: B Chen",
        "facing: s",
        "1. R S3 d7s lays d6-e6",
        "2. Y E1 e7e lays e5-e6",
        "3. B N1 e6n pays Y 2 lays d5-e5",
    ]


def test_the_market_is_drawn_after_every_walk_and_every_turn(
    set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    set_keyboard(ScriptedAnswers(["", "3", "d6-e6"]))
    out = play_hotseat(capsys, "--players", "3")
    assert out.count("     a     b     c     d     e     f     g\n") == 3
    assert out.index(" 7 │     │     │     │▼    │") < out.index(
        " 6 │     │     │     │ R1    R1  │"
    )


def test_enter_rolls_a_number_of_the_die(
    set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    set_keyboard(ScriptedAnswers(["", ""]))
    walked = re.search(r"Assam goes (\d): ((?:\w\d ?)+)\n", play_hotseat(capsys, "--players", "4"))
    assert walked
    assert int(walked[1]) == len(walked[2].split())
    assert int(walked[1]) in DIE


def test_players_may_type_the_colour_they_draw(
    set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    set_keyboard(ScriptedAnswers(["", "1", "y"]))
    dialogue = dialogue_lines(play_hotseat(capsys, "--players", "2", "--told-piles"))
    assert "red+yellow: which colour have you drawn, r/y? y" in dialogue
    assert dialogue[-1] == "1. RY S1 d5s draws Y"
    assert "pile:" not in "".join(dialogue)


def test_dealt_piles_name_the_rug_to_take(
    set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    set_keyboard(ScriptedAnswers(["", "1", "1"]))
    dialogue = dialogue_lines(play_hotseat(capsys, "--players", "2"))
    piles = [line.split() for line in dialogue if line.startswith("pile: ")]
    assert [(pile[1], sorted(pile[2])) for pile in piles] == [
        ("RY", sorted("RY" * 12)),
        ("BN", sorted("BN" * 12)),
    ]
    colour = {"R": "red", "Y": "yellow"}[piles[0][2][0]]
    assert any(line.startswith(f"red+yellow: a {colour} rug, where? ") for line in dialogue)


def test_pivoting_last_asks_at_the_end_of_the_turn(
    set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    set_keyboard(ScriptedAnswers(["1", "1", "n", "s", "e", "2"]))
    dialogue = dialogue_lines(
        play_hotseat(capsys, "--players", "4", "--option", "turn_order=pivot-last")
    )
    at = dialogue.index("red: turn Assam for the next player, e/w? n")
    assert dialogue[at + 1 : at + 6] == [
        "  not allowed: turn north. R may turn east, turn west",
        "red: turn Assam for the next player, e/w? s",
        "  not allowed: turn south. R may turn east, turn west",
        "red: turn Assam for the next player, e/w? e",
        "yellow: roll [Enter rolls, or type your die: 1-4] 2",
    ]
    assert "1. R S1 d5s lays d3-d4 turns e" in dialogue


def test_pivoting_last_shows_the_rug_before_assam_is_turned(
    set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    set_keyboard(ScriptedAnswers(["1", "1"]))
    out = play_hotseat(capsys, "--players", "4", "--option", "turn_order=pivot-last")
    assert out.count("     a     b     c     d     e     f     g\n") == 3
    laid = out.index(" 4 │     │     │     │ R1  │")
    assert out.index("red: a red rug, where?") < laid < out.index("\nThe game so far:")


# --- Short of money, and rugs without a legal place ---------------------------------------


def test_a_player_who_cannot_pay_is_out(
    file: Path, set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(DEBT.format(booklet="en", options="two_player=one-colour"))
    set_keyboard(ScriptedAnswers(["s", "1", "", ""]))
    out = play_hotseat(capsys, "--record", str(file))
    assert dialogue_lines(out)[2:] == [
        "Yasmin (yellow): where shall Assam face, e/s/w? [s] s",
        "Yasmin (yellow): roll [Enter rolls, or type your die: 1-4] 1",
        "  Assam goes 1: d5",
        "Yasmin (yellow) owes Rachid (red) 2, but has only 1 [Enter: paid] ",
        "  Yasmin (yellow) pays Rachid (red) 1.",
        "  Yasmin (yellow) is out: the rugs are neutral now.",
        "That was the last turn. [Enter counts, u takes back] ",
        "The count:",
        "1. Rachid (red): 31 + 2 = 33",
        "2. Yasmin (yellow): out",
    ]
    assert " 5 │     │     │     │▼R1 *  R1 *│     │     │\n" in out
    assert "   Y  Yasmin (yellow)  out\n" in out
    assert file.read_text().endswith(
        "1. Y S1 d5s pays R 1 of 2 is out\n\ncount: 1 R 31+2=33\ncount: 2 Y out\n"
    )


def test_a_spared_player_continues(
    file: Path, set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    options = "bankruptcy=spare,two_player=one-colour"
    file.write_text(DEBT.format(booklet="hu-notes", options=options))
    set_keyboard(ScriptedAnswers(["s", "1", "", "c5-c6"]))
    dialogue = dialogue_lines(play_hotseat(capsys, "--record", str(file)))
    assert "  Yasmin (yellow) pays Rachid (red) 1." in dialogue
    assert not any("is out" in line for line in dialogue)
    assert file.read_text().endswith("1. Y S1 d5s pays R 1 of 2 lays c5-c6\n")


def test_a_rug_without_a_legal_place_goes_back_to_the_box(
    file: Path, set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(
        "marrakech record 1\nbooklet: fi\nplayer: R\nplayer: Y\nplayer: B\n"
        "position: .R1R1..../R3R2...../R3R2...../......./......./......./....... a1n lay Y "
        "R:30:12,Y:30:15,B:30:15 covering=two-colours\n\n"
    )
    set_keyboard(ScriptedAnswers([""]))
    dialogue = dialogue_lines(play_hotseat(capsys, "--record", str(file)))
    assert dialogue[2:4] == [
        "yellow: a yellow rug can lie nowhere and goes back to the box [Enter] ",
        "  The rug goes back to the box.",
    ]
    assert file.read_text().endswith("\n1. Y returns\n")
