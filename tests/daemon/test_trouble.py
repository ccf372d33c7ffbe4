"""Trouble is told in players' words, with what to do."""

from __future__ import annotations

import errno
import os

import pytest

from companion.daemon.trouble import disk_trouble, fault_trouble, matrix_trouble
from companion.i18n.renderer import TextRenderer

say = TextRenderer().say


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (errno.ENOSPC, "The disk is full, and what is told is not saved. Free some space;"),
        (errno.EDQUOT, "The disk is full, and what is told is not saved. Free some space;"),
        (errno.EROFS, "The disk is read-only, and what is told is not saved. Make it writable;"),
        (errno.EACCES, "The companion may not write where games are kept,"),
        (errno.EPERM, "The companion may not write where games are kept,"),
        (errno.EIO, "The disk refuses (Input/output error), and what is told is not saved."),
    ],
)
def test_a_disk_that_refuses_says_why_and_that_the_plug_must_stay(number: int, told: str) -> None:
    said = say(disk_trouble(OSError(number, os.strerror(number))))
    assert said.startswith(told)
    assert said.endswith("do not pull the plug.")


def test_a_matrix_that_is_gone_says_where_to_look() -> None:
    assert say(matrix_trouble(OSError(5, "Input/output error"))) == (
        "The matrix cannot be written to (Input/output error): check its wires and its supply."
    )
    assert "(no frame)" in say(matrix_trouble(ValueError("no frame")))
    assert "(KeyError)" in say(matrix_trouble(KeyError()))


def test_a_fault_of_ours_is_named_in_one_line() -> None:
    assert say(fault_trouble(ValueError("two\nlines"))) == (
        "The companion has a fault and must be started again (ValueError: two\\nlines)."
    )
