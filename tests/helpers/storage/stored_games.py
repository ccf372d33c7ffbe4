"""Games as a table keeps them in a folder, and the files that come of it."""

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
from companion.table.game import Game, begin, tell
from helpers.storage.faulty_filesystem import FaultyDisk
from helpers.table.table_driver import INPUTS, TableDriver

ABOUT = {"begun": "2026-03-01T20:14:05+01:00", "simulated": True}
FOUR = Beginning(Setup(usual_players(4)), names=("Ana", "Bo", "Zoë", "Dan"))
SET_UP = "ok ok ok ok "
"""What begins a game as the table offers it."""


@contextmanager
def quick_disk() -> Iterator[None]:
    """Nobody pulls the plug here: what was written can be read without waiting for the disk."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        patch.setattr(os, "fdatasync", lambda _: None)
        yield


def keeper_of(folder: Path, disk: FaultyDisk | None = None) -> GameStore:
    return GameStore(folder, about=lambda: ABOUT, disk=disk or FaultyDisk())


def kept(answer: InputResult) -> tuple[StampedCommand, ...]:
    """What a daemon hands on."""
    return tuple(
        note
        if isinstance(note, BeginGame | ArchiveGame)
        else StampedEntry(note, fingerprint(answer.conversation.playing))
        for note in answer.notes
    )


def batches_of(talk: TableDriver, words: str) -> list[tuple[StampedCommand, ...]]:
    """What is to be written down, word by word."""
    batches = [kept(talk.hear(INPUTS[word])) for word in words.split()]
    assert talk.refused is None
    return [batch for batch in batches if batch]


def tree(folder: Path) -> dict[str, bytes]:
    """Every file and what is in it."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def told_in(path: Path) -> list[str]:
    """What was told in a journal, by its names."""
    return [entry["told"] for entry in read_journal(path).entries]


def loaded(folder: Path) -> Game | None:
    keeper = keeper_of(folder)
    game, _ = keeper.load()
    keeper.close()
    return game


def write(folder: Path, told: Sequence[Entry]) -> None:
    """A game of four as a keeper writes it."""
    game = begin(FOUR)
    keeper = keeper_of(folder)
    keeper.load()
    keeper.save([BeginGame(FOUR)])
    for one in told:
        game = tell(game, one)
        keeper.save([StampedEntry(one, fingerprint(game))])
    keeper.close()
