"""Parsing game records: every turn is replayed under the rules and verified.

Redundant parts of a line (whose turn it is, where Assam arrives, who is paid how much, the final
count) must agree with the rules. An error has the line, the column and the position.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from companion.errors import CompanionError, NotationError, SettingError, counted, unknown
from companion.games.marrakech.actions import (
    Action,
    Drew,
    Lay,
    Orient,
    Pay,
    Pivot,
    ReturnRug,
    Rolled,
)
from companion.games.marrakech.booklets import booklet_named
from companion.games.marrakech.events import Event, Paid, WentOut
from companion.games.marrakech.market import Facing, parse_facing, parse_placement
from companion.games.marrakech.rug import Colour
from companion.games.marrakech.rules import apply
from companion.games.marrakech.setup import Setup
from companion.games.marrakech.state import Phase, State, new_game
from companion.games.marrakech.text.notation import (
    Word,
    options_text,
    position_text,
    read_colours,
    read_options,
    read_position,
    read_setup,
)
from companion.games.marrakech.text.record import (
    FIRST_LINE,
    NOTE_HEADERS,
    Record,
    arrival_text,
    count_text,
    is_single_line,
    payment_text,
)

P = ParamSpec("P")
T = TypeVar("T")

_ONCE = ("booklet", "options", "facing", "position")
HEADERS = (*_ONCE, "player", "pile", *NOTE_HEADERS)


def parse_record(text: str) -> Record:
    """Parse, replay and verify a record."""
    first, *rest = [Word(line.rstrip(), 1, n) for n, line in enumerate(text.splitlines(), 1)] or [
        Word("", 1, 1)
    ]
    _check_first_line(first)
    headers: dict[str, list[Word]] = {name: [] for name in HEADERS}
    turns: list[Word] = []
    counts: list[Word] = []
    for line in rest:
        if not line.text or line.text.lstrip().startswith("#"):
            continue
        if re.match(r"\s*[0-9]", line.text):
            if counts:
                raise line.error("a turn after the count")
            turns.append(line)
            continue
        name, value = _split_header(line)
        if name.text == "count":
            counts.append(value)
        elif turns or counts:
            raise name.error(f"header '{name.text}' must come before the turns")
        elif name.text in _ONCE and headers[name.text]:
            raise name.error(f"header '{name.text}' is written twice")
        else:
            headers[name.text].append(value)
    last = (rest or [first])[-1]
    record = _read_headers(headers, (turns or [last])[0])
    actions, final = _read_turns(record.start, turns)
    _check_counts(final, counts)
    return Record(record.start, actions, record.booklet, record.names, record.notes)


def _check_first_line(first: Word) -> None:
    text = first.text.strip().lower().removeprefix("\ufeff")
    if text != FIRST_LINE:
        if text.startswith("marrakech record"):
            raise first.error(f"'{text}' is another version: only '{FIRST_LINE}' can be read")
        raise first.error(f"a record begins with the line '{FIRST_LINE}'")


# --- Headers ------------------------------------------------------------------------------


def _split_header(line: Word) -> tuple[Word, Word]:
    found = re.match(r"\s*([^:\s]+)\s*:\s*", line.text)
    if not found:
        raise line.error("neither a header (name: value) nor a turn (1. R S3 d7s lays d6-e6)")
    name, value = line.part(*found.span(1)), line.part(found.end())
    if name.text not in (*HEADERS, "count"):
        raise name.error(unknown("header", name.text, (*HEADERS, "count")))
    if not value.text:
        raise value.error(f"header '{name.text}' has no value")
    if not is_single_line(value.text):
        raise value.error(f"{value.text!r} is not a plain line of text")
    return name, value


def _locate_errors(word: Word, read: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Call `read`, and add the line and column of `word` to its errors."""
    try:
        return read(*args, **named)
    except NotationError as error:
        raise error if error.column is not None else word.error(error.message) from None
    except CompanionError as error:
        raise word.error(str(error)) from None


