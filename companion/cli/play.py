"""`marrakech play`: a game in the terminal, everybody at one keyboard.

The rules decide everything; this only asks, draws and remembers. With `--record FILE` the game is
written down after every step, and goes on from there when the file exists.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from random import Random, SystemRandom

from companion.cli.common import add_rules_arguments, read_record, setup_of
from companion.cli.drawing import draw_market, draw_players, has_colours, name_of
from companion.errors import CompanionError, NotationError
from companion.games.marrakech import (
    DIE,
    Action,
    Colour,
    Drew,
    Event,
    Lay,
    Orient,
    Paid,
    Pay,
    Phase,
    Pivot,
    Record,
    Returned,
    ReturnRug,
    Rolled,
    State,
    Walked,
    WentOut,
    apply,
    colour_named,
    legal_actions,
    new_game,
    parse_placement,
    record_text,
    square_name,
)
from companion.games.marrakech.market import parse_facing
from companion.games.marrakech.setup import Setup

HELP = "u takes the last thing back, m draws the market again, q stops, ? says this."


class Stop(Exception):
    """A player wants to stop."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_rules_arguments(parser)
    parser.add_argument("--players", type=int, metavar="N", help="2, 3 or 4 (asked if not given)")
    parser.add_argument("--names", metavar="A,B,C", help="names in seating order, with commas")
    parser.add_argument(
        "--record", metavar="FILE", help="write the game down here; go on with it if it exists"
    )
    parser.add_argument(
        "--told-piles",
        action="store_true",
        help="two players: you shuffle real rugs and say which colour comes (else they are dealt)",
    )


def run(args: argparse.Namespace) -> int:
    chance = SystemRandom()
    if args.record and _exists(args.record):
        record = read_record(args.record)
    else:
        if args.players is None:
            args.players = _ask_players()
        setup = setup_of(args)
        names = _names(args.names, len(setup.players))
        piles = None if args.told_piles else deal(setup, chance)
        record = Record(new_game(setup, piles=piles), booklet=args.booklet, names=names)
    Game(record, chance, args.record).play()
    return 0


def deal(setup: Setup, chance: Random) -> list[list[Colour]] | None:
    """Shuffled piles for two players with two colours; None where there is nothing to shuffle."""
    if not setup.has_two_colours or setup.options.two_player != "shuffled":
        return None
    return [chance.sample(colours * 12, 24) for colours in setup.players]


def _exists(name: str) -> bool:
    try:
        return Path(name).exists()
    except OSError as error:
        raise CompanionError(f"cannot read {name}: {error.strerror}") from None


def _ask_players() -> int:
    while True:
        try:
            answer = input("How many players, 2, 3 or 4? [4] ").strip() or "4"
        except EOFError:
            raise CompanionError("no answer: say how many play with --players") from None
        if answer in ("2", "3", "4"):
            return int(answer)
        print(f"  '{answer}' is no number of players: use 2, 3 or 4")


def _names(text: str | None, players: int) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",")) if text else ()
    if names and len(names) != players:
        raise CompanionError(f"{len(names)} names for {players} players: {', '.join(names)}")
    return names


