"""Games that were played and put away, for the tests of all that looks back on them."""

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
from companion.storage.archive import ARCHIVE_FOLDER
from companion.storage.game_store import GameStore, StampedEntry, fingerprint
from companion.table.conversation import ArchiveGame, BeginGame
from companion.table.entries import Act, Beginning, CorrectDirhams, Entry, Face
from companion.table.game import begin, tell
from helpers.storage.faulty_filesystem import FaultyDisk

BEGUN = "2026-03-01T20:14:05+01:00"
FOUR = Beginning(Setup(usual_players(4)), names=("Ana", "Bo", "Zoë", ""))
EAST = Face(Facing.EAST)
THREE = Act(Rolled(3))
LAID = Act(Lay(*parse_placement("f4-f5")[:2]))
TURN = (EAST, THREE, LAID)
"""Ana turns Assam, rolls and lays a rug."""


def keep(
    folder: Path,
    *told: Entry,
    beginning: Beginning = FOUR,
    is_simulated: bool = False,
    begun: str = BEGUN,
) -> None:
    """The game in progress, as the table keeps it."""
    about = {"begun": begun, "simulated": is_simulated}
    keeper = GameStore(folder, about=lambda: about, disk=FaultyDisk())
    game = begin(beginning)
    entries = [StampedEntry(one, fingerprint(game := tell(game, one))) for one in told]
    keeper.save([BeginGame(beginning), *entries])
    keeper.close()


def put_away(folder: Path) -> Path:
    """The game in progress goes into the archive; its file there."""
    keeper = GameStore(folder, disk=FaultyDisk())
    keeper.load()
    keeper.save([ArchiveGame()])
    return max((folder / ARCHIVE_FOLDER).glob("*.jsonl"))


def whole_game(seed: int, beginning: Beginning = FOUR) -> list[Entry]:
    """A game by chance, to its end."""
    return _play(seed, beginning, [], lambda state: state.is_over)


def until_somebody_is_out() -> list[Entry]:
    """All purses are empty: the first tribute that is due is one too many."""
    poor: list[Entry] = [CorrectDirhams(seat, 0) for seat in range(4)]
    return _play(2, FOUR, poor, lambda state: bool(state.out))


def _play(
    seed: int, beginning: Beginning, told: list[Entry], is_enough: Callable[[State], bool]
) -> list[Entry]:
    chance, game = Random(seed), begin(beginning)
    for one in told:
        game = tell(game, one)
    while not is_enough(game.state):
        is_before_roll = game.state.phase in (Phase.ORIENT, Phase.ROLL)
        action = Rolled(chance.choice(DIE)) if is_before_roll else None
        told.append(Act(action or chance.choice(legal_actions(game.state))))
        game = tell(game, told[-1])
    return told


def duel(*names: str, dirhams: tuple[int, ...] = ()) -> tuple[Beginning, list[Entry]]:
    """A game of two to its end; then it is found that they had other dirhams."""
    options = Options(two_player="one-colour", tie_break="shared")
    beginning = replace(FOUR, setup=Setup(usual_players(2, options), options), names=names)
    told = whole_game(1, beginning)
    return beginning, [*told, *(CorrectDirhams(seat, have) for seat, have in enumerate(dirhams))]
