"""A random session at the table: three games with every kind of entry.

A session is a list of steps. A step starts and ends in a state that a restart and OK lead to: the
first stage of the set-up, or the game. Exactly one input of each step is stored.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from random import Random

from companion.games.marrakech import Facing
from companion.storage.game_store import StampedCommand, StampedEntry, fingerprint
from companion.table.conversation import (
    ArchiveGame,
    BeginGame,
    Conversation,
    InputResult,
    Preferences,
    Stage,
    new_conversation,
)
from companion.table.game import allowed_facings
from companion.table.transitions import handle_input
from helpers.table.table_driver import INPUTS, ScriptedDice

DIRECTIONS = ("north", "east", "south", "west")


@dataclass(frozen=True)
class SessionInput:
    """One input, with the number of commands in the session before and after it."""

    name: str
    before: Conversation
    after: Conversation
    commands_before: int
    commands_after: int


Step = tuple[SessionInput, ...]


class RandomSession:
    """The steps, the commands they store, and the final conversation."""

    def __init__(self, seed: int, preferences: Preferences) -> None:
        self.random = Random(seed)
        self.conversation = new_conversation(preferences)
        self.start = self.conversation
        self.steps: list[Step] = []
        self.commands: list[StampedCommand] = []
        self._play()

    # --- The session ------------------------------------------------------------------

    def _play(self) -> None:
        """A game for two in which one goes out, one that is archived early, and one unfinished."""
        self._step("south south ok ok north ok ok")
        self._turns(3)
        self._step("back")
        self._step("west")
        self._step("east")
        self._step("ok")
        self._step_with_directions("audit {} ok audit")  # Assam on another square
        self._step_with_directions("audit ok {} ok audit")  # Assam with another facing
        self._turns(2)
        self._step_with_directions(
            "audit ok ok north {} {} ok {} ok ok audit"
        )  # half a rug, or an empty square
        self._step_with_directions("audit ok ok north {} ok {} ok {} audit")  # a whole rug
        self._step("audit ok ok ok north north ok audit")  # dirhams
        for _ in range(8):
            self._turns(1)
            self._undo_and_redo()
        self._step("audit ok ok ok " + "west south " * 12 + "ok audit", may_refuse=True)
        while self.stage is not Stage.OVER:
            self._turns(1)
        self._step("back")
        self._step("east")
        self._step("ok")  # archived
        self._step("south ok ok ok 2")  # a roll starts the game
        self._turns(2)
        self._step("pause pause")
        self._step("ok north ok ok west ok")  # with the pivot last
        self._turns(2)

    @property
    def stage(self) -> Stage:
        return self.conversation.stage

    def _turns(self, number: int) -> None:
        mover, done = self._mover(), 0
        for _ in range(60):
            if done == number or self.stage is Stage.OVER:
                return
            self._step(self._next_input())
            if self._mover() != mover:
                mover, done = self._mover(), done + 1

    def _step_with_directions(self, template: str) -> None:
        """A step with random directions for the gaps, none of which is refused."""
        for _ in range(500):
            names = template.format(*self.random.choices(DIRECTIONS, k=template.count("{}")))
            with suppress(InvalidStepError):
                return self._step(names)
        raise AssertionError(f"no directions fit {template!r}")

    def _mover(self) -> int:
        return self.conversation.active_game.state.mover

    def _next_input(self) -> str:
        match self.stage:
            case Stage.ORIENT if self.random.random() < 0.3:
                return self._turn_assam()
            case Stage.ORIENT | Stage.ROLL:
                return self.random.choice(("1", "2", "2", "3", "3", "4", "ok"))  # OK rolls too
            case Stage.PIVOT if not self.conversation.active_game.now.is_assam_turned:
                return self._turn_assam()
            case Stage.DRAW:
                return self.random.choice(("east", "west"))
            case Stage.LAY if self.random.random() < 0.3:
                return self.random.choice([name for name in DIRECTIONS if self._is_accepted(name)])
        return "ok"

    def _turn_assam(self) -> str:
        game = self.conversation.active_game
        facings = allowed_facings(game.state) or tuple(Facing)
        return self.random.choice(
            [one for one in facings if one is not game.now.facing]
        ).name.lower()

    def _undo_and_redo(self) -> None:
        if self.stage is not Stage.OVER and self.random.random() < 0.5:
            self._step("back")
            while self.random.random() < 0.5:
                self._step(self.random.choice(("back", "west")))
            while self.stage is Stage.PUT_BACK:
                self._step("east" if self.random.random() < 0.5 else "ok")

    def _is_accepted(self, name: str) -> bool:
        return self._handle(self.conversation, name).refusal is None

    # --- Steps ------------------------------------------------------------------------

    def _handle(self, conversation: Conversation, name: str) -> InputResult:
        return handle_input(conversation, INPUTS[name], ScriptedDice([3]))

    def _step(self, names: str, *, may_refuse: bool = False) -> None:
        conversation, commands = self.conversation, list(self.commands)
        step: list[SessionInput] = []
        for name in names.split():
            before, count_before = conversation, len(commands)
            result = self._handle(conversation, name)
            if result.refusal and not may_refuse:
                raise InvalidStepError(f"{names}: {name}: {result.refusal}")
            conversation = result.conversation
            for command in result.commands:
                if isinstance(command, BeginGame | ArchiveGame):
                    commands.append(command)
                else:
                    commands.append(StampedEntry(command, fingerprint(conversation.active_game)))
            step.append(SessionInput(name, before, conversation, count_before, len(commands)))
        if sum(one.commands_after > one.commands_before for one in step) != 1:
            raise InvalidStepError(f"{names}: not exactly one input is stored")
        self.conversation, self.commands = conversation, commands
        self.steps.append(tuple(step))


class InvalidStepError(ValueError):
    """Inputs that do not make a step."""
