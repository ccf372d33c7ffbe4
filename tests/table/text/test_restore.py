"""BACK says how to put the cardboard back, and whoever does just that has it back."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from random import Random

import pytest
from helpers.rules.strategies import random_setup
from helpers.table.table_driver import CORNERED, INPUTS, TableDriver, at, begun

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
from companion.i18n.message import Message, Who
from companion.table.conversation import Conversation, Playing, Preferences, Stage
from companion.table.entries import Beginning, Face
from companion.table.game import Game, Moment

# --- Word for word ------------------------------------------------------------------------


def test_a_rug_that_is_taken_back_is_offered_where_it_lay() -> None:
    talk = begun("2 east east")
    aim = talk.game.aim
    talk.say("ok back")
    assert talk.game.aim == aim
    talk.say("ok")
    assert (talk.stage, talk.game.aim) == (Stage.LAY, aim)


def test_a_turning() -> None:
    assert begun("east back").news() == ["Turn Assam to face south again."]
    assert begun("east west back").news() == ["Turn Assam to face east again."]


def test_a_walk_and_then_the_turning_before_it() -> None:
    talk = begun("east 3 back")
    assert talk.news() == ["Put Assam back on d4, facing east."]
    assert talk.say("back").news() == [
        "Put Assam back on d4, facing east.",
        "Turn Assam to face south again.",
    ]


def test_a_rug_and_what_was_under_each_half_of_it() -> None:
    position = (
        "......./......./......./...R1.../...R2R2../......./....... "
        "c5n lay Y R:30:10,Y:30:12,B:30:12,N:30:12 -"
    )
    talk = at(position, "east")
    assert talk.say("ok back").news() == [
        "Lift the yellow rug from c4 and d4: Yellow takes it back.",
        "Nothing was under it on c4.",
        "Under it on d4: red.",
    ]


OWES_THREE = (
    "......./......./......./...R1.../...R2R2../......./....... "
    "e5e pay Y R:30:10,Y:{}:11,B:30:12,N:30:12 -"
)


def test_coins() -> None:
    assert at(OWES_THREE.format(30), "ok back").news() == ["Red gives 3 dirhams back to Yellow."]
    assert at(OWES_THREE.format(1), "ok back").news() == [
        "Red gives 1 dirham back to Yellow.",
        "Yellow is in again and takes 11 rugs back from the box.",
    ]


def test_a_drawn_rug() -> None:
    assert begun("3 east back", players=2).news() == [
        "Red & Yellow puts the yellow rug back on top of the pile."
    ]


def test_a_rug_in_the_box() -> None:
    assert at(CORNERED, "ok back").news() == ["Yellow takes the yellow rug out of the box again."]


def test_names_are_said() -> None:
    talk = begun("3 ok back", names=("Ana", "Bo", "Cleo", "Dan"))
    assert talk.news()[0] == "Lift the red rug from b7 and c7: Ana takes it back."


# --- Hands and cardboard ------------------------------------------------------------------


@dataclass
class Cardboard:
    """The market as it lies: real stacks, real purses. It knows nothing of any rule."""

    assam: int
    facing: Facing
    dirhams: list[int]
    rugs: list[int]
    """With their players, not laid yet, by colour."""
    stacks: list[list[Rug]]
    boxed: list[int] = field(default_factory=lambda: [0] * 4)

    def follow(self, now: Moment) -> None:
        """What players do with their hands when they play."""
        if isinstance(now.told, Face):
            self.facing = now.told.facing
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

    def put_back(self, step: Message, seats: dict[Who, int]) -> None:
        """What a person does who has only the message to go by."""
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
                self.dirhams[seats[_who(step, "owner")]] -= count
                self.dirhams[seats[_who(step, "payer")]] += count
            case "back.out":
                colours = _who(step, "player").colours
                taken = [self.boxed[colour] for colour in colours]
                assert sum(taken) == value["count"], "he takes all that he had put there"
                for colour, count in zip(colours, taken, strict=True):
                    self.boxed[colour] -= count
                    self.rugs[colour] += count
            case "back.rug":
                squares = [parse_square(str(value[name])) for name in ("one", "other")]
                one, other = (self.stacks[square].pop() for square in squares)
                assert one == other, "one rug lies on both, with nothing on it"
                assert one.colour is value["colour"]
                assert one.colour in _who(step, "player").colours
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
                assert value["colour"] in _who(step, "player").colours
            case key:
                raise AssertionError(f"nobody knows what to do: {key}")

    def is_as(self, state: State, facing: Facing) -> bool:
        """Whether the companion's position is this cardboard, as far as it can be seen."""
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


def _who(step: Message, name: str) -> Who:
    who = step.value(name)
    assert isinstance(who, Who)
    return who


class Table:
    """A conversation, and the cardboard that its players keep beside it."""

    def __init__(self, chance: Random, state: State | None = None) -> None:
        state = state or new_game(random_setup(chance))
        self.chance = chance
        game = Game(Beginning(state.setup), Moment(state, state.facing))
        self.talk = TableDriver(Conversation(Preferences(), Playing(), game))
        self.cardboard = Cardboard(
            state.assam,
            state.facing,
            list(state.dirhams),
            list(state.left),
            [[rug] if (rug := state.rug_on(square)) else [] for square in range(49)],
        )
        self.seats = {
            self.talk.conversation.who(seat): seat for seat in range(len(state.setup.players))
        }
        self.earlier: list[Cardboard] = []
        self.said: set[str] = set()

    def play(self) -> None:
        """Something that leads on; what is refused touches no cardboard."""
        before = self.talk.game.now
        words = ["ok", "ok", "north", "east", "south", "west", "1", "2", "3", "4"]
        if self.talk.stage is Stage.OVER:
            return
        self.talk.hear(INPUTS[self.chance.choice(words)])
        now = self.talk.game.now
        if now is not before:
            self.earlier.append(deepcopy(self.cardboard))
            self.cardboard.follow(now)
        assert self.cardboard.is_as(now.state, now.facing)

    def take_back(self, times: int) -> None:
        """BACK so many times, and then everything that is said, in order."""
        for _ in range(times):
            self.talk.hear(INPUTS["back"])
            as_it_was = self.earlier.pop()
        for step in self.talk.conversation.news:
            self.cardboard.put_back(step, self.seats)
            self.said.add(step.key)
        assert self.cardboard == as_it_was
        self.talk.hear(INPUTS["ok"])


def test_whoever_does_what_is_said_has_the_cardboard_as_it_was() -> None:
    """Any table, any turns, any number of steps: stacks, purses, piles, Assam and all."""
    said: set[str] = set()
    for seed in range(40):
        is_cornered = seed % 10 == 0  # where nothing can be laid, which play seldom leads to
        table = Table(Random(seed), parse_position(CORNERED) if is_cornered else None)
        for _ in range(25):
            for _ in range(table.chance.randrange(2, 60)):
                table.play()
            if table.earlier:
                table.take_back(table.chance.randint(1, min(len(table.earlier), 12)))
        said |= table.said
    steps = {key for key in ENGLISH if key.startswith("back.")}
    assert said == steps - {"back.correction"}, "every kind of step was tried"


@pytest.mark.parametrize("seed", range(5))
def test_a_whole_game_goes_back_into_its_box(seed: int) -> None:
    table = Table(Random(seed))
    while table.talk.stage is not Stage.OVER:
        table.play()
    table.take_back(len(table.earlier))
    assert table.cardboard.stacks == [[] for _ in range(49)]
    assert table.talk.game.now.number == 0
