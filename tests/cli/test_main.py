"""The command line as a whole: help, errors in a line or two, streams that go away."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.patience import PATIENCE_S

from companion import __version__
from companion.cli.main import COMMANDS, main

START = (
    "......./......./......./......./......./......./......."
    " d4s orient R R:30:12,Y:30:12,B:30:12,N:30:12 -"
)


def code_of(*words: str) -> int:
    """The exit code, whether it is returned or thrown by argparse."""
    try:
        return main(words)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0


def companion(
    *words: str | bytes,
    told: bytes = b"",
    stdout: int = subprocess.PIPE,
    **environment: str,
) -> subprocess.CompletedProcess[bytes]:
    """`python -m companion` as a shell starts it."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.run(
        [sys.executable, "-P", "-m", "companion", *words],
        input=told,
        stdout=stdout,
        stderr=subprocess.PIPE,
        env={**inherited, "PYTHONWARNINGS": "error", **environment},
        timeout=PATIENCE_S,
        check=False,
    )


@pytest.fixture(autouse=True)
def plain_help(monkeypatch: pytest.MonkeyPatch) -> None:
    """Help as on a screen of 100 columns without colours."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")


def run_shell(line: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["bash", "-c", line], capture_output=True, timeout=PATIENCE_S, check=False
    )


def test_no_command_prints_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("usage: marrakech [-h] [--version] COMMAND ...\n")
    assert err == ""
    for name, text in COMMANDS.items():
        assert f"    {name:11}{text}\n" in out
    tests = "In a checkout, ./marrakech sets itself up, and './marrakech test' sets up and runs all"
    assert f"{tests} tests." in " ".join(out.split())


def test_the_help_of_simulate_says_what_the_score_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert code_of("simulate", "--help") == 0
    score = "The score is the average over the games in which the player was not out.\n"
    assert capsys.readouterr().out.endswith(score)


def test_version_is_the_package_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert code_of("--version") == 0
    assert capsys.readouterr() == (f"marrakech {__version__}\n", "")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert code_of(command, "--help") == 0
    out, err = capsys.readouterr()
    text = COMMANDS[command]
    assert out.startswith(f"usage: marrakech {command} [-h]")
    assert text[0].upper() + text[1:] + "." in " ".join(out.split())
    assert err == ""


def test_words_come_from_the_command_line_unless_given(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["marrakech", "perft", "1"])
    assert main() == 0
    assert capsys.readouterr() == ("3\n", "")


# --- What is refused ----------------------------------------------------------------------

REFUSED = {
    "shwo": "unknown command 'shwo': use play, serve, status, press, watch, pair, web, doctor, "
    "games, hotseat, config, rules, show, verify, render, light, install, upgrade, uninstall, "
    "firmware, simulate, perft or bench; did you mean 'show'?",
    "xyzzy": "unknown command 'xyzzy': use play, serve, status, press, watch, pair, web, doctor, "
    "games, hotseat, config, rules, show, verify, render, light, install, upgrade, uninstall, "
    "firmware, simulate, perft or bench",
    "rules --booklet xx": "unknown booklet 'xx': use en, fr, nl, es, it, fi, sv, cs, el, pt, pl, "
    "is, ar, et, lv, lt, ru, zh-TW, ja, zh-CN, hu, sl, ro, nb, sr, hr, de, ko, th, fa, ru-2012, "
    "fa-sheet or hu-notes",
    "rules --option loops": "'loops' is no option: write name=value, like loops=nw-se",
    "rules --option loop=nw-se": "unknown option 'loop': use bankruptcy, covering, two_player, "
    "turn_order, pivot, purse, tie_break, box, short_colour or loops; did you mean 'loops'?",
    "rules --option box=58": "unknown value of box '58': use 60 or 57; did you mean '57'?",
    "rules --option box=57 --option box=60": "option box is set twice",
    "show d4": "column 1: a position has 6 fields (market assam phase mover players options), "
    "not 1",
    "show " + START.replace("d4s", "d9s"): "column 57: Assam is a square and a direction, like "
    "d4s: 'd9' is no square: use a letter a-g and a number 1-7, like d4",
    "perft 2 " + START.replace("orient R", "orient X"): "column 68: unknown mover 'X': use R, Y, "
    "B or N",
    "simulate --players 1": "1 player: Marrakech is for 2, 3 or 4; the nearest is 2",
    "simulate --players 5": "5 players: Marrakech is for 2, 3 or 4; the nearest is 4",
    "hotseat --players 5": "5 players: Marrakech is for 2, 3 or 4; the nearest is 4",
    "hotseat --players 3 --names A,B": "2 names for 3 players: A, B",
    "verify /nowhere/game.txt": "cannot read /nowhere/game.txt: No such file or directory",
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_cannot_be_done_is_said_in_one_line(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words.split()) == 2
    assert capsys.readouterr() == ("", f"marrakech: {REFUSED[words]}\n")


MISTYPED = {
    "--nope": "marrakech",
    "hotseat --nope": "marrakech",
    "simulate extra": "marrakech",
    "verify": "marrakech verify",
    "verify a b": "marrakech",
    "perft": "marrakech perft",
    "perft x": "marrakech perft",
    "perft -1": "marrakech perft",
    "simulate --players x": "marrakech simulate",
    "simulate --games 0": "marrakech simulate",
    "simulate --games 1.5": "marrakech simulate",
    "simulate --seed x": "marrakech simulate",
    "simulate --json=1": "marrakech simulate",
    "bench nothing": "marrakech bench",
    "bench rules --rounds 0": "marrakech bench",
    "bench pad --presses 1": "marrakech bench",
    "firmware": "marrakech firmware",
    "firmware flush": "marrakech firmware",
    "bench rules --seconds soon": "marrakech bench",
    "hotseat --players": "marrakech hotseat",
    "hotseat --record": "marrakech hotseat",
}


@pytest.mark.parametrize("words", MISTYPED)
def test_a_mistyped_command_line_is_answered_in_two_lines(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line for what is wrong, one for where to look."""
    assert code_of(*words.split()) == 2
    out, err = capsys.readouterr()
    wrong, look = err.splitlines()
    assert out == ""
    assert wrong.startswith("marrakech: ")
    assert look == f"Try '{MISTYPED[words]} --help'."


