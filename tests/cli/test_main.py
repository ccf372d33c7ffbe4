"""The command line: help, errors in one or two lines, and closed streams."""

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


def run_main(*words: str) -> int:
    """The exit code, returned or raised by argparse."""
    try:
        return main(words)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0


def companion(
    *words: str | bytes,
    stdin: bytes = b"",
    stdout: int = subprocess.PIPE,
    **environment: str,
) -> subprocess.CompletedProcess[bytes]:
    """Run `python -m companion` in a process."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.run(
        [sys.executable, "-P", "-m", "companion", *words],
        input=stdin,
        stdout=stdout,
        stderr=subprocess.PIPE,
        env={**inherited, "PYTHONWARNINGS": "error", **environment},
        timeout=PATIENCE_S,
        check=False,
    )


@pytest.fixture(autouse=True)
def plain_help(monkeypatch: pytest.MonkeyPatch) -> None:
    """Format help for 100 columns without colours."""
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


def test_the_help_of_simulate_explains_the_score(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_main("simulate", "--help") == 0
    score = "The score is the average over the games in which the player was not out.\n"
    assert capsys.readouterr().out.endswith(score)


def test_version_is_the_package_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_main("--version") == 0
    assert capsys.readouterr() == (f"marrakech {__version__}\n", "")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_main(command, "--help") == 0
    out, err = capsys.readouterr()
    text = COMMANDS[command]
    assert out.startswith(f"usage: marrakech {command} [-h]")
    assert text[0].upper() + text[1:] + "." in " ".join(out.split())
    assert err == ""


def test_arguments_default_to_the_command_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["marrakech", "perft", "1"])
    assert main() == 0
    assert capsys.readouterr() == ("3\n", "")


# --- Errors -------------------------------------------------------------------------------

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
    "rules --option loops": "'loops' is not an option: write name=value, like loops=nw-se",
    "rules --option loop=nw-se": "unknown option 'loop': use bankruptcy, covering, two_player, "
    "turn_order, pivot, purse, tie_break, box, short_colour or loops; did you mean 'loops'?",
    "rules --option box=58": "unknown value of box '58': use 60 or 57; did you mean '57'?",
    "rules --option box=57 --option box=60": "option box is set twice",
    "show d4": "column 1: a position has 6 fields (market assam phase mover players options), "
    "not 1",
    "show " + START.replace("d4s", "d9s"): "column 57: Assam is a square and a direction, like "
    "d4s: 'd9' is not a square: use a letter a-g and a number 1-7, like d4",
    "perft 2 " + START.replace("orient R", "orient X"): "column 68: unknown mover 'X': use R, Y, "
    "B or N",
    "simulate --players 1": "1 player: Marrakech is for 2, 3 or 4; the nearest is 2",
    "simulate --players 5": "5 players: Marrakech is for 2, 3 or 4; the nearest is 4",
    "hotseat --players 5": "5 players: Marrakech is for 2, 3 or 4; the nearest is 4",
    "hotseat --players 3 --names A,B": "2 names for 3 players: A, B",
    "verify /nowhere/game.txt": "cannot read /nowhere/game.txt: No such file or directory",
}


@pytest.mark.parametrize("words", REFUSED)
def test_errors_are_one_line(words: str, capsys: pytest.CaptureFixture[str]) -> None:
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
def test_usage_errors_are_two_lines(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One line for the error, one for the help."""
    assert run_main(*words.split()) == 2
    out, err = capsys.readouterr()
    wrong, look = err.splitlines()
    assert out == ""
    assert wrong.startswith("marrakech: ")
    assert look == f"Try '{MISTYPED[words]} --help'."


def test_invalid_numbers_are_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_main("simulate", "--games", "many") == 2
    assert run_main("simulate", "--games", "0") == 2
    assert run_main("simulate", "--seed", "1.5") == 2
    assert run_main("hotseat", "--players", "abc") == 2
    assert run_main("perft", "x") == 2
    assert capsys.readouterr().err.splitlines()[::2] == [
        "marrakech: argument --games: 'many' is not a whole number",
        "marrakech: argument --games: 0 is too small: the minimum is 1",
        "marrakech: argument --seed: '1.5' is not a whole number",
        "marrakech: argument --players: 'abc' is not a whole number",
        "marrakech: argument depth: 'x' is not a whole number",
    ]