def _read_headers(headers: dict[str, list[Word]], end: Word) -> Record:
    code, options = "en", booklet_named("en").options
    for word in headers["booklet"]:
        booklet = _locate_errors(word, booklet_named, word.text)
        code, options = booklet.code, booklet.options
    for word in headers["options"]:
        options = read_options(word, options)
    if not headers["player"]:
        raise end.error("no header 'player': write one for each, like 'player: R Amina'")
    seats = [word.words()[0] for word in headers["player"]]
    setup = read_setup(seats, [read_colours(seat) for seat in seats], options)
    names = tuple(
        word.text[len(seat.text) :].strip()
        for word, seat in zip(headers["player"], seats, strict=True)
    )
    notes = sorted(
        (word.line or 0, name, word.text) for name in NOTE_HEADERS for word in headers[name]
    )
    return Record(
        start=_read_start(setup, headers),
        booklet=code,
        names=names,
        notes=tuple((name, text) for _, name, text in notes),
    )


def _read_start(setup: Setup, headers: dict[str, list[Word]]) -> State:
    for word in headers["position"]:
        for name in ("facing", "pile"):
            for other in headers[name]:
                raise other.error(f"header '{name}' cannot be used together with 'position'")
        start = read_position(word)
        if start.setup.players != setup.players:
            raise word.error("the players of the position are not those of the headers")
        if start.setup.options != setup.options:
            differences = options_text(start.setup.options, setup.options)
            raise word.error(
                f"the options of the position differ from those of the headers: {differences}"
            )
        return start
    facing = Facing.SOUTH
    for word in headers["facing"]:
        facing = _locate_errors(word, parse_facing, word.text)
    if not headers["pile"]:
        return new_game(setup, facing=facing)
    dealt: dict[str, tuple[Colour, ...]] = {}
    words: dict[str, Word] = {}
    for word in headers["pile"]:
        label, *rest = word.words()
        if len(rest) != 1 or label.text not in map(setup.label, range(len(setup.players))):
            raise word.error("a pile is a player and the colours in order, like 'RY RYYRY...'")
        dealt[label.text] = read_colours(rest[0])
        words[label.text] = word
    last = headers["pile"][-1]
    if len(dealt) != len(setup.players) or len(headers["pile"]) != len(dealt):
        raise last.error("there must be one pile for each player")
    piles = [dealt[setup.label(player)] for player in range(len(setup.players))]
    try:
        return new_game(setup, facing=facing, piles=piles)
    except SettingError as error:
        word = last if error.seat is None else words[setup.label(error.seat)]
        raise word.error(str(error)) from None


# --- Turns --------------------------------------------------------------------------------


def _read_turns(start: State, turns: list[Word]) -> tuple[tuple[Action, ...], State]:
    state, actions = start, []
    for number, line in enumerate(turns, start=1):
        turn = _TurnReader(state, line, number)
        try:
            turn.read(is_last=line is turns[-1])
        except NotationError as error:
            raise NotationError(
                error.message,
                line=error.line,
                column=error.column,
                position=position_text(turn.state),
            ) from None
        state = turn.state
        actions += turn.actions
    return tuple(actions), state


