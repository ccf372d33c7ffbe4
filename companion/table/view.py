"""The state of the table as displays see it, and the outcome of an input."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.i18n.message import Message
from companion.table.conversation import Conversation
from companion.table.scenes.stage_scenes import RailStatus


@dataclass(frozen=True)
class TableView:
    """The confirmed state of the table, for everything that shows it beside the matrix."""

    conversation: Conversation
    status: RailStatus
    refusal: Message | None = None
    """Why the last input was refused; None after one that was not."""
    trouble: tuple[Message, ...] = ()
    """Problems with the disk, the matrix, the pad or the program, and what to do about them."""
    shows_code: bool = False
    """Whether the matrix shows the pairing code instead of the scene."""


class OutcomeKind(Enum):
    DONE = "written to the journal and confirmed, or marked as unsaved"
    REFUSED = "not allowed now"
    FAULT = "the program has failed and takes no more inputs"
    IGNORED = "the event meant nothing"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an input."""

    kind: OutcomeKind
    message: Message | None = None
    """Why it was refused, or what the fault is."""
