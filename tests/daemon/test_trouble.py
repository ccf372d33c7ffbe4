"""Problems as messages for players: what is wrong, and what to do."""

from __future__ import annotations

import errno
import os

import pytest

from companion.daemon.trouble import disk_trouble, fault_trouble, matrix_trouble
from companion.i18n.renderer import TextRenderer

render = TextRenderer().render


@pytest.mark.parametrize(
    ("number", "start"),
    [
        (errno.ENOSPC, "The disk is full, and what is told is not saved. Free some space;"),
        (errno.EDQUOT, "The disk is full, and what is told is not saved. Free some space;"),
        (errno.EROFS, "The disk is read-only, and what is told is not saved. Make it writable;"),
        (errno.EACCES, "The companion may not write where games are kept,"),
        (errno.EPERM, "The companion may not write where games are kept,"),
        (errno.EIO, "The disk refuses (Input/output error), and what is told is not saved."),
    ],
)
def test_a_disk_error_has_its_reason_and_a_warning_not_to_pull_the_plug(
    number: int, start: str
) -> None:
    text = render(disk_trouble(OSError(number, os.strerror(number))))
    assert text.startswith(start)
    assert text.endswith("do not pull the plug.")


def test_a_matrix_error_has_its_reason_and_what_to_check() -> None:
    assert render(matrix_trouble(OSError(5, "Input/output error"))) == (
        "The matrix cannot be written to (Input/output error): check its wires and its supply."
    )
    assert "(no frame)" in render(matrix_trouble(ValueError("no frame")))
    assert "(KeyError)" in render(matrix_trouble(KeyError()))


def test_a_fault_of_the_program_is_one_line() -> None:
    assert render(fault_trouble(ValueError("two\nlines"))) == (
        "The companion has a fault and must be started again (ValueError: two\\nlines)."
    )
