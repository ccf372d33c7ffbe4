"""The setup of a game: the seats, their colours, the options, and what each player starts with.

Every `Setup` can be played: its constructor refuses impossible combinations.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from companion.errors import SettingError, counted
from companion.games.marrakech.market import Paths, paths
from companion.games.marrakech.options import Options
from companion.games.marrakech.rug import COLOURS, Colour

RUGS_FOR = {2: 15, 3: 15, 4: 12}
"""Rugs of each colour, by the number of players with one colour each."""
RUGS_OF_TWO_COLOURS = 12
"""Rugs of each colour, for two players with two colours each."""
DIRHAMS_IN_BOX = 120

Pile = tuple[Colour, ...]
"""The rugs that a player has left, next rug first, where the order is known."""


@dataclass(frozen=True)
class Setup:
    """The seats in order of play (clockwise, the first player first), and the options."""

    players: tuple[tuple[Colour, ...], ...]
    options: Options = field(default_factory=Options)

    def __post_init__(self) -> None:
        _check(self.players, self.options)

    # Cached, because the rules read these at every step.

    @cached_property
    def owner(self) -> tuple[int | None, ...]:
        """By colour: the player who has it."""
        seats = {colour: seat for seat, colours in enumerate(self.players) for colour in colours}
        return tuple(seats.get(colour) for colour in COLOURS)

    @cached_property
    def rugs(self) -> tuple[int, ...]:
        """By colour: the rugs at the start."""
        each = RUGS_OF_TWO_COLOURS if self.has_two_colours else RUGS_FOR[len(self.players)]
        return tuple(0 if owner is None else each for owner in self.owner)

    @cached_property
    def paths(self) -> Paths:
        return paths(self.options.loops)

    @cached_property
    def is_pivot_last(self) -> bool:
        return self.options.turn_order == "pivot-last"

    @cached_property
    def clockwise(self) -> tuple[tuple[int, ...], ...]:
        """By player: the other players in order of play, then the player."""
        seats = tuple(range(len(self.players)))
        return tuple(seats[seat + 1 :] + seats[: seat + 1] for seat in seats)

    @property
    def has_two_colours(self) -> bool:
        return len(self.players[0]) == 2

    @property
    def has_shuffled_piles(self) -> bool:
        return self.has_two_colours and self.options.two_player == "shuffled"

    @property
    def dirhams(self) -> int:
        """Dirhams of each player at the start."""
        if self.options.purse == "share-120":
            return DIRHAMS_IN_BOX // len(self.players)
        return 30

    def label(self, player: int) -> str:
        """The letters of a player's colours: `R`, or `RY`."""
        return "".join(colour.letter for colour in self.players[player])

    def name(self, player: int) -> str:
        """The names of a player's colours: `red`, or `red+yellow`."""
        return "+".join(colour.label for colour in self.players[player])

    def piles(self, dealt: Iterable[Sequence[Colour]] | None = None) -> tuple[Pile, ...] | None:
        """The piles if their order is known (dealt by the companion, or alternating)."""
        if not self.has_two_colours:
            if dealt is not None:
                raise SettingError("only two players with two colours each have piles to deal")
            return None
        if self.options.two_player == "alternating":
            if dealt is not None:
                raise SettingError("the colours alternate: piles cannot be dealt")
            return tuple(colours * RUGS_OF_TWO_COLOURS for colours in self.players)
        if dealt is None:
            return None
        piles = tuple(tuple(pile) for pile in dealt)
        if len(piles) != len(self.players):
            raise SettingError(
                f"{counted(len(piles), 'pile')} dealt for {len(self.players)} players"
            )
        for seat, (colours, pile) in enumerate(zip(self.players, piles, strict=True)):
            if sorted(pile) != sorted(colours * RUGS_OF_TWO_COLOURS):
                one, other = (c.label for c in colours)
                message = f"a pile must be 12 {one} and 12 {other} rugs, in any order"
                raise SettingError(message, seat=seat)
        return piles


def usual_players(count: int, options: Options | None = None) -> tuple[tuple[Colour, ...], ...]:
    """The default colours of the seats. Avoids a colour that has too few rugs in the box."""
    options = options or Options()
    if count == 2 and options.two_player != "one-colour":
        return (Colour.RED, Colour.YELLOW), (Colour.BLUE, Colour.BROWN)
    if not 2 <= count <= 4:
        raise SettingError(_wrong_count(count))
    fullest_first = sorted(COLOURS, key=lambda c: (-options.rugs_in_box(c), c))
    return tuple((c,) for c in sorted(fullest_first[:count]))


def _wrong_count(count: int) -> str:
    nearest = max(2, min(count, 4))
    return f"{counted(count, 'player')}: Marrakech is for 2, 3 or 4; the nearest is {nearest}"


def _check(players: tuple[tuple[Colour, ...], ...], options: Options) -> None:
    count = len(players)
    if not 2 <= count <= 4:
        raise SettingError(_wrong_count(count), seat=max(0, min(count, 5) - 1))
    wanted = 2 if count == 2 and options.two_player != "one-colour" else 1
    seats: dict[Colour, int] = {}
    for seat, colours in enumerate(players, start=1):
        if len(colours) != wanted:
            raise SettingError(
                f"player {seat} has {counted(len(colours), 'colour')}: with {count} players"
                + (f" and two_player={options.two_player}" if count == 2 else "")
                + f" everyone has {wanted}",
                seat=seat - 1,
            )
        for colour in colours:
            if colour in seats:
                free = [c for c in COLOURS if not any(c in taken for taken in players)]
                first = seats[colour]
                who = f"player {seat}" if first == seat else f"players {first} and {seat}"
                raise SettingError(
                    f"{colour.label} is taken twice, by {who}: "
                    f"every colour has one owner; still free: {', '.join(c.label for c in free)}",
                    seat=seat - 1,
                )
            seats[colour] = seat
    for colour in seats:
        needed = RUGS_OF_TWO_COLOURS if wanted == 2 else RUGS_FOR[count]
        if options.rugs_in_box(colour) < needed:
            usual = ", ".join(c.label for (c,) in usual_players(count, options))
            raise SettingError(
                f"{colour.label} has only {options.rugs_in_box(colour)} rugs in a box of "
                f"{options.box}, and {count} players need {needed} each: take {usual}, or set "
                "short_colour to the colour that has fewer rugs in your box",
                seat=seats[colour] - 1,
            )
