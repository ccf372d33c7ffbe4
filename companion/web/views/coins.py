"""A payment in coins of the box, and what to do where the purse has no small ones.

The box has 1s and 5s. Nobody tells the companion which of them a player holds, so it does not
guess: it names the fewest coins, and gives advice only where some purse of that worth could not pay
them. A purse of 33 has at least three 1s, whatever else is in it; one of 30 may have none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.errors import CompanionError
from companion.games.marrakech import parse_position
from companion.i18n.message import Message, message
from companion.i18n.renderer import TextRenderer
from companion.i18n.wire_form import Renderer

FIVE = 5
FIVES_IN_BOX = 20
"""Four players get five of them each, and as many 1s."""
Plain = dict[str, Any]


def payment_of(
    position: str, tribute: Mapping[str, Any] | None, speech: Renderer | None = None
) -> Plain | None:
    """What changes hands now: `tribute` is that of the account, `dirhams` what there is of it."""
    if tribute is None:
        return None
    try:
        purses = parse_position(position).dirhams
    except CompanionError:
        return None
    payer, owner = tribute["payer"], tribute["owner"]
    paid = min(tribute["dirhams"], purses[payer])
    advice = _advice(paid, purses[payer], purses[owner])
    return {
        "payer": payer,
        "owner": owner,
        "dirhams": paid,
        "coins": fewest_coins(paid),
        "advice": None if advice is None else (speech or TextRenderer()).say(advice),
    }


def fewest_coins(dirhams: int) -> list[int]:
    """`[5, 1, 1]` for 7."""
    fives, ones = divmod(dirhams, FIVE)
    return [FIVE] * fives + [1] * ones


def least_ones(purse: int) -> int:
    """How many 1s a purse has at least, whatever its other coins are."""
    return max(purse % FIVE, purse - FIVE * FIVES_IN_BOX)


def _advice(paid: int, purse: int, owners: int) -> Message | None:
    if not paid:
        return None
    if paid == purse:
        return message("coins.all")
    ones = paid % FIVE
    if least_ones(purse) >= ones:
        return None  # it can be paid to the coin out of any such purse
    back = FIVE - ones
    if owners < back:
        return message("coins.change_first")
    return message("coins.change", given=paid + back, count=back)
