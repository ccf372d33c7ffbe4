"""Corrections: the companion's position made to match the cardboard, one thing at a time.

The cardboard is right. A correction is no action: nobody moves, pays or lays by it, and the turn
goes on where it was under the same rules. What it leaves behind is always a position that can be
written and played; a correction that no position could bear is refused, and says what to correct
first. Only what can be seen is known of the market, so what lies beneath a corrected square is not
asked for.
"""

from __future__ import annotations

from companion.errors import NotationError, SettingError, counted, listed
from companion.games.marrakech.market import SQUARES, Facing, placement_on, square_name
from companion.games.marrakech.rug import COLOURS, RUGS, Colour, Rug
from companion.games.marrakech.rules import after_paying
from companion.games.marrakech.setup import DIRHAMS_IN_BOX
from companion.games.marrakech.state import Phase, State, see


def correct_assam(state: State, square: int, facing: Facing) -> State:
    """Assam stands on this square and faces this way."""
    _check_square(square)
    return _gone_on(state._replace(assam=square, facing=facing))


def correct_dirhams(state: State, player: int, dirhams: int) -> State:
    """A player has so many dirhams. The purses together hold no more than the box does."""
    if not 0 <= player < len(state.dirhams):
        raise SettingError(f"no player {player + 1}: the game has {len(state.dirhams)}")
    name = state.setup.name(player)
    if player in state.out:
        raise SettingError(f"{name} is out and has no dirhams any more")
    if not 0 <= dirhams <= DIRHAMS_IN_BOX:
        raise SettingError(f"{dirhams} dirhams: {name} can have 0 to {DIRHAMS_IN_BOX}")
    purses = list(state.dirhams)
    purses[player] = dirhams
    if sum(purses) > DIRHAMS_IN_BOX:
        others = sum(purses) - dirhams
        raise SettingError(
            f"{dirhams} dirhams for {name}, and the others have {others}: the box has only "
            f"{DIRHAMS_IN_BOX}; correct another purse first"
        )
    return state._replace(dirhams=tuple(purses))


def correct_square(
    state: State, square: int, colour: Colour | None, other: int | None = None
) -> State:
    """The top of a square is empty (`None`), or one half of a rug of this colour.

    With `other`, a square that shares a side, both are the two halves of one rug. Without, the half
    is alone: the rest of its rug is covered. If the square was half of a rug that could be seen
    whole, the half that stays is alone from now on and remains the rug it was.

    A rug that is told takes the lowest number of its colour that was laid and cannot be seen
    elsewhere; a square that shows such a rug already keeps it.
    """
    squares = [square] if other is None else [square, other]
    for one in squares:
        _check_square(one)
    if colour is None and other is not None:
        raise SettingError(
            f"{square_name(square)} is to be empty: the other half of no rug is on "
            f"{square_name(other)}; correct one square after the other"
        )
    if other is not None:
        try:
            placement_on(square, other)
        except NotationError as error:
            raise SettingError(error.message) from None
    tops = bytearray(state.tops)
    for one in squares:
        tops[one] = 0
    if colour is not None:
        code = _free_rug(state, colour, squares, bytes(tops)).code
        for one in squares:
            tops[one] = code
    colours, whole = see(bytes(tops))
    return _gone_on(state._replace(tops=bytes(tops), colours=colours, whole=whole))


def _check_square(square: int) -> None:
    if not 0 <= square < SQUARES:
        raise SettingError(f"no square {square}: the market has 0 to {SQUARES - 1}")


def _free_rug(state: State, colour: Colour, squares: list[int], elsewhere: bytes) -> Rug:
    """The rug that these squares show: one that they show already, or the first that is free."""
    setup = state.setup
    if setup.owner[colour] is None:
        played = [c.label for c in COLOURS if setup.owner[c] is not None]
        raise SettingError(f"nobody plays {colour.label}: the rugs are {listed(played, 'and')}")
    laid = setup.rugs[colour] - state.left[colour]
    if not laid:
        raise SettingError(f"no {colour.label} rug was laid yet: none can be seen")
    free = [rug for n in range(laid) if (rug := Rug(colour, n + 1)).code not in elsewhere]
    if not free:
        raise SettingError(
            f"only {counted(laid, f'{colour.label} rug')} {'was' if laid == 1 else 'were'} laid, "
            f"and {laid} can be seen elsewhere: correct another square first"
        )
    shown = (RUGS[state.tops[square]] for square in squares)
    return next((rug for rug in shown if rug in free), free[0])


def _gone_on(state: State) -> State:
    """The turn where it goes on: nobody is asked to pay for what nobody owes any more."""
    if state.phase is Phase.PAY and state.tribute_at(state.assam) is None:
        phase, hand = after_paying(state)
        return state._replace(phase=phase, hand=hand)
    return state
