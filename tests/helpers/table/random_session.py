"""A whole evening at the table, by chance: everything that can be told, and three games of it.

It is made of steps. A step begins and ends where the companion would be after a power cut and an
OK: on the first page of the set-up, or in the game. One input of each is written down.
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
    fresh,
)
from companion.table.game import facings
from companion.table.transitions import hear
from helpers.table.table_driver import INPUTS, Rolls

WAYS = ("north", "east", "south", "west")


@dataclass(frozen=True)
class Press:
    """One input, and how many notes there are before and after it, since the evening began."""

    word: str
    before: Conversation
    after: Conversation
    notes_before: int
    notes_after: int


Step = tuple[Press, ...]


class RandomSession:
    """Steps as they are made up, and what they lead to."""

    def __init__(self, seed: int, customs: Preferences) -> None:
        self.chance = Random(seed)
        self.conversation = fresh(customs)
        self.start = self.conversation
        self.steps: list[Step] = []
        self.notes: list[StampedCommand] = []
        self._play()

    # --- What is played ---------------------------------------------------------------

    def _play(self) -> None:
        """A game of two that one of them is out of, one that is broken off, one under way."""
        self._step("south south ok ok north ok ok")
        self._turns(3)
        self._step("back")
        self._step("west")
        self._step("east")
        self._step("ok")
        self._any("audit {} ok audit")  # Assam stands elsewhere
        self._any("audit ok {} ok audit")  # and is turned
        self._turns(2)
        self._any("audit ok ok north {} {} ok {} ok ok audit")  # half a rug, or none
        self._any("audit ok ok north {} ok {} ok {} audit")  # a whole rug
        self._step("audit ok ok ok north north ok audit")  # dirhams
        for _ in range(8):
            self._turns(1)
            self._back_and_forth()
        self._step("audit ok ok ok " + "west south " * 12 + "ok audit", may_refuse=True)
        while self.stage is not Stage.OVER:
            self._turns(1)
        self._step("back")
        self._step("east")
        self._step("ok")  # put away
        self._step("south ok ok ok 2")  # the die begins the game
        self._turns(2)
        self._step("pause pause")
        self._step("ok north ok ok west ok")  # and here Assam is turned last
        self._turns(2)

    @property
    def stage(self) -> Stage:
        return self.conversation.stage

    def _turns(self, number: int) -> None:
        mover, done = self._mover(), 0
        for _ in range(60):
            if done == number or self.stage is Stage.OVER:
                return
            self._step(self._leading_on())
            if self._mover() != mover:
                mover, done = self._mover(), done + 1

    def _any(self, words: str) -> None:
        """With directions in the gaps, such that every word is heard."""
        for _ in range(500):
            told = words.format(*self.chance.choices(WAYS, k=words.count("{}")))
            with suppress(Unfit):
                return self._step(told)
        raise AssertionError(f"nothing fits {words!r}")

    def _mover(self) -> int:
        return self.conversation.playing.state.mover

    def _leading_on(self) -> str:
        match self.stage:
            case Stage.ORIENT if self.chance.random() < 0.3:
                return self._a_turn()
            case Stage.ORIENT | Stage.ROLL:
                return self.chance.choice(("1", "2", "2", "3", "3", "4", "ok"))  # OK rolls as well
            case Stage.PIVOT if not self.conversation.playing.now.is_chosen:
                return self._a_turn()
            case Stage.DRAW:
                return self.chance.choice(("east", "west"))
            case Stage.LAY if self.chance.random() < 0.3:
                return self.chance.choice([way for way in WAYS if self._is_heard(way)])
        return "ok"

    def _a_turn(self) -> str:
        game = self.conversation.playing
        ways = facings(game.state) or tuple(Facing)
        return self.chance.choice([way for way in ways if way is not game.now.facing]).name.lower()

    def _back_and_forth(self) -> None:
        if self.stage is not Stage.OVER and self.chance.random() < 0.5:
            self._step("back")
            while self.chance.random() < 0.5:
                self._step(self.chance.choice(("back", "west")))
            while self.stage is Stage.PUT_BACK:
                self._step("east" if self.chance.random() < 0.5 else "ok")

    def _is_heard(self, word: str) -> bool:
        return self._hear(self.conversation, word).refused is None

    # --- How it is kept ---------------------------------------------------------------

    def _hear(self, conversation: Conversation, word: str) -> InputResult:
        return hear(conversation, INPUTS[word], Rolls([3]))

    def _step(self, words: str, *, may_refuse: bool = False) -> None:
        conversation, notes = self.conversation, list(self.notes)
        step: list[Press] = []
        for word in words.split():
            before, noted = conversation, len(notes)
            answer = self._hear(conversation, word)
            if answer.refused and not may_refuse:
                raise Unfit(f"{words}: {word}: {answer.refused}")
            conversation = answer.conversation
            for note in answer.notes:
                if isinstance(note, BeginGame | ArchiveGame):
                    notes.append(note)
                else:
                    notes.append(StampedEntry(note, fingerprint(conversation.playing)))
            step.append(Press(word, before, conversation, noted, len(notes)))
        if sum(press.notes_after > press.notes_before for press in step) != 1:
            raise Unfit(f"{words}: not just one input is written down")
        self.conversation, self.notes = conversation, notes
        self.steps.append(tuple(step))


class Unfit(ValueError):
    """Words that are no step."""
