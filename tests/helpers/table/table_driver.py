"""A table that is talked to in words: `TableDriver().say("ok ok ok 3 east ok back")`.

Directions by name, `ok`, `back`, the die's keys `1` to `4`, `roll`, and two that take two seconds:
`audit` (OK held) and `pause` (BACK held).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from random import Random
from typing import Any

from companion.games.marrakech import (
    BOOKLETS,
    Colour,
    Facing,
    Setup,
    State,
    parse_position,
)
from companion.i18n.message import Message
from companion.i18n.renderer import TextRenderer
from companion.light.frame import next_change, picture, picture_text
from companion.table.conversation import (
    ArchiveGame,
    BeginGame,
    Conversation,
    InputResult,
    Playing,
    Preferences,
    Stage,
    StoreCommand,
    fresh,
)
from companion.table.entries import Beginning, Entry, entry_from_json, entry_to_json
from companion.table.game import Game, Moment
from companion.table.inputs import BACK, HOLD_BACK, HOLD_OK, OK, ROLL, Input, die_key, direction
from companion.table.scenes.scene import Scene
from companion.table.scenes.stage_scenes import scene_of
from companion.table.text.prompts import words_of
from companion.table.transitions import hear
from helpers.rules.strategies import arranged_position

INPUTS = {
    **{facing.name.lower(): direction(facing) for facing in Facing},
    **{str(pips): die_key(pips) for pips in (1, 2, 3, 4)},
    "ok": OK,
    "back": BACK,
    "audit": HOLD_OK,
    "pause": HOLD_BACK,
    "roll": ROLL,
}
SPEECH = TextRenderer()

# Two squares of one colour are never covered in one go, and all around Assam is red.
CORNERED = (
    ".R1R1..../R2R3R3..../R2....../......./......./......./....... "
    "a1w lay Y R:30:9,Y:30:12,B:30:12,N:30:12 covering=two-colours"
)


class Rolls:
    """An electronic die that shows what it is told to, and piles in the order of the box."""

    def __init__(self, rolls: Iterable[int] = ()) -> None:
        self._rolls = iter(rolls)

    def roll(self) -> int:
        return next(self._rolls)

    def deal(self, setup: Setup) -> tuple[tuple[Colour, ...], ...] | None:
        if not setup.has_two_colours or setup.options.two_player != "shuffled":
            return None
        return tuple(colours * 12 for colours in setup.players)


class TableDriver:
    """One conversation, and all that came of it."""

    def __init__(
        self,
        conversation: Conversation | None = None,
        rolls: Iterable[int] = (),
        **customs: Any,  # noqa: ANN401 - whatever Customs has
    ) -> None:
        self.conversation = conversation or fresh(Preferences(**customs))
        self.chance = Rolls(rolls)
        self.notes: list[StoreCommand] = []
        self.refused: Message | None = None
        """Why the last input was refused, if it was."""

    def say(self, words: str) -> TableDriver:
        """Tell all of these; each must be understood, the last may be refused."""
        for word in words.split():
            assert self.refused is None, f"before {word!r}: {self.refused}"
            self.hear(INPUTS[word])
        return self

    def hear(self, told: Input) -> InputResult:
        answer = hear(self.conversation, told, self.chance)
        self.conversation, self.refused = answer.conversation, answer.refused
        self.notes += answer.notes
        return answer

    @property
    def game(self) -> Game:
        return self.conversation.playing

    @property
    def state(self) -> State:
        return self.game.state

    @property
    def stage(self) -> Stage:
        return self.conversation.stage

    @property
    def told(self) -> list[Entry]:
        """What was told, without the beginnings and ends of games."""
        return [note for note in self.notes if not isinstance(note, BeginGame | ArchiveGame)]

    @property
    def why(self) -> str:
        """The refusal's key."""
        return self.refused.key if self.refused else ""

    def why_said(self) -> str:
        assert self.refused is not None, "nothing was refused"
        return SPEECH.say(self.refused)

    def title(self) -> str:
        return SPEECH.say(words_of(self.conversation).title)

    def todo(self) -> list[str]:
        return said(words_of(self.conversation).todo)

    def news(self) -> list[str]:
        return said(words_of(self.conversation).news)

    def frames(self, *times: int) -> list[str]:
        return shown(scene_of(self.conversation), *times)


