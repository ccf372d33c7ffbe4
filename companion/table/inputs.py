"""What players can do at the table: six buttons, the die's keys, and time."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.games.marrakech import Facing


class Button(Enum):
    """The buttons in the order of the config; four of them are the matrix's compass."""

    NORTH = "north"
    EAST = "east"
    SOUTH = "south"
    WEST = "west"
    OK = "ok"
    BACK = "back"

    @property
    def facing(self) -> Facing | None:
        """The direction of a direction button."""
        return _FACINGS.get(self)


_FACINGS = {
    Button.NORTH: Facing.NORTH,
    Button.EAST: Facing.EAST,
    Button.SOUTH: Facing.SOUTH,
    Button.WEST: Facing.WEST,
}


# --- From the hardware: contacts that close and open --------------------------------------


@dataclass(frozen=True, slots=True)
class Down:
    """A button is pressed, its bouncing over."""

    button: Button


@dataclass(frozen=True, slots=True)
class Up:
    """A button is let go."""

    button: Button


# --- To the conversation: what is meant by it ---------------------------------------------


class Key(Enum):
    """The kinds of input; the columns of the conversation's table."""

    DIRECTION = "a direction button"
    OK = "OK"
    BACK = "BACK"
    HOLD_OK = "OK held"
    HOLD_BACK = "BACK held"
    DIE = "a key of the die"
    ROLL = "ROLL"


@dataclass(frozen=True, slots=True)
class Input:
    """One thing told. `facing` comes with DIRECTION, `pips` with DIE and with a pad's ROLL."""

    key: Key
    facing: Facing | None = None
    pips: int = 0


class Together(Enum):
    """OK and BACK meant as one: asked of the companion itself, and no part of the conversation."""

    HELD = "both were held"
    SHORT = "both were down, and let go too soon"


OK = Input(Key.OK)
BACK = Input(Key.BACK)
HOLD_OK = Input(Key.HOLD_OK)
HOLD_BACK = Input(Key.HOLD_BACK)
ROLL = Input(Key.ROLL)


def direction(facing: Facing) -> Input:
    return Input(Key.DIRECTION, facing=facing)


def die_key(pips: int) -> Input:
    return Input(Key.DIE, pips=pips)


def pad_roll(pips: int) -> Input:
    """ROLL, and the pad has rolled already."""
    return Input(Key.ROLL, pips=pips)
