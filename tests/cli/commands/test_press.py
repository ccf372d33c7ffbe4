"""`marrakech press`: presses, output and exit codes."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.table.command_runner import run_commands

from companion.cli.main import main


def test_a_press_prints_what_to_do_next(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (result,) = run_commands(tmp_path, ["press", "south"], capsys=capsys)
    assert (result.code, result.err) == (0, "")
    assert result.out == "A new game\n  3 players. Directions change it, OK goes on.\n"


def test_several_are_pressed_in_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["press", "ok", "OK", "ok", "ok", "east", "die", "3", "ok", "roll"]
    (result,) = run_commands(tmp_path, words, capsys=capsys, rolls=[2])
    assert result.code == 0
    assert result.out == (
        "Yellow: your turn\n"
        "  ✓ An electronic roll of 2 for Yellow: Assam walks to f5 and faces west.\n"
        "  Lay the yellow rug on d5 and e5. "
        "Directions offer another place, OK when it lies there.\n"
    )


def test_after_a_refusal_nothing_more_is_pressed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["press", "ok", "die", "2", "ok", "die", "4"]
    result, then = run_commands(tmp_path, words, ["press", "ok"], capsys=capsys)
    assert (result.code, result.err) == (1, "")
    assert result.out == (
        "die 2 is refused: The game has not begun: agree on the set-up first.\n"
        "not pressed: ok, die 4\n"
    )
    assert then.out.splitlines()[1].startswith("  Seat 1: Red."), "only the first OK was pressed"


def test_ok_and_back_can_be_held(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["press", "ok", "ok", "ok", "ok"]
    _, result = run_commands(tmp_path, words, ["press", "ok", "--hold"], capsys=capsys)
    assert result.code == 0
    assert result.out.startswith("Compare with the cardboard\n  Assam stands on d4.")


WRONG = {
    "press nort": "unknown key 'nort': use north, east, south, west, ok, back, die or roll; "
    "did you mean 'north'?",
    "press ok 3": "unknown key '3': use north, east, south, west, ok, back, die or roll",
    "press die": "'die' must be followed by a number: 1, 2, 3 or 4",
    "press ok die 5": "'die' must be followed by a number: 1, 2, 3 or 4",
    "press --hold ok ok": "--hold is for one press of ok or back",
    "press --hold north": "--hold is for one press of ok or back",
}


@pytest.mark.parametrize("words", WRONG)
def test_invalid_keys_are_refused_before_anything_is_pressed(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words.split(), "--socket", "/nowhere"]) == 2
    assert capsys.readouterr() == ("", f"marrakech: {WRONG[words]}\n")


def test_a_press_without_an_answer_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class DeadKeys:
        """Ignores all presses."""

        contact_ms = 0.0

        def press(self, key: object) -> None: ...
        def release(self, key: object) -> None: ...

    monkeypatch.setattr("companion.control.remote_input.ANSWER_TIMEOUT_S", 0.01)
    keys = DeadKeys()
    (result,) = run_commands(tmp_path, ["press", "ok"], capsys=capsys, make_keys=lambda _: keys)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("marrakech: the table did not answer within")
