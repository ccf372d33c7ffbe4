"""The words of errors."""

from __future__ import annotations

import pytest

from companion.errors import NotationError, counted, one_line, unknown


@pytest.mark.parametrize(
    ("number", "told"), [(0, "0 rugs"), (1, "1 rug"), (2, "2 rugs"), (15, "15 rugs")]
)
def test_one_is_one_and_all_else_is_many(number: int, told: str) -> None:
    assert counted(number, "rug") == told


@pytest.mark.parametrize(
    ("text", "told"),
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
def test_foreign_text_is_shown_but_neither_acts_nor_goes_on_for_ever(text: str, told: str) -> None:
    assert one_line(text) == told


def test_what_is_unknown_is_said_with_what_is_allowed_and_the_nearest() -> None:
    assert unknown("fruit", "aple", ["apple", "pear", "plum"]) == (
        "unknown fruit 'aple': use apple, pear or plum; did you mean 'apple'?"
    )
    assert unknown("fruit", "x", ["apple"]) == "unknown fruit 'x': use apple"


def test_an_error_of_notation_says_where_and_in_which_position() -> None:
    error = NotationError("no rug", line=3, column=7, position="here")
    assert str(error) == "line 3, column 7: no rug\nposition: here"
    assert (error.message, error.line, error.column, error.position) == ("no rug", 3, 7, "here")
    assert str(NotationError("no rug")) == "no rug"
