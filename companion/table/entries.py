"""What is told at the table, as it is kept: the entries of a journal.

Everything that changes the game is one of these, and the game is what comes of telling them again.
Each has a form in plain values (numbers, text, lists) that a journal can write and a person can
read: `{"told": "roll", "pips": 3}`. What cannot be read back is refused by name, never guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.errors import CompanionError, NotationError, counted
from companion.games.marrakech import (
    COLOURS,
    Action,
    Colour,
    Drew,
    Facing,
    Lay,
    Pay,
    Pivot,
    Placement,
    ReturnRug,
    Rolled,
    Setup,
    State,
    booklet_named,
    new_game,
    parse_placement,
    parse_square,
    square_name,
)
from companion.games.marrakech.market import parse_facing
from companion.games.marrakech.rug import COLOUR_LETTERS

Plain = dict[str, Any]


class EntryError(CompanionError, ValueError):
    """An entry that says nothing this companion understands."""


# --- The beginning ------------------------------------------------------------------------


@dataclass(frozen=True)
class Beginning:
    """How a game begins: what the set-up decided. The header of its journal."""

    setup: Setup
    booklet: str = "en"
    names: tuple[str, ...] = ()
    facing: Facing = Facing.SOUTH
    piles: tuple[tuple[Colour, ...], ...] | None = None
    """The shuffled piles, where the companion deals them."""

    def start(self) -> State:
        return new_game(self.setup, facing=self.facing, piles=self.piles)

    def plain(self) -> Plain:
        usual = booklet_named(self.booklet).options
        return {
            "booklet": self.booklet,
            "options": self.setup.options.differences(usual),
            "players": [self.setup.label(seat) for seat in range(len(self.setup.players))],
            "names": list(self.names),
            "facing": self.facing.letter,
            "piles": None
            if self.piles is None
            else ["".join(c.letter for c in pile) for pile in self.piles],
        }


def beginning_from_json(plain: Mapping[str, Any]) -> Beginning:
    """The beginning that a header tells of; members that are not ours are left alone."""
    try:
        booklet = booklet_named(_text(plain["booklet"]))
        players, names, piles = _texts(plain["players"]), _texts(plain["names"]), plain["piles"]
        options = plain["options"]
        if not isinstance(options, dict) or not all(isinstance(v, str) for v in options.values()):
            raise ValueError(f"{options!r} are no options by name")
        if len(names) not in (0, len(players)):
            raise ValueError(f"{counted(len(names), 'name')} for {len(players)} players")
        beginning = Beginning(
            Setup(tuple(map(_colours, players)), booklet.options.but(options)),
            booklet.code,
            names,
            parse_facing(_text(plain["facing"])),
            None if piles is None else tuple(map(_colours, _texts(piles))),
        )
        beginning.start()
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise EntryError(f"the header does not tell how the game begins: {_said(error)}") from None
    return beginning


# --- Entries ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Act:
    """An action of the rules."""

    action: Action
    is_electronic: bool = False
    """Whether the companion rolled, and not the wooden die."""


@dataclass(frozen=True, slots=True)
class Face:
    """Assam is turned; free until the die, or OK in the order that pivots last, commits it."""

    facing: Facing


@dataclass(frozen=True, slots=True)
class Aim:
    """Where the rug would be laid."""

    placement: Placement


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The last thing told is taken back."""


@dataclass(frozen=True, slots=True)
class TellAgain:
    """What was taken back last is told again."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The cardboard is put back as guided; the game goes on from here."""


@dataclass(frozen=True, slots=True)
class CorrectAssam:
    square: int
    facing: Facing


@dataclass(frozen=True, slots=True)
class CorrectDirhams:
    player: int
    dirhams: int


@dataclass(frozen=True, slots=True)
class CorrectSquare:
    """What lies on top of a square: nothing, or a half of a rug whose other half is on `other`."""

    square: int
    colour: Colour | None
    other: int | None = None


Correction = CorrectAssam | CorrectDirhams | CorrectSquare
Entry = (
    Act | Face | Aim | TakeBack | TellAgain | Ready | CorrectAssam | CorrectDirhams | CorrectSquare
)


