"""Random games, and random positions that play would rarely reach, for property tests."""

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
from companion.games.marrakech.state import derive_visible

seeds = st.integers(0, 2**32 - 1)


def random_options(rng: Random) -> Options:
    changes = {name: rng.choice(list(values)) for name, values in OPTIONS.items()}
    return Options().with_changes(changes)


def random_setup(rng: Random, options: Options | None = None) -> Setup:
    """A random playable setup, with random options."""
    options = options or random_options(rng)
    count = rng.choice((2, 3, 4))
    colours = rng.sample(list(Colour), 4)
    if count == 2 and options.two_player != "one-colour":
        return Setup(((colours[0], colours[1]), (colours[2], colours[3])), options)
    if count < 4:  # a colour with too few rugs stays in the box
        colours.sort(key=lambda colour: -options.rugs_in_box(colour))
    return Setup(tuple((colour,) for colour in colours[:count]), options)


def random_start(rng: Random, setup: Setup) -> State:
    piles = None
    if setup.has_shuffled_piles and rng.random() < 0.5:
        piles = [rng.sample(colours * 12, 24) for colours in setup.players]
    return new_game(setup, facing=rng.choice(list(Facing)), piles=piles)


def random_game(rng: Random, start: State) -> list[tuple[State, Action]]:
    """A random game: each position and the action in it."""
    state, game = start, []
    while legal := legal_actions(state):
        action = rng.choice(legal)
        game.append((state, action))
        state, _ = apply(state, action)
    return game


def arranged_position(rng: Random) -> State:
    """A random market: rugs whole or in halves, players without dirhams or out.

    Cases that are rare in play are common here: corners, whole rugs beside Assam, neutral rugs,
    exact debts, and positions where nothing can be laid.
    """
    setup = random_setup(rng)
    count = len(setup.players)
    out = frozenset(rng.sample(range(count), rng.choice((0, 0, 0, 1, count - 2)) % count))
    out = out if len(out) < count - 1 else frozenset()
    left = _left(rng, setup, out)
    tops = [0] * SQUARES
    colours = [colour for player in setup.players for colour in player]
    favourite = rng.choice(colours)
    laid = [
        Rug(c, n + 1)
        for c in colours
        for n in range(setup.rugs[c] - left[c])
        if c is favourite or rng.random() < 0.8
    ]
    rng.shuffle(laid)
    for rug in laid:
        place = rng.choice(PLACEMENTS)
        tops[place.first] = tops[place.second] = rug.code
    if rng.random() < 0.5:  # separate halves of rugs
        for square in rng.sample(range(SQUARES), 8):
            tops[square] = 0
    assam = rng.choice((0, 6, 42, 48, *range(SQUARES)))
    if rng.random() < 0.25:  # halves of many rugs of one colour all around Assam
        tops = [0 if code and code & 3 == favourite else code for code in tops]
        around = {p.first for p in BESIDE[assam]} | {p.second for p in BESIDE[assam]}
        for square, number in zip(
            sorted(around), range(1, setup.rugs[favourite] - left[favourite] + 1), strict=False
        ):
            tops[square] = Rug(favourite, number).code
    visible_colours, whole = derive_visible(bytes(tops))
    state = State(
        setup=setup,
        phase=Phase.OVER,
        mover=rng.randrange(count),
        assam=assam,
        facing=rng.choice(list(Facing)),
        dirhams=tuple(0 if p in out else rng.choice((0, 1, 2, 3, 30)) for p in range(count)),
        left=tuple(left),
        out=out,
        tops=bytes(tops),
        colours=visible_colours,
        whole=whole,
        hand=None,
        piles=_piles(rng, setup, left),
    )
    return _with_random_phase(rng, state)


def _left(rng: Random, setup: Setup, out: frozenset[int]) -> list[int]:
    left = [0] * len(Colour)
    for player, colours in enumerate(setup.players):
        for colour in colours:
            left[colour] = 0 if player in out else rng.randint(0, setup.rugs[colour])
        if len(colours) == 2 and setup.options.two_player == "alternating":
            first, second = colours  # equal counts, or one more of the second
            left[first] = max(0, left[second] - rng.choice((0, 1)))
    return left


def _piles(rng: Random, setup: Setup, left: list[int]) -> tuple[tuple[Colour, ...], ...] | None:
    """Piles in a known order, for some of the games with two colours each."""
    if not setup.has_two_colours:
        return None
    if setup.options.two_player == "alternating":
        return tuple(
            ((first, second) * 12)[24 - left[first] - left[second] :]
            for first, second in setup.players
        )
    if rng.random() < 0.5:
        return None
    rugs = [[c for c in colours for _ in range(left[c])] for colours in setup.players]
    return tuple(tuple(rng.sample(pile, len(pile))) for pile in rugs)


def _with_random_phase(rng: Random, state: State) -> State:
    """Set a random phase that the position allows; OVER if no rug is left."""
    setup = state.setup
    movers = [seat for seat in range(len(setup.players)) if state.rugs_left(seat)]
    if not movers:
        return state
    state = state._replace(mover=rng.choice(movers))
    phases = [Phase.LAY, Phase.LAY, Phase.ROLL]
    phases.append(Phase.PIVOT if setup.is_pivot_last else Phase.ORIENT)
    possible = [c for c in setup.players[state.mover] if state.left[c]]
    if state.piles is not None:
        possible = list(state.piles[state.mover][:1])
    if len(possible) == 2:
        phases.append(Phase.DRAW)
    tribute = state.tribute_at(state.assam)
    if tribute:
        phases += [Phase.PAY] * 4
        if rng.random() < 0.4:  # exactly enough, or one dirham short
            dirhams = [0 for _ in state.dirhams]  # so that the box has enough for every debt
            dirhams[state.mover] = tribute.due - rng.choice((0, 0, 1))
            state = state._replace(dirhams=tuple(dirhams))
    phase = rng.choice(phases)
    return state._replace(phase=phase, hand=rng.choice(possible) if phase is Phase.LAY else None)
