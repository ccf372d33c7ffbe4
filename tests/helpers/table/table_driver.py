"""Drives a conversation by input names: `TableDriver().press("ok ok ok 3 east ok back")`.

Names are the four directions, `ok`, `back`, the die keys `1` to `4`, `roll`, `audit` (OK held) and
`pause` (BACK held).
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
from companion.light.frame import frame_text, next_change, render_frame
from companion.table.conversation import (
    ArchiveGame,
    BeginGame,
    Conversation,
    InputResult,
    Playing,
    Preferences,
    Stage,
    StoreCommand,
    new_conversation,
)
from companion.table.entries import Beginning, Entry, entry_from_json, entry_to_json
from companion.table.game import Game, Moment
from companion.table.inputs import BACK, HOLD_BACK, HOLD_OK, OK, ROLL, Input, die_key, direction
from companion.table.scenes.scene import Scene
from companion.table.scenes.stage_scenes import scene_of
from companion.table.text.prompts import prompts_of
from companion.table.transitions import handle_input
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
RENDERER = TextRenderer()

# No rug may cover two squares of one colour here, and all squares around Assam are red.
CORNERED = (
    ".R1R1..../R2R3R3..../R2....../......./......./......./....... "
    "a1w lay Y R:30:9,Y:30:12,B:30:12,N:30:12 covering=two-colours"
)


class ScriptedDice:
    """A random source with given rolls, and piles that are not shuffled."""

    def __init__(self, rolls: Iterable[int] = ()) -> None:
        self._rolls = iter(rolls)

    def roll(self) -> int:
        return next(self._rolls)

    def deal(self, setup: Setup) -> tuple[tuple[Colour, ...], ...] | None:
        if not setup.has_shuffled_piles:
            return None
        return tuple(colours * 12 for colours in setup.players)


class TableDriver:
    """A conversation, and all commands that its inputs led to."""

    def __init__(
        self,
        conversation: Conversation | None = None,
        rolls: Iterable[int] = (),
        **preferences: Any,  # noqa: ANN401 - passed on to Preferences
    ) -> None:
        self.conversation = conversation or new_conversation(Preferences(**preferences))
        self.random_source = ScriptedDice(rolls)
        self.commands: list[StoreCommand] = []
        self.refusal: Message | None = None
        """The refusal of the last input, if it was refused."""

    def press(self, inputs: str) -> TableDriver:
        """Give these inputs. Only the last may be refused."""
        for name in inputs.split():
            assert self.refusal is None, f"before {name!r}: {self.refusal}"
            self.handle(INPUTS[name])
        return self

    def handle(self, table_input: Input) -> InputResult:
        result = handle_input(self.conversation, table_input, self.random_source)
        self.conversation, self.refusal = result.conversation, result.refusal
        self.commands += result.commands
        return result

    @property
    def game(self) -> Game:
        return self.conversation.active_game

    @property
    def state(self) -> State:
        return self.game.state

    @property
    def stage(self) -> Stage:
        return self.conversation.stage

    @property
    def entries(self) -> list[Entry]:
        """The commands that are journal entries."""
        return [
            command for command in self.commands if not isinstance(command, BeginGame | ArchiveGame)
        ]

    @property
    def refusal_key(self) -> str:
        return self.refusal.key if self.refusal else ""

    def refusal_text(self) -> str:
        assert self.refusal is not None, "the last input was not refused"
        return RENDERER.render(self.refusal)

    def title(self) -> str:
        return RENDERER.render(prompts_of(self.conversation).title)

    def todo(self) -> list[str]:
        return rendered(prompts_of(self.conversation).todo)

    def news(self) -> list[str]:
        return rendered(prompts_of(self.conversation).news)

    def frames(self, *times: int) -> list[str]:
        return frames_of(scene_of(self.conversation), *times)


def rendered(messages: Iterable[Message]) -> list[str]:
    return [RENDERER.render(one) for one in messages]


def started_game(inputs: str = "", rolls: Iterable[int] = (), **preferences: Any) -> TableDriver:  # noqa: ANN401
    """A game with the default set-up, after these inputs. `commands` starts with them."""
    driver = TableDriver(rolls=rolls, **preferences).press("ok ok ok ok")
    driver.commands.clear()
    return driver.press(inputs)


def game_at(position: str, inputs: str = "", **preferences: Any) -> TableDriver:  # noqa: ANN401
    """A game that starts at a position, after these inputs."""
    state = parse_position(position)
    game = Game(Beginning(state.setup), Moment(state, state.facing))
    return TableDriver(Conversation(Preferences(**preferences), Playing(), game)).press(inputs)


# --- Journal entries ----------------------------------------------------------------------


def round_trip(entry: Entry) -> Entry:
    """The entry after it was written as JSON text and parsed again."""
    return entry_from_json(json.loads(json.dumps(entry_to_json(entry))))


# --- Frames -------------------------------------------------------------------------------


def frames_of(scene: Scene, *times: int) -> list[str]:
    return [frame_text(render_frame(scene, time)) for time in times]


def parse_frames(drawn: str) -> list[str]:
    """Split frames that are drawn side by side."""
    rows = [line.split() for line in drawn.strip().splitlines()]
    return ["\n".join(column) for column in zip(*rows, strict=True)]


def changes(scene: Scene, until_ms: int) -> list[int]:
    """The times at which a scene changes."""
    times = [0]
    while (time := next_change(scene, times[-1])) is not None and time <= until_ms:
        times.append(time)
    return times


# --- Random tables ------------------------------------------------------------------------

_WEIGHTS = {
    "ok": 30, "back": 6, "audit": 1, "pause": 1, "roll": 4,
    "north": 6, "east": 7, "south": 6, "west": 6, "1": 5, "2": 5, "3": 5, "4": 5,
}  # fmt: skip
_AUDIT_WEIGHTS = {"ok": 10, "north": 5, "east": 5, "south": 5, "west": 5, "back": 3, "audit": 1}


def random_input(random: Random, stage: Stage) -> str:
    """The name of a random input, weighted towards progress."""
    is_audit = stage.name.startswith("AUDIT") or stage in (Stage.SQUARE, Stage.TOP, Stage.JOIN)
    weights = _AUDIT_WEIGHTS if is_audit and random.random() < 0.9 else _WEIGHTS
    return random.choices(list(weights), list(weights.values()))[0]


def random_preferences(random: Random) -> Preferences:
    """Any preferences."""
    players = random.choice((2, 2, 3, 4))
    options: dict[str, str] = {}
    if random.random() < 0.5:
        options["turn_order"] = "pivot-last"
    if random.random() < 0.3:
        options["loops"] = "nw-se"
    if random.random() < 0.3:
        options["two_player"] = "one-colour"
    return Preferences(
        players=players,
        booklet=random.choice(list(BOOKLETS)),
        options=options,
        deals_piles=random.random() < 0.5,
        names=random.choice(((), ("Ana", "Bo", "Cleo", "Dan")[:players])),
        facing=random.choice(list(Facing)),
        ok_rolls=random.random() < 0.5,
    )


class RandomDice(ScriptedDice):
    """A random source with random rolls."""

    def __init__(self, random: Random) -> None:
        super().__init__(random.choice((1, 2, 2, 3, 3, 4)) for _ in iter(int, 1))


def random_driver(seed: int) -> TableDriver:
    """A table with any preferences, before a game or at a random position."""
    random = Random(seed)
    preferences = random_preferences(random)
    if random.random() < 0.5:
        conversation = new_conversation(preferences)
    else:
        is_cornered = random.random() < 0.1
        state = parse_position(CORNERED) if is_cornered else arranged_position(random)
        game = Game(Beginning(state.setup), Moment(state, state.facing))
        conversation = Conversation(preferences, Playing(), game)
    driver = TableDriver(conversation)
    driver.random_source = RandomDice(random)
    return driver