def test_numbers_are_refused_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert code_of("simulate", "--games", "many") == 2
    assert code_of("simulate", "--games", "0") == 2
    assert code_of("simulate", "--seed", "1.5") == 2
    assert code_of("hotseat", "--players", "abc") == 2
    assert code_of("perft", "x") == 2
    assert capsys.readouterr().err.splitlines()[::2] == [
        "marrakech: argument --games: 'many' is no whole number",
        "marrakech: argument --games: 0 is too small: the least is 1",
        "marrakech: argument --seed: '1.5' is no whole number",
        "marrakech: argument --players: 'abc' is no whole number",
        "marrakech: argument depth: 'x' is no whole number",
    ]


def test_only_what_is_required_is_called_required(capsys: pytest.CaptureFixture[str]) -> None:
    assert code_of("perft") == 2
    wrong = "marrakech: the following arguments are required: depth"
    assert capsys.readouterr().err.splitlines()[0] == wrong


# --- What users write is never more than text ---------------------------------------------


def test_what_is_wrong_neither_moves_the_cursor_nor_fills_the_screen(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert code_of("verify", "a\x1b[2J\nb") == 2
    assert code_of("hotseat", "--nope\x1b[2J") == 2
    assert code_of("x" * 1_000_000) == 2
    assert code_of("simulate", "--games", "9" * 1_000_000) == 2
    assert capsys.readouterr() == (
        "",
        "marrakech: cannot read a\\x1b[2J\\nb: No such file or directory\n"
        "marrakech: unrecognized arguments: --nope\\x1b[2J\n"
        "Try 'marrakech --help'.\n"
        f"marrakech: unknown command '{'x' * 983}…\n"
        f"marrakech: argument --games: '{'9' * 281}…\n"
        "Try 'marrakech simulate --help'.\n",
    )


def test_the_position_of_an_error_has_its_own_line_and_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    name = "position: \n\x07"
    turn = "1. R S3 d6s"
    Path(name).write_text(f"marrakech record 1\nplayer: R\nplayer: Y\nplayer: B\n\n{turn}\n")
    assert main(["verify", name]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "marrakech: position: \\n\\x07: line 6, column 9: Assam's arrival is 'd7s', not 'd6s'",
        "position: ......./......./......./......./......./......./....... d7s lay R "
        "R:30:15,Y:30:15,B:30:15 -",
    ]


def test_control_c_ends_with_the_code_that_shells_expect(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(prompt: str = "") -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupt)
    assert main(["hotseat"]) == 130
    assert capsys.readouterr() == ("", "\n")


# --- As a program -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words", ["shwo", "verify /nowhere", "show x", "perft x", "hotseat --nope"]
)
def test_the_program_fails_without_a_traceback(words: str) -> None:
    done = companion(*words.split())
    assert done.returncode == 2
    assert done.stdout == b""
    assert 1 <= len(done.stderr.splitlines()) <= 2
    assert done.stderr.startswith(b"marrakech: ")


