"""The conversation of `marrakech hotseat`: a prompt for each phase, a drawing after each step.

The rules decide everything; this only asks, draws and remembers.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from shlex import quote

from companion.cli.arguments import fold
from companion.cli.hotseat.record_file import RecordFile
from companion.cli.market_text import draw_market, draw_players, has_colours, name_of
from companion.errors import CompanionError, NotationError, one_line
from companion.games.marrakech import (
    DIE,
    Action,
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
    parse_placement,
    record_text,
    square_name,
)
from companion.games.marrakech.market import parse_facing

HELP = "u takes the last thing back, m draws the market again, q stops, ? says this."
_PLACES_A_LINE = 6


class HotseatGame:
    """The conversation: a prompt for each phase, and the actions told so far."""

    def __init__(self, record: Record, chance: Random, keeper: RecordFile | None) -> None:
        self.record = record
        self.chance = chance
        self.keeper = keeper
        self.states = [record.start, *(after for _, after, _ in record.replay())]
        self.actions = list(record.actions)
        self.is_coloured = has_colours()
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

    @property
    def text(self) -> str:
        """The game so far, as a record."""
        told = self.record
        return record_text(
            Record(told.start, tuple(self.actions), told.booklet, told.names, told.notes)
        )

    def play(self) -> None:
        is_counted = self.state.is_over  # a finished record is not asked about again
        print(f"Marrakech, everybody at one keyboard.\n{HELP}")
        if self.keeper and self.actions and not is_counted:
            print(f"Going on with {self.keeper.name}.")
        self._draw()
        try:
            while not is_counted:
                if self.state.is_over:
                    is_counted = self._is_over_for_all()
                else:
                    self._take_step()
        except (Stop, EOFError):
            self._stop()
            return
        except KeyboardInterrupt:
            self._stop()
            raise
        self._count()

    def _take_step(self) -> None:
        state = self.state
        try:
            action = self.prompts[state.phase](state)
            after, events = apply(state, action)
        except _Asked:
            return
        except CompanionError as error:
            _refuse(error)
            return
        self.states.append(after)
        self.actions.append(action)
        self._save()
        for event in events:
            self._tell(event)
        is_laid = after.phase is Phase.PIVOT or after.begins_turn or after.is_over
        if state.phase is Phase.ROLL or is_laid:
            self._draw()

    def _is_over_for_all(self) -> bool:
        """The last rug can be taken back as any other."""
        try:
            self._confirm("That was the last turn. [Enter counts, u takes back]")
        except _Asked:
            return False
        except CompanionError as error:
            _refuse(error)
            return False
        except EOFError:  # nobody is left to take anything back
            print()
        return True

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
        told = [f"{n} {place}" for n, place in enumerate(places, start=1)]
        for first in range(0, len(told), _PLACES_A_LINE):
            print("  " + "  ".join(told[first : first + _PLACES_A_LINE]))
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

    def _save(self) -> None:
        if self.keeper is None:
            return
        try:
            self.keeper.save(self.text)
        except CompanionError as error:
            print(f"  NOT SAVED: {error}. The game goes on.")

    def _stop(self) -> None:
        if self.keeper and self.keeper.is_saved:
            print(f"\nThe game is kept in {self.keeper.name}.")
            print(f"'marrakech hotseat --record {quote(self.keeper.name)}' goes on with it.")
        elif self.actions:
            print(f"\nThe game so far:\n\n{self.text}")


def _refuse(error: CompanionError) -> None:
    """Say why an answer does not fit; the position is before everybody's eyes."""
    print(fold(f"  {one_line(str(error).partition(chr(10))[0])}"))


class Stop(Exception):
    """A player wants to stop."""


class _Asked(Exception):
    """The answer was a question of the player's own, and is dealt with."""
