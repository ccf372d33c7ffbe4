"""Converts positions, actions and events of the rules to those of the slow reference."""

from __future__ import annotations

from typing import Any

from companion.games.marrakech import (
    Action,
    Drawn,
    Drew,
    Ended,
    Event,
    Facing,
    Laid,
    Lay,
    Options,
    Orient,
    Oriented,
    Paid,
    Pay,
    Pivot,
    Pivoted,
    Placement,
    Returned,
    ReturnRug,
    Rolled,
    Rug,
    Standing,
    State,
    Tribute,
    Walked,
    WentOut,
)
from companion.games.marrakech.market import SIZE, SQUARES
from helpers.rules import reference_rules


def xy(square: int) -> tuple[int, int]:
    return square % SIZE, square // SIZE


def letter(facing: Facing) -> str:
    return facing.letter.upper()


def reference_options(options: Options) -> dict[str, str]:
    return {name: value for name, value in options.items() if name in reference_rules.ENGLISH}


def reference_game(state: State) -> reference_rules.Game:
    """The reference game in the same position."""
    setup = state.setup
    game = reference_rules.Game(
        [[colour.label for colour in colours] for colours in setup.players],
        options=reference_options(setup.options),
        loops=setup.options.loops,
    )
    game.phase = state.phase.label
    game.mover = state.mover
    game.assam = xy(state.assam)
    game.facing = letter(state.facing)
    game.dirhams = list(state.dirhams)
    game.out = set(state.out)
    game.left = {c.label: state.left[c] for colours in setup.players for c in colours}
    game.top = {
        xy(square): reference_rug(rug) for square in range(SQUARES) if (rug := state.rug_on(square))
    }
    game.hand = None if state.hand is None else state.hand.label
    game.piles = None
    if state.piles is not None:
        game.piles = [[colour.label for colour in pile] for pile in state.piles]
    return game


def facts(game: reference_rules.Game) -> dict[str, Any]:
    """All attributes of a position, for comparison."""
    return {name: value for name, value in vars(game).items() if name != "start"}


def reference_rug(rug: Rug) -> tuple[str, int]:
    return rug.colour.label, rug.number


def reference_placement(placement: Placement) -> frozenset[tuple[int, int]]:
    return frozenset({xy(placement.first), xy(placement.second)})


def reference_action(action: Action) -> reference_rules.Action:
    match action:
        case Orient():
            return ("orient", letter(action.facing))
        case Rolled():
            return ("roll", action.pips)
        case Pay():
            return ("pay",)
        case Drew():
            return ("draw", action.colour.label)
        case Lay():
            return ("lay", reference_placement(action.placement))
        case ReturnRug():
            return ("return",)
        case Pivot():
            return ("pivot", letter(action.facing))
    raise AssertionError(f"no reference for {action!r}")


def reference_event(event: Event, game: reference_rules.Game) -> dict[str, Any]:
    """The event of the reference. `game` is in the position after it."""
    match event:
        case Oriented(_, facing):
            return {"event": "oriented", "facing": letter(facing)}
        case Walked(_, path):
            steps = [(xy(square), letter(facing)) for square, facing in path]
            return {"event": "walked", "path": steps}
        case Tribute(payer, owner, colour, region):
            return {
                "event": "owed",
                "payer": payer,
                "owner": owner,
                "colour": colour.label,
                "due": event.due,
                "rings": rings(region, game),
            }
        case Paid(payer, owner, due, paid):
            return {"event": "paid", "payer": payer, "owner": owner, "due": due, "paid": paid}
        case WentOut(player, returned, neutral):
            return {
                "event": "went_out",
                "player": player,
                "returned": {colour.label: count for colour, count in returned},
                "neutral": set(map(xy, neutral)),
            }
        case Drawn(player, colour):
            return {"event": "drew", "player": player, "colour": colour.label}
        case Laid(player, rug, placement, covers):
            under = [reference_rug(half) if half else None for half in covers]
            squares = [xy(placement.first), xy(placement.second)]
            return {
                "event": "laid",
                "player": player,
                "rug": reference_rug(rug),
                "covers": dict(zip(squares, under, strict=True)),
            }
        case Returned(player, rug):
            return {"event": "returned", "player": player, "colour": rug.colour.label}
        case Pivoted(_, facing):
            return {"event": "pivoted", "facing": letter(facing)}
        case Ended(ranking):
            return {"event": "ended", "ranking": [reference_row(row) for row in ranking]}


def rings(region: tuple[int, ...], game: reference_rules.Game) -> list[set[tuple[int, int]]]:
    """Split a region in counting order into the rings of the reference: it must grow outward."""
    cut, start = [], 0
    for ring in reference_rules.region(game.top, xy(region[0])):
        cut.append({xy(square) for square in region[start : start + len(ring)]})
        start += len(ring)
    assert start == len(region)
    return cut


def reference_row(row: Standing) -> dict[str, object]:
    return {
        "rank": row.rank,
        "player": row.player,
        "dirhams": row.dirhams,
        "visible": row.visible,
        "score": row.score,
        "out": row.is_out,
    }