def test_the_program_says_so_when_a_game_has_no_input() -> None:
    done = companion("hotseat")
    assert done.returncode == 2
    assert done.stderr == b"marrakech: no answer: say how many play with --players\n"


def test_output_without_a_terminal_has_no_colours() -> None:
    done = companion("show")
    assert done.returncode == 0
    assert b"\x1b" not in done.stdout


def test_head_may_leave_early() -> None:
    """`marrakech rules | head -1`: no error, whatever the reader does."""
    line = f'"{sys.executable}" -P -m companion rules | head -1; echo "${{PIPESTATUS[0]}}"'
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, timeout=PATIENCE_S, check=False
    )
    assert done.stdout == b" 1  en       English                    -\n0\n"
    assert done.stderr == b""


def closed_pipe() -> int:
    """A pipe that nobody reads any more."""
    reader, writer = os.pipe()
    os.close(reader)
    return writer


@pytest.mark.parametrize("words", ["rules", "show", "", "--help", "--version", "perft --help"])
def test_a_reader_that_has_left_is_no_error(words: str) -> None:
    writer = closed_pipe()
    try:
        done = companion(*words.split(), stdout=writer)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_reader_that_has_left_is_no_error_in_process(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with os.fdopen(closed_pipe(), "w", encoding="utf-8") as gone:
        monkeypatch.setattr(sys, "stdout", gone)
        assert main(["rules"]) == 0
    monkeypatch.undo()
    assert capsys.readouterr() == ("", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("words", ["rules", "--help"])
def test_a_full_disk_is_said_in_one_line(words: str) -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    try:
        done = companion(*words.split(), stdout=full)
    finally:
        os.close(full)
    assert done.returncode == 2
    assert done.stderr == b"marrakech: cannot write: No space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_said_in_process_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    descriptor = os.open("/dev/full", os.O_WRONLY)
    with os.fdopen(descriptor, "w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdout", full)
        try:
            code = main(["rules"])
        finally:  # whatever is left in the buffer must not fail once more
            os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
    monkeypatch.undo()
    assert code == 2
    assert capsys.readouterr().err == "marrakech: cannot write: No space left on device\n"


def test_streams_that_are_closed_are_empty_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python has None in their place."""
    monkeypatch.setattr(sys, "argv", ["marrakech", "rules"])
    monkeypatch.setattr(sys, "stdin", None)
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    try:
        code = main()
    finally:
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            if stream is not None:
                stream.close()
        monkeypatch.undo()
    assert code == 0


TROUBLE = [
    "verify /nowhere", "shwo", "perft x", "show --nope", "hotseat --record /nowhere/game.txt",
]  # fmt: skip


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("words", TROUBLE)
@pytest.mark.parametrize("stderr", ["2>&-", "2>/dev/full"])
def test_trouble_that_nobody_can_be_told_of_is_in_the_exit_code(stderr: str, words: str) -> None:
    line = f'"{sys.executable}" -P -m companion {words} {stderr}'
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, timeout=PATIENCE_S, check=False
    )
    assert (done.returncode, done.stdout) == (2, b"")


def test_without_standard_error_nothing_is_said_elsewhere(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    assert code_of("verify", "/nowhere") == 2
    assert code_of("perft", "x") == 2
    assert capsys.readouterr().out == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_standard_error_may_be_full(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:  # noqa: PTH123
        monkeypatch.setattr(sys, "stderr", full)
        assert code_of("verify", "/nowhere") == 2
        assert code_of("perft", "x") == 2
    monkeypatch.undo()
    assert capsys.readouterr() == ("", "")


def test_output_that_is_closed_is_no_traceback() -> None:
    line = f'"{sys.executable}" -P -m companion rules >&-'
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, timeout=PATIENCE_S, check=False
    )
    assert b"Traceback" not in done.stderr


def test_input_that_is_closed_is_no_traceback() -> None:
    line = f'"{sys.executable}" -P -m companion verify - <&-'
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, timeout=PATIENCE_S, check=False
    )
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_a_terminal_without_the_signs_shows_others_instead() -> None:
    """The frame and Assam are not in Latin-1: they may look poor, but they are drawn."""
    done = companion("show", PYTHONIOENCODING="latin-1")
    assert done.returncode == 0
    assert b"Assam is on d4 and faces south." in done.stdout
    assert done.stderr == b""


def test_bytes_that_are_no_text_are_a_wrong_answer() -> None:
    done = companion("hotseat", "--players", "4", told=b"\xff\nq\n", PYTHONIOENCODING="utf-8")
    assert done.returncode == 0
    assert b"is no direction: use n, e, s or w\n" in done.stdout
    assert done.stderr == b""
