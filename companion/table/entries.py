"""Journal entries and their JSON form: `{"told": "roll", "pips": 3}`.

Everything that changes the game is an entry. Replaying the entries rebuilds the game. An entry that
cannot be parsed raises `EntryError`; nothing is guessed.
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
from companion.json_types import JsonObject


class EntryError(CompanionError, ValueError):
    """A journal header or entry that cannot be parsed."""


# --- The header ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Beginning:
    """What the set-up decided. The header of a journal."""

    setup: Setup
    booklet: str = "en"
    names: tuple[str, ...] = ()
    facing: Facing = Facing.SOUTH
    piles: tuple[tuple[Colour, ...], ...] | None = None
    """The shuffled piles, if the companion deals them."""

    def initial_state(self) -> State:
        return new_game(self.setup, facing=self.facing, piles=self.piles)

    def to_json(self) -> JsonObject:
        defaults = booklet_named(self.booklet).options
        return {
            "booklet": self.booklet,
            "options": self.setup.options.differences(defaults),
            "players": [self.setup.label(seat) for seat in range(len(self.setup.players))],
            "names": list(self.names),
            "facing": self.facing.letter,
            "piles": None
            if self.piles is None
            else ["".join(c.letter for c in pile) for pile in self.piles],
        }


def beginning_from_json(header: Mapping[str, Any]) -> Beginning:
    """Parse a journal header. Unknown members are ignored."""
    try:
        booklet = booklet_named(_text(header["booklet"]))
        players, names, piles = _texts(header["players"]), _texts(header["names"]), header["piles"]
        options = header["options"]
        if not isinstance(options, dict) or not all(isinstance(v, str) for v in options.values()):
            raise ValueError(f"{options!r} is not an object of options")
        if len(names) not in (0, len(players)):
            raise ValueError(f"{counted(len(names), 'name')} for {len(players)} players")
        beginning = Beginning(
            Setup(tuple(map(_colours, players)), booklet.options.with_changes(options)),
            booklet.code,
            names,
            parse_facing(_text(header["facing"])),
            None if piles is None else tuple(map(_colours, _texts(piles))),
        )
        beginning.initial_state()
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise EntryError(f"the header cannot be read: {_error_text(error)}") from None
    return beginning


# --- Entries ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Act:
    """An action of the rules."""

    action: Action
    is_electronic: bool = False
    """Whether the companion rolled, instead of the wooden die."""


@dataclass(frozen=True, slots=True)
class Face:
    """Assam is turned. A roll commits it, or OK if a turn ends with the pivot."""

    facing: Facing


@dataclass(frozen=True, slots=True)
class Aim:
    """The rug is moved to another placement, not yet laid."""

    placement: Placement


@dataclass(frozen=True, slots=True)
class Undo:
    """The last entry is undone."""


@dataclass(frozen=True, slots=True)
class Redo:
    """The last undone entry is redone."""


@dataclass(frozen=True, slots=True)
class Restored:
    """The cardboard is put back. The game continues from here."""


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
    """The top of a square is empty, or half of a rug whose other half is on `other`."""

    square: int
    colour: Colour | None
    other: int | None = None


Correction = CorrectAssam | CorrectDirhams | CorrectSquare
Entry = Act | Face | Aim | Undo | Redo | Restored | CorrectAssam | CorrectDirhams | CorrectSquare


def entry_to_json(entry: Entry) -> JsonObject:
    match entry:
        case Act(Rolled() as roll, is_electronic):
            return {
                "told": "roll",
                "pips": roll.pips,
                "by": "companion" if is_electronic else "die",
            }
        case Act(action):
            return _action_to_json(action)
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
    return {"told": _NAMES[type(entry)]}


def _action_to_json(action: Action) -> JsonObject:
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
    raise AssertionError(f"{action!r} has no entry of its own")


_NAMES: dict[type, str] = {Undo: "back", Redo: "again", Restored: "ready"}


def entry_from_json(members: Mapping[str, Any]) -> Entry:
    name = members.get("told")
    parse = _PARSERS.get(name) if isinstance(name, str) else None
    if parse is None:
        raise EntryError(f"unknown entry {name!r}")
    try:
        return parse(members)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise EntryError(f"an entry '{name}' cannot be read: {_error_text(error)}") from None


_PARSERS: dict[str, Callable[[Mapping[str, Any]], Entry]] = {
    "roll": lambda p: Act(Rolled(_number(p["pips"])), p.get("by") == "companion"),
    "pay": lambda _: Act(Pay()),
    "draw": lambda p: Act(Drew(_colour(p["colour"]))),
    "lay": lambda p: Act(Lay(*parse_placement(p["on"])[:2])),
    "return": lambda _: Act(ReturnRug()),
    "pivot": lambda p: Act(Pivot(parse_facing(p["facing"]))),
    "face": lambda p: Face(parse_facing(p["facing"])),
    "aim": lambda p: Aim(parse_placement(p["on"])),
    "back": lambda _: Undo(),
    "again": lambda _: Redo(),
    "ready": lambda _: Restored(),
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
        raise ValueError(f"{value!r} is not a whole number")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is not a string")
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ValueError(f"{value!r} is not a list of strings")
    return tuple(value)


def _square(name: object) -> int:
    if not isinstance(name, str):
        raise ValueError(f"{name!r} is not a square")
    return parse_square(name)


def _colour(letter: str) -> Colour:
    if letter not in tuple(COLOUR_LETTERS):
        raise NotationError(f"{letter!r} is not a colour: use R, Y, B or N")
    return COLOURS[COLOUR_LETTERS.index(letter)]


def _colours(letters: str) -> tuple[Colour, ...]:
    return tuple(map(_colour, letters))


def _error_text(error: Exception) -> str:
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)
