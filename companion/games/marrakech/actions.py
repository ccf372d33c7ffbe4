"""Actions: the players' choices, and the results of rolling and drawing.

The rules never roll: rolls and drawn rugs are actions too (`Rolled`, `Drew`). There is exactly one
object for each action, so that equality is identity and the lists of legal actions can be tables.
"""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn, Self

from companion.errors import NotationError
from companion.games.marrakech.market import PIPS, Facing, Placement, placement_on, square_name
from companion.games.marrakech.rug import Colour


class Action:
    """Base of all actions. Each action exists once and is immutable."""

    __slots__ = ("_args",)
    _args: tuple[Any, ...]
    _instances: ClassVar[dict[tuple[Any, ...], Any]] = {}

    @classmethod
    def _intern(cls, *args: object, **attributes: object) -> Self:
        """The only action of this class with these arguments."""
        action: Self | None = Action._instances.get((cls, *args))
        if action is None:
            action = object.__new__(cls)
            for name, value in {"_args": args, **attributes}.items():
                object.__setattr__(action, name, value)
            Action._instances[(cls, *args)] = action
        return action

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{self!r} is an action: actions are immutable")

    def __repr__(self) -> str:
        args = (getattr(arg, "name", repr(arg)) for arg in self._args)
        return f"{type(self).__name__}({', '.join(args)})"

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return type(self), self._args


class Orient(Action):
    """Turn Assam, or leave him, before the roll."""

    __slots__ = ("facing",)
    facing: Facing

    def __new__(cls, facing: Facing) -> Self:
        return cls._intern(Facing(facing), facing=Facing(facing))

    def __str__(self) -> str:
        return f"face {self.facing.name.lower()}"


class Rolled(Action):
    """The die shows this many slippers."""

    __slots__ = ("pips",)
    pips: int

    def __new__(cls, pips: int) -> Self:
        if pips not in PIPS:
            raise NotationError(f"the die cannot show {pips}: it has 1, 2, 3 or 4 slippers")
        return cls._intern(int(pips), pips=int(pips))

    def __str__(self) -> str:
        return f"a roll of {self.pips}"


class Pay(Action):
    """The mover has paid the tribute, or as much of it as he has."""

    __slots__ = ()

    def __new__(cls) -> Self:
        return cls._intern()

    def __str__(self) -> str:
        return "pay"


class Drew(Action):
    """The next rug of the mover's shuffled pile has this colour."""

    __slots__ = ("colour",)
    colour: Colour

    def __new__(cls, colour: Colour) -> Self:
        return cls._intern(Colour(colour), colour=Colour(colour))

    def __str__(self) -> str:
        return f"draw {self.colour.label}"


class Lay(Action):
    """Lay the rug in hand on two squares."""

    __slots__ = ("placement",)
    placement: Placement

    def __new__(cls, one: int, other: int) -> Self:
        placement = placement_on(one, other)
        return cls._intern(placement.first, placement.second, placement=placement)

    def __repr__(self) -> str:
        return f"Lay({', '.join(map(square_name, self._args))})"

    def __str__(self) -> str:
        return f"lay {self.placement}"


class ReturnRug(Action):
    """Put the rug in hand back into the box, because it cannot be laid anywhere."""

    __slots__ = ()

    def __new__(cls) -> Self:
        return cls._intern()

    def __str__(self) -> str:
        return "return the rug to the box"


class Pivot(Action):
    """Turn Assam at the end of the turn, with turn_order = pivot-last."""

    __slots__ = ("facing",)
    facing: Facing

    def __new__(cls, facing: Facing) -> Self:
        return cls._intern(Facing(facing), facing=Facing(facing))

    def __str__(self) -> str:
        return f"turn {self.facing.name.lower()}"
