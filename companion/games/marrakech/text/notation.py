"""Positions as one line of text: writing and parsing. docs/notation.md describes the format.

    ......./......./......./......./......./...R1R1../....... d7s orient Y R:30:14,Y:30:15,B:30:15 -

Six fields: the market row by row from the north, Assam, the phase, the mover, the players, and the
options that differ from the English booklet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from companion.errors import NotationError, SettingError, counted, unknown
from companion.games.marrakech.market import (
    SIZE,
    SQUARES,
    Facing,
    parse_facing,
    parse_square,
    placement_on,
    square_name,
)
from companion.games.marrakech.options import Options, read_option
from companion.games.marrakech.rug import COLOUR_LETTERS, MAX_RUG_NUMBER, RUGS, Colour, Rug
from companion.games.marrakech.setup import DIRHAMS_IN_BOX, Pile, Setup
from companion.games.marrakech.state import Phase, State, derive_visible

_FIELDS = ("market", "assam", "phase", "mover", "players", "options")
_SQUARE = re.compile(rf"\.|[{COLOUR_LETTERS}]\d+")
_PHASES = {phase.label: phase for phase in Phase}


# --- Writing ------------------------------------------------------------------------------


def position_text(state: State) -> str:
    """The one-line form of a position."""
    setup = state.setup
    rows = (state.tops[start : start + SIZE] for start in range(0, SQUARES, SIZE))
    market = "/".join("".join(str(RUGS[code]) if code else "." for code in row) for row in rows)
    phase = state.phase.label
    if state.hand is not None and setup.has_two_colours:
        phase += f":{state.hand.letter}"
    players = ",".join(_player_text(state, player) for player in range(len(setup.players)))
    return " ".join(
        (
            market,
            f"{square_name(state.assam)}{state.facing.letter}",
            phase,
            setup.label(state.mover),
            players,
            options_text(setup.options, Options()),
        )
    )


def _player_text(state: State, player: int) -> str:
    label = state.setup.label(player)
    if player in state.out:
        return f"{label}:out"
    if state.piles is not None:
        pile = "=" + "".join(colour.letter for colour in state.piles[player])
    else:
        pile = "+".join(str(state.left[colour]) for colour in state.setup.players[player])
    return f"{label}:{state.dirhams[player]}:{pile}"


def options_text(options: Options, base: Options) -> str:
    """The options that differ from `base`, as name=value,name=value; `-` if none does."""
    changes = options.differences(base)
    return ",".join(f"{name}={value}" for name, value in changes.items()) or "-"


# --- Reading ------------------------------------------------------------------------------


class Word(NamedTuple):
    """A piece of text with its line and column, so that errors can say where it is."""

    text: str
    column: int = 1
    line: int | None = None

    def part(self, start: int, end: int | None = None) -> Word:
        return Word(self.text[start:end], self.column + start, self.line)

    def split(self, separator: str) -> Iterator[Word]:
        start = 0
        for piece in self.text.split(separator):
            yield self.part(start, start + len(piece))
            start += len(piece) + len(separator)

    def words(self) -> list[Word]:
        return [self.part(*found.span()) for found in re.finditer(r"\S+", self.text)]

    def error(self, message: str) -> NotationError:
        return NotationError(message, line=self.line, column=self.column)


def parse_position(text: str) -> State:
    """Parse the one-line form. A `NotationError` has the column of the mistake."""
    return read_position(Word(text))


def read_position(line: Word) -> State:
    found = line.words()
    if len(found) != len(_FIELDS):
        raise (found or [line])[-1].error(
            f"a position has {len(_FIELDS)} fields ({' '.join(_FIELDS)}), not {len(found)}"
        )
    market, assam, phase, mover, players, options = found
    seats = [_read_player(word) for word in players.split(",")]
    setup = read_setup(
        [seat.word for seat in seats], [seat.colours for seat in seats], read_options(options)
    )
    tops = _read_market(market)
    left, piles = _read_rugs(setup, seats, players)
    _check_rugs(setup, tops, left, market)
    dirhams = tuple(seat.dirhams for seat in seats)
    if sum(dirhams) > DIRHAMS_IN_BOX:
        raise players.error(
            f"the players have {sum(dirhams)} dirhams, and the box has only {DIRHAMS_IN_BOX}"
        )
    colours, whole = derive_visible(tops)
    square, facing = _read_assam(assam)
    state = State(
        setup=setup,
        phase=_read_phase(phase),
        mover=_read_mover(setup, mover),
        assam=square,
        facing=facing,
        dirhams=dirhams,
        left=left,
        out=frozenset(player for player, seat in enumerate(seats) if seat.is_out),
        tops=tops,
        colours=colours,
        whole=whole,
        hand=None,
        piles=piles,
    )
    return _check_turn(state._replace(hand=_read_hand(state, phase)), phase, mover)


def _number(word: Word, what: str) -> int:
    if not re.fullmatch(r"[0-9]{1,3}", word.text):
        raise word.error(f"'{word.text}' is not {what}")
    return int(word.text)


def _read_market(field: Word) -> bytes:
    rows = list(field.split("/"))
    if len(rows) != SIZE:
        raise field.error(f"the market has {SIZE} rows, not {len(rows)}")
    codes: list[int] = []
    squares_of_rug: dict[int, list[int]] = {}
    for row in rows:
        at = 0
        for column in range(SIZE):
            found = _SQUARE.match(row.text, at)
            if not found:
                here = row.text[at : at + 3]
                problem = (
                    f"'{here}' is not a square" if here else f"the row ends after {column} squares"
                )
                raise row.part(at).error(f"{problem}: a row has {SIZE}, each '.' or a rug like R7")
            square = row.part(*found.span())
            code = _read_rug(square)
            if code:
                squares_of_rug.setdefault(code, []).append(len(codes))
                _check_halves(squares_of_rug[code], square)
            codes.append(code)
            at = found.end()
        if at < len(row.text):
            raise row.part(at).error(f"the row is longer than {SIZE} squares")
    return bytes(codes)


def _read_rug(word: Word) -> int:
    if word.text == ".":
        return 0
    number = _number(word.part(1), "a rug number")
    if not 1 <= number <= MAX_RUG_NUMBER:
        raise word.error(f"there is no rug {word.text}: rugs are numbered 1 to {MAX_RUG_NUMBER}")
    return Rug(Colour(COLOUR_LETTERS.index(word.text[0])), number).code


def _check_halves(squares: list[int], word: Word) -> None:
    if len(squares) > 2:
        raise word.error(f"rug {word.text} has more than two halves")
    if len(squares) == 2:
        try:
            placement_on(*squares)
        except NotationError:
            one, other = map(square_name, squares)
            raise word.error(
                f"{one} and {other} cannot be halves of one rug {word.text}: "
                "they do not share a side"
            ) from None


def _read_assam(word: Word) -> tuple[int, Facing]:
    try:
        return parse_square(word.text[:2]), parse_facing(word.text[2:])
    except NotationError as error:
        raise word.error(f"Assam is a square and a direction, like d4s: {error.message}") from None


def _read_phase(word: Word) -> Phase:
    name = word.text.partition(":")[0]
    if name not in _PHASES:
        raise word.error(unknown("phase", name, _PHASES))
    return _PHASES[name]


def _read_mover(setup: Setup, word: Word) -> int:
    labels = [setup.label(player) for player in range(len(setup.players))]
    if word.text not in labels:
        raise word.error(unknown("mover", word.text, labels))
    return labels.index(word.text)


def read_options(word: Word, base: Options | None = None) -> Options:
    """Read name=value,name=value (or `-` for none) as changes of `base`."""
    options = base or Options()
    changes: dict[str, str] = {}
    for part in () if word.text == "-" else word.split(","):
        try:
            read_option(part.text, changes)
            options = options.with_changes(changes)
        except SettingError as error:
            raise part.error(str(error)) from None
    return options


def read_setup(
    words: Sequence[Word], players: Sequence[tuple[Colour, ...]], options: Options
) -> Setup:
    """The setup of these players. An error has the column of the player that is wrong."""
    try:
        return Setup(tuple(players), options)
    except SettingError as error:
        raise words[error.seat or 0].error(str(error)) from None


class _Seat(NamedTuple):
    word: Word
    colours: tuple[Colour, ...]
    dirhams: int
    is_out: bool
    pile: Word


def read_colours(word: Word) -> tuple[Colour, ...]:
    for at, letter in enumerate(word.text):
        if letter not in COLOUR_LETTERS:
            raise word.part(at).error(unknown("colour", letter, COLOUR_LETTERS))
    return tuple(Colour(COLOUR_LETTERS.index(letter)) for letter in word.text)


def _read_player(word: Word) -> _Seat:
    label, *rest = word.split(":")
    colours = read_colours(label)
    if [part.text for part in rest] == ["out"]:
        return _Seat(word, colours, 0, True, rest[0])
    if len(rest) != 2:
        raise word.error(
            f"'{word.text}' is not a player: write colours:dirhams:rugs, like R:30:12, or R:out"
        )
    dirhams, pile = rest
    return _Seat(word, colours, _number(dirhams, "a number of dirhams"), False, pile)


def _read_rugs(
    setup: Setup, seats: list[_Seat], field: Word
) -> tuple[tuple[int, ...], tuple[Pile, ...] | None]:
    """The rugs left by colour, and the piles if their order is known."""
    known = [seat.pile.text.startswith("=") for seat in seats if not seat.is_out]
    if any(known) and not (all(known) and setup.has_two_colours):
        raise field.error(
            "piles in order (=RYY...): write both, and only for two players with two colours"
        )
    is_alternating = setup.has_two_colours and setup.options.two_player == "alternating"
    if is_alternating and not all(known):
        raise field.error("the colours alternate: write the piles in order, like =RYRY")
    left = [0] * len(COLOUR_LETTERS)
    piles: list[Pile] = []
    for seat in seats:
        pile: Pile = ()
        if not seat.is_out and any(known):
            pile = read_colours(seat.pile.part(1))
            counts = [pile.count(colour) for colour in seat.colours]
        elif not seat.is_out:
            counts = [_number(part, "a number of rugs") for part in seat.pile.split("+")]
        else:
            counts = [0] * len(seat.colours)
        if len(counts) != len(seat.colours) or (pile and sum(counts) != len(pile)):
            raise seat.pile.error(f"'{seat.pile.text}' does not fit the player's colours")
        for colour, count in zip(seat.colours, counts, strict=True):
            if count > setup.rugs[colour]:
                raise seat.pile.error(
                    f"{counted(count, f'{colour.label} rug')} left, but a player starts with "
                    f"{setup.rugs[colour]}"
                )
            left[colour] = count
        if is_alternating and any(one is other for one, other in pairwise(pile)):
            raise seat.pile.error(f"'{seat.pile.text}': the colours must alternate")
        piles.append(pile)
    return tuple(left), tuple(piles) if any(known) else None


def _check_rugs(setup: Setup, tops: bytes, left: tuple[int, ...], field: Word) -> None:
    for rug in sorted({rug for code in tops if (rug := RUGS[code])}):
        owner = setup.owner[rug.colour]
        if owner is None:
            raise field.error(f"rug {rug} lies on the market, but nobody plays {rug.colour.label}")
        gone = setup.rugs[rug.colour] - left[rug.colour]
        if rug.number > gone:
            raise field.error(
                f"rug {rug} lies on the market, but only "
                f"{counted(gone, f'{rug.colour.label} rug')} left the pile"
            )


def _read_hand(state: State, word: Word) -> Colour | None:
    """The colour of the rug to lay: the player's only colour, or the one after `lay:`."""
    _, colon, letter = word.text.partition(":")
    colours = state.setup.players[state.mover]
    if state.phase is not Phase.LAY or len(colours) == 1:
        if colon:
            raise word.error(
                f"'{word.text}': only lay has a colour, and only for players with two colours"
            )
        return colours[0] if state.phase is Phase.LAY else None
    possible = "".join(colour.letter for colour in colours if state.left[colour])
    if state.piles is not None:
        possible = "".join(colour.letter for colour in state.piles[state.mover][:1])
    if letter not in possible or len(letter) != 1:
        options = " or ".join(f"lay:{one}" for one in possible) or "no rug: the pile is empty"
        raise word.error(f"'{word.text}': the rug to be laid must be {options}")
    return Colour(COLOUR_LETTERS.index(letter))


