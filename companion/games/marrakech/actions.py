"""What can be told to the game: the players' choices, and what chance brought them.

Chance arrives as input too (`Rolled`, `Drew`): the rules never roll. There is exactly one object
for each action, so that equality is identity, and lists of legal actions can be tables.
"""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn, Self

from companion.errors import NotationError
from companion.games.marrakech.market import PIPS, Facing, Placement, placement_on, square_name
from companion.games.marrakech.rug import Colour


class Action:
    """Base of all actions. Each is made once and cannot be changed."""

    __slots__ = ("_told",)
    _told: tuple[Any, ...]
    _made: ClassVar[dict[tuple[Any, ...], Any]] = {}

    @classmethod
    def _once(cls, *told: object, **attributes: object) -> Self:
        """The one action of this kind that was told so."""
        action: Self | None = Action._made.get((cls, *told))
        if action is None:
            action = object.__new__(cls)
            for name, value in {"_told": told, **attributes}.items():
                object.__setattr__(action, name, value)
            Action._made[(cls, *told)] = action
        return action

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{self!r} is an action: it cannot be changed")

    def __repr__(self) -> str:
        told = (getattr(one, "name", repr(one)) for one in self._told)
        return f"{type(self).__name__}({', '.join(told)})"

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return type(self), self._told


class Orient(Action):
    """Turn Assam, or leave him, before the roll."""

    __slots__ = ("facing",)
    facing: Facing

    def __new__(cls, facing: Facing) -> Self:
        return cls._once(Facing(facing), facing=Facing(facing))

    def __str__(self) -> str:
        return f"face {self.facing.name.lower()}"


class Rolled(Action):
    """The die shows this many slippers."""

    __slots__ = ("pips",)
    pips: int

    def __new__(cls, pips: int) -> Self:
        if pips not in PIPS:
            raise NotationError(f"the die cannot show {pips}: it has 1, 2, 3 or 4 slippers")
        return cls._once(int(pips), pips=int(pips))

    def __str__(self) -> str:
        return f"a roll of {self.pips}"


class Pay(Action):
    """The tribute has changed hands, or as much of it as there was."""

    __slots__ = ()

    def __new__(cls) -> Self:
        return cls._once()

    def __str__(self) -> str:
        return "pay"


class Drew(Action):
    """The next rug of the mover's shuffled pile has this colour."""

    __slots__ = ("colour",)
    colour: Colour

    def __new__(cls, colour: Colour) -> Self:
        return cls._once(Colour(colour), colour=Colour(colour))

    def __str__(self) -> str:
        return f"draw {self.colour.label}"


class Lay(Action):
    """Lay the rug in hand on two squares."""

    __slots__ = ("placement",)
    placement: Placement

    def __new__(cls, one: int, other: int) -> Self:
        placement = placement_on(one, other)
        return cls._once(placement.first, placement.second, placement=placement)

    def __repr__(self) -> str:
        return f"Lay({', '.join(map(square_name, self._told))})"

    def __str__(self) -> str:
        return f"lay {self.placement}"


class ReturnRug(Action):
    """Put the rug in hand back into the box, because no square can take it."""

    __slots__ = ()

    def __new__(cls) -> Self:
        return cls._once()

    def __str__(self) -> str:
        return "return the rug to the box"


class Pivot(Action):
    """Turn Assam for the next player, in the order that pivots last."""

    __slots__ = ("facing",)
    facing: Facing

    def __new__(cls, facing: Facing) -> Self:
        return cls._once(Facing(facing), facing=Facing(facing))

    def __str__(self) -> str:
        return f"turn {self.facing.name.lower()}"
