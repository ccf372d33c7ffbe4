"""The examples in docs/notation.md and in the modules are valid, and its tables complete."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest
from helpers.rules.sample_positions import START

from companion.games.marrakech import (
    BOOKLETS,
    OPTIONS,
    Options,
    parse_position,
    parse_record,
    position_text,
    record_text,
)
from companion.games.marrakech.text import notation, record
from companion.games.marrakech.text.notation import options_text

DOCUMENT = Path(__file__).parents[4] / "docs" / "notation.md"


def fenced(language: str) -> list[str]:
    """The code blocks of docs/notation.md in this language."""
    document = DOCUMENT.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", document, re.DOTALL | re.MULTILINE)


# --- Positions ----------------------------------------------------------------------------

EXAMPLES = [line for block in fenced("position") for line in block.splitlines()]


def test_the_document_has_examples_of_positions() -> None:
    assert START in EXAMPLES
    assert len(EXAMPLES) >= 5


@pytest.mark.parametrize("text", EXAMPLES)
def test_a_position_of_the_document_round_trips(text: str) -> None:
    assert position_text(parse_position(text)) == text


def test_the_document_lists_every_option_and_its_values() -> None:
    document = DOCUMENT.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ((?:`[\w-]+` )+)\|$", document, re.MULTILINE)
    documented = {name: re.findall(r"`(.*?)`", values) for name, values in rows}
    assert documented == {name: list(values) for name, values in OPTIONS.items()}
    assert list(documented) == list(OPTIONS)


def test_the_position_in_the_module_docstring_round_trips() -> None:
    shown = re.findall(r"^    (\S.*)$", notation.__doc__ or "", re.MULTILINE)
    assert [position_text(parse_position(text)) for text in shown] == shown
    assert len(shown) == 1


# --- Records ------------------------------------------------------------------------------


def test_the_document_has_examples_of_records() -> None:
    assert len(fenced("record")) >= 3


@pytest.mark.parametrize("text", fenced("record"))
def test_a_record_of_the_document_round_trips(text: str) -> None:
    assert record_text(parse_record(text)) == text


def test_the_document_lists_the_options_of_every_booklet() -> None:
    rows = re.findall(
        r"^\| ([\w -]+) \| `(\S+)` \|$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE
    )
    documented = {code: options for codes, options in rows for code in codes.split()}
    assert documented == {
        code: options_text(booklet.options, Options()) for code, booklet in BOOKLETS.items()
    }


def test_the_record_in_the_module_docstring_round_trips() -> None:
    indented = r"^(    marrakech record 1\n(?:    .*\n|\n(?=    ))*)"
    shown = re.findall(indented, record.__doc__ or "", re.MULTILINE)
    assert len(shown) == 1
    text = textwrap.dedent(shown[0])
    assert record_text(parse_record(text)) == text
