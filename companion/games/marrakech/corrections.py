"""Corrections: change one detail of a position so that it matches the cardboard.

A correction is not an action: nobody moves, pays or lays, and the turn continues in its phase. The
result is always a position that can be written and played. A correction that would lead to an
impossible position is refused; the message says what to correct first. Only visible rugs are
known, so a correction never asks what lies beneath.
"""

from __future__ import annotations

from companion.errors import NotationError, SettingError, counted, listed
from companion.games.marrakech.market import SQUARES, Facing, placement_on, square_name
from companion.games.marrakech.rug import COLOURS, RUGS, Colour, Rug
from companion.games.marrakech.rules import after_paying
from companion.games.marrakech.setup import DIRHAMS_IN_BOX
from companion.games.marrakech.state import Phase, State, derive_visible


def correct_assam(state: State, square: int, facing: Facing) -> State:
    """Put Assam on this square, facing this way."""
    _check_square(square)
    return _skip_payment_if_nothing_due(state._replace(assam=square, facing=facing))


def correct_dirhams(state: State, player: int, dirhams: int) -> State:
    """Set a player's dirhams. All players together cannot have more than the box."""
    if not 0 <= player < len(state.dirhams):
        raise SettingError(f"there is no player {player + 1}: the game has {len(state.dirhams)}")
    name = state.setup.name(player)
    if player in state.out:
        raise SettingError(f"{name} is out and has no dirhams")
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
    """Set the top of a square: empty (`None`), or one half of a rug of this colour.

    With `other`, a square that shares a side, the two squares are the halves of one rug. Without,
    the other half of the rug is covered. If the square was half of a wholly visible rug, the
    remaining half keeps its rug.

    The corrected squares get the lowest rug number of the colour that was laid and is not visible
    elsewhere. A square that already shows such a rug keeps it.
    """
    squares = [square] if other is None else [square, other]
    for one in squares:
        _check_square(one)
    if colour is None and other is not None:
        raise SettingError(
            f"{square_name(square)} is to be empty, so {square_name(other)} cannot be the other "
            "half of its rug: correct one square after the other"
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
    colours, whole = derive_visible(bytes(tops))
    return _skip_payment_if_nothing_due(
        state._replace(tops=bytes(tops), colours=colours, whole=whole)
    )


def _check_square(square: int) -> None:
    if not 0 <= square < SQUARES:
        raise SettingError(f"there is no square {square}: the market has 0 to {SQUARES - 1}")


def _free_rug(state: State, colour: Colour, squares: list[int], elsewhere: bytes) -> Rug:
    """The rug for these squares: one that they already show, or the lowest free number."""
    setup = state.setup
    if setup.owner[colour] is None:
        played = [c.label for c in COLOURS if setup.owner[c] is not None]
        raise SettingError(f"nobody plays {colour.label}: the rugs are {listed(played, 'and')}")
    laid = setup.rugs[colour] - state.left[colour]
    if not laid:
        raise SettingError(f"no {colour.label} rug was laid yet: none can be visible")
    free = [rug for n in range(laid) if (rug := Rug(colour, n + 1)).code not in elsewhere]
    if not free:
        raise SettingError(
            f"only {counted(laid, f'{colour.label} rug')} {'was' if laid == 1 else 'were'} laid, "
            f"and {laid} can be seen elsewhere: correct another square first"
        )
    shown = (RUGS[state.tops[square]] for square in squares)
    return next((rug for rug in shown if rug in free), free[0])


def _skip_payment_if_nothing_due(state: State) -> State:
    """Leave phase PAY if the correction has removed the debt."""
    if state.phase is Phase.PAY and state.tribute_at(state.assam) is None:
        phase, hand = after_paying(state)
        return state._replace(phase=phase, hand=hand)
    return state
