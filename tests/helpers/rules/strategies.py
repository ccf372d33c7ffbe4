"""Positions for property tests: reached by play, and arranged as no play would arrange them."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from companion.games.marrakech import (
    OPTIONS,
    Action,
    Colour,
    Facing,
    Options,
    Phase,
    Rug,
    Setup,
    State,
    apply,
    legal_actions,
    new_game,
)
from companion.games.marrakech.market import BESIDE, PLACEMENTS, SQUARES
from companion.games.marrakech.state import see

seeds = st.integers(0, 2**32 - 1)


def random_options(chance: Random) -> Options:
    changes = {name: chance.choice(list(values)) for name, values in OPTIONS.items()}
    return Options().but(changes)


def random_setup(chance: Random, options: Options | None = None) -> Setup:
    """Any table that can be played, each option by chance."""
    options = options or random_options(chance)
    count = chance.choice((2, 3, 4))
    colours = chance.sample(list(Colour), 4)
    if count == 2 and options.two_player != "one-colour":
        return Setup(((colours[0], colours[1]), (colours[2], colours[3])), options)
    if count < 4:  # a colour of which the box has too few must stay in it
        colours.sort(key=lambda colour: -options.rugs_in_box(colour))
    return Setup(tuple((colour,) for colour in colours[:count]), options)


def random_start(chance: Random, setup: Setup) -> State:
    piles = None
    if setup.has_two_colours and setup.options.two_player == "shuffled" and chance.random() < 0.5:
        piles = [chance.sample(colours * 12, 24) for colours in setup.players]
    return new_game(setup, facing=chance.choice(list(Facing)), piles=piles)


def random_game(chance: Random, start: State) -> list[tuple[State, Action]]:
    """A whole game by chance: each position and what was done in it."""
    state, game = start, []
    while legal := legal_actions(state):
        action = chance.choice(legal)
        game.append((state, action))
        state, _ = apply(state, action)
    return game


def arranged_position(chance: Random) -> State:
    """A market strewn at random: rugs piled up, whole or in halves, players broke or out.

    Rare things are common here: corners, whole rugs beside Assam, neutral rugs, exact debts,
    and squares where nothing can be laid.
    """
    setup = random_setup(chance)
    count = len(setup.players)
    out = frozenset(chance.sample(range(count), chance.choice((0, 0, 0, 1, count - 2)) % count))
    out = out if len(out) < count - 1 else frozenset()
    left = _left(chance, setup, out)
    tops = [0] * SQUARES
    colours = [colour for player in setup.players for colour in player]
    favourite = chance.choice(colours)
    laid = [
        Rug(c, n + 1)
        for c in colours
        for n in range(setup.rugs[c] - left[c])
        if c is favourite or chance.random() < 0.8
    ]
    chance.shuffle(laid)
    for rug in laid:
        place = chance.choice(PLACEMENTS)
        tops[place.first] = tops[place.second] = rug.code
    if chance.random() < 0.5:  # two halves need not have stayed together
        for square in chance.sample(range(SQUARES), 8):
            tops[square] = 0
    assam = chance.choice((0, 6, 42, 48, *range(SQUARES)))
    if chance.random() < 0.25:  # halves of many rugs of one colour all around Assam
        tops = [0 if code and code & 3 == favourite else code for code in tops]
        around = {p.first for p in BESIDE[assam]} | {p.second for p in BESIDE[assam]}
        for square, number in zip(
            sorted(around), range(1, setup.rugs[favourite] - left[favourite] + 1), strict=False
        ):
            tops[square] = Rug(favourite, number).code
    seen, whole = see(bytes(tops))
    state = State(
        setup=setup,
        phase=Phase.OVER,
        mover=chance.randrange(count),
        assam=assam,
        facing=chance.choice(list(Facing)),
        dirhams=tuple(0 if p in out else chance.choice((0, 1, 2, 3, 30)) for p in range(count)),
        left=tuple(left),
        out=out,
        tops=bytes(tops),
        colours=seen,
        whole=whole,
        hand=None,
        piles=_piles(chance, setup, left),
    )
    return _in_some_phase(chance, state)


def _left(chance: Random, setup: Setup, out: frozenset[int]) -> list[int]:
    left = [0] * len(Colour)
    for player, colours in enumerate(setup.players):
        for colour in colours:
            left[colour] = 0 if player in out else chance.randint(0, setup.rugs[colour])
        if len(colours) == 2 and setup.options.two_player == "alternating":
            first, second = colours  # the pile holds as many of both, or one more of the second
            left[first] = max(0, left[second] - chance.choice((0, 1)))
    return left


def _piles(chance: Random, setup: Setup, left: list[int]) -> tuple[tuple[Colour, ...], ...] | None:
    """Piles in a known order, for some of the games of two colours each."""
    if not setup.has_two_colours:
        return None
    if setup.options.two_player == "alternating":
        return tuple(
            ((first, second) * 12)[24 - left[first] - left[second] :]
            for first, second in setup.players
        )
    if chance.random() < 0.5:
        return None
    rugs = [[c for c in colours for _ in range(left[c])] for colours in setup.players]
    return tuple(tuple(chance.sample(pile, len(pile))) for pile in rugs)


def _in_some_phase(chance: Random, state: State) -> State:
    """Put the game into a phase that the position allows; OVER if nobody has a rug left."""
    setup = state.setup
    movers = [seat for seat in range(len(setup.players)) if state.rugs_left(seat)]
    if not movers:
        return state
    state = state._replace(mover=chance.choice(movers))
    phases = [Phase.LAY, Phase.LAY, Phase.ROLL]
    phases.append(Phase.PIVOT if setup.pivots_last else Phase.ORIENT)
    could_be = [c for c in setup.players[state.mover] if state.left[c]]
    if state.piles is not None:
        could_be = list(state.piles[state.mover][:1])
    if len(could_be) == 2:
        phases.append(Phase.DRAW)
    tribute = state.tribute_at(state.assam)
    if tribute:
        phases += [Phase.PAY] * 4
        if chance.random() < 0.4:  # exactly enough, or one short of it
            dirhams = [0 for _ in state.dirhams]  # so that the box has enough for any debt
            dirhams[state.mover] = tribute.due - chance.choice((0, 0, 1))
            state = state._replace(dirhams=tuple(dirhams))
    phase = chance.choice(phases)
    return state._replace(phase=phase, hand=chance.choice(could_be) if phase is Phase.LAY else None)