def entry_to_json(told: Entry) -> Plain:
    """The entry in plain values."""
    match told:
        case Act(Rolled() as roll, is_electronic):
            return {
                "told": "roll",
                "pips": roll.pips,
                "by": "companion" if is_electronic else "die",
            }
        case Act(action):
            return _plain_action(action)
        case Face(facing):
            return {"told": "face", "facing": facing.letter}
        case Aim(placement):
            return {"told": "aim", "on": str(placement)}
        case CorrectAssam(square, facing):
            on = square_name(square)
            return {"told": "correct-assam", "on": on, "facing": facing.letter}
        case CorrectDirhams(player, dirhams):
            return {"told": "correct-dirhams", "player": player, "dirhams": dirhams}
        case CorrectSquare(square, colour, other):
            return {
                "told": "correct-square",
                "on": square_name(square),
                "colour": None if colour is None else colour.letter,
                "other": None if other is None else square_name(other),
            }
    return {"told": _BARE[type(told)]}


def _plain_action(action: Action) -> Plain:
    match action:
        case Drew():
            return {"told": "draw", "colour": action.colour.letter}
        case Lay():
            return {"told": "lay", "on": str(action.placement)}
        case Pivot():
            return {"told": "pivot", "facing": action.facing.letter}
        case Pay():
            return {"told": "pay"}
        case ReturnRug():
            return {"told": "return"}
    raise AssertionError(f"{action!r} is never told by itself")


_BARE: dict[type, str] = {TakeBack: "back", TellAgain: "again", Ready: "ready"}


def entry_from_json(plain: Mapping[str, Any]) -> Entry:
    """The entry that plain values tell of."""
    name = plain.get("told")
    reader = _READERS.get(name) if isinstance(name, str) else None
    if reader is None:
        raise EntryError(f"an entry tells {name!r}, which this companion does not know")
    try:
        return reader(plain)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise EntryError(f"an entry that tells '{name}' cannot be read: {_said(error)}") from None


_READERS: dict[str, Callable[[Mapping[str, Any]], Entry]] = {
    "roll": lambda p: Act(Rolled(_number(p["pips"])), p.get("by") == "companion"),
    "pay": lambda _: Act(Pay()),
    "draw": lambda p: Act(Drew(_colour(p["colour"]))),
    "lay": lambda p: Act(Lay(*parse_placement(p["on"])[:2])),
    "return": lambda _: Act(ReturnRug()),
    "pivot": lambda p: Act(Pivot(parse_facing(p["facing"]))),
    "face": lambda p: Face(parse_facing(p["facing"])),
    "aim": lambda p: Aim(parse_placement(p["on"])),
    "back": lambda _: TakeBack(),
    "again": lambda _: TellAgain(),
    "ready": lambda _: Ready(),
    "correct-assam": lambda p: CorrectAssam(_square(p["on"]), parse_facing(p["facing"])),
    "correct-dirhams": lambda p: CorrectDirhams(_number(p["player"]), _number(p["dirhams"])),
    "correct-square": lambda p: CorrectSquare(
        _square(p["on"]),
        None if p["colour"] is None else _colour(p["colour"]),
        None if p["other"] is None else _square(p["other"]),
    ),
}


def _number(value: object) -> int:
    if type(value) is not int:
        raise ValueError(f"{value!r} is no whole number")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no text")
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ValueError(f"{value!r} is no list of texts")
    return tuple(value)


def _square(name: object) -> int:
    if not isinstance(name, str):
        raise ValueError(f"{name!r} is no square")
    return parse_square(name)


def _colour(letter: str) -> Colour:
    if letter not in tuple(COLOUR_LETTERS):
        raise NotationError(f"{letter!r} is no colour: use R, Y, B or N")
    return COLOURS[COLOUR_LETTERS.index(letter)]


def _colours(letters: str) -> tuple[Colour, ...]:
    return tuple(map(_colour, letters))


def _said(error: Exception) -> str:
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)