def _check_turn(state: State, phase: Word, mover: Word) -> State:
    """Refuse positions that cannot occur in a game."""
    label = state.setup.label(state.mover)
    seats = range(len(state.setup.players))
    holders = [seat for seat in seats if state.rugs_left(seat)]
    if len(state.out) == len(seats):
        raise mover.error("all players are out: at least one must be in")
    if state.phase is Phase.OVER:
        if holders and len(state.out) < len(seats) - 1:
            raise phase.error(
                f"{len(seats) - len(state.out)} players are in and have rugs left: "
                "the game is not over"
            )
        return state
    if state.mover in state.out:
        raise mover.error(f"{label} is out and cannot be the mover")
    if len(state.out) == len(seats) - 1:
        raise phase.error("only one player is in: the phase must be over")
    if state.phase is Phase.PIVOT:
        if not holders:
            raise phase.error("no rug is left: the phase must be over")
    elif not state.rugs_left(state.mover):
        raise mover.error(f"{label} has no rug left and cannot be the mover")
    wrong_phase = Phase.ORIENT if state.setup.is_pivot_last else Phase.PIVOT
    if state.phase is wrong_phase:
        raise phase.error(
            f"phase {state.phase.label} does not occur with "
            f"turn_order={state.setup.options.turn_order}"
        )
    if state.phase is Phase.PAY and state.tribute_at(state.assam) is None:
        raise phase.error(f"nothing is due from {label} on {square_name(state.assam)}")
    possible = [colour for colour in state.setup.players[state.mover] if state.left[colour]]
    if state.phase is Phase.DRAW and (state.piles is not None or len(possible) < 2):
        raise phase.error(f"{label} has nothing to draw: the next rug is known")
    return state