class _TurnReader:
    """Reads the words of one turn and applies its actions."""

    def __init__(self, state: State, line: Word, number: int) -> None:
        self.state = state
        self.line = line
        self.number = number
        self.words = line.words()
        self.end = Word("", line.column + len(line.text), line.line)
        self.actions: list[Action] = []

    def read(self, *, is_last: bool) -> None:
        self._read_beginning()
        while self.words:
            if self.actions and (self.state.is_turn_start or self.state.is_over):
                raise self.words[0].error(f"'{self.words[0].text}': the turn is already over")
            self._read_action()
        is_whole = bool(self.actions) and (self.state.is_turn_start or self.state.is_over)
        if not (is_last or is_whole):
            raise self.end.error(f"the turn is not finished: {self.state.phase.label} is missing")

    def _next(self, what: str) -> Word:
        if not self.words:
            raise self.end.error(f"{what} is missing")
        return self.words.pop(0)

    def _read_beginning(self) -> None:
        number = self._next("the number of the turn")
        if number.text != f"{self.number}.":
            raise number.error(f"'{number.text}': this is turn {self.number}.")
        mover = self._next("the mover")
        if self.state.is_over:
            raise mover.error("the game is over: no turn can follow")
        expected = self.state.setup.label(self.state.mover)
        if mover.text != expected:
            raise mover.error(f"'{mover.text}' is not the mover: it is the turn of {expected}")

    def _read_action(self) -> None:
        word = self.words[0]
        readers = {
            Phase.ORIENT: self._read_move,
            Phase.ROLL: self._read_move,
            Phase.PAY: self._read_payment,
            Phase.DRAW: self._read_rug,
            Phase.LAY: self._read_rug,
            Phase.PIVOT: self._read_pivot,
        }
        _locate_errors(word, readers[self.state.phase])

    def _apply(self, word: Word, action: Action) -> tuple[Event, ...]:
        try:
            self.state, events = apply(self.state, action)
        except CompanionError as error:
            raise word.error(str(error).partition("\n")[0]) from None
        self.actions.append(action)
        return events

    def _expect(self, what: str, text: str) -> None:
        """The next words must be this text."""
        for expected in text.split():
            word = self._next(f"'{text}'")
            if word.text != expected:
                raise word.error(f"{what} is '{text}', not '{word.text}'")

    def _read_arrival(self) -> None:
        arrival = arrival_text(self.state)
        word = self._next(f"'{arrival}'")
        if word.text.lower() != arrival:
            raise word.error(f"Assam's arrival is '{arrival}', not '{word.text}'")

    def _read_move(self) -> None:
        """`S3 d7s`: the facing, the roll, and where Assam arrives. `S` alone: not rolled yet."""
        word = self._next("a facing and a roll")
        if not re.fullmatch(r"[NESWnesw][0-9]?", word.text):
            raise word.error(f"'{word.text}' is not a facing and a roll: write them like S3")
        facing = parse_facing(word.text[0])
        if self.state.phase is Phase.ORIENT:
            self._apply(word, Orient(facing))
        elif facing is not self.state.facing:
            raise word.error(f"Assam faces {self.state.facing.name.lower()} and goes that way")
        if len(word.text) == 2:
            digit = word.part(1)
            self._apply(digit, _locate_errors(digit, Rolled, int(digit.text)))
            self._read_arrival()
        elif self.words:
            raise word.error(f"'{word.text}': the roll is missing: write it like {word.text}3")

    def _read_payment(self) -> None:
        word = self.words[0]
        if word.text != "pays":
            raise word.error(f"'{word.text}': tribute is due, write the payment")
        for event in self._apply(word, Pay()):
            if isinstance(event, Paid):
                self._expect("the payment", payment_text(self.state.setup, event))
            elif isinstance(event, WentOut):
                self._expect("what follows", "is out")

    def _read_rug(self) -> None:
        """`lays d6-e6`, `lays Y d6-e6`, `returns`, `returns Y`, or only `draws Y`."""
        verb = self._next("a rug")
        if verb.text not in ("draws", "lays", "returns"):
            raise verb.error(f"'{verb.text}': expected 'lays' and two squares, like lays d6-e6")
        named = self._read_named_colour()
        if verb.text == "lays":
            word = self._next("where the rug lies")
            place = _locate_errors(word, parse_placement, word.text)
            self._apply(word, Lay(place.first, place.second))
        elif verb.text == "returns":
            self._apply(verb, ReturnRug())
        elif named is None:
            raise verb.error("'draws': the next rug is known and cannot be drawn")

    def _read_named_colour(self) -> Word | None:
        """The colour of the rug, which is written for players with two colours."""
        if not self.state.setup.has_two_colours:
            return None
        word = self._next("the colour of the rug")
        colours = read_colours(word)
        if len(colours) != 1:
            raise word.error(f"'{word.text}' is not one colour: write one letter")
        is_drawn = self.state.phase is Phase.DRAW
        if is_drawn:
            self._apply(word, Drew(colours[0]))
        elif colours[0] is not self.state.hand:
            assert self.state.hand is not None
            raise word.error(f"the next rug of the pile is {self.state.hand.letter}")
        return word if is_drawn else None

    def _read_pivot(self) -> None:
        verb = self._next("a turn of Assam")
        if verb.text != "turns":
            raise verb.error(f"'{verb.text}': Assam must be turned, like turns w")
        word = self._next("a direction")
        self._apply(word, Pivot(_locate_errors(word, parse_facing, word.text)))


def _check_counts(final: State, counts: list[Word]) -> None:
    if not counts:
        return
    if not final.is_over:
        raise counts[0].error("there is a count, but the game is not over")
    rows = [count_text(final.setup, row) for row in final.ranking()]
    for word, row in zip(counts, rows, strict=False):
        if word.text.split() != row.split():
            raise word.error(f"the count is '{row}', not '{word.text}'")
    if len(counts) != len(rows):
        raise counts[-1].error(
            f"the count has {counted(len(counts), 'player')}, but {len(rows)} play"
        )
