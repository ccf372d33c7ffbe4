"""Where the conversation is: the stages, and what each remembers while nothing is told yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from companion.games.marrakech import Colour, Facing, Options, Phase, Setup, booklet_named
from companion.i18n.message import Message, Who
from companion.table.entries import Beginning, Entry
from companion.table.game import Game


class Stage(Enum):
    """What the table waits for; the rows of the conversation's table."""

    RESUME = "go on with the game that was not finished, or put it away"
    PLAYERS = "how many play"
    BOOKLET = "which booklet, and in which order a turn goes"
    COLOURS = "who plays which colour"
    SETTING = "where Assam faces, and how the board lies"
    ORIENT = "turn Assam, then roll"
    ROLL = "roll"
    PAY = "pay"
    DRAW = "say which rug was drawn"
    LAY = "lay the rug"
    RETURN = "put the rug back into the box"
    PIVOT = "turn Assam for the next player"
    OVER = "the game is counted"
    PUT_BACK = "put the cardboard back"
    AUDIT_ASSAM = "does Assam stand there"
    AUDIT_FACING = "does he face that way"
    AUDIT_RUGS = "do a player's rugs lie there"
    AUDIT_DIRHAMS = "does a player have that much"
    SQUARE = "which square is wrong"
    TOP = "what lies on it"
    JOIN = "where the other half of that rug lies"


class Chance(Protocol):
    """Whoever rolls and shuffles for the table."""

    def roll(self) -> int: ...
    def deal(self, setup: Setup) -> tuple[tuple[Colour, ...], ...] | None: ...


@dataclass(frozen=True)
class Preferences:
    """How this table likes it: what the set-up offers first, and what OK means before a roll."""

    players: int = 4
    booklet: str = "en"
    options: Mapping[str, str] = field(default_factory=dict)
    deals_piles: bool = False
    names: tuple[str, ...] = ()
    facing: Facing = Facing.SOUTH
    ok_rolls: bool = False
    has_keys_too: bool = False
    """Where OK rolls: whether there are keys for the wooden die as well."""


# --- Pages --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Resuming:
    """A game is there and was not finished."""


@dataclass(frozen=True)
class SettingUp:
    """A game that is being agreed on."""

    stage: Stage
    players: int
    booklet: str
    options: Options
    seats: tuple[tuple[Colour, ...], ...]
    """Their colours; none before these are asked, unless somebody wished for some."""
    seat: int = 0
    """Whose colour is being chosen."""
    facing: Facing = Facing.SOUTH
    names: tuple[str, ...] = ()
    """Who sits where, as far as it was said."""


@dataclass(frozen=True)
class Playing:
    """The game goes on; its phase says with what."""


@dataclass(frozen=True)
class Auditing:
    """The companion's table is compared with the cardboard, one thing after the other."""

    stage: Stage
    square: int
    """Where Assam would stand, or the square that is looked at."""
    facing: Facing
    player: int = 0
    dirhams: int = 0
    top: Colour | None = None


Page = Resuming | SettingUp | Playing | Auditing


# --- The conversation ---------------------------------------------------------------------


@dataclass(frozen=True)
class BeginGame:
    """A game begins: its journal is to be opened."""

    beginning: Beginning


@dataclass(frozen=True)
class ArchiveGame:
    """The game is to go into the archive."""


StoreCommand = BeginGame | ArchiveGame | Entry
"""What is to be on the disk before the light confirms it."""


@dataclass(frozen=True)
class Conversation:
    """All the companion knows of the table. A value: it changes by being heard to."""

    customs: Preferences
    page: Page
    game: Game | None = None
    news: tuple[Message, ...] = ()
    """What just happened."""

    @property
    def playing(self) -> Game:
        assert self.game is not None, "no game is being played"
        return self.game

    @property
    def stage(self) -> Stage:
        match self.page:
            case SettingUp(stage) | Auditing(stage):
                return stage
            case Resuming():
                return Stage.RESUME
        return stage_of(self.playing)

    def who(self, player: int) -> Who:
        beginning = self.playing.beginning
        name = beginning.names[player] if beginning.names else ""
        return Who(name, beginning.setup.players[player])


def stage_of(game: Game) -> Stage:
    if game.is_putting_back:
        return Stage.PUT_BACK
    if game.state.phase is Phase.LAY and game.aim is None:
        return Stage.RETURN
    return _STAGES[game.state.phase]


_STAGES = {phase: Stage[phase.name] for phase in Phase}


@dataclass(frozen=True)
class InputResult:
    """What comes of an input: the conversation as it goes on, what to write down, or why not."""

    conversation: Conversation
    notes: tuple[StoreCommand, ...] = ()
    refused: Message | None = None


def fresh(customs: Preferences, news: tuple[Message, ...] = ()) -> Conversation:
    """A table without a game."""
    options = booklet_named(customs.booklet).options.but(customs.options)
    return Conversation(
        customs,
        SettingUp(
            Stage.PLAYERS,
            customs.players,
            customs.booklet,
            options,
            (),
            facing=customs.facing,
            names=customs.names,
        ),
        news=news,
    )


def resumed(customs: Preferences, game: Game, news: tuple[Message, ...] = ()) -> Conversation:
    """A table with the game that its journal tells of. One that is over is shown as counted."""
    page = Playing() if game.state.is_over and not game.is_putting_back else Resuming()
    return Conversation(customs, page, game, news)
