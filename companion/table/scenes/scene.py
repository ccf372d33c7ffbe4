"""The vocabulary of light: what the LEDs mean, without saying how they look.

A `Scene` is a short film: shots that follow one another, each a list of marks, the last of which
stays. A mark is a meaning and the LEDs that carry it, in an order that matters where the meaning
moves (a path is walked, a region counted). `companion.light` turns scenes into frames; the phone
may draw the same scenes in its own way, and never has another opinion.

The matrix is 8 x 8. The market takes the 7 x 7 LEDs of the north-west; the 15 spare LEDs, the
eastern column and the southern row, are the rail.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from companion.games.marrakech.market import SIZE

MATRIX = 8


class Ink(Enum):
    """What a colour matrix adds to a meaning; a mono matrix leaves it out."""

    RED = auto()
    YELLOW = auto()
    BLUE = auto()
    BROWN = auto()
    WHITE = auto()
    ALARM = auto()


class Meaning(Enum):
    ASSAM = "where Assam stands"
    PREVIEW = "where he would go, step by step"
    PATH = "the path he walks, step by step"
    TRAIL = "the path he has walked"
    COUNT = "a region or a player's rugs, counted square by square"
    OWED = "the region that is to be paid for"
    OFFER = "where the rug would lie"
    LOOPS = "the corners of the three-quarter loops"
    NUMBER = "digits: an amount or a score"
    LETTERS = "colours by their letters"
    CODE = "four digits for a phone, two at a time"
    RUGS = "rugs as they lie"
    LIFT = "the rug that is to be lifted"
    CURSOR = "the one that is looked at"
    RAIL = "whose turn, which phase"
    WARNING = "something is not as it should be"


@dataclass(frozen=True, slots=True)
class Mark:
    """One meaning on some LEDs. `inks` is one ink for all of them, or one for each."""

    meaning: Meaning
    leds: tuple[int, ...] = ()
    inks: tuple[Ink, ...] = (Ink.WHITE,)
    number: int = 0
    """What a NUMBER says; it finds its LEDs itself."""
    letters: str = ""
    """What LETTERS say: one or two of them, or a dash for nothing, each in its ink; or a CODE."""

    def __post_init__(self) -> None:
        if len(self.inks) not in (1, len(self.leds) + len(self.letters)):
            raise ValueError(f"{len(self.inks)} inks for {len(self.leds)} LEDs")

    def ink(self, index: int) -> Ink:
        return self.inks[index if len(self.inks) > 1 else 0]


@dataclass(frozen=True, slots=True)
class Shot:
    """Marks that are shown together; later ones lie over earlier ones."""

    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """Shots one after the other. The last stays until something is told; the rail always does."""

    shots: tuple[Shot, ...]
    rail: tuple[Mark, ...] = ()

    def __post_init__(self) -> None:
        if not self.shots:
            raise ValueError("a scene needs a shot")


def led_at(x: int, y: int) -> int:
    return y * MATRIX + x


def led_of(square: int) -> int:
    """The LED over a square of the market."""
    y, x = divmod(square, SIZE)
    return led_at(x, y)


RAIL = frozenset(
    {led_at(SIZE, y) for y in range(MATRIX)} | {led_at(x, SIZE) for x in range(MATRIX)}
)
