"""The README says what is so: its code runs, its links lead somewhere, its commands exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.cli.main import COMMANDS, main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_snippet_runs_and_prints_a_position(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(code, {})
    legal, position = capsys.readouterr().out.splitlines()
    assert legal.startswith("(Lay(")
    assert position.endswith(" g4e lay R R:30:12,Y:30:12,B:30:12,N:30:12 -")


@pytest.mark.parametrize("page", ["README.md", "docs/rules.md", "docs/notation.md"])
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link]
    assert [link for link in links if not ((ROOT / page).parent / link).exists()] == []


def test_the_table_names_every_command() -> None:
    assert re.findall(r"^\| `(\w+)` \|", README, re.MULTILINE) == list(COMMANDS)


def test_the_game_to_try_is_right(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    assert main(["verify", "docs/game.txt"]) == 0
    assert capsys.readouterr().out.startswith(
        "docs/game.txt: right, 48 turns, the game is over.\n1. Amina (red)"
    )
