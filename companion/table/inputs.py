"""Buttons, and the inputs that buttons and die keys mean."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.games.marrakech import Facing


class Button(Enum):
    """The buttons, in the order of the config. Directions are those of the matrix."""

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


# --- Button events from the hardware ------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ButtonDown:
    """A button was pressed, after debouncing."""

    button: Button


@dataclass(frozen=True, slots=True)
class ButtonUp:
    """A button was released, after debouncing."""

    button: Button


# --- Inputs to the conversation -----------------------------------------------------------


class InputKind(Enum):
    """The kinds of input. The columns of the transition table."""

    DIRECTION = "a direction button"
    OK = "OK"
    BACK = "BACK"
    HOLD_OK = "OK held"
    HOLD_BACK = "BACK held"
    DIE = "a key of the die"
    ROLL = "ROLL"


@dataclass(frozen=True, slots=True)
class Input:
    """What a button or key means. DIRECTION has a facing, DIE and a pad's ROLL have pips."""

    kind: InputKind
    facing: Facing | None = None
    pips: int = 0


class ButtonCombo(Enum):
    """OK and BACK held together, which shows the pairing code. Not part of the conversation."""

    HELD = "both were held long enough"
    SHORT = "released too early for a hold"


OK = Input(InputKind.OK)
BACK = Input(InputKind.BACK)
HOLD_OK = Input(InputKind.HOLD_OK)
HOLD_BACK = Input(InputKind.HOLD_BACK)
ROLL = Input(InputKind.ROLL)


def direction(facing: Facing) -> Input:
    return Input(InputKind.DIRECTION, facing=facing)


def die_key(pips: int) -> Input:
    return Input(InputKind.DIE, pips=pips)


def pad_roll(pips: int) -> Input:
    """ROLL on a pad, which rolls itself."""
    return Input(InputKind.ROLL, pips=pips)
