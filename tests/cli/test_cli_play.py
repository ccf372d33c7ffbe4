"""`marrakech play`: the conversation at one keyboard, from the first question to the count."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random

import pytest

from companion.cli import play
from companion.cli.main import main
from companion.games.marrakech import (
    DIE,
    Colour,
    Options,
    Setup,
    parse_record,
    usual_players,
)

HELP = "u takes the last thing back, m draws the market again, q stops, ? says this."
DRAWN = re.compile(r"     a  |   \+| \d │|[→ ] {2}[RYBN]  |$")


class Script:
    """Players who say these things and then leave; questions and answers are shown in lines."""

    def __init__(self, answers: Iterable[str], watch: Callable[[], None] = lambda: None) -> None:
        self.answers = iter(answers)
        self.watch = watch

    def __call__(self, question: str = "") -> str:
        self.watch()
        answer = next(self.answers, None)
        if answer is None:
            raise EOFError
        print(f"{question}{answer}")
        return answer


class Hands:
    """Players who answer whatever they are asked, and know nothing but the question."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)

    def __call__(self, question: str = "") -> str:
        if ways := re.search(r", (\w(?:/\w)+)\? ", question):
            return self.chance.choice(str(ways[1]).split("/"))
        if "or type your die" in question:
            return str(self.chance.choice(DIE))
        if place := re.search(r"where\? \[a number, or two squares like (\S+)\]", question):
            return self.chance.choice(["1", "2", str(place[1]).upper()])
        assert "[Enter" in question, question
        return ""


Keyboard = Callable[[Callable[[str], str]], None]


@pytest.fixture
def sit_down(monkeypatch: pytest.MonkeyPatch) -> Keyboard:
    """Put somebody at the keyboard."""
    return lambda player: monkeypatch.setattr("builtins.input", player)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path("game.txt")