def test_only_required_arguments_are_called_required(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_main("perft") == 2
    wrong = "marrakech: the following arguments are required: depth"
    assert capsys.readouterr().err.splitlines()[0] == wrong


# --- Untrusted text -----------------------------------------------------------------------


def test_control_characters_in_errors_are_escaped_and_long_errors_cut(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run_main("verify", "a\x1b[2J\nb") == 2
    assert run_main("hotseat", "--nope\x1b[2J") == 2
    assert run_main("x" * 1_000_000) == 2
    assert run_main("simulate", "--games", "9" * 1_000_000) == 2
    assert capsys.readouterr() == (
        "",
        "marrakech: cannot read a\\x1b[2J\\nb: No such file or directory\n"
        "marrakech: unrecognized arguments: --nope\\x1b[2J\n"
        "Try 'marrakech --help'.\n"
        f"marrakech: unknown command '{'x' * 983}…\n"
        f"marrakech: argument --games: '{'9' * 281}…\n"
        "Try 'marrakech simulate --help'.\n",
    )


def test_the_position_of_an_error_has_its_own_complete_line(
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


def test_ctrl_c_gives_exit_code_130(
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


def test_hotseat_without_input_fails_with_a_message() -> None:
    done = companion("hotseat")
    assert done.returncode == 2
    assert done.stderr == b"marrakech: no answer: give the number of players with --players\n"


def test_output_without_a_terminal_has_no_colours() -> None:
    done = companion("show")
    assert done.returncode == 0
    assert b"\x1b" not in done.stdout


def test_a_closed_pipe_is_not_an_error() -> None:
    """`marrakech rules | head -1`"""
    line = f'"{sys.executable}" -P -m companion rules | head -1; echo "${{PIPESTATUS[0]}}"'
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, timeout=PATIENCE_S, check=False
    )
    assert done.stdout == b" 1  en       English                    -\n0\n"
    assert done.stderr == b""


def closed_pipe() -> int:
    """A pipe without a reader."""
    reader, writer = os.pipe()
    os.close(reader)
    return writer


@pytest.mark.parametrize("words", ["rules", "show", "", "--help", "--version", "perft --help"])
def test_a_pipe_without_a_reader_is_not_an_error(words: str) -> None:
    writer = closed_pipe()
    try:
        done = companion(*words.split(), stdout=writer)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_pipe_without_a_reader_is_not_an_error_in_process(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with os.fdopen(closed_pipe(), "w", encoding="utf-8") as gone:
        monkeypatch.setattr(sys, "stdout", gone)
        assert main(["rules"]) == 0
    monkeypatch.undo()
    assert capsys.readouterr() == ("", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("words", ["rules", "--help"])
def test_a_full_disk_is_reported_in_one_line(words: str) -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    try:
        done = companion(*words.split(), stdout=full)
    finally:
        os.close(full)
    assert done.returncode == 2
    assert done.stderr == b"marrakech: cannot write: No space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_reported_in_process_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    descriptor = os.open("/dev/full", os.O_WRONLY)
    with os.fdopen(descriptor, "w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdout", full)
        try:
            code = main(["rules"])
        finally:  # the rest of the buffer must not fail again
            os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
    monkeypatch.undo()
    assert code == 2
    assert capsys.readouterr().err == "marrakech: cannot write: No space left on device\n"


def test_closed_streams_are_replaced_by_dev_null(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python sets them to None."""
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
def test_the_exit_code_reports_errors_without_standard_error(stderr: str, words: str) -> None:
    line = f'"{sys.executable}" -P -m companion {words} {stderr}'
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, timeout=PATIENCE_S, check=False
    )
    assert (done.returncode, done.stdout) == (2, b"")


def test_without_standard_error_nothing_goes_to_standard_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    assert run_main("verify", "/nowhere") == 2
    assert run_main("perft", "x") == 2
    assert capsys.readouterr().out == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_standard_error_is_ignored(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:  # noqa: PTH123
        monkeypatch.setattr(sys, "stderr", full)
        assert run_main("verify", "/nowhere") == 2
        assert run_main("perft", "x") == 2
    monkeypatch.undo()
    assert capsys.readouterr() == ("", "")


def test_closed_output_gives_no_traceback() -> None:
    line = f'"{sys.executable}" -P -m companion rules >&-'
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, timeout=PATIENCE_S, check=False
    )
    assert b"Traceback" not in done.stderr


def test_closed_input_gives_no_traceback() -> None:
    line = f'"{sys.executable}" -P -m companion verify - <&-'
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, timeout=PATIENCE_S, check=False
    )
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_characters_that_the_terminal_lacks_are_replaced() -> None:
    """Box drawing characters and Assam are not in Latin-1."""
    done = companion("show", PYTHONIOENCODING="latin-1")
    assert done.returncode == 0
    assert b"Assam is on d4 and faces south." in done.stdout
    assert done.stderr == b""


def test_invalid_utf_8_is_a_wrong_answer() -> None:
    done = companion("hotseat", "--players", "4", stdin=b"\xff\nq\n", PYTHONIOENCODING="utf-8")
    assert done.returncode == 0
    assert b"is not a direction: use n, e, s or w\n" in done.stdout
    assert done.stderr == b""
