"""Scenes: what the LEDs mean, independent of how they look.

A `Scene` is a sequence of shots, and a shot is a list of marks. A mark is a meaning and its LEDs.
Their order matters where the meaning moves (a path, a count). `companion.light` renders scenes as
frames; the phone page draws the same scenes.

The matrix is 8 x 8. The 7 x 7 LEDs in the north-west are the market. The other 15, the eastern
column and the southern row, are the rail.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from companion.games.marrakech.market import SIZE

MATRIX = 8


class Ink(Enum):
    """A colour of meaning. Only a colour matrix shows it."""

    RED = auto()
    YELLOW = auto()
    BLUE = auto()
    BROWN = auto()
    WHITE = auto()
    ALARM = auto()


class Meaning(Enum):
    ASSAM = "where Assam stands"
    PREVIEW = "where Assam would go, step by step"
    PATH = "the path Assam walks, step by step"
    TRAIL = "the path Assam has walked"
    COUNT = "a region or a player's rugs, counted square by square"
    OWED = "the region that is to be paid for"
    OFFER = "where the rug would be laid"
    LOOPS = "the corners of the three-quarter loops"
    NUMBER = "digits: an amount or a score"
    LETTERS = "colours by their letters"
    CODE = "four digits for a phone, two at a time"
    RUGS = "rugs as they lie"
    LIFT = "the rug that is to be lifted"
    CURSOR = "the selected square or seat"
    RAIL = "whose turn, which phase"
    WARNING = "something needs attention"


@dataclass(frozen=True, slots=True)
class Mark:
    """One meaning on some LEDs. `inks` is one ink for all of them, or one for each."""

    meaning: Meaning
    leds: tuple[int, ...] = ()
    inks: tuple[Ink, ...] = (Ink.WHITE,)
    number: int = 0
    """The value of a NUMBER. The renderer chooses its LEDs."""
    letters: str = ""
    """For LETTERS: one or two letters, each in its ink, or a dash. For CODE: the digits."""

    def __post_init__(self) -> None:
        if len(self.inks) not in (1, len(self.leds) + len(self.letters)):
            raise ValueError(f"{len(self.inks)} inks for {len(self.leds)} LEDs")

    def ink(self, index: int) -> Ink:
        return self.inks[index if len(self.inks) > 1 else 0]


@dataclass(frozen=True, slots=True)
class Shot:
    """Marks that are shown together. Later marks cover earlier ones."""

    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """Shots in sequence. The last shot stays until the next input; the rail stays throughout."""

    shots: tuple[Shot, ...]
    rail: tuple[Mark, ...] = ()

    def __post_init__(self) -> None:
        if not self.shots:
            raise ValueError("a scene needs a shot")


def led_at(x: int, y: int) -> int:
    return y * MATRIX + x


LED_OF = tuple(led_at(square % SIZE, square // SIZE) for square in range(SIZE * SIZE))
"""The LED over each square of the market."""

RAIL = frozenset(
    {led_at(SIZE, y) for y in range(MATRIX)} | {led_at(x, SIZE) for x in range(MATRIX)}
)
