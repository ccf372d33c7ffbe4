"""Playing scenarios: what is done reaches the pins, and what comes out otherwise is told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from companion.scenario.scenario import Outcome, run_scenario
from companion.table.conversation import Stage

BEGIN = "title a try\npress ok ok ok ok\n"


@pytest.fixture
def play(tmp_path: Path) -> Play:
    return Play(tmp_path)


class Play:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, *lines: str, begin: str = BEGIN) -> Outcome:
        return run_scenario(begin + "\n".join(lines), "try.txt", self.folder)

    @property
    def journal(self) -> bytes:
        return (self.folder / "game.jsonl").read_bytes()


# --- The report ---------------------------------------------------------------------------


def test_a_scenario_that_comes_out_says_so_in_a_line(play: Play) -> None:
    outcome = play("expect stage ORIENT", "expect assam d4s")
    assert outcome.passed
    assert outcome.report == "try.txt: a try: passed, 2 expectations"


def test_what_comes_out_otherwise_is_told_with_its_line(play: Play) -> None:
    outcome = play("press 1 ok", 'expect title "Red: your turn"', "expect dirhams 30 30 30 30")
    assert not outcome.passed
    assert outcome.report.splitlines() == [
        "try.txt: a try: FAILED in 1 line, 2 expectations checked",
        'line 4: expect title "Red: your turn"',
        "  expected: Red: your turn",
        "  shown:    Yellow: your turn",
    ]


def test_all_expectations_are_checked_also_after_one_that_fails(play: Play) -> None:
    outcome = play("expect stage LAY", "press 2", "expect stage LAY", "expect entries 9")
    assert [failure.statement.line for failure in outcome.failures] == [3, 6]
    assert outcome.expectations == 3


def test_frames_are_told_side_by_side(play: Play) -> None:
    dots = [" ........ ........"] * 8
    outcome = play("expect frame at 0ms 150ms", *dots)
    (failure,) = outcome.failures
    assert failure.expected == ("........ ........",) * 8
    assert failure.shown == (
        ".......# .......#",
        "........ ........",
        "........ ........",
        "...#.... ........",
        "...#.... ...#....",
        "........ ........",
        "........ ........",
        "#.....#. #.....#.",
    )


@pytest.mark.parametrize(
    ("line", "expected", "shown"),
    [
        ("expect not stage ORIENT", "not ORIENT", "ORIENT"),
        ("expect refused", "refused", "nothing"),
        ('expect todo contains "dance"', "… dance …", "Assam faces south. Turn him left"),
        ("expect status unsaved", "unsaved", "simulated"),
        ("expect dark", "dark", "nothing"),
        ("expect archive 1", "1", "0"),
        ("expect score 1 2 3 out", "1 2 3 out", "30 30 30 30"),
    ],
)
def test_the_report_says_what_was_expected_and_what_was_shown(
    play: Play, line: str, expected: str, shown: str
) -> None:
    (failure,) = play(line).failures
    assert failure.expected == (expected,)
    assert failure.shown[0].startswith(shown)


def test_all_sentences_in_order_is_all_of_them(play: Play) -> None:
    assert play(
        "press 1", "expect news", "  Red rolled 1: Assam walks to d5 and faces south."
    ).passed
    (failure,) = play(
        "press 1 ok back",
        "expect news",
        "  Nothing was under it on d6.",
        "  Lift the red rug from d6 and d7: Red takes it back.",
        "  Nothing was under it on d7.",
        begin="title a try\nhold back\nhold back\npress ok ok ok ok\n",
    ).failures
    assert failure.shown[0] == "Lift the red rug from d6 and d7: Red takes it back."


# --- What cannot be done ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "line", "shown"),
    [
        (["kill", "kill"], 4, "kill: the companion is not running; 'restart' it first"),
        (["kill", "expect stage LAY"], 4, "expect: the companion is not running; 'restart' it"),
        (["tear 5"], 3, "nothing is torn off while the companion runs: kill it first"),
        (["kill", "tear 9999"], 4, "the journal has only"),
    ],
)
def test_what_cannot_be_done_ends_the_scenario(
    play: Play, lines: list[str], line: int, shown: str
) -> None:
    outcome = play(*lines, "restart", "expect stage DRAW")
    (failure,) = outcome.failures
    assert failure.statement.line == line
    assert failure.shown[0].startswith(shown)


def test_a_roll_that_was_not_foreseen_fails(play: Play) -> None:
    begin = 'title a try\nconfig\n  [die]\n  input = "both"\npress ok ok ok ok\n'
    (failure,) = play("press ok", begin=begin).failures
    assert failure.statement.line == 6
    assert failure.shown == ("the companion rolls: say before what comes, like 'rolls 3'",)
    assert play("rolls 3", "press ok", "expect assam d7s", begin=begin.replace("ok ok ok ok", "ok"))


def test_a_code_that_was_not_foreseen_fails(play: Play) -> None:
    both = ("down ok", "down back", "wait 2100ms")
    (failure,) = play(*both).failures
    assert "say before which, like 'code 0417'" in failure.shown[0]
    assert play("code 0417", *both, "expect not refused", begin="title a try\n").passed


def test_an_electronic_die_has_no_keys(play: Play) -> None:
    begin = 'title a try\nconfig\n  [die]\n  input = "electronic"\n'
    (failure,) = play("press 3", begin=begin).failures
    assert failure.shown == ("the die is electronic: there is no key 3",)


def test_a_game_that_is_not_there_has_no_position(play: Play) -> None:
    (failure,) = play("expect assam d4s", begin="title a try\n").failures
    assert failure.shown == ("there is no game yet",)


def test_a_fault_inside_the_companion_is_told(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("the sky fell")

    monkeypatch.setattr("companion.daemon.controller.hear", fail)
    (failure,) = play("expect stage ORIENT").failures
    assert failure.statement.line == 2
    assert failure.shown == ("the companion failed: ZeroDivisionError: the sky fell",)


def test_a_damaged_journal_is_told_at_the_start(play: Play) -> None:
    (play.folder / "game.jsonl").write_text("no game\nat all\n")
    (failure,) = play("expect stage ORIENT").failures
    assert failure.statement.line == 1
    assert "this is not the header of a journal" in failure.shown[0]


# --- Time and power -----------------------------------------------------------------------


def test_a_press_takes_a_tenth_of_a_second(play: Play) -> None:
    """A frame of now and one at a time are the same where the times meet."""
    outcome = play(
        "press east",
        "expect frame at 87ms",
        *["  ........"] * 8,
        "expect frame",
        *["  ........"] * 8,
        "expect frame at 88ms",
        *["  ........"] * 8,
    )
    at_87, now, at_88 = (failure.shown for failure in outcome.failures)
    assert at_87 == now == at_88


def test_a_day_at_the_table_takes_a_moment(play: Play) -> None:
    """Of virtual time, that is: on a real clock this test would take a day."""
    assert play("wait 86400s", "expect stage ORIENT").passed


def test_after_kill_nothing_is_written(play: Play) -> None:
    assert play("disk slow 300ms", "press east", "kill").passed
    before = play.journal
    assert play("kill", "wait 5s", begin="title a try\n").passed
    assert play.journal == before
    assert before.count(b"\n") == 1


def test_after_kill_the_journal_is_free_for_the_next(play: Play) -> None:
    assert play("press east", "kill", "restart", "press ok", "expect assam d4e").passed


def test_a_full_disk_takes_half_of_what_is_written(play: Play) -> None:
    """So that the companion must clean up after it."""
    assert play("disk full", "press east", "kill").passed
    assert play.journal.count(b"\n") == 1
    assert play.journal.endswith(b"\n")


def test_a_scenario_goes_on_with_the_games_of_its_folder(play: Play) -> None:
    assert play("press 2").passed
    assert play("expect stage RESUME", "press ok", "expect assam d6s", begin="title on\n").passed


def test_it_comes_out_the_same_every_time(tmp_path: Path) -> None:
    text = "\n".join([BEGIN, "press east 3 ok", "press west 2 ok", "expect score 0 0 0 0"])
    outcomes = [run_scenario(text, "try.txt", tmp_path / str(n)) for n in range(2)]
    assert outcomes[0] == outcomes[1]
    journals = [(tmp_path / str(n) / "game.jsonl").read_bytes() for n in range(2)]
    assert journals[0] == journals[1]


@pytest.mark.parametrize("stage", [Stage.ORIENT, Stage.RESUME])
def test_a_stage_is_named_as_in_the_code(play: Play, stage: Stage) -> None:
    held = [] if stage is Stage.ORIENT else ["hold back"]
    assert play(*held, f"expect stage {stage.name}").passed


def test_no_screen_is_imported_for_it(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path;"
        "from companion.scenario.scenario import run_scenario;"
        "assert run_scenario('title a', 'a', Path(sys.argv[1])).passed;"
        "sys.exit(bool({'textual', 'rich'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False).returncode == 0
