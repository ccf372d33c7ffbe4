"""Who plays with what: the seats, their colours, and what they start with.

A `Setup` that exists can be played: everything impossible is refused while it is made.
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
"""Rugs of a player's colour; two players with two colours each take 12 of both."""
RUGS_OF_TWO_COLOURS = 12
DIRHAMS_IN_BOX = 120

Pile = tuple[Colour, ...]
"""What a player is still to lay, next rug first, where the order is known."""


@dataclass(frozen=True)
class Setup:
    """The seats in order of play (clockwise, the first begins) and the options."""

    players: tuple[tuple[Colour, ...], ...]
    options: Options = field(default_factory=Options)

    def __post_init__(self) -> None:
        _check(self.players, self.options)

    # What follows from the two is worked out once: the rules ask for it at every step.

    @cached_property
    def owner(self) -> tuple[int | None, ...]:
        """The player of each colour."""
        seats = {colour: seat for seat, colours in enumerate(self.players) for colour in colours}
        return tuple(seats.get(colour) for colour in COLOURS)

    @cached_property
    def rugs(self) -> tuple[int, ...]:
        """The rugs of each colour at the start."""
        each = RUGS_OF_TWO_COLOURS if self.has_two_colours else RUGS_FOR[len(self.players)]
        return tuple(0 if owner is None else each for owner in self.owner)

    @cached_property
    def paths(self) -> Paths:
        return paths(self.options.loops)

    @cached_property
    def pivots_last(self) -> bool:
        return self.options.turn_order == "pivot-last"

    @cached_property
    def clockwise(self) -> tuple[tuple[int, ...], ...]:
        """For each player, the others in order of play, and the player at the end."""
        seats = tuple(range(len(self.players)))
        return tuple(seats[seat + 1 :] + seats[: seat + 1] for seat in seats)

    @property
    def has_two_colours(self) -> bool:
        return len(self.players[0]) == 2

    @property
    def dirhams(self) -> int:
        """What each player starts with."""
        if self.options.purse == "share-120":
            return DIRHAMS_IN_BOX // len(self.players)
        return 30

    def label(self, player: int) -> str:
        """The letters of a player's colours: `R`, or `RY` for one with two colours."""
        return "".join(colour.letter for colour in self.players[player])

    def name(self, player: int) -> str:
        """What a player's colours are called: `red`, or `red+yellow`."""
        return "+".join(colour.label for colour in self.players[player])

    def piles(self, dealt: Iterable[Sequence[Colour]] | None = None) -> tuple[Pile, ...] | None:
        """The piles whose order is known: dealt by the companion, or alternating; else None."""
        if not self.has_two_colours:
            if dealt is not None:
                raise SettingError("piles are dealt for two players with two colours each only")
            return None
        if self.options.two_player == "alternating":
            if dealt is not None:
                raise SettingError("the colours alternate: no pile is dealt")
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
    """The colours that seats get when nobody chooses, for a box that may lack some rugs."""
    options = options or Options()
    if count == 2 and options.two_player != "one-colour":
        return (Colour.RED, Colour.YELLOW), (Colour.BLUE, Colour.BROWN)
    if not 2 <= count <= 4:
        raise SettingError(_wrong_count(count))
    fullest_first = sorted(COLOURS, key=lambda c: (-options.rugs_in_box(c), c))
    return tuple((c,) for c in sorted(fullest_first[:count]))


def _wrong_count(count: int) -> str:
    nearest = 2 if count < 2 else 4
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
                f"{options.box}, and {count} players need {needed} each: take {usual}, or say "
                "with short_colour which colour has fewer rugs in your box",
                seat=seats[colour] - 1,
            )
