"""Runs `marrakech hotseat` with scripted or random answers at the keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from random import Random

import pytest

from companion.cli.main import main
from companion.games.marrakech import DIE

HELP = "u takes back the last step, m draws the market again, q stops, ? shows this."
MARKET_LINE = re.compile(r"     a  |   \+| \d │|[→ ] {2}[RYBN]  |$")


class ScriptedAnswers:
    """Gives these answers, then ends the input. Prints each question with its answer."""

    def __init__(
        self, answers: Iterable[str], on_question: Callable[[], None] = lambda: None
    ) -> None:
        self.answers = iter(answers)
        self.on_question = on_question

    def __call__(self, question: str = "") -> str:
        self.on_question()
        answer = next(self.answers, None)
        if answer is None:
            raise EOFError
        print(f"{question}{answer}")
        return answer


class RandomAnswers:
    """Gives random answers to the questions, which are all it knows."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def __call__(self, question: str = "") -> str:
        if letters := re.search(r", (\w(?:/\w)+)\? ", question):
            return self.random.choice(str(letters[1]).split("/"))
        if "or type your die" in question:
            return str(self.random.choice(DIE))
        if place := re.search(r"where\? \[a number, or two squares like (\S+)\]", question):
            return self.random.choice(["1", "2", str(place[1]).upper()])
        assert "[Enter" in question, question
        return ""


Keyboard = Callable[[Callable[[str], str]], None]
"""Replaces `input` by a function from question to answer."""


def play_hotseat(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["hotseat", *arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def dialogue_lines(text: str) -> list[str]:
    """The lines of a game without the drawings of the market and the players."""
    return [line for line in text.splitlines() if not MARKET_LINE.match(line)]


def hotseat_errors(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main(["hotseat", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    return err.splitlines()
