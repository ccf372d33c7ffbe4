"""A payment in coins, with advice for a player who may lack small coins.

The box has 1s and 5s, and the companion does not know which of them a player holds. So it names the
fewest coins, and gives advice only if a player with that much money might not have them: 33 dirhams
always include three 1s; 30 dirhams may include none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.errors import CompanionError
from companion.games.marrakech import parse_position
from companion.i18n.message import Message, message
from companion.i18n.renderer import TextRenderer
from companion.i18n.wire_form import Renderer
from companion.json_types import JsonObject

FIVE = 5
FIVES_IN_BOX = 20
"""Four players get five each."""


def payment_of(
    position: str, tribute: Mapping[str, Any] | None, renderer: Renderer | None = None
) -> JsonObject | None:
    """The payment for a snapshot's `tribute`: all of it, or what the payer has."""
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
        "advice": None if advice is None else (renderer or TextRenderer()).render(advice),
    }


def fewest_coins(dirhams: int) -> list[int]:
    """`[5, 1, 1]` for 7."""
    fives, ones = divmod(dirhams, FIVE)
    return [FIVE] * fives + [1] * ones


def least_ones(purse: int) -> int:
    """The least number of 1s among so many dirhams."""
    return max(purse % FIVE, purse - FIVE * FIVES_IN_BOX)


def _advice(paid: int, purse: int, owner_purse: int) -> Message | None:
    if not paid:
        return None
    if paid == purse:
        return message("coins.all")
    ones = paid % FIVE
    if least_ones(purse) >= ones:
        return None  # any combination of coins can pay it exactly
    back = FIVE - ones
    if owner_purse < back:
        return message("coins.change_first")
    return message("coins.change", given=paid + back, count=back)
