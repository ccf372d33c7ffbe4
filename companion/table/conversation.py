"""The state of the table: its stage, its game, and what each stage remembers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from companion.games.marrakech import Colour, Facing, Options, Phase, Setup, booklet_named
from companion.i18n.message import Message, PlayerName
from companion.table.entries import Beginning, Entry
from companion.table.game import Game


class Stage(Enum):
    """What the table waits for. The rows of the transition table."""

    RESUME = "continue the unfinished game, or archive it"
    PLAYERS = "choose the number of players"
    BOOKLET = "choose the booklet and the order of a turn"
    COLOURS = "choose each player's colours"
    SETTING = "choose where Assam faces, and turn the board to match"
    ORIENT = "turn Assam, then roll"
    ROLL = "roll"
    PAY = "pay the tribute"
    DRAW = "enter the colour of the rug that was drawn"
    LAY = "lay the rug"
    RETURN = "return the rug to the box, because it fits nowhere"
    PIVOT = "turn Assam for the next player"
    OVER = "show the final count"
    PUT_BACK = "put the cardboard back after an undo"
    AUDIT_ASSAM = "check Assam's square"
    AUDIT_FACING = "check Assam's facing"
    AUDIT_RUGS = "check a player's rugs"
    AUDIT_DIRHAMS = "check a player's dirhams"
    SQUARE = "choose the square to correct"
    TOP = "choose what lies on that square"
    JOIN = "choose where the other half of that rug lies"


class RandomSource(Protocol):
    """The electronic die, and the shuffling of piles."""

    def roll(self) -> int: ...
    def deal(self, setup: Setup) -> tuple[tuple[Colour, ...], ...] | None:
        """Shuffled piles, or None if the set-up has none."""


@dataclass(frozen=True)
class Preferences:
    """The configured defaults of the set-up, and what OK does before a roll."""

    players: int = 4
    booklet: str = "en"
    options: Mapping[str, str] = field(default_factory=dict)
    deals_piles: bool = False
    names: tuple[str, ...] = ()
    facing: Facing = Facing.SOUTH
    ok_rolls: bool = False
    has_die_keys: bool = False
    """Whether there are die keys as well, if OK rolls."""


# --- Activities ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Resuming:
    """An unfinished game waits to be continued or archived."""


@dataclass(frozen=True)
class SettingUp:
    """A new game is being set up."""

    stage: Stage
    players: int
    booklet: str
    options: Options
    seats: tuple[tuple[Colour, ...], ...]
    """Each seat's colours. Empty before stage COLOURS, unless a phone chose some."""
    seat: int = 0
    """The seat whose colours are being chosen."""
    facing: Facing = Facing.SOUTH
    names: tuple[str, ...] = ()
    """Players' names by seat. May be shorter than `players`, and names may be empty."""


@dataclass(frozen=True)
class Playing:
    """A game is being played. Its phase decides the stage."""


@dataclass(frozen=True)
class Auditing:
    """The recorded position is being compared with the cardboard, step by step."""

    stage: Stage
    square: int
    """Assam's square, or the square that is being corrected."""
    facing: Facing
    player: int = 0
    dirhams: int = 0
    top: Colour | None = None


Activity = Resuming | SettingUp | Playing | Auditing


# --- The conversation ---------------------------------------------------------------------


@dataclass(frozen=True)
class BeginGame:
    """Create the journal of a new game."""

    beginning: Beginning


@dataclass(frozen=True)
class ArchiveGame:
    """Move the journal to the archive."""


StoreCommand = BeginGame | ArchiveGame | Entry
"""What must be on the disk before the light confirms an input."""


@dataclass(frozen=True)
class Conversation:
    """Everything the companion knows about the table. Immutable: `handle_input` makes a new one."""

    preferences: Preferences
    activity: Activity
    game: Game | None = None
    news: tuple[Message, ...] = ()
    """What the last input did."""

    @property
    def active_game(self) -> Game:
        assert self.game is not None, "there is no game"
        return self.game

    @property
    def stage(self) -> Stage:
        match self.activity:
            case SettingUp(stage) | Auditing(stage):
                return stage
            case Resuming():
                return Stage.RESUME
        return _stage_of(self.active_game)

    def player_name(self, player: int) -> PlayerName:
        beginning = self.active_game.beginning
        name = beginning.names[player] if beginning.names else ""
        return PlayerName(name, beginning.setup.players[player])


def _stage_of(game: Game) -> Stage:
    if game.is_restoring:
        return Stage.PUT_BACK
    if game.state.phase is Phase.LAY and not game.now.placements:
        return Stage.RETURN
    return _STAGES[game.state.phase]


_STAGES = {phase: Stage[phase.name] for phase in Phase}


@dataclass(frozen=True)
class InputResult:
    """The result of an input: the next conversation and what to store, or the refusal."""

    conversation: Conversation
    commands: tuple[StoreCommand, ...] = ()
    refusal: Message | None = None


def new_conversation(preferences: Preferences, news: tuple[Message, ...] = ()) -> Conversation:
    """A table without a game, at the first stage of the set-up."""
    options = booklet_named(preferences.booklet).options.with_changes(preferences.options)
    return Conversation(
        preferences,
        SettingUp(
            Stage.PLAYERS,
            preferences.players,
            preferences.booklet,
            options,
            (),
            facing=preferences.facing,
            names=preferences.names,
        ),
        news=news,
    )


def resumed_conversation(
    preferences: Preferences, game: Game, news: tuple[Message, ...] = ()
) -> Conversation:
    """A table with the game of its journal. A game that is over shows its final count."""
    activity = Playing() if game.state.is_over and not game.is_restoring else Resuming()
    return Conversation(preferences, activity, game, news)
