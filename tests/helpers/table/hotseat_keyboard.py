"""Hands at the keyboard of `marrakech hotseat`, and ears for what it says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from random import Random

import pytest

from companion.cli.main import main
from companion.games.marrakech import DIE

HELP = "u takes the last thing back, m draws the market again, q stops, ? says this."
DRAWN = re.compile(r"     a  |   \+| \d │|[→ ] {2}[RYBN]  |$")


class Scenario:
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


def played(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["hotseat", *words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def talk(text: str) -> list[str]:
    """What was said, without the drawings of the market and the players."""
    return [line for line in text.splitlines() if not DRAWN.match(line)]


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main(["hotseat", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    return err.splitlines()
