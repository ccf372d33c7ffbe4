"""Error messages."""

from __future__ import annotations

import pytest

from companion.errors import NotationError, counted, one_line, unknown


@pytest.mark.parametrize(
    ("number", "expected"), [(0, "0 rugs"), (1, "1 rug"), (2, "2 rugs"), (15, "15 rugs")]
)
def test_nouns_are_plural_except_for_one(number: int, expected: str) -> None:
    assert counted(number, "rug") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Chloé", "Chloé"),
        ("two\nlines", "two\\nlines"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("Zo\udceb", "Zo\\udceb"),
        ("x" * 300, "x" * 300),
        ("x" * 301, "x" * 300 + "…"),
        ("\n" * 200, "\\n" * 150 + "…"),
    ],
)
def test_untrusted_text_is_escaped_and_cut(text: str, expected: str) -> None:
    assert one_line(text) == expected


def test_an_unknown_value_is_reported_with_the_allowed_ones_and_a_suggestion() -> None:
    assert unknown("fruit", "aple", ["apple", "pear", "plum"]) == (
        "unknown fruit 'aple': use apple, pear or plum; did you mean 'apple'?"
    )
    assert unknown("fruit", "x", ["apple"]) == "unknown fruit 'x': use apple"


def test_a_notation_error_has_line_column_and_position() -> None:
    error = NotationError("no rug", line=3, column=7, position="here")
    assert str(error) == "line 3, column 7: no rug\nposition: here"
    assert (error.message, error.line, error.column, error.position) == ("no rug", 3, 7, "here")
    assert str(NotationError("no rug")) == "no rug"