def played(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["play", *words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def talk(text: str) -> list[str]:
    """What was said, without the drawings of the market and the players."""
    return [line for line in text.splitlines() if not DRAWN.match(line)]


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main(["play", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    return err.splitlines()


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
def test_a_game_is_played_to_its_count(
    words: str, file: Path, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its record is right to the last line, and the count is the record's."""
    sit_down(Hands(seed=1))
    said = talk(played(capsys, *words.split(), "--record", str(file)))
    record = parse_record(file.read_text())
    final = record.final()
    assert final.is_over
    at = said.index("The count:")
    assert [line.split()[0] for line in said[at + 1 :]] == [
        f"{row.rank}." for row in final.ranking()
    ]
    lines = file.read_text().splitlines()
    counts = [line for line in lines if line.startswith("count: ")]
    assert [line.split()[-1] for line in counts] == [
        line.split(": ")[1].replace(" ", "") for line in said[at + 1 :]
    ]
    turns = [line for line in lines if re.match(r"\d+\. ", line)]
    assert len(turns) == TABLES[words] or final.out


def test_with_spared_debtors_every_rug_is_laid(
    file: Path, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    sit_down(Hands(seed=3))
    words = ["--players", "2", "--booklet", "hu-notes", "--told-piles"]
    played(capsys, *words, "--record", str(file))
    text = file.read_text()
    assert parse_record(text).final().left == (0, 0, 0, 0)
    assert text.count(" draws ") == 0
    assert len(re.findall(r" lays [RYBN] ", text)) == 48


# --- Turns in detail ----------------------------------------------------------------------


def test_a_turn_asks_for_facing_roll_and_rug(
    sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    sit_down(Script(["", "3", "D6-E6", "e", "1", "1", "n", "1", "", "2", "q"]))
    assert talk(played(capsys, "--players", "3", "--names", "Amina, Bruno ,Chen")) == [
        f"Marrakech, everybody at one keyboard. {HELP}",
        "Amina (red): where shall Assam face, e/s/w? [s] ",
        "Amina (red): roll [Enter rolls, or type your die: 1-4] 3",
        "  Assam goes 3: d5 d6 d7",
        "  1 d5-d6  2 c6-d6  3 c6-c7  4 d6-e6  5 e6-e7  6 b7-c7  7 e7-f7",
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
        "  1 e4-e5  2 d5-e5  3 d5-d6  4 e5-f5  5 f5-f6  6 c6-d6  7 d6-d7  8 f6-g6  9 f6-f7"
        "  10 d7-e7  11 e7-f7",
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
    sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    sit_down(Script(["", "3", "d6-e6"]))
    out = played(capsys, "--players", "3")
    assert out.count("     a     b     c     d     e     f     g\n") == 3
    assert out.index(" 7 │     │     │     │▼    │") < out.index(
        " 6 │     │     │     │ R1    R1  │"
    )


def test_enter_rolls_one_of_the_faces(
    sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    sit_down(Script(["", ""]))
    walked = re.search(r"Assam goes (\d): ((?:\w\d ?)+)\n", played(capsys, "--players", "4"))
    assert walked
    assert int(walked[1]) == len(walked[2].split())
    assert int(walked[1]) in DIE


def test_players_may_tell_what_they_draw(
    sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    sit_down(Script(["", "1", "y"]))
    said = talk(played(capsys, "--players", "2", "--told-piles"))
    assert "red+yellow: which colour have you drawn, r/y? y" in said
    assert said[-1] == "1. RY S1 d5s draws Y"
    assert "pile:" not in "".join(said)


def test_dealt_piles_say_which_rug_to_take(
    sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    sit_down(Script(["", "1", "1"]))
    said = talk(played(capsys, "--players", "2"))
    piles = [line.split() for line in said if line.startswith("pile: ")]
    assert [(pile[1], sorted(pile[2])) for pile in piles] == [
        ("RY", sorted("RY" * 12)),
        ("BN", sorted("BN" * 12)),
    ]
    colour = {"R": "red", "Y": "yellow"}[piles[0][2][0]]
    assert any(line.startswith(f"red+yellow: a {colour} rug, where? ") for line in said)


def test_piles_are_dealt_only_where_there_is_something_to_shuffle() -> None:
    two = Setup(usual_players(2))
    first, second = play.deal(two, Random(1)) or ([], [])
    assert sorted(first) == [Colour.RED] * 12 + [Colour.YELLOW] * 12
    assert sorted(second) == [Colour.BLUE] * 12 + [Colour.BROWN] * 12
    assert first != sorted(first)
    alternating = Options(two_player="alternating")
    assert play.deal(Setup(usual_players(2, alternating), alternating), Random(1)) is None
    assert play.deal(Setup(usual_players(4)), Random(1)) is None


def test_pivoting_last_asks_at_the_end_of_the_turn(
    sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    sit_down(Script(["1", "1", "n", "s", "e", "2"]))
    said = talk(played(capsys, "--players", "4", "--option", "turn_order=pivot-last"))
    at = said.index("red: turn Assam for the next player, e/w? n")
    assert said[at + 1 : at + 6] == [
        "  not allowed: turn north. R may turn east, turn west",
        "red: turn Assam for the next player, e/w? s",
        "  not allowed: turn south. R may turn east, turn west",
        "red: turn Assam for the next player, e/w? e",
        "yellow: roll [Enter rolls, or type your die: 1-4] 2",
    ]
    assert "1. R S1 d5s lays d3-d4 turns e" in said


# --- Short of money, and rugs that can lie nowhere ----------------------------------------

DEBT = """\
marrakech record 1
booklet: {booklet}
options: two_player=one-colour
player: R Rachid
player: Y Yasmin
position: ......./......./......./......./...R1R1../......./....... d4s orient Y \
R:30:14,Y:1:15 {options}

"""


def test_who_cannot_pay_is_out(
    file: Path, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(DEBT.format(booklet="en", options="two_player=one-colour"))
    sit_down(Script(["s", "1", ""]))
    out = played(capsys, "--record", str(file))
    assert talk(out)[1:] == [
        "Yasmin (yellow): where shall Assam face, e/s/w? [s] s",
        "Yasmin (yellow): roll [Enter rolls, or type your die: 1-4] 1",
        "  Assam goes 1: d5",
        "Yasmin (yellow) owes Rachid (red) 2, but has only 1 [Enter: paid] ",
        "  Yasmin (yellow) pays Rachid (red) 1.",
        "  Yasmin (yellow) is out: the rugs are neutral now.",
        "The count:",
        "1. Rachid (red): 31 + 2 = 33",
        "2. Yasmin (yellow): out",
    ]
    assert " 5 │     │     │     │▼R1 *  R1 *│     │     │\n" in out
    assert "   Y  Yasmin (yellow)  out\n" in out
    assert file.read_text().endswith(
        "1. Y S1 d5s pays R 1 of 2 is out\n\ncount: 1 R 31+2=33\ncount: 2 Y out\n"
    )


def test_who_is_spared_plays_on(
    file: Path, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    options = "bankruptcy=spare,two_player=one-colour"
    file.write_text(DEBT.format(booklet="hu-notes", options=options))
    sit_down(Script(["s", "1", "", "c5-c6"]))
    said = talk(played(capsys, "--record", str(file)))
    assert "  Yasmin (yellow) pays Rachid (red) 1." in said
    assert not any("is out" in line for line in said)
    assert file.read_text().endswith("1. Y S1 d5s pays R 1 of 2 lays c5-c6\n")


def test_a_rug_that_can_lie_nowhere_goes_back(
    file: Path, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(
        "marrakech record 1\nbooklet: fi\nplayer: R\nplayer: Y\nplayer: B\n"
        "position: .R1R1..../R3R2...../R3R2...../......./......./......./....... a1n lay Y "
        "R:30:12,Y:30:15,B:30:15 covering=two-colours\n\n"
    )
    sit_down(Script([""]))
    said = talk(played(capsys, "--record", str(file)))
    assert said[1:3] == [
        "yellow: a yellow rug can lie nowhere and goes back to the box [Enter] ",
        "  The rug goes back to the box.",
    ]
    assert file.read_text().endswith("\n1. Y returns\n")


# --- Answers that do not fit, and questions of the players' own ----------------------------


def test_wrong_answers_are_answered_with_a_reason_and_asked_again(
    sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = ["x", "north", "n", "s", "5", "0", "-1", "two", "3"]
    answers += ["", "0", "8", "d6", "d6-z9", "d6-d8", "a1-c1", "d7-d6", "a1-a2", "1"]
    sit_down(Script(answers))
    said = talk(played(capsys, "--players", "4"))
    reasons = [line for line in said if line.startswith("  ") and not line.startswith("  1 ")]
    no_place = "is no place for a rug: name its two squares, like d3-d4"
    may = "lay d5-d6, lay c6-d6, lay c6-c7, lay d6-e6, lay e6-e7, lay b7-c7, lay e7-f7"
    assert reasons == [
        "  'x' is no direction: use n, e, s or w",
        "  'north' is no direction: use n, e, s or w",
        "  not allowed: face north. R may face south, face east, face west",
        "  the die cannot show 5: it has 1, 2, 3 or 4 slippers",
        "  the die cannot show 0: it has 1, 2, 3 or 4 slippers",
        "  '-1' is no roll: use 1, 2, 3 or 4, or Enter",
        "  'two' is no roll: use 1, 2, 3 or 4, or Enter",
        "  Assam goes 3: d5 d6 d7",
        "  '' is no choice: use 1 to 7, or two squares",
        "  '0' is no choice: use 1 to 7, or two squares",
        "  '8' is no choice: use 1 to 7, or two squares",
        f"  'd6' {no_place}",
        "  'z9' is no square: use a letter a-g and a number 1-7, like d4",
        "  'd8' is no square: use a letter a-g and a number 1-7, like d4",
        "  no rug lies on a1 and c1: they do not share a side",
        f"  not allowed: lay d6-d7. R may {may}",
        f"  not allowed: lay a1-a2. R may {may}",
    ]
    assert said[-1] == "1. R S3 d7s lays d5-d6"


def test_a_colour_must_be_ones_own(sit_down: Keyboard, capsys: pytest.CaptureFixture[str]) -> None:
    sit_down(Script(["", "1", "b", "green", "", "R"]))
    said = talk(played(capsys, "--players", "2", "--told-piles"))
    reasons = [line for line in said if re.match("  (not|unknown)", line)]
    assert reasons == [
        "  not allowed: draw blue. RY may draw red, draw yellow",
        "  unknown colour 'green': use red, yellow, blue or brown; did you mean 'red'?",
        "  unknown colour '': use red, yellow, blue or brown",
    ]
    assert said[-1] == "1. RY S1 d5s draws R"


@pytest.mark.parametrize("digits", ["9" * 5000, "²"])
def test_numbers_of_any_kind_are_only_wrong_answers(
    digits: str, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    """Python refuses to read a number of 5000 digits, and a raised 2 is a digit but no number."""
    sit_down(Script(["", digits, "3", digits, "1"]))
    assert talk(played(capsys, "--players", "4"))[-1] == "1. R S3 d7s lays d5-d6"


def test_help_is_there_at_every_question(
    sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    sit_down(Script(["?", "", "?", "1", "?", "?"]))
    assert talk(played(capsys, "--players", "4")).count(f"  {HELP}") == 4


def test_the_market_is_drawn_again_on_request(
    sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    sit_down(Script(["m", "M", " m "]))
    out = played(capsys, "--players", "4")
    assert out.count(" 4 │     │     │     │▼    │     │     │     │\n") == 4


def test_undo_takes_back_one_thing_at_a_time(
    sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    sit_down(Script(["", "3", "d6-e6", "u", "u", "u", "u", "w", "1"]))
    said = talk(played(capsys, "--players", "4"))
    assert [line for line in said if "aken back" in line or "Nothing" in line] == [
        "  Taken back: lay d6-e6.",
        "  Taken back: a roll of 3.",
        "  Taken back: face south.",
        "  Nothing was told yet.",
    ]
    assert said[-1] == "1. R W1 c4w"


def test_a_payment_can_be_taken_back(
    file: Path, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    debt = DEBT.format(booklet="en", options="two_player=one-colour").replace("Y:1:", "Y:9:")
    file.write_text(debt)
    sit_down(Script(["s", "1", "", "u"]))
    assert "  Taken back: pay.\n" in played(capsys, "--record", str(file))
    assert file.read_text().endswith("\n1. Y S1 d5s\n")


# --- Beginning and stopping ---------------------------------------------------------------


@pytest.mark.parametrize(("answer", "players"), [("", 4), ("2", 2), (" 3 ", 3)])
def test_the_number_of_players_is_asked(
    answer: str, players: int, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    sit_down(Script([answer]))
    out = played(capsys)
    assert out.startswith(f"How many players, 2, 3 or 4? [4] {answer}\n")
    assert out.count(" rugs left\n") == players


@pytest.mark.parametrize("answer", ["7", "two", "-2", "²"])
def test_a_wrong_number_of_players_is_asked_for_again(
    answer: str, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    sit_down(Script([answer, "3"]))
    out = played(capsys)
    assert f"  '{answer}' is no number of players: use 2, 3 or 4\n" in out
    assert out.count(" rugs left\n") == 3


def test_paying_takes_enter_and_nothing_else(
    file: Path, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    options = "bankruptcy=spare,two_player=one-colour"
    file.write_text(DEBT.format(booklet="hu-notes", options=options))
    sit_down(Script(["s", "1", "no", ""]))
    said = talk(played(capsys, "--record", str(file)))
    assert "  'no' is no answer: press Enter when it is done" in said
    assert file.read_text().endswith("1. Y S1 d5s pays R 1 of 2\n")


def test_without_an_answer_there_is_no_game(
    sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    sit_down(Script([]))
    said = "marrakech: no answer: say how many play with --players"
    assert refused(capsys) == [said]


def test_questions_go_to_standard_output_and_answers_come_from_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("3\ns\n3\nq\n"))
    out = played(capsys)
    assert out.startswith("How many players, 2, 3 or 4? [4] Marrakech, everybody at one keyboard.")
    assert out.endswith("\n1. R S3 d7s\n\n")


def test_the_end_of_input_stops_like_q(
    sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    sit_down(Script(["w"]))
    assert talk(played(capsys, "--players", "4"))[-1] == "1. R W"


def test_stopping_before_anything_was_told_prints_no_record(
    sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    sit_down(Script(["q"]))
    said = talk(played(capsys, "--players", "4"))
    assert said[-1] == "red: where shall Assam face, e/s/w? [s] q"


def test_control_c_does_not_lose_the_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever stops this way gets the record too."""
    answers = iter(["w", "1"])

    def type_and_interrupt(question: str) -> str:
        for answer in answers:
            return answer
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", type_and_interrupt)
    assert main(["play", "--players", "4"]) == 130
    assert "\n1. R W1 c4w\n" in capsys.readouterr().out


# --- Records ------------------------------------------------------------------------------


def test_the_record_is_written_after_every_step(
    file: Path, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    kept: list[str] = []

    def look() -> None:
        if file.exists():
            kept.append(file.read_text().splitlines()[-1])

    sit_down(Script(["s", "3", "d6-e6", "e", "u"], watch=look))
    out = played(capsys, "--players", "4", "--record", str(file))
    assert kept == [
        "1. R S",
        "1. R S3 d7s",
        "1. R S3 d7s lays d6-e6",
        "2. Y E",
        "1. R S3 d7s lays d6-e6",
    ]
    assert out.endswith("\nThe game is kept in game.txt; the same command goes on with it.\n")
    assert [path.name for path in Path().iterdir()] == ["game.txt"]


def test_a_game_goes_on_where_it_was_left(
    file: Path, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    sit_down(Script(["s", "3"]))
    played(capsys, "--players", "3", "--names", "Amina,,Chen", "--record", str(file))
    sit_down(Script(["4", "u", "d5-d6"]))
    out = played(capsys, "--record", str(file))
    assert "Amina (red): a red rug, where? [a number, or two squares like d5-d6] 4\n" in out
    assert file.read_text() == (
        "marrakech record 1\nbooklet: en\nplayer: R Amina\nplayer: Y\nplayer: B Chen\nfacing: s\n"
        "\n1. R S3 d7s lays d5-d6\n"
    )


def test_a_game_that_was_only_looked_at_is_still_kept(
    file: Path, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    sit_down(Script(["s", "3"]))
    played(capsys, "--players", "3", "--record", str(file))
    before = file.read_text()
    sit_down(Script(["m", "q"]))
    said = talk(played(capsys, "--record", str(file)))
    assert said[-1] == "The game is kept in game.txt; the same command goes on with it."
    assert file.read_text() == before


def test_notes_in_a_record_stay_in_it(
    file: Path, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    note = "date: 2024-05-01\nnote: first game of the evening\n"
    file.write_text(
        f"marrakech record 1\n{note}booklet: fr\nplayer: R\nplayer: Y\nplayer: B\nfacing: e\n"
    )
    sit_down(Script(["n"]))
    played(capsys, "--record", str(file))
    assert file.read_text() == (
        f"marrakech record 1\n{note}booklet: fr\nplayer: R\nplayer: Y\nplayer: B\nfacing: e\n"
        "\n1. R N\n"
    )


def test_a_finished_record_is_only_counted(
    file: Path, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(
        DEBT.format(booklet="en", options="two_player=one-colour")
        + "1. Y S1 d5s pays R 1 of 2 is out\n"
    )
    before = file.read_text()
    sit_down(Script([]))
    out = played(capsys, "--record", str(file))
    assert talk(out)[1:] == [
        "The count:",
        "1. Rachid (red): 31 + 2 = 33",
        "2. Yasmin (yellow): out",
    ]
    assert file.read_text() == before


def test_a_damaged_record_is_refused_with_its_line_and_left_alone(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "marrakech record 1\nplayer: R\nplayer: Y\nplayer: B\n\n1. R S3 d6s lays d6-e6\n"
    file.write_text(text)
    assert refused(capsys, "--record", str(file)) == [
        "marrakech: game.txt: line 6, column 9: Assam's arrival is 'd7s', not 'd6s'",
        "position: ......./......./......./......./......./......./....... d7s lay R "
        "R:30:15,Y:30:15,B:30:15 -",
    ]
    assert file.read_text() == text


def test_a_folder_cannot_be_played_on(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.mkdir()
    said = "marrakech: cannot read game.txt: Is a directory"
    assert refused(capsys, "--record", str(file)) == [said]


def test_a_name_too_long_for_a_file_is_no_traceback(
    file: Path, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    sit_down(Script(["s"]))
    code = main(["play", "--players", "4", "--record", "x" * 300])
    out, err = capsys.readouterr()
    assert "File name too long" in out + err
    assert code in (0, 2)


def test_a_record_that_cannot_be_written_does_not_stop_the_game(
    file: Path, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    sit_down(Script(["s", "3"]))
    said = talk(played(capsys, "--players", "4", "--record", "nowhere/game.txt"))
    trouble = "  NOT SAVED: cannot write nowhere/game.txt: No such file or directory."
    assert said.count(f"{trouble} The game goes on.") == 2


def test_a_game_that_was_not_saved_is_printed_instead(
    file: Path, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody is told that it is kept."""
    sit_down(Script(["s", "3", "q"]))
    out = played(capsys, "--players", "4", "--record", "nowhere/game.txt")
    assert "is kept in" not in out
    assert "\n1. R S3 d7s\n" in out


def test_a_game_stopped_at_once_is_kept_or_not_called_kept(
    file: Path, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    sit_down(Script(["q"]))
    out = played(capsys, "--players", "2", "--record", str(file))
    assert file.exists() == ("is kept in" in out)


@pytest.mark.parametrize("names", ["A\nB,C", "A\u2028B,C", "A\rB,C"])
def test_names_never_damage_the_record(
    names: str, file: Path, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    """Either they are refused, or what is written can be read again."""
    sit_down(Script(["s"]))
    code = main(["play", "--players", "2", "--names", names, "--record", str(file)])
    assert code == 2 or parse_record(file.read_text()).start.setup.players == usual_players(2)


def test_names_that_are_no_text_are_refused(
    file: Path, sit_down: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    """A shell passes bytes on; those that are not UTF-8 cannot be written down."""
    sit_down(Script(["s"]))
    assert main(["play", "--players", "2", "--names", "Zo\udceb,C", "--record", str(file)]) == 2
