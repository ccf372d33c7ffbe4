"""Helpers for tests of the game store: stores, commands, and the files they write."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.games.marrakech import Setup, usual_players
from companion.storage.game_store import GameStore, StampedCommand, StampedEntry, fingerprint
from companion.storage.journal_reader import read_journal
from companion.table.conversation import ArchiveGame, BeginGame, InputResult
from companion.table.entries import Beginning, Entry
from companion.table.game import Game, apply_entry, start_game
from companion.testing.faulty_filesystem import FaultyFilesystem
from helpers.table.table_driver import INPUTS, TableDriver

HEADER_EXTRAS = {"begun": "2026-03-01T20:14:05+01:00", "simulated": True}
FOUR = Beginning(Setup(usual_players(4)), names=("Ana", "Bo", "Zoë", "Dan"))
SET_UP = "ok ok ok ok "
"""The presses that begin a game with the default set-up."""


@contextmanager
def without_fsync() -> Iterator[None]:
    """Replace syncs by nothing, to save time where no test cuts the power."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        patch.setattr(os, "fdatasync", lambda _: None)
        yield


def make_store(folder: Path, filesystem: FaultyFilesystem | None = None) -> GameStore:
    return GameStore(
        folder, header_extras=lambda: HEADER_EXTRAS, filesystem=filesystem or FaultyFilesystem()
    )


def stamp_commands(result: InputResult) -> tuple[StampedCommand, ...]:
    """The commands of a result, as the controller passes them to the store."""
    return tuple(
        command
        if isinstance(command, BeginGame | ArchiveGame)
        else StampedEntry(command, fingerprint(result.conversation.active_game))
        for command in result.commands
    )


def command_batches(driver: TableDriver, words: str) -> list[tuple[StampedCommand, ...]]:
    """The commands that each press leads to, without the presses that lead to none."""
    batches = [stamp_commands(driver.handle(INPUTS[word])) for word in words.split()]
    assert driver.refusal is None
    return [batch for batch in batches if batch]


def tree(folder: Path) -> dict[str, bytes]:
    """All files below a folder, with their content."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def entry_kinds(path: Path) -> list[str]:
    """The kinds of all entries of a journal."""
    return [entry["told"] for entry in read_journal(path).entries]


def load_game(folder: Path) -> Game | None:
    store = make_store(folder)
    game, _ = store.load()
    store.close()
    return game


def write_game(folder: Path, entries: Sequence[Entry]) -> None:
    """Write a four-player game with the game store."""
    game = start_game(FOUR)
    store = make_store(folder)
    store.load()
    store.save([BeginGame(FOUR)])
    for entry in entries:
        game = apply_entry(game, entry)
        store.save([StampedEntry(entry, fingerprint(game))])
    store.close()
