"""Runs all scenario files in tests/scenario/files, and the examples in docs/scenarios.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.scenario.reader import ACTION_PARSERS, SUBJECTS, parse_scenario
from companion.scenario.runner import run_scenario

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "tests/scenario/files").glob("*.txt"))
PAGE = (ROOT / "docs" / "scenarios.md").read_text()
EXAMPLES = re.findall(r"^```scenario\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_scenario_file_passes(file: Path, tmp_path: Path) -> None:
    result = run_scenario(file.read_text(), file.name, tmp_path)
    assert result.passed, result.report
    assert result.expectations


def test_every_scenario_has_a_unique_title() -> None:
    titles = [parse_scenario(file.read_text()).title for file in FILES]
    assert len(titles) >= 60
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("text", EXAMPLES, ids=lambda text: text.partition("\n")[0])
def test_example_in_the_docs_passes(text: str, tmp_path: Path) -> None:
    result = run_scenario(text, "example", tmp_path)
    assert result.passed, result.report


def test_docs_have_three_examples() -> None:
    assert len(EXAMPLES) == 3


@pytest.mark.parametrize("word", [*ACTION_PARSERS, *(f"expect {subject}" for subject in SUBJECTS)])
def test_docs_explain_every_statement(word: str) -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    assert any(re.search(rf"`{word}\b", row) for row in rows)


def test_every_statement_is_used_in_a_scenario_file() -> None:
    lines = "\n".join(file.read_text() for file in FILES).splitlines()
    for word in (*ACTION_PARSERS, *(f"expect {subject}" for subject in SUBJECTS)):
        assert any(line == word or line.startswith(f"{word} ") for line in lines), word
