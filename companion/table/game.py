"""The game at the table: every moment since its start, with undo and redo.

`apply_entry(game, entry)` returns the next game. Replaying a journal through it rebuilds the game,
so it never rolls or reads a clock.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from companion.errors import IllegalActionError
from companion.games.marrakech import (
    Action,
    Event,
    Facing,
    Lay,
    Orient,
    Phase,
    Placement,
    Rolled,
    State,
    Step,
    Walked,
    apply,
    correct_assam,
    correct_dirhams,
    correct_square,
    legal_actions,
    position_text,
)
from companion.table.entries import (
    Act,
    Aim,
    Beginning,
    CorrectAssam,
    CorrectDirhams,
    Correction,
    CorrectSquare,
    Entry,
    Face,
    Redo,
    Restored,
    Undo,
)
from companion.table.rug_navigation import first_aim


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Moment:
    """The table after an entry, linked to the moment before."""

    state: State
    facing: Facing
    """How Assam stands on the cardboard. The rules follow when the roll or OK commits it."""
    before: Moment | None = None
    entry: Entry | None = None
    """The entry that led here; None at the start of the game."""
    events: tuple[Event, ...] = ()
    path: tuple[Step, ...] = ()
    """Assam's walk in this turn."""
    entry_count: int = 0
    """The number of entries that led here."""
    placements: tuple[Placement, ...] = field(init=False)
    """Where the rug in hand may be laid; empty outside phase LAY."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "placements", _legal_placements(self.state))

    @property
    def is_assam_turned(self) -> bool:
        """Whether Assam was turned since the rules last knew."""
        return self.facing is not self.state.facing


def _legal_placements(state: State) -> tuple[Placement, ...]:
    if state.phase is not Phase.LAY:
        return ()
    return tuple(one.placement for one in legal_actions(state) if isinstance(one, Lay))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Undone:
    """A moment that was undone, linked to those undone before it."""

    moment: Moment
    earlier: Undone | None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Game:
    """A game with its history."""

    beginning: Beginning
    now: Moment
    undone: Undone | None = None
    """The moments that can be redone."""
    chosen_placement: Placement | None = None
    """Where players moved the rug to; None while it is where it was offered first."""
    is_restoring: bool = False
    """Whether players are putting the cardboard back after an undo."""
    to_restore: tuple[Moment, ...] = ()
    """The undone moments that the cardboard may still show, latest last."""
    is_fresh: bool = True
    """Whether `now` has just been reached. False after an aim: Assam's walk is not shown again."""

    @property
    def state(self) -> State:
        return self.now.state

    @property
    def aim(self) -> Placement | None:
        """Where the rug would be laid; None outside phase LAY, and where it fits nowhere."""
        placements = self.now.placements
        return self.chosen_placement or (first_aim(self.state, placements) if placements else None)


def start_game(beginning: Beginning) -> Game:
    state = beginning.initial_state()
    return Game(beginning, Moment(state, state.facing))


def apply_entry(game: Game, entry: Entry) -> Game:
    """The game after an entry. Raises `IllegalActionError` if it is not allowed now."""
    match entry:
        case Act(action):
            return Game(game.beginning, _act(game.now, action, entry))
        case Face(facing):
            return Game(game.beginning, _face(game.now, facing, entry))
        case Aim(placement):
            if placement not in game.now.placements:
                raise _refusal(game.now, f"the rug cannot be laid on {placement}")
            return replace(game, chosen_placement=placement, is_fresh=False)
        case Undo():
            return _undo(game)
        case Redo():
            return _redo(game)
        case Restored():
            return replace(game, is_restoring=False, to_restore=(), is_fresh=False)
        case CorrectAssam() | CorrectDirhams() | CorrectSquare():
            return Game(game.beginning, _correct(game.now, entry))


def _after(now: Moment, entry: Entry, state: State, events: tuple[Event, ...]) -> Moment:
    path = next((event.path for event in events if isinstance(event, Walked)), now.path)
    return Moment(
        state,
        state.facing,
        now,
        entry,
        events,
        () if state.is_turn_start else path,
        now.entry_count + 1,
    )


def _act(now: Moment, action: Action, entry: Entry) -> Moment:
    state = now.state
    events: tuple[Event, ...] = ()
    if isinstance(action, Rolled) and state.phase is Phase.ORIENT:
        state, events = apply(state, Orient(now.facing))
    state, more = apply(state, action)
    return _after(now, entry, state, events + more)


def _face(now: Moment, facing: Facing, entry: Entry) -> Moment:
    if facing not in allowed_facings(now.state):
        raise _refusal(now, f"Assam cannot be turned {facing.name.lower()} now")
    return Moment(now.state, facing, now, entry, (), now.path, now.entry_count + 1)


def allowed_facings(state: State) -> tuple[Facing, ...]:
    """Where Assam may be turned before it is committed, including where he faced before."""
    if state.phase not in (Phase.ORIENT, Phase.PIVOT):
        return ()
    return (state.facing, state.facing.left, state.facing.right)


def _correct(now: Moment, entry: Correction) -> Moment:
    state = now.state
    match entry:
        case CorrectAssam(square, facing):
            state = correct_assam(state, square, facing)
        case CorrectDirhams(player, dirhams):
            state = correct_dirhams(state, player, dirhams)
        case CorrectSquare(square, colour, other):
            state = correct_square(state, square, colour, other)
    facing, path = now.facing, now.path
    if isinstance(entry, CorrectAssam):
        path = ()
        if entry.square == now.state.assam or entry.facing is not now.state.facing:
            facing = entry.facing  # else only his square is corrected
    return Moment(state, facing, now, entry, (), path, now.entry_count + 1)


def _undo(game: Game) -> Game:
    now = game.now
    if now.before is None:
        raise _refusal(now, "there is nothing to undo")
    return Game(
        game.beginning,
        now.before,
        Undone(now, game.undone),
        _laid_on(now),  # the rug is offered where it was laid
        is_restoring=True,
        to_restore=(*game.to_restore, now),
    )


def _laid_on(now: Moment) -> Placement | None:
    match now.entry:
        case Act(Lay() as laid):
            return laid.placement
    return None


def _redo(game: Game) -> Game:
    if game.undone is None:
        raise _refusal(game.now, "there is nothing to redo")
    redone, earlier = game.undone.moment, game.undone.earlier
    return Game(
        game.beginning,
        redone,
        earlier,
        is_restoring=earlier is not None,
        to_restore=game.to_restore[:-1] if earlier else (),
    )


def _refusal(now: Moment, why: str) -> IllegalActionError:
    return IllegalActionError(why, position_text(now.state))
