"""The scenario runner: statements reach the pins, and failures are reported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from companion.scenario.runner import ScenarioResult, run_scenario
from companion.table.conversation import Stage

BEGIN = "title a try\npress ok ok ok ok\n"


@pytest.fixture
def run(tmp_path: Path) -> ScenarioRunner:
    return ScenarioRunner(tmp_path)


class ScenarioRunner:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, *lines: str, begin: str = BEGIN) -> ScenarioResult:
        return run_scenario(begin + "\n".join(lines), "try.txt", self.folder)

    @property
    def journal(self) -> bytes:
        return (self.folder / "game.jsonl").read_bytes()


# --- The report ---------------------------------------------------------------------------


def test_report_of_a_passed_scenario_is_one_line(run: ScenarioRunner) -> None:
    result = run("expect stage ORIENT", "expect assam d4s")
    assert result.passed
    assert result.report == "try.txt: a try: passed, 2 expectations"


def test_failed_expectation_is_reported_with_its_line_number(run: ScenarioRunner) -> None:
    result = run("press 1 ok", 'expect title "Red: your turn"', "expect dirhams 30 30 30 30")
    assert not result.passed
    assert result.report.splitlines() == [
        "try.txt: a try: FAILED in 1 line, 2 expectations checked",
        'line 4: expect title "Red: your turn"',
        "  expected: Red: your turn",
        "  shown:    Yellow: your turn",
    ]


def test_all_expectations_are_checked_even_after_a_failure(run: ScenarioRunner) -> None:
    result = run("expect stage LAY", "press 2", "expect stage LAY", "expect entries 9")
    assert [failure.statement.line for failure in result.failures] == [3, 6]
    assert result.expectations == 3


def test_frames_are_reported_side_by_side(run: ScenarioRunner) -> None:
    dots = [" ........ ........"] * 8
    result = run("expect frame at 0ms 150ms", *dots)
    (failure,) = result.failures
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
def test_report_has_what_was_expected_and_what_was_shown(
    run: ScenarioRunner, line: str, expected: str, shown: str
) -> None:
    (failure,) = run(line).failures
    assert failure.expected == (expected,)
    assert failure.shown[0].startswith(shown)


def test_indented_sentences_must_be_all_sentences_in_order(run: ScenarioRunner) -> None:
    assert run(
        "press 1", "expect news", "  Red rolled 1: Assam walks to d5 and faces south."
    ).passed
    (failure,) = run(
        "press 1 ok back",
        "expect news",
        "  Nothing was under it on d6.",
        "  Lift the red rug from d6 and d7: Red takes it back.",
        "  Nothing was under it on d7.",
        begin="title a try\nhold back\nhold back\npress ok ok ok ok\n",
    ).failures
    assert failure.shown[0] == "Lift the red rug from d6 and d7: Red takes it back."


# --- Statements that cannot be executed ---------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "line", "shown"),
    [
        (["kill", "kill"], 4, "kill: the companion is not running; 'restart' it first"),
        (["kill", "expect stage LAY"], 4, "expect: the companion is not running; 'restart' it"),
        (["tear 5"], 3, "the journal is in use while the companion runs: kill it first"),
        (["kill", "tear 9999"], 4, "the journal has only"),
    ],
)
def test_statement_that_cannot_be_executed_ends_the_scenario(
    run: ScenarioRunner, lines: list[str], line: int, shown: str
) -> None:
    result = run(*lines, "restart", "expect stage DRAW")
    (failure,) = result.failures
    assert failure.statement.line == line
    assert failure.shown[0].startswith(shown)


def test_roll_that_is_not_scripted_fails(run: ScenarioRunner) -> None:
    begin = 'title a try\nconfig\n  [die]\n  input = "both"\npress ok ok ok ok\n'
    (failure,) = run("press ok", begin=begin).failures
    assert failure.statement.line == 6
    assert failure.shown == ("the companion rolls: write before it 'rolls 3'",)
    assert run("rolls 3", "press ok", "expect assam d7s", begin=begin.replace("ok ok ok ok", "ok"))


def test_pairing_code_that_is_not_scripted_fails(run: ScenarioRunner) -> None:
    both = ("down ok", "down back", "wait 2100ms")
    (failure,) = run(*both).failures
    assert "write before it 'code 0417'" in failure.shown[0]
    assert run("code 0417", *both, "expect not refused", begin="title a try\n").passed


def test_electronic_die_has_no_keys(run: ScenarioRunner) -> None:
    begin = 'title a try\nconfig\n  [die]\n  input = "electronic"\n'
    (failure,) = run("press 3", begin=begin).failures
    assert failure.shown == ("the die is electronic: there is no key 3",)


def test_position_cannot_be_expected_before_a_game_begins(run: ScenarioRunner) -> None:
    (failure,) = run("expect assam d4s", begin="title a try\n").failures
    assert failure.shown == ("there is no game yet",)


def test_exception_inside_the_companion_is_reported(
    run: ScenarioRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("the sky fell")

    monkeypatch.setattr("companion.daemon.controller.handle_input", fail)
    (failure,) = run("expect stage ORIENT").failures
    assert failure.statement.line == 2
    assert failure.shown == ("the companion failed: ZeroDivisionError: the sky fell",)


def test_damaged_journal_is_reported_at_the_start(run: ScenarioRunner) -> None:
    (run.folder / "game.jsonl").write_text("no game\nat all\n")
    (failure,) = run("expect stage ORIENT").failures
    assert failure.statement.line == 1
    assert "this is not the header of a journal" in failure.shown[0]


# --- Time and power -----------------------------------------------------------------------


def test_press_takes_100_ms(run: ScenarioRunner) -> None:
    """The frame now and the frame at a time are the same where the times meet."""
    result = run(
        "press east",
        "expect frame at 87ms",
        *["  ........"] * 8,
        "expect frame",
        *["  ........"] * 8,
        "expect frame at 88ms",
        *["  ........"] * 8,
    )
    at_87, now, at_88 = (failure.shown for failure in result.failures)
    assert at_87 == now == at_88


def test_a_day_of_virtual_time_takes_a_moment(run: ScenarioRunner) -> None:
    """On a real clock this test would take a day."""
    assert run("wait 86400s", "expect stage ORIENT").passed


def test_nothing_is_written_after_kill(run: ScenarioRunner) -> None:
    assert run("disk slow 300ms", "press east", "kill").passed
    before = run.journal
    assert run("kill", "wait 5s", begin="title a try\n").passed
    assert run.journal == before
    assert before.count(b"\n") == 1


def test_journal_is_unlocked_after_kill(run: ScenarioRunner) -> None:
    assert run("press east", "kill", "restart", "press ok", "expect assam d4e").passed


def test_half_a_write_to_a_full_disk_is_removed(run: ScenarioRunner) -> None:
    assert run("disk full", "press east", "kill").passed
    assert run.journal.count(b"\n") == 1
    assert run.journal.endswith(b"\n")


def test_scenario_uses_the_games_in_its_folder(run: ScenarioRunner) -> None:
    assert run("press 2").passed
    assert run("expect stage RESUME", "press ok", "expect assam d6s", begin="title on\n").passed


def test_result_and_journal_are_the_same_every_time(tmp_path: Path) -> None:
    text = "\n".join([BEGIN, "press east 3 ok", "press west 2 ok", "expect score 0 0 0 0"])
    results = [run_scenario(text, "try.txt", tmp_path / str(n)) for n in range(2)]
    assert results[0] == results[1]
    journals = [(tmp_path / str(n) / "game.jsonl").read_bytes() for n in range(2)]
    assert journals[0] == journals[1]


@pytest.mark.parametrize("stage", [Stage.ORIENT, Stage.RESUME])
def test_stages_have_the_names_in_the_code(run: ScenarioRunner, stage: Stage) -> None:
    held = [] if stage is Stage.ORIENT else ["hold back"]
    assert run(*held, f"expect stage {stage.name}").passed


def test_runner_does_not_import_the_simulator_screen(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path;"
        "from companion.scenario.runner import run_scenario;"
        "assert run_scenario('title a', 'a', Path(sys.argv[1])).passed;"
        "sys.exit(bool({'textual', 'rich'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False).returncode == 0