class Game:
    """The conversation: a prompt for each phase, and the actions told so far."""

    def __init__(self, record: Record, chance: Random, file: str | None) -> None:
        self.record = record
        self.chance = chance
        self.file = file
        self.states = [record.start, *(after for _, after, _ in record.replay())]
        self.actions = list(record.actions)
        self.is_coloured = has_colours()
        self.is_saved = file is not None and Path(file).exists()
        self.prompts: dict[Phase, Callable[[State], Action]] = {
            Phase.ORIENT: self._ask_facing,
            Phase.ROLL: self._ask_roll,
            Phase.PAY: self._ask_payment,
            Phase.DRAW: self._ask_colour,
            Phase.LAY: self._ask_placement,
            Phase.PIVOT: self._ask_pivot,
        }

    @property
    def state(self) -> State:
        return self.states[-1]

    def play(self) -> None:
        print(f"Marrakech, everybody at one keyboard. {HELP}")
        if not self.state.is_over:
            if self.actions:
                print(f"Going on with {self.file}.")
            self._draw()
        try:
            while not self.state.is_over:
                self._take_step()
        except (Stop, EOFError):
            self._stop()
            return
        except KeyboardInterrupt:
            self._stop()
            raise
        self._draw()
        self._count()

    def _take_step(self) -> None:
        state = self.state
        try:
            action = self.prompts[state.phase](state)
            after, events = apply(state, action)
        except _Asked:
            return
        except CompanionError as error:
            print(f"  {str(error).partition(chr(10))[0]}")
            return
        self.states.append(after)
        self.actions.append(action)
        self._save()
        for event in events:
            self._tell(event)
        if state.phase is Phase.ROLL or after.begins_turn:
            self._draw()

    # --- Asking -----------------------------------------------------------------------

    def _ask(self, question: str) -> str:
        answer = input(f"{question} ").strip().lower()
        match answer:
            case "q":
                raise Stop
            case "?":
                print(f"  {HELP}")
            case "m":
                self._draw()
            case "u":
                self._take_back()
            case _:
                return answer
        raise _Asked

    def _confirm(self, question: str) -> None:
        answer = self._ask(question)
        if answer:
            raise NotationError(f"'{answer}' is no answer: press Enter when it is done")

    def _mover(self, state: State) -> str:
        return name_of(state, state.mover, self.record.names)

    def _ask_facing(self, state: State) -> Action:
        ways = "/".join(sorted(a.facing.letter for a in legal_actions(state) if type(a) is Orient))
        keep = state.facing.letter
        answer = self._ask(f"{self._mover(state)}: where shall Assam face, {ways}? [{keep}]")
        return Orient(parse_facing(answer or keep))

    def _ask_roll(self, state: State) -> Action:
        answer = self._ask(f"{self._mover(state)}: roll [Enter rolls, or type your die: 1-4]")
        if not answer:
            return Rolled(self.chance.choice(DIE))
        if not answer.isdecimal() or len(answer) > 3:
            raise NotationError(f"'{answer}' is no roll: use 1, 2, 3 or 4, or Enter")
        return Rolled(int(answer))

    def _ask_payment(self, state: State) -> Action:
        tribute = state.tribute_at(state.assam)
        assert tribute is not None, "phase PAY without tribute"
        owner = name_of(state, tribute.owner, self.record.names)
        purse = state.dirhams[state.mover]
        short = "" if purse >= tribute.due else f", but has only {purse}"
        self._confirm(f"{self._mover(state)} owes {owner} {tribute.due}{short} [Enter: paid]")
        return Pay()

    def _ask_colour(self, state: State) -> Action:
        colours = "/".join(c.letter.lower() for c in state.setup.players[state.mover])
        answer = self._ask(f"{self._mover(state)}: which colour have you drawn, {colours}?")
        return Drew(colour_named(answer))

    def _ask_placement(self, state: State) -> Action:
        legal = legal_actions(state)
        assert state.hand is not None, "phase LAY without a rug in hand"
        rug = f"{self._mover(state)}: a {state.hand.label} rug"
        if isinstance(legal[0], ReturnRug):
            self._confirm(f"{rug} can lie nowhere and goes back to the box [Enter]")
            return legal[0]
        places = [action.placement for action in legal if isinstance(action, Lay)]
        print("  " + "  ".join(f"{n} {place}" for n, place in enumerate(places, start=1)))
        answer = self._ask(f"{rug}, where? [a number, or two squares like {places[0]}]")
        numbers = [str(n) for n, _ in enumerate(places, start=1)]
        if answer in numbers:
            return legal[numbers.index(answer)]
        if not answer or answer.isdecimal():
            raise NotationError(f"'{answer}' is no choice: use 1 to {len(places)}, or two squares")
        place = parse_placement(answer)
        return Lay(place.first, place.second)

    def _ask_pivot(self, state: State) -> Action:
        ways = "/".join(sorted(a.facing.letter for a in legal_actions(state) if type(a) is Pivot))
        answer = self._ask(f"{self._mover(state)}: turn Assam for the next player, {ways}?")
        return Pivot(parse_facing(answer))

    # --- Telling ----------------------------------------------------------------------

    def _draw(self) -> None:
        state = self.state
        tribute = state.tribute_at(state.assam) if state.phase is Phase.PAY else None
        marked = tribute.region if tribute else ()
        print()
        print(*draw_market(state, marked=marked, is_coloured=self.is_coloured), sep="\n")
        print(*draw_players(state, self.record.names, is_coloured=self.is_coloured), sep="\n")

    def _tell(self, event: Event) -> None:
        names = self.record.names
        match event:
            case Walked(_, path):
                print(f"  Assam goes {len(path)}: {' '.join(square_name(s) for s, _ in path)}")
            case Paid(payer, owner, _, paid):
                who = name_of(self.state, payer, names)
                print(f"  {who} pays {name_of(self.state, owner, names)} {paid}.")
            case WentOut(player):
                print(f"  {name_of(self.state, player, names)} is out: the rugs are neutral now.")
            case Returned():
                print("  The rug goes back to the box.")
            case _:  # what is seen on the market needs no words
                pass

    def _take_back(self) -> None:
        if not self.actions:
            print("  Nothing was told yet.")
            return
        print(f"  Taken back: {self.actions.pop()}.")
        self.states.pop()
        self._save()
        self._draw()

    def _count(self) -> None:
        print("\nThe count:")
        for row in self.state.ranking():
            told = "out" if row.is_out else f"{row.dirhams} + {row.visible} = {row.score}"
            print(f"{row.rank}. {name_of(self.state, row.player, self.record.names)}: {told}")

    # --- Keeping ----------------------------------------------------------------------

    def _text(self) -> str:
        told = self.record
        return record_text(
            Record(told.start, tuple(self.actions), told.booklet, told.names, told.notes)
        )

    def _save(self) -> None:
        """Write the game down whole, so that a power cut leaves the old text or the new."""
        if self.file is None:
            return
        beside = Path(f"{self.file}.new")
        self.is_saved = False
        try:
            with beside.open("w", encoding="utf-8") as file:
                file.write(self._text())
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self.file)
            self.is_saved = True
        except OSError as error:
            print(f"  NOT SAVED: cannot write {self.file}: {error.strerror}. The game goes on.")

    def _stop(self) -> None:
        if self.is_saved:
            print(f"\nThe game is kept in {self.file}; the same command goes on with it.")
        elif self.actions:
            print(f"\nThe game so far:\n\n{self._text()}")


class _Asked(Exception):
    """The answer was a question of the player's own, and is dealt with."""
