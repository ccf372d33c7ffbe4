"""The statements of a scenario, once they are read. docs/scenarios.md says how to write them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.config.model import Config
from companion.games.marrakech import Colour
from companion.table.inputs import Button

Contact = Button | int
"""A button, or a key of the die by its pips."""


# --- What is done at the table ------------------------------------------------------------


@dataclass(frozen=True)
class Press:
    """A tap on each, one after the other."""

    contacts: tuple[Contact, ...]


@dataclass(frozen=True)
class Hold:
    """Down for longer than a hold takes."""

    contact: Contact


class Way(Enum):
    """What can become of a contact, named as one writes it."""

    DOWN = "down"
    UP = "up"
    STICK = "stick"
    FREE = "free"
    UNPLUG = "unplug"
    PLUG = "plug"


@dataclass(frozen=True)
class Move:
    """A contact changes and stays so; no time passes."""

    way: Way
    contact: Contact


@dataclass(frozen=True)
class Bounce:
    """A tap on a contact that bounces, when it goes down and when it comes up."""

    contact: Contact
    times: int


@dataclass(frozen=True)
class Glitch:
    """The contact closes by itself, for so long."""

    contact: Contact
    ms: float


@dataclass(frozen=True)
class Wait:
    ms: float


# --- What becomes of the hardware ---------------------------------------------------------


@dataclass(frozen=True)
class MatrixPlug:
    """The matrix is plugged in, or its plug comes off and it loses all it was told."""

    is_in: bool


class DiskState(Enum):
    FINE = "fine"
    FULL = "full"
    READONLY = "readonly"


@dataclass(frozen=True)
class DiskIs:
    """What the disk takes from now on. A slow one takes its time for each write."""

    state: DiskState | None
    """None: as it is."""
    takes_ms: float = 0


@dataclass(frozen=True)
class Kill:
    """The plug is pulled: what is not on the disk is lost."""


@dataclass(frozen=True)
class Restart:
    """A new companion on the same games; one that is running is stopped properly first."""


@dataclass(frozen=True)
class Tear:
    """So many bytes of the journal's end never reached the disk."""

    count: int


# --- What chance will give ----------------------------------------------------------------


@dataclass(frozen=True)
class Rolls:
    pips: tuple[int, ...]


@dataclass(frozen=True)
class Deals:
    piles: tuple[tuple[Colour, ...], ...]


@dataclass(frozen=True)
class Code:
    """The next code for phones."""

    digits: str


# --- What is expected ---------------------------------------------------------------------


@dataclass(frozen=True)
class Expect:
    """A subject shows lines: one of them is this, or contains it, or together they are `all_of`.

    With neither, there is to be any line at all.
    """

    subject: str
    is_not: bool = False
    one: str | None = None
    is_part: bool = False
    all_of: tuple[str, ...] | None = None


@dataclass(frozen=True)
class ExpectFrames:
    """The eight rows of each frame; `at_ms` counts from the last answer, None is now."""

    at_ms: tuple[float | None, ...]
    frames: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class ExpectHeard:
    """The rail said *heard* so soon after the last contact."""

    within_ms: float


Doing = (
    Press
    | Hold
    | Move
    | Bounce
    | Glitch
    | Wait
    | MatrixPlug
    | DiskIs
    | Kill
    | Restart
    | Tear
    | Rolls
    | Deals
    | Code
)
Expectation = Expect | ExpectFrames | ExpectHeard


@dataclass(frozen=True)
class Statement:
    """What a line of a scenario says."""

    line: int
    text: str
    says: Doing | Expectation


@dataclass(frozen=True)
class Scenario:
    """A scenario."""

    title: str
    config: Config
    statements: tuple[Statement, ...]
