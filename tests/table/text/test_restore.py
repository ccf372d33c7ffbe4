"""The messages after an undo: following them restores the cardboard."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from random import Random

import pytest
from helpers.rules.strategies import random_setup
from helpers.table.table_driver import CORNERED, INPUTS, TableDriver, game_at, started_game

from companion.games.marrakech import (
    Colour,
    Facing,
    Laid,
    Paid,
    Returned,
    Rug,
    State,
    Walked,
    WentOut,
    new_game,
    parse_position,
    parse_square,
)
from companion.i18n.english import ENGLISH
from companion.i18n.message import Message, PlayerName
from companion.table.conversation import Conversation, Playing, Preferences, Stage
from companion.table.entries import Beginning, Face
from companion.table.game import Game, Moment

# --- Word for word ------------------------------------------------------------------------


def test_an_undone_rug_is_offered_where_it_was_laid() -> None:
    driver = started_game("2 east east")
    aim = driver.game.aim
    driver.press("ok back")
    assert driver.game.aim == aim
    driver.press("ok")
    assert (driver.stage, driver.game.aim) == (Stage.LAY, aim)


def test_restore_a_turn_of_assam() -> None:
    assert started_game("east back").news() == ["Turn Assam to face south again."]
    assert started_game("east west back").news() == ["Turn Assam to face east again."]


def test_restore_a_walk_and_then_the_turn_before_it() -> None:
    driver = started_game("east 3 back")
    assert driver.news() == ["Put Assam back on d4, facing east."]
    assert driver.press("back").news() == [
        "Put Assam back on d4, facing east.",
        "Turn Assam to face south again.",
    ]


def test_restore_a_rug_and_what_was_under_each_half() -> None:
    position = (
        "......./......./......./...R1.../...R2R2../......./....... "
        "c5n lay Y R:30:10,Y:30:12,B:30:12,N:30:12 -"
    )
    driver = game_at(position, "east")
    assert driver.press("ok back").news() == [
        "Lift the yellow rug from c4 and d4: Yellow takes it back.",
        "Nothing was under it on c4.",
        "Under it on d4: red.",
    ]


OWES_THREE = (
    "......./......./......./...R1.../...R2R2../......./....... "
    "e5e pay Y R:30:10,Y:{}:11,B:30:12,N:30:12 -"
)


def test_restore_coins() -> None:
    assert game_at(OWES_THREE.format(30), "ok back").news() == [
        "Red gives 3 dirhams back to Yellow."
    ]
    assert game_at(OWES_THREE.format(1), "ok back").news() == [
        "Red gives 1 dirham back to Yellow.",
        "Yellow is in again and takes 11 rugs back from the box.",
    ]


def test_restore_a_drawn_rug() -> None:
    assert started_game("3 east back", players=2).news() == [
        "Red & Yellow puts the yellow rug back on top of the pile."
    ]


def test_restore_a_rug_from_the_box() -> None:
    assert game_at(CORNERED, "ok back").news() == [
        "Yellow takes the yellow rug out of the box again."
    ]


def test_restore_messages_use_names() -> None:
    driver = started_game("3 ok back", names=("Ana", "Bo", "Cleo", "Dan"))
    assert driver.news()[0] == "Lift the red rug from b7 and c7: Ana takes it back."


# --- Simulated cardboard ------------------------------------------------------------------


@dataclass
class Cardboard:
    """The physical state: stacks of rugs, purses, Assam. Knows no rules."""

    assam: int
    facing: Facing
    dirhams: list[int]
    rugs: list[int]
    """Rugs not laid yet, by colour."""
    stacks: list[list[Rug]]
    boxed: list[int] = field(default_factory=lambda: [0] * 4)

    def follow(self, now: Moment) -> None:
        """Do what players do on the cardboard when they play."""
        if isinstance(now.entry, Face):
            self.facing = now.entry.facing
        for event in now.events:
            match event:
                case Walked(_, path):
                    self.assam, self.facing = path[-1]
                case Paid(payer, owner, _, paid):
                    self.dirhams[payer] -= paid
                    self.dirhams[owner] += paid
                case WentOut(_, returned):
                    for colour, count in returned:
                        self.rugs[colour] -= count
                        self.boxed[colour] += count
                case Laid(_, rug, place):
                    self.rugs[rug.colour] -= 1
                    self.stacks[place.first].append(rug)
                    self.stacks[place.second].append(rug)
                case Returned(_, rug):
                    self.rugs[rug.colour] -= 1
                    self.boxed[rug.colour] += 1

    def put_back(self, step: Message, seats: dict[PlayerName, int]) -> None:
        """Follow one message, with no other knowledge."""
        value = dict(step.values)
        match step.key:
            case "back.face":
                self.facing = _facing(step)
            case "back.stands":
                pass
            case "back.assam":
                self.assam, self.facing = parse_square(str(value["square"])), _facing(step)
            case "back.coins":
                count = int(str(value["count"]))
                self.dirhams[seats[_player(step, "owner")]] -= count
                self.dirhams[seats[_player(step, "payer")]] += count
            case "back.out":
                colours = _player(step, "player").colours
                taken = [self.boxed[colour] for colour in colours]
                assert sum(taken) == value["count"], "the player takes back all that was returned"
                for colour, count in zip(colours, taken, strict=True):
                    self.boxed[colour] -= count
                    self.rugs[colour] += count
            case "back.rug":
                squares = [parse_square(str(value[name])) for name in ("one", "other")]
                one, other = (self.stacks[square].pop() for square in squares)
                assert one == other, "both halves are one rug, with nothing on top"
                assert one.colour is value["colour"]
                assert one.colour in _player(step, "player").colours
                self.rugs[one.colour] += 1
            case "back.under_nothing":
                assert self.stacks[parse_square(str(value["square"]))] == []
            case "back.under_rug":
                top = self.stacks[parse_square(str(value["square"]))][-1]
                assert top.colour is value["colour"]
            case "back.returned":
                rug = value["colour"]
                assert isinstance(rug, Colour)
                self.boxed[rug] -= 1
                self.rugs[rug] += 1
            case "back.drew":
                assert value["colour"] in _player(step, "player").colours
            case key:
                raise AssertionError(f"unexpected message: {key}")

    def matches(self, state: State, facing: Facing) -> bool:
        """Whether the cardboard looks like this position."""
        tops = [stack[-1].code if stack else 0 for stack in self.stacks]
        return (self.assam, self.facing, tuple(self.dirhams), bytes(tops), tuple(self.rugs)) == (
            state.assam,
            facing,
            state.dirhams,
            state.tops,
            state.left,
        )


def _facing(step: Message) -> Facing:
    facing = step.value("facing")
    assert isinstance(facing, Facing)
    return facing


def _player(step: Message, name: str) -> PlayerName:
    player = step.value(name)
    assert isinstance(player, PlayerName)
    return player


class TableWithCardboard:
    """A driver, and the cardboard that players move beside it."""

    def __init__(self, random: Random, state: State | None = None) -> None:
        state = state or new_game(random_setup(random))
        self.random = random
        game = Game(Beginning(state.setup), Moment(state, state.facing))
        self.driver = TableDriver(Conversation(Preferences(), Playing(), game))
        self.cardboard = Cardboard(
            state.assam,
            state.facing,
            list(state.dirhams),
            list(state.left),
            [[rug] if (rug := state.rug_on(square)) else [] for square in range(49)],
        )
        self.seats = {
            self.driver.conversation.player_name(seat): seat
            for seat in range(len(state.setup.players))
        }
        self.earlier: list[Cardboard] = []
        self.message_keys: set[str] = set()

    def play(self) -> None:
        """Give a random input. A refused input does not touch the cardboard."""
        before = self.driver.game.now
        inputs = ["ok", "ok", "north", "east", "south", "west", "1", "2", "3", "4"]
        if self.driver.stage is Stage.OVER:
            return
        self.driver.handle(INPUTS[self.random.choice(inputs)])
        now = self.driver.game.now
        if now is not before:
            self.earlier.append(deepcopy(self.cardboard))
            self.cardboard.follow(now)
        assert self.cardboard.matches(now.state, now.facing)

    def undo(self, times: int) -> None:
        """Press BACK so many times, then follow all messages in order."""
        for _ in range(times):
            self.driver.handle(INPUTS["back"])
            expected = self.earlier.pop()
        for step in self.driver.conversation.news:
            self.cardboard.put_back(step, self.seats)
            self.message_keys.add(step.key)
        assert self.cardboard == expected
        self.driver.handle(INPUTS["ok"])


def test_following_the_messages_restores_the_cardboard() -> None:
    """For random tables, inputs and numbers of undos."""
    message_keys: set[str] = set()
    for seed in range(40):
        is_cornered = seed % 10 == 0  # the rug fits nowhere, which is rare in play
        table = TableWithCardboard(Random(seed), parse_position(CORNERED) if is_cornered else None)
        for _ in range(25):
            for _ in range(table.random.randrange(2, 60)):
                table.play()
            if table.earlier:
                table.undo(table.random.randint(1, min(len(table.earlier), 12)))
        message_keys |= table.message_keys
    steps = {key for key in ENGLISH if key.startswith("back.")}
    assert message_keys == steps - {"back.correction"}, "every kind of message occurred"


@pytest.mark.parametrize("seed", range(5))
def test_undoing_a_whole_game_empties_the_market(seed: int) -> None:
    table = TableWithCardboard(Random(seed))
    while table.driver.stage is not Stage.OVER:
        table.play()
    table.undo(len(table.earlier))
    assert table.cardboard.stacks == [[] for _ in range(49)]
    assert table.driver.game.now.entry_count == 0
