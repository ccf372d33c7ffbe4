"""Fixtures of the storage tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.storage.stored_games import without_fsync


@pytest.fixture(scope="module")
def no_fsync() -> Iterator[None]:
    """Skip syncs, to save time."""
    with without_fsync():
        yield


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A state folder that does not exist yet."""
    return tmp_path / "state"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal that does not exist yet."""
    return tmp_path / "game.jsonl"
