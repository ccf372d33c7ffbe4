"""Scenes of a turn, from positions and events alone."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.marrakech import Colour, Phase, Placement, State, Step, Tribute
from companion.games.marrakech.market import SIZE, squares_of
from companion.table.scenes.scene import LED_OF, Ink, Mark, Meaning, Scene, Shot, led_at

LOOP_CORNERS = {"ne-sw": ((SIZE - 1, 0), (0, SIZE - 1)), "nw-se": ((0, 0), (SIZE - 1, SIZE - 1))}

INK = {colour: Ink[colour.name] for colour in Colour}


def turn_rail(state: State) -> tuple[Mark, ...]:
    """The mover's seat in the southern row, and the phase in the eastern column from the north.

    Empty when the game is over.
    """
    if state.is_over:
        return ()
    colours = state.setup.players[state.mover]
    hand = colours[0] if state.hand is None else state.hand
    return (
        Mark(Meaning.RAIL, (led_at(state.mover, SIZE),), (INK[hand],)),
        Mark(Meaning.RAIL, (led_at(SIZE, state.phase),)),
    )


def assam_mark(state: State) -> Mark:
    return Mark(Meaning.ASSAM, (LED_OF[state.assam],))


def rugs_mark(meaning: Meaning, state: State, *players: int) -> Mark:
    """The visible rug halves of these players, in the order of their colours."""
    colours = [colour for player in players for colour in state.setup.players[player]]
    halves = [(LED_OF[s], INK[c]) for c in colours for s in squares_of(state.colours[c])]
    if not halves:
        return Mark(meaning)
    leds, inks = zip(*halves, strict=True)
    return Mark(meaning, leds, inks)


def orient_scene(state: State) -> Scene:
    """Where rolls of one to four would take Assam, in the owner's ink where it costs tribute."""
    steps = state.setup.paths[state.assam * 4 + state.facing][-1]
    own = INK[state.setup.players[state.mover][0]]
    tributes = [state.tribute_at(step.square) for step in steps]
    inks = tuple(INK[tribute.colour] if tribute else own for tribute in tributes)
    preview = Mark(Meaning.PREVIEW, tuple(LED_OF[step.square] for step in steps), inks)
    return Scene((Shot((preview, assam_mark(state))),), turn_rail(state))


def _walk(state: State, path: Iterable[Step], meaning: Meaning) -> Mark:
    own = INK[state.setup.players[state.mover][0]]
    return Mark(meaning, tuple(LED_OF[step.square] for step in path), (own,))


def pay_scene(state: State, path: tuple[Step, ...], tribute: Tribute) -> Scene:
    """The path, the region counted square by square, the amount, then the region until it is paid.

    If the payer is short of money, the purse follows the amount and the payer's seat blinks. If the
    payer will be out, the payer's rugs blink too.
    """
    region = tuple(LED_OF[square] for square in tribute.region)
    ink = (INK[tribute.colour],)
    shots = [
        Shot((Mark(Meaning.COUNT, region, ink),)),  # nothing else, so that players can count along
        Shot((Mark(Meaning.NUMBER, inks=ink, number=tribute.due),)),
    ]
    if path:
        shots.insert(0, Shot((_walk(state, path, Meaning.PATH),)))
    seat, *rest = turn_rail(state)
    purse = state.dirhams[tribute.payer]
    if purse < tribute.due:
        shots.append(Shot((Mark(Meaning.NUMBER, inks=seat.inks, number=purse),)))
        lost = rugs_mark(Meaning.WARNING, state, tribute.payer)
        if lost.leds and state.setup.options.bankruptcy == "out":
            shots.append(Shot((lost,)))
        seat = Mark(Meaning.WARNING, seat.leds, seat.inks)
    shots.append(Shot((Mark(Meaning.OWED, region, ink), assam_mark(state))))
    return Scene(tuple(shots), (seat, *rest))


def lay_scene(state: State, path: tuple[Step, ...], offer: Placement) -> Scene:
    """The walked path, and where the rug would be laid."""
    assert state.hand is not None, "phase LAY without a rug in hand"
    squares = LED_OF[offer.first], LED_OF[offer.second]
    return Scene(
        (
            Shot(
                (
                    _walk(state, path, Meaning.TRAIL),
                    Mark(Meaning.OFFER, squares, (INK[state.hand],)),
                    assam_mark(state),
                )
            ),
        ),
        turn_rail(state),
    )


def walk_scene(state: State, path: tuple[Step, ...]) -> Scene:
    """Assam's walk when no tribute is due."""
    return Scene((Shot((_walk(state, path, Meaning.PATH), assam_mark(state))),), turn_rail(state))


def count_scene(state: State) -> Scene:
    """Each player's visible halves, then the score, the winner last. Skips players who are out."""
    shots: list[Shot] = []
    for row in reversed(state.ranking()):
        if row.score is None:
            continue
        halves = rugs_mark(Meaning.COUNT, state, row.player)
        if halves.leds:
            shots.append(Shot((halves,)))
        ink = INK[state.setup.players[row.player][0]]
        shots.append(Shot((Mark(Meaning.NUMBER, inks=(ink,), number=row.score),)))
    return Scene(tuple(shots))


def code_scene(code: str) -> Scene:
    """The pairing code for a phone, without a rail."""
    return Scene((Shot((Mark(Meaning.CODE, letters=code),)),))


def loops_scene(loops: str) -> Scene:
    """The corners with the three-quarter loops, to turn the cardboard to match."""
    leds = tuple(led_at(x, y) for x, y in LOOP_CORNERS[loops])
    return Scene((Shot((Mark(Meaning.LOOPS, leds),)),))


assert len(Phase) <= SIZE + 1, "the phases fit on the rail"
