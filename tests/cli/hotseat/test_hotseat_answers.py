"""`marrakech hotseat`: wrong answers, commands at prompts, starting and stopping."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest
from helpers.rules.sample_records import DEBT
from helpers.table.hotseat_keyboard import (
    HELP,
    Keyboard,
    ScriptedAnswers,
    dialogue_lines,
    hotseat_errors,
    play_hotseat,
)

from companion.cli.main import main

# --- Wrong answers and commands -----------------------------------------------------------


def test_wrong_answers_are_refused_with_a_reason_and_asked_again(
    set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = ["x", "north", "n", "s", "5", "0", "-1", "two", "3"]
    answers += ["", "0", "8", "d6", "d6-z9", "d6-d8", "a1-c1", "d7-d6", "a1-a2", "1"]
    set_keyboard(ScriptedAnswers(answers))
    dialogue = dialogue_lines(play_hotseat(capsys, "--players", "4"))
    reasons = [line for line in dialogue if re.match("  +[^ 17]", line)]
    no_place = "is not a place for a rug: name its two squares, like d3-d4"
    may = "lay d5-d6, lay c6-d6, lay c6-c7, lay d6-e6, lay e6-e7, lay b7-c7,"
    assert reasons == [
        "  'x' is not a direction: use n, e, s or w",
        "  'north' is not a direction: use n, e, s or w",
        "  not allowed: face north. R may face south, face east, face west",
        "  the die cannot show 5: it has 1, 2, 3 or 4 slippers",
        "  the die cannot show 0: it has 1, 2, 3 or 4 slippers",
        "  '-1' is not a roll: use 1, 2, 3 or 4, or Enter",
        "  'two' is not a roll: use 1, 2, 3 or 4, or Enter",
        "  Assam goes 3: d5 d6 d7",
        "  '' is not a choice: use 1 to 7, or two squares",
        "  '0' is not a choice: use 1 to 7, or two squares",
        "  '8' is not a choice: use 1 to 7, or two squares",
        f"  'd6' {no_place}",
        "  'z9' is not a square: use a letter a-g and a number 1-7, like d4",
        "  'd8' is not a square: use a letter a-g and a number 1-7, like d4",
        "  a rug cannot lie on a1 and c1: they do not share a side",
        f"  not allowed: lay d6-d7. R may {may}",
        "    lay e7-f7",
        f"  not allowed: lay a1-a2. R may {may}",
        "    lay e7-f7",
    ]
    assert dialogue[-1] == "1. R S3 d7s lays d5-d6"


def test_a_drawn_colour_must_be_the_players(
    set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    set_keyboard(ScriptedAnswers(["", "1", "b", "green", "", "R"]))
    dialogue = dialogue_lines(play_hotseat(capsys, "--players", "2", "--told-piles"))
    reasons = [line for line in dialogue if re.match("  (not|unknown)", line)]
    assert reasons == [
        "  not allowed: draw blue. RY may draw red, draw yellow",
        "  unknown colour 'green': use red, yellow, blue or brown; did you mean 'red'?",
        "  unknown colour '': use red, yellow, blue or brown",
    ]
    assert dialogue[-1] == "1. RY S1 d5s draws R"


def test_control_characters_in_answers_are_escaped_and_long_answers_cut(
    set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    set_keyboard(ScriptedAnswers(["\x1b[2J", "3", "\x1b[2J", "x" * 5000]))
    dialogue = dialogue_lines(play_hotseat(capsys))
    assert [line for line in dialogue if " is not a " in line] == [
        "  '\\x1b[2J' is not a number of players: use 2, 3 or 4",
        "  '\\x1b[2j' is not a direction: use n, e, s or w",
    ]
    answer = [line for line in dialogue if re.fullmatch(r" +'?x+…?", line)]
    assert "".join(map(str.strip, answer)) == f"'{'x' * 299}…"
    assert max(map(len, answer)) == 100


@pytest.mark.parametrize("digits", ["9" * 5000, "²"])
def test_unusual_numbers_are_wrong_answers(
    digits: str, set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    """int() refuses 5000 digits, and a superscript 2 is a digit but not a decimal."""
    set_keyboard(ScriptedAnswers(["", digits, "3", digits, "1"]))
    assert dialogue_lines(play_hotseat(capsys, "--players", "4"))[-1] == "1. R S3 d7s lays d5-d6"


def test_help_is_available_at_every_prompt(
    set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    set_keyboard(ScriptedAnswers(["?", "", "?", "1", "?", "?"]))
    assert dialogue_lines(play_hotseat(capsys, "--players", "4")).count(f"  {HELP}") == 4


def test_the_market_is_drawn_again_on_request(
    set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    set_keyboard(ScriptedAnswers(["m", "M", " m "]))
    out = play_hotseat(capsys, "--players", "4")
    assert out.count(" 4 │     │     │     │▼    │     │     │     │\n") == 4


def test_undo_takes_back_one_step_at_a_time(
    set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    set_keyboard(ScriptedAnswers(["", "3", "d6-e6", "u", "u", "u", "u", "w", "1"]))
    dialogue = dialogue_lines(play_hotseat(capsys, "--players", "4"))
    assert [line for line in dialogue if "aken back" in line or "nothing" in line] == [
        "  Taken back: lay d6-e6.",
        "  Taken back: a roll of 3.",
        "  Taken back: face south.",
        "  There is nothing to take back.",
    ]
    assert dialogue[-1] == "1. R W1 c4w"


def test_a_payment_can_be_taken_back(
    file: Path, set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    debt = DEBT.format(booklet="en", options="two_player=one-colour").replace("Y:1:", "Y:9:")
    file.write_text(debt)
    set_keyboard(ScriptedAnswers(["s", "1", "", "u"]))
    assert "  Taken back: pay.\n" in play_hotseat(capsys, "--record", str(file))
    assert file.read_text().endswith("\n1. Y S1 d5s\n")


LAST_TURN = ["s", "1", ""]  # yellow cannot pay, so only one player is left


def test_the_last_turn_can_be_taken_back(
    file: Path, set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(DEBT.format(booklet="en", options="two_player=one-colour"))
    over = "That was the last turn. [Enter counts, u takes back] "
    set_keyboard(ScriptedAnswers([*LAST_TURN, "m", "no", "u", "u", "2", "c6-c7", "q"]))
    dialogue = dialogue_lines(play_hotseat(capsys, "--record", str(file)))
    at = dialogue.index(f"{over}m")
    assert dialogue[at + 1 : at + 6] == [
        f"{over}no",
        "  'no' is not an answer: press Enter when it is done",
        f"{over}u",
        "  Taken back: pay.",
        "Yasmin (yellow) owes Rachid (red) 2, but has only 1 [Enter: paid] u",
    ]
    assert "The count:" not in dialogue
    assert file.read_text().endswith("\n1. Y S2 d6s lays c6-c7\n")


def test_a_game_may_be_stopped_before_the_count(
    file: Path, set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(DEBT.format(booklet="en", options="two_player=one-colour"))
    set_keyboard(ScriptedAnswers([*LAST_TURN, "q"]))
    dialogue = dialogue_lines(play_hotseat(capsys, "--record", str(file)))
    assert "The count:" not in dialogue
    assert dialogue[-2] == "The game is saved in game.txt."


def test_end_of_input_after_the_last_turn_prints_the_score(
    file: Path, set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(DEBT.format(booklet="en", options="two_player=one-colour"))
    set_keyboard(ScriptedAnswers(LAST_TURN))
    dialogue = dialogue_lines(play_hotseat(capsys, "--record", str(file)))
    assert dialogue[-3:] == [
        "The count:",
        "1. Rachid (red): 31 + 2 = 33",
        "2. Yasmin (yellow): out",
    ]


# --- Starting and stopping ----------------------------------------------------------------


@pytest.mark.parametrize(("answer", "players"), [("", 4), ("2", 2), (" 3 ", 3)])
def test_the_number_of_players_is_asked(
    answer: str, players: int, set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    set_keyboard(ScriptedAnswers([answer]))
    out = play_hotseat(capsys)
    assert out.startswith(f"How many players, 2, 3 or 4? [4] {answer}\n")
    assert out.count(" rugs left") == players


@pytest.mark.parametrize("answer", ["7", "two", "-2", "²"])
def test_a_wrong_number_of_players_is_asked_for_again(
    answer: str, set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    set_keyboard(ScriptedAnswers([answer, "3"]))
    out = play_hotseat(capsys)
    assert f"  '{answer}' is not a number of players: use 2, 3 or 4\n" in out
    assert out.count(" rugs left\n") == 3


def test_paying_accepts_only_enter(
    file: Path, set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    options = "bankruptcy=spare,two_player=one-colour"
    file.write_text(DEBT.format(booklet="hu-notes", options=options))
    set_keyboard(ScriptedAnswers(["s", "1", "no", ""]))
    dialogue = dialogue_lines(play_hotseat(capsys, "--record", str(file)))
    assert "  'no' is not an answer: press Enter when it is done" in dialogue
    assert file.read_text().endswith("1. Y S1 d5s pays R 1 of 2\n")


def test_without_the_number_of_players_there_is_no_game(
    set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    set_keyboard(ScriptedAnswers([]))
    error = "marrakech: no answer: give the number of players with --players"
    assert hotseat_errors(capsys) == [error]


def test_prompts_go_to_standard_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("3\ns\n3\nq\n"))
    out = play_hotseat(capsys)
    assert out.startswith("How many players, 2, 3 or 4? [4] Marrakech, everybody at one keyboard.")
    assert out.endswith("\n1. R S3 d7s\n\n")


def test_the_end_of_input_stops_like_q(
    set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    set_keyboard(ScriptedAnswers(["w"]))
    assert dialogue_lines(play_hotseat(capsys, "--players", "4"))[-1] == "1. R W"


def test_stopping_before_the_first_step_prints_no_record(
    set_keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    set_keyboard(ScriptedAnswers(["q"]))
    dialogue = dialogue_lines(play_hotseat(capsys, "--players", "4"))
    assert dialogue[-1] == "red: where shall Assam face, e/s/w? [s] q"


def test_ctrl_c_prints_the_record(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Like q."""
    answers = iter(["w", "1"])

    def type_and_interrupt(question: str) -> str:
        for answer in answers:
            return answer
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", type_and_interrupt)
    assert main(["hotseat", "--players", "4"]) == 130
    assert "\n1. R W1 c4w\n" in capsys.readouterr().out
