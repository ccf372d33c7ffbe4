"""The game as it was told: every moment since its beginning, and what was taken back.

`tell` is the whole of it: game and entry in, game out. A journal replayed through it gives the game
as it was, so it never looks at a clock, rolls or asks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

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
    Ready,
    TakeBack,
    TellAgain,
)
from companion.table.rug_navigation import first_aim


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Moment:
    """The table after something was told, and a way back to the moment before."""

    state: State
    facing: Facing
    """How Assam stands on the cardboard: turned already, though the die has not committed it."""
    before: Moment | None = None
    told: Entry | None = None
    """What led here; nothing led to the beginning."""
    events: tuple[Event, ...] = ()
    path: tuple[Step, ...] = ()
    """The walk of this turn."""
    number: int = 0
    """How many things were told before."""

    @property
    def is_chosen(self) -> bool:
        """Whether Assam was turned away from where the position has him."""
        return self.facing is not self.state.facing


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Undone:
    """A moment that was taken back, and those taken back before it."""

    moment: Moment
    earlier: Undone | None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Game:
    """Everything a table knows of its game."""

    beginning: Beginning
    now: Moment
    undone: Undone | None = None
    chosen: Placement | None = None
    """The aim that was told, if one was since the rug is in hand."""
    is_putting_back: bool = False
    """Whether the cardboard is being put back as it was."""
    put_back: tuple[Moment, ...] = ()
    """The moments taken back since the cardboard was last as it should be, latest last."""
    is_fresh: bool = True
    """Whether `now` was told just now: an aim does not make Assam walk once more."""

    @property
    def state(self) -> State:
        return self.now.state

    @property
    def aim(self) -> Placement | None:
        """Where the rug would lie, in phase LAY; None where it can lie nowhere."""
        places = self.offered()
        return self.chosen or (first_aim(self.state, places) if places else None)

    def offered(self) -> tuple[Placement, ...]:
        """Where the rug may be laid, in phase LAY."""
        return offered(self.state)


def offered(state: State) -> tuple[Placement, ...]:
    if state.phase is not Phase.LAY:
        return ()
    return tuple(one.placement for one in legal_actions(state) if isinstance(one, Lay))


def begin(beginning: Beginning) -> Game:
    state = beginning.start()
    return Game(beginning, Moment(state, state.facing))


def tell(game: Game, told: Entry) -> Game:
    """The game after something was told; refuses what is not allowed now."""
    match told:
        case Act(action):
            return _go_on(game, _act(game.now, action, told))
        case Face(facing):
            return _go_on(game, _face(game.now, facing, told))
        case Aim(placement):
            if placement not in game.offered():
                raise _refusal(game.now, f"the rug cannot be laid on {placement}")
            return replace(game, chosen=placement, is_fresh=False)
        case TakeBack():
            return _take_back(game)
        case TellAgain():
            return _tell_again(game)
        case Ready():
            return replace(game, is_putting_back=False, put_back=(), is_fresh=False)
        case CorrectAssam() | CorrectDirhams() | CorrectSquare():
            return _go_on(game, _correct(game.now, told))


def _go_on(game: Game, now: Moment) -> Game:
    return Game(game.beginning, now)


def _after(now: Moment, told: Entry, state: State, events: tuple[Event, ...]) -> Moment:
    path = next((event.path for event in events if isinstance(event, Walked)), now.path)
    return Moment(
        state,
        state.facing,
        now,
        told,
        events,
        () if state.begins_turn else path,
        now.number + 1,
    )


def _act(now: Moment, action: Action, told: Entry) -> Moment:
    state = now.state
    events: tuple[Event, ...] = ()
    if isinstance(action, Rolled) and state.phase is Phase.ORIENT:
        state, events = apply(state, Orient(now.facing))
    state, more = apply(state, action)
    return _after(now, told, state, events + more)


def _face(now: Moment, facing: Facing, told: Entry) -> Moment:
    if facing not in facings(now.state):
        raise _refusal(now, f"Assam cannot be turned {facing.name.lower()} now")
    return Moment(now.state, facing, now, told, (), now.path, now.number + 1)


def facings(state: State) -> tuple[Facing, ...]:
    """Where Assam may be turned before it is committed; he may always be turned back."""
    if state.phase not in (Phase.ORIENT, Phase.PIVOT):
        return ()
    return (state.facing, state.facing.left, state.facing.right)


def _correct(now: Moment, told: Correction) -> Moment:
    state = now.state
    match told:
        case CorrectAssam(square, facing):
            state = correct_assam(state, square, facing)
        case CorrectDirhams(player, dirhams):
            state = correct_dirhams(state, player, dirhams)
        case CorrectSquare(square, colour, other):
            state = correct_square(state, square, colour, other)
    facing, path = now.facing, now.path
    if isinstance(told, CorrectAssam):
        path = ()
        if told.square == now.state.assam or told.facing is not now.state.facing:
            facing = told.facing  # else he stands elsewhere, turned as he was
    return Moment(state, facing, now, told, (), path, now.number + 1)


def _take_back(game: Game) -> Game:
    now = game.now
    if now.before is None:
        raise _refusal(now, "nothing was told yet")
    return Game(
        game.beginning,
        now.before,
        Undone(now, game.undone),
        _laid_on(now),  # offered again where it lay
        is_putting_back=True,
        put_back=(*game.put_back, now),
    )


def _laid_on(now: Moment) -> Placement | None:
    match now.told:
        case Act(Lay() as laid):
            return laid.placement
    return None


def _tell_again(game: Game) -> Game:
    if game.undone is None:
        raise _refusal(game.now, "nothing was taken back")
    again, earlier = game.undone.moment, game.undone.earlier
    return Game(
        game.beginning,
        again,
        earlier,
        is_putting_back=earlier is not None,
        put_back=game.put_back[:-1] if earlier else (),
    )


def _refusal(now: Moment, why: str) -> IllegalActionError:
    return IllegalActionError(why, position_text(now.state))
