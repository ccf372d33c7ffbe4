"""`marrakech pair`: the pairing code in the terminal and on the matrix."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.table.command_runner import run_commands

from companion.cli.main import main


def test_the_code_is_printed_and_shown_on_the_matrix(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result, status = run_commands(tmp_path, ["pair"], ["status"], capsys=capsys, codes=["0417"])
    assert (result.code, result.err) == (0, "")
    assert result.out == (
        "0417\n"
        "Type this code into the page on the phone within 2 minutes.\n"
        "The matrix shows it too, for a minute or until a button is pressed.\n"
    )
    words = " ".join(status.out.split())
    assert "The matrix shows the code for phones, two digits at a time: one dot over the " in words
    assert "0417" not in words


def test_every_call_makes_a_new_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    codes = ["0417", "9923"]
    results = run_commands(tmp_path, ["pair"], ["pair"], capsys=capsys, codes=codes)
    assert [one.out.splitlines()[0] for one in results] == codes


def test_without_a_table_there_is_no_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pair", "--socket", "/nowhere"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("marrakech: no table is running")
    assert len(err.splitlines()) == 1


def test_a_table_without_pairing_codes_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An older version may still be running."""
    monkeypatch.setattr("companion.control.protocol.REQUEST_NAMES", ("status",))
    (result,) = run_commands(tmp_path, ["pair"], capsys=capsys)
    assert (result.code, result.out) == (2, "")
    assert result.err == "marrakech: unknown request 'show_code': use status\n"
