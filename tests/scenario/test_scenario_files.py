"""The regression suite of the whole table: every file in tests/scenario/files, and the examples."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.scenario.reader import DOINGS, SUBJECTS, parse_scenario
from companion.scenario.scenario import run_scenario

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "tests/scenario/files").glob("*.txt"))
PAGE = (ROOT / "docs" / "scenarios.md").read_text()
EXAMPLES = re.findall(r"^```scenario\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_scenario(file: Path, tmp_path: Path) -> None:
    outcome = run_scenario(file.read_text(), file.name, tmp_path)
    assert outcome.passed, outcome.report
    assert outcome.expectations


def test_there_are_scenarios_and_each_has_a_title_of_its_own() -> None:
    titles = [parse_scenario(file.read_text()).title for file in FILES]
    assert len(titles) >= 60
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("text", EXAMPLES, ids=lambda text: text.partition("\n")[0])
def test_the_examples_of_the_page_are_played(text: str, tmp_path: Path) -> None:
    outcome = run_scenario(text, "example", tmp_path)
    assert outcome.passed, outcome.report


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == 3


@pytest.mark.parametrize("word", [*DOINGS, *(f"expect {subject}" for subject in SUBJECTS)])
def test_the_page_explains_every_statement(word: str) -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    assert any(re.search(rf"`{word}\b", row) for row in rows)


def test_all_statements_are_in_use() -> None:
    """Whatever can be written is tried by a scenario, so that none of it goes stale."""
    lines = "\n".join(file.read_text() for file in FILES).splitlines()
    for word in (*DOINGS, *(f"expect {subject}" for subject in SUBJECTS)):
        assert any(line == word or line.startswith(f"{word} ") for line in lines), word