def said(messages: Iterable[Message]) -> list[str]:
    return [SPEECH.say(one) for one in messages]


def begun(words: str = "", rolls: Iterable[int] = (), **customs: Any) -> TableDriver:  # noqa: ANN401
    """A game that was begun as its customs have it, and what was told then."""
    talk = TableDriver(rolls=rolls, **customs).say("ok ok ok ok")
    talk.notes.clear()
    return talk.say(words)


def at(position: str, words: str = "", **customs: Any) -> TableDriver:  # noqa: ANN401
    """A game that begins in the middle, at a position in text."""
    state = parse_position(position)
    game = Game(Beginning(state.setup), Moment(state, state.facing))
    return TableDriver(Conversation(Preferences(**customs), Playing(), game)).say(words)


# --- On the disk and back -----------------------------------------------------------------


def written(told: Entry) -> Entry:
    """What a journal makes of it: written in plain values, as text, and read again."""
    return entry_from_json(json.loads(json.dumps(entry_to_json(told))))


# --- The light ----------------------------------------------------------------------------


def shown(scene: Scene, *times: int) -> list[str]:
    return [picture_text(picture(scene, time)) for time in times]


def frames(drawn: str) -> list[str]:
    """Frames drawn side by side, as tests write them."""
    rows = [line.split() for line in drawn.strip().splitlines()]
    return ["\n".join(column) for column in zip(*rows, strict=True)]


def changes(scene: Scene, until_ms: int) -> list[int]:
    """The times at which a scene changes."""
    times = [0]
    while (time := next_change(scene, times[-1])) is not None and time <= until_ms:
        times.append(time)
    return times


# --- Talk by chance -----------------------------------------------------------------------

_WORDS = {
    "ok": 30, "back": 6, "audit": 1, "pause": 1, "roll": 4,
    "north": 6, "east": 7, "south": 6, "west": 6, "1": 5, "2": 5, "3": 5, "4": 5,
}  # fmt: skip
_AUDIT_WORDS = {"ok": 10, "north": 5, "east": 5, "south": 5, "west": 5, "back": 3, "audit": 1}


def random_word(chance: Random, stage: Stage) -> str:
    """Something a player may do: any input at all, but more often what leads on."""
    is_audit = stage.name.startswith("AUDIT") or stage in (Stage.SQUARE, Stage.TOP, Stage.JOIN)
    words = _AUDIT_WORDS if is_audit and chance.random() < 0.9 else _WORDS
    return chance.choices(list(words), list(words.values()))[0]


def random_customs(chance: Random) -> Preferences:
    """A table of any kind: some play for few dirhams, so that somebody goes out."""
    players = chance.choice((2, 2, 3, 4))
    options: dict[str, str] = {}
    if chance.random() < 0.5:
        options["turn_order"] = "pivot-last"
    if chance.random() < 0.3:
        options["loops"] = "nw-se"
    if chance.random() < 0.3:
        options["two_player"] = "one-colour"
    return Preferences(
        players=players,
        booklet=chance.choice(list(BOOKLETS)),
        options=options,
        deals_piles=chance.random() < 0.5,
        names=chance.choice(((), ("Ana", "Bo", "Cleo", "Dan")[:players])),
        facing=chance.choice(list(Facing)),
        ok_rolls=chance.random() < 0.5,
    )


class Dice(Rolls):
    """An electronic die like any other."""

    def __init__(self, chance: Random) -> None:
        super().__init__(chance.choice((1, 2, 2, 3, 3, 4)) for _ in iter(int, 1))


def random_talk(seed: int) -> TableDriver:
    """A table of any kind: before a game, or in the middle of one such as no play would lead to."""
    chance = Random(seed)
    customs = random_customs(chance)
    if chance.random() < 0.5:
        conversation = fresh(customs)
    else:
        is_cornered = chance.random() < 0.1
        state = parse_position(CORNERED) if is_cornered else arranged_position(chance)
        game = Game(Beginning(state.setup), Moment(state, state.facing))
        conversation = Conversation(customs, Playing(), game)
    talk = TableDriver(conversation)
    talk.chance = Dice(chance)
    return talk
