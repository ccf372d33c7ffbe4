"""The statements of a scenario, after parsing. docs/scenarios.md says how to write them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.config.model import Config
from companion.games.marrakech import Colour
from companion.table.inputs import Button

Contact = Button | int
"""A button, or a die key by its pips."""


# --- Contacts and time --------------------------------------------------------------------


@dataclass(frozen=True)
class PressContacts:
    """Tap contacts, one after the other."""

    contacts: tuple[Contact, ...]


@dataclass(frozen=True)
class HoldContact:
    """Press a contact for longer than the hold time, and release it."""

    contact: Contact


class ContactChange(Enum):
    """Lasting changes of a contact, named as in scenario files."""

    DOWN = "down"
    UP = "up"
    STICK = "stick"
    FREE = "free"
    UNPLUG = "unplug"
    PLUG = "plug"


@dataclass(frozen=True)
class ChangeContact:
    """Change a contact, without any time passing."""

    change: ContactChange
    contact: Contact


@dataclass(frozen=True)
class BounceContact:
    """Tap a contact that bounces when it closes and when it opens."""

    contact: Contact
    bounces: int


@dataclass(frozen=True)
class GlitchContact:
    """Close a contact for a moment, without a press."""

    contact: Contact
    ms: float


@dataclass(frozen=True)
class Wait:
    ms: float


# --- Matrix, disk and power ---------------------------------------------------------------


@dataclass(frozen=True)
class PlugMatrix:
    """Plug the matrix in, or unplug it; without power it loses its registers."""

    is_plugged_in: bool


class DiskState(Enum):
    FINE = "fine"
    FULL = "full"
    READONLY = "readonly"


@dataclass(frozen=True)
class SetDisk:
    """Change the state of the disk, or how long each write takes."""

    state: DiskState | None
    """None: leave the state as it is."""
    write_ms: float = 0


@dataclass(frozen=True)
class KillCompanion:
    """Cut the power: everything that is not on the disk is lost."""


@dataclass(frozen=True)
class RestartCompanion:
    """Start the companion on the same games; if it is running, stop it first."""


@dataclass(frozen=True)
class TearJournal:
    """Remove bytes from the end of the journal, as if they had not reached the disk."""

    byte_count: int


# --- Random results -----------------------------------------------------------------------


@dataclass(frozen=True)
class ScriptRolls:
    """The next results of the electronic die."""

    pips: tuple[int, ...]


@dataclass(frozen=True)
class ScriptPiles:
    """The piles that will be dealt."""

    piles: tuple[tuple[Colour, ...], ...]


@dataclass(frozen=True)
class ScriptPairingCode:
    """The next pairing code."""

    digits: str


# --- Expectations -------------------------------------------------------------------------


@dataclass(frozen=True)
class ExpectLines:
    """What a subject shows: `line` is one of its lines or a part of one, or `all_lines` are all.

    If neither is given, it shows any line at all.
    """

    subject: str
    is_negated: bool = False
    line: str | None = None
    is_substring: bool = False
    all_lines: tuple[str, ...] | None = None


@dataclass(frozen=True)
class ExpectFrames:
    """Frames of eight rows each. `at_ms` counts from the last answer; None means now."""

    at_ms: tuple[float | None, ...]
    frames: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class ExpectHeard:
    """The LED *heard* was lit soon enough after the last press."""

    within_ms: float


ActionStatement = (
    PressContacts
    | HoldContact
    | ChangeContact
    | BounceContact
    | GlitchContact
    | Wait
    | PlugMatrix
    | SetDisk
    | KillCompanion
    | RestartCompanion
    | TearJournal
    | ScriptRolls
    | ScriptPiles
    | ScriptPairingCode
)
Expectation = ExpectLines | ExpectFrames | ExpectHeard


@dataclass(frozen=True)
class Statement:
    """A statement with its line number and its text."""

    line: int
    text: str
    meaning: ActionStatement | Expectation


@dataclass(frozen=True)
class Scenario:
    title: str
    config: Config
    statements: tuple[Statement, ...]
