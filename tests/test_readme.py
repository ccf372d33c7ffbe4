"""The README says what is so: its code runs, its links lead somewhere, its commands exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.cli.main import COMMANDS, main
from companion.i18n.message import message
from companion.i18n.renderer import TextRenderer

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


def test_every_package_has_a_row() -> None:
    rows = re.findall(r"^\| `companion/(\w+)/", README, re.MULTILINE)
    packages = [path.parent.name for path in (ROOT / "companion").glob("*/__init__.py")]
    assert len(packages) > 10
    assert sorted(rows) == sorted(packages)


def test_the_key_for_help_is_the_one_that_the_screen_names() -> None:
    keys = TextRenderer().render(message("sim.keys")).split(" · ")
    (key,) = [key for key, does in (each.split(" ", 1) for each in keys[1:]) if does == "help"]
    assert f"`{key}` shows all keys." in README
    assert "F1" not in README


def test_the_game_to_try_is_right(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    assert main(["verify", "docs/game.txt"]) == 0
    assert capsys.readouterr().out.startswith(
        "docs/game.txt: right, 48 turns, the game is over.\n1. Amina (red)"
    )
