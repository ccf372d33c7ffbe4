"""Somebody at the keyboard, and a file to play on."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.register_assert_rewrite("keyboard")  # its asserts say as much as those of a test

from helpers.table.hotseat_keyboard import Keyboard  # noqa: E402 - only now


@pytest.fixture
def sit_down(monkeypatch: pytest.MonkeyPatch) -> Keyboard:
    """Put somebody at the keyboard."""
    return lambda player: monkeypatch.setattr("builtins.input", player)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path("game.txt")
