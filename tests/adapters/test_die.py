"""The electronic die and the dealing of rugs: fair, and unforeseen."""

from __future__ import annotations

from collections import Counter
from random import Random, SystemRandom

from companion.adapters.die import Chance, deal
from companion.games.marrakech import Colour, Options, Setup, usual_players

TWO = Setup(usual_players(2))


def chi_square(seen: Counter[int], shares: dict[int, int]) -> float:
    each = seen.total() / sum(shares.values())
    return sum((seen[what] - each * share) ** 2 / (each * share) for what, share in shares.items())


def test_the_die_falls_as_the_wooden_one_does() -> None:
    chance = Chance(Random(1))
    rolls = Counter(chance.roll() for _ in range(60_000))
    assert set(rolls) == {1, 2, 3, 4}
    # With 3 degrees of freedom a fair die stays below this 999 times in 1000.
    assert chi_square(rolls, {1: 1, 2: 2, 3: 2, 4: 1}) < 16.27


def test_nobody_can_foresee_a_roll() -> None:
    assert type(Chance().random) is SystemRandom
    assert Chance().roll() in (1, 2, 3, 4)


def test_the_same_chance_rolls_the_same() -> None:
    first, second = Chance(Random(7)), Chance(Random(7))
    rolls = [first.roll() for _ in range(50)]
    assert rolls == [second.roll() for _ in range(50)]
    assert len(set(rolls)) == 4


def test_piles_are_dealt_only_where_there_is_something_to_shuffle() -> None:
    first, second = deal(TWO, Random(1)) or ((), ())
    assert sorted(first) == [Colour.RED] * 12 + [Colour.YELLOW] * 12
    assert sorted(second) == [Colour.BLUE] * 12 + [Colour.BROWN] * 12
    assert list(first) != sorted(first)
    alternating = Options(two_player="alternating")
    assert deal(Setup(usual_players(2, alternating), alternating), Random(1)) is None
    assert deal(Setup(usual_players(4)), Random(1)) is None


def test_chance_deals_with_its_own_randomness() -> None:
    assert Chance(Random(1)).deal(TWO) == deal(TWO, Random(1))
    assert Chance(Random(1)).deal(TWO) != Chance(Random(2)).deal(TWO)


def test_every_place_in_a_pile_is_as_likely_red_as_yellow() -> None:
    chance, reds = Chance(Random(3)), Counter[int]()
    for _ in range(2000):
        pile = (chance.deal(TWO) or ((),))[0]
        reds.update(place for place, colour in enumerate(pile) if colour is Colour.RED)
    assert all(abs(reds[place] - 1000) < 100 for place in range(24)), "over four sigma"
