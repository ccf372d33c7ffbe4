"""Games for the tests of the archive views."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

from companion.games.marrakech import (
    DIE,
    Facing,
    Lay,
    Options,
    Phase,
    Rolled,
    Setup,
    State,
    legal_actions,
    parse_placement,
    usual_players,
)
from companion.storage.game_store import GameStore, StampedEntry, fingerprint
from companion.storage.games_folder import ARCHIVE_FOLDER
from companion.table.conversation import ArchiveGame, BeginGame
from companion.table.entries import Act, Beginning, CorrectDirhams, Entry, Face
from companion.table.game import apply_entry, start_game
from companion.testing.faulty_filesystem import FaultyFilesystem

BEGUN = "2026-03-01T20:14:05+01:00"
FOUR = Beginning(Setup(usual_players(4)), names=("Ana", "Bo", "Zoë", ""))
EAST = Face(Facing.EAST)
THREE = Act(Rolled(3))
LAID = Act(Lay(*parse_placement("f4-f5")[:2]))
TURN = (EAST, THREE, LAID)
"""Ana turns Assam, rolls and lays a rug."""


def save_current_game(
    folder: Path,
    *entries: Entry,
    beginning: Beginning = FOUR,
    is_simulated: bool = False,
    begun: str = BEGUN,
) -> None:
    """Write the current game with the game store."""
    header_extras = {"begun": begun, "simulated": is_simulated}
    store = GameStore(folder, header_extras=lambda: header_extras, filesystem=FaultyFilesystem())
    game = start_game(beginning)
    stamped = [
        StampedEntry(entry, fingerprint(game := apply_entry(game, entry))) for entry in entries
    ]
    store.save([BeginGame(beginning), *stamped])
    store.close()


def archive_current_game(folder: Path) -> Path:
    """Archive the current game. Returns its path in the archive."""
    store = GameStore(folder, filesystem=FaultyFilesystem())
    store.load()
    store.save([ArchiveGame()])
    return max((folder / ARCHIVE_FOLDER).glob("*.jsonl"))


def finished_game(seed: int, beginning: Beginning = FOUR) -> list[Entry]:
    """The entries of a random game."""
    return _play(seed, beginning, [], lambda state: state.is_over)


def game_until_a_player_is_out() -> list[Entry]:
    """The entries of a game without money, up to the first tribute that nobody can pay."""
    poor: list[Entry] = [CorrectDirhams(seat, 0) for seat in range(4)]
    return _play(2, FOUR, poor, lambda state: bool(state.out))


def _play(
    seed: int, beginning: Beginning, entries: list[Entry], is_enough: Callable[[State], bool]
) -> list[Entry]:
    random, game = Random(seed), start_game(beginning)
    for entry in entries:
        game = apply_entry(game, entry)
    while not is_enough(game.state):
        is_before_roll = game.state.phase in (Phase.ORIENT, Phase.ROLL)
        action = Rolled(random.choice(DIE)) if is_before_roll else None
        entries.append(Act(action or random.choice(legal_actions(game.state))))
        game = apply_entry(game, entries[-1])
    return entries


def two_player_game(*names: str, dirhams: tuple[int, ...] = ()) -> tuple[Beginning, list[Entry]]:
    """A finished game of two players, and a correction of their dirhams after it."""
    options = Options(two_player="one-colour", tie_break="shared")
    beginning = replace(FOUR, setup=Setup(usual_players(2, options), options), names=names)
    entries = finished_game(1, beginning)
    return beginning, [*entries, *(CorrectDirhams(seat, have) for seat, have in enumerate(dirhams))]
