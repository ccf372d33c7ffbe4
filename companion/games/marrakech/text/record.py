"""Game records as text: headers, then one line per turn.

    marrakech record 1
    booklet: fr
    player: R Amina
    player: Y Bruno
    player: B Chloé
    facing: s

    1. R S3 d7s lays d6-e6
    2. Y E1 e7e lays e6-f6
    3. B N1 e6n pays Y 2 lays e5-f5

docs/notation.md describes the format. record_reader.py parses it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from unicodedata import category

from companion.errors import SettingError, counted, unknown
from companion.games.marrakech.actions import (
    Action,
    Drew,
    Lay,
    Orient,
    Pivot,
    ReturnRug,
    Rolled,
)
from companion.games.marrakech.booklets import booklet_named
from companion.games.marrakech.events import Event, Paid, Standing, WentOut
from companion.games.marrakech.market import square_name
from companion.games.marrakech.rules import apply
from companion.games.marrakech.setup import Pile, Setup
from companion.games.marrakech.state import State, new_game
from companion.games.marrakech.text.notation import options_text, position_text

FIRST_LINE = "marrakech record 1"
"""The format and its version. Other versions are refused."""
NOTE_HEADERS = ("date", "place", "note")
"""Headers that do not affect the game."""
BIDI_CONTROLS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Invisible characters that change the direction of the text around them."""


@dataclass(frozen=True)
class Record:
    """A game from its start to its current position, with the names of the players."""

    start: State
    actions: tuple[Action, ...] = ()
    booklet: str = "en"
    names: tuple[str, ...] = ()
    """One for each player, or none at all."""
    notes: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        """Refuse what could not be parsed again, and normalise names and booklet."""
        count = len(self.start.setup.players)
        if self.names and len(self.names) != count:
            raise SettingError(f"{counted(len(self.names), 'name')} for {count} players")
        for name, text in self.notes:
            if name not in NOTE_HEADERS:
                raise SettingError(unknown("note", name, NOTE_HEADERS))
            if not text:
                raise SettingError(f"the note '{name}' is empty")
        for text in (*self.names, *(text for _, text in self.notes)):
            if text != text.strip() or not is_single_line(text):
                raise SettingError(f"{text!r} must be one line of text, without spaces around it")
        if not any(self.names):
            object.__setattr__(self, "names", ())
        object.__setattr__(self, "booklet", booklet_named(self.booklet).code)

    def replay(self) -> Iterator[tuple[Action, State, tuple[Event, ...]]]:
        """Each action with the position after it and its events."""
        state = self.start
        for action in self.actions:
            state, events = apply(state, action)
            yield action, state, events

    def final(self) -> State:
        """The position after the last action."""
        state = self.start
        for action in self.actions:
            state, _ = apply(state, action)
        return state


def is_single_line(text: str) -> bool:
    """Whether the text can be written and shown as one line.

    Refuses control characters, line breaks, and surrogates (left over from wrongly decoded bytes).
    Joiners, which some scripts need in names, are allowed.
    """
    return not any(category(char) in ("Cc", "Cs", "Zl", "Zp") for char in text)


def is_valid_name(text: str) -> bool:
    """Whether a new player may have this name: one line, without bidirectional controls.

    Old records and journals may have such names: the renderer removes the controls.
    """
    return is_single_line(text) and not any(char in BIDI_CONTROLS for char in text)


def record_text(record: Record) -> str:
    """Write a record. `parse_record` returns an equal one."""
    lines = [FIRST_LINE, *_headers(record), "", *_turns(record)]
    final = record.final()
    if final.is_over:
        lines += ["", *(f"count: {count_text(final.setup, row)}" for row in final.ranking())]
    return "\n".join(lines) + "\n"


def count_text(setup: Setup, row: Standing) -> str:
    """`1 B 34+17=51`, or `4 R out`."""
    score = "out" if row.is_out else f"{row.dirhams}+{row.visible}={row.score}"
    return f"{row.rank} {setup.label(row.player)} {score}"


def arrival_text(state: State) -> str:
    """Assam's square and facing: `d7s`."""
    return f"{square_name(state.assam)}{state.facing.letter}"


def payment_text(setup: Setup, paid: Paid) -> str:
    """`pays R 4`, or `pays R 3 of 7` if the payer had too few dirhams."""
    short = f" of {paid.due}" if paid.paid < paid.due else ""
    return f"pays {setup.label(paid.owner)} {paid.paid}{short}"


def _headers(record: Record) -> Iterator[str]:
    start, setup = record.start, record.start.setup
    yield from (f"{name}: {text}" for name, text in record.notes)
    yield f"booklet: {record.booklet}"
    options = options_text(setup.options, booklet_named(record.booklet).options)
    if options != "-":
        yield f"options: {options}"
    for player in range(len(setup.players)):
        name = record.names[player] if record.names else ""
        yield f"player: {setup.label(player)} {name}".rstrip()
    dealt = start.piles if setup.has_shuffled_piles else None
    if not _is_opening(start, dealt):
        yield f"position: {position_text(start)}"
        return
    yield f"facing: {start.facing.letter}"
    for player, pile in enumerate(dealt or ()):
        yield f"pile: {setup.label(player)} {''.join(colour.letter for colour in pile)}"


def _is_opening(start: State, dealt: tuple[Pile, ...] | None) -> bool:
    try:
        return start == new_game(start.setup, facing=start.facing, piles=dealt)
    except SettingError:  # rugs are missing from a pile
        return False


def _turns(record: Record) -> Iterator[str]:
    """One line for each turn: the words of its actions in order."""
    state, number = record.start, 0
    words: list[str] = []
    turn: list[Action] = []
    for action, after, events in record.replay():
        if not turn:
            number += 1
            words = [f"{number}.", state.setup.label(state.mover)]
        if isinstance(action, Rolled) and turn:
            words[-1] += str(action.pips)  # S3: after the facing
            words.append(arrival_text(after))
        else:
            words += _words_for(state, action, after, events)
        turn.append(action)
        if after.is_turn_start or after.is_over:
            yield " ".join(words)
            turn = []
        state = after
    if turn:
        if isinstance(turn[-1], Drew):
            words.append(f"draws {turn[-1].colour.letter}")
        yield " ".join(words)


def _words_for(
    state: State, action: Action, after: State, events: tuple[Event, ...]
) -> Iterator[str]:
    setup = state.setup
    colour = f" {state.hand.letter}" if state.hand is not None and setup.has_two_colours else ""
    match action:
        case Orient():
            yield action.facing.letter.upper()
        case Rolled():
            yield f"{state.facing.letter.upper()}{action.pips}"
            yield arrival_text(after)
        case Lay():
            yield f"lays{colour} {action.placement}"
        case ReturnRug():
            yield f"returns{colour}"
        case Pivot():
            yield f"turns {action.facing.letter}"
    for event in events:
        if isinstance(event, Paid):
            yield payment_text(setup, event)
        elif isinstance(event, WentOut):
            yield "is out"
