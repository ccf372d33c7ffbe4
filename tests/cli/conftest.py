"""Fixtures: typed answers, and the path of a record file."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.register_assert_rewrite("helpers.table.hotseat_keyboard")  # for detailed assertion messages

from helpers.table.hotseat_keyboard import Keyboard  # noqa: E402 - after register_assert_rewrite


@pytest.fixture
def set_keyboard(monkeypatch: pytest.MonkeyPatch) -> Keyboard:
    """Replace `input` with scripted answers."""
    return lambda player: monkeypatch.setattr("builtins.input", player)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path("game.txt")
