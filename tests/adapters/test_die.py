"""The electronic die and dealing rugs are fair and unpredictable."""

from __future__ import annotations

from collections import Counter
from random import Random, SystemRandom

from companion.adapters.die import SystemRandomSource, deal
from companion.games.marrakech import Colour, Options, Setup, usual_players

TWO = Setup(usual_players(2))


def chi_square(seen: Counter[int], shares: dict[int, int]) -> float:
    each = seen.total() / sum(shares.values())
    return sum((seen[what] - each * share) ** 2 / (each * share) for what, share in shares.items())


def test_rolls_are_distributed_like_those_of_the_wooden_die() -> None:
    source = SystemRandomSource(Random(1))
    rolls = Counter(source.roll() for _ in range(60_000))
    assert set(rolls) == {1, 2, 3, 4}
    # With 3 degrees of freedom, a fair die is below this with a probability of 99.9 %.
    assert chi_square(rolls, {1: 1, 2: 2, 3: 2, 4: 1}) < 16.27


def test_the_default_source_is_the_operating_system() -> None:
    assert type(SystemRandomSource().random) is SystemRandom
    assert SystemRandomSource().roll() in (1, 2, 3, 4)


def test_the_same_seed_gives_the_same_rolls() -> None:
    first, second = SystemRandomSource(Random(7)), SystemRandomSource(Random(7))
    rolls = [first.roll() for _ in range(50)]
    assert rolls == [second.roll() for _ in range(50)]
    assert len(set(rolls)) == 4


def test_piles_are_dealt_only_for_shuffled_two_player_games() -> None:
    first, second = deal(TWO, Random(1)) or ((), ())
    assert sorted(first) == [Colour.RED] * 12 + [Colour.YELLOW] * 12
    assert sorted(second) == [Colour.BLUE] * 12 + [Colour.BROWN] * 12
    assert list(first) != sorted(first)
    alternating = Options(two_player="alternating")
    assert deal(Setup(usual_players(2, alternating), alternating), Random(1)) is None
    assert deal(Setup(usual_players(4)), Random(1)) is None


def test_a_source_deals_with_its_own_generator() -> None:
    assert SystemRandomSource(Random(1)).deal(TWO) == deal(TWO, Random(1))
    assert SystemRandomSource(Random(1)).deal(TWO) != SystemRandomSource(Random(2)).deal(TWO)


def test_every_place_in_a_pile_is_equally_likely_red_or_yellow() -> None:
    source, reds = SystemRandomSource(Random(3)), Counter[int]()
    for _ in range(2000):
        pile = (source.deal(TWO) or ((),))[0]
        reds.update(place for place, colour in enumerate(pile) if colour is Colour.RED)
    assert all(abs(reds[place] - 1000) < 100 for place in range(24)), "over four sigma"
