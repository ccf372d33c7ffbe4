"""The game loop of `marrakech hotseat`: one prompt per phase, a drawing after each step.

All rules are in `companion.games.marrakech`. docs/adr/0008-hotseat-has-its-own-prompts.md explains
why this does not use `companion.table`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
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

HELP = "u takes back the last step, m draws the market again, q stops, ? shows this."
_PLACES_PER_LINE = 6


class HotseatGame:
    """A game at one keyboard: the record so far, and a prompt for each phase."""

    def __init__(self, record: Record, rng: Random, record_file: RecordFile | None) -> None:
        self.record = record
        self.rng = rng
        self.record_file = record_file
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
        return record_text(replace(self.record, actions=tuple(self.actions)))

    def play(self) -> None:
        is_finished = self.state.is_over  # a finished record needs no confirmation
        print(f"Marrakech, everybody at one keyboard.\n{HELP}")
        if self.record_file and self.actions and not is_finished:
            print(f"Continuing {self.record_file.shown_name}.")
        self._draw()
        try:
            while not is_finished:
                if self.state.is_over:
                    is_finished = self._confirm_end()
                else:
                    self._play_step()
        except (StopGame, EOFError):
            self._print_where_saved()
            return
        except KeyboardInterrupt:
            self._print_where_saved()
            raise
        self._print_score()

    def _play_step(self) -> None:
        state = self.state
        try:
            action = self.prompts[state.phase](state)
            after, events = apply(state, action)
        except _CommandHandled:
            return
        except CompanionError as error:
            _print_refusal(error)
            return
        self.states.append(after)
        self.actions.append(action)
        self._save()
        for event in events:
            self._print_event(event)
        is_laid = after.phase is Phase.PIVOT or after.is_turn_start or after.is_over
        if state.phase is Phase.ROLL or is_laid:
            self._draw()

    def _confirm_end(self) -> bool:
        """Ask before the final score, because the last step can be taken back too."""
        try:
            self._confirm("That was the last turn. [Enter counts, u takes back]")
        except _CommandHandled:
            return False
        except CompanionError as error:
            _print_refusal(error)
            return False
        except EOFError:  # nobody can take anything back any more
            print()
        return True

    # --- Prompts ----------------------------------------------------------------------

    def _ask(self, question: str) -> str:
        answer = input(f"{question} ").strip().lower()
        match answer:
            case "q":
                raise StopGame
            case "?":
                print(f"  {HELP}")
            case "m":
                self._draw()
            case "u":
                self._undo()
            case _:
                return answer
        raise _CommandHandled

    def _confirm(self, question: str) -> None:
        answer = self._ask(question)
        if answer:
            raise NotationError(f"'{answer}' is not an answer: press Enter when it is done")

    def _mover_name(self, state: State) -> str:
        return name_of(state, state.mover, self.record.names)

    def _ask_facing(self, state: State) -> Action:
        ways = "/".join(sorted(a.facing.letter for a in legal_actions(state) if type(a) is Orient))
        keep = state.facing.letter
        answer = self._ask(f"{self._mover_name(state)}: where shall Assam face, {ways}? [{keep}]")
        return Orient(parse_facing(answer or keep))

    def _ask_roll(self, state: State) -> Action:
        answer = self._ask(f"{self._mover_name(state)}: roll [Enter rolls, or type your die: 1-4]")
        if not answer:
            return Rolled(self.rng.choice(DIE))
        if not answer.isdecimal() or len(answer) > 3:
            raise NotationError(f"'{answer}' is not a roll: use 1, 2, 3 or 4, or Enter")
        return Rolled(int(answer))

    def _ask_payment(self, state: State) -> Action:
        tribute = state.tribute_at(state.assam)
        assert tribute is not None, "phase PAY without tribute"
        owner = name_of(state, tribute.owner, self.record.names)
        purse = state.dirhams[state.mover]
        short = "" if purse >= tribute.due else f", but has only {purse}"
        self._confirm(f"{self._mover_name(state)} owes {owner} {tribute.due}{short} [Enter: paid]")
        return Pay()

    def _ask_colour(self, state: State) -> Action:
        colours = "/".join(c.letter.lower() for c in state.setup.players[state.mover])
        answer = self._ask(f"{self._mover_name(state)}: which colour have you drawn, {colours}?")
        return Drew(colour_named(answer))

    def _ask_placement(self, state: State) -> Action:
        legal = legal_actions(state)
        assert state.hand is not None, "phase LAY without a rug in hand"
        rug = f"{self._mover_name(state)}: a {state.hand.label} rug"
        if isinstance(legal[0], ReturnRug):
            self._confirm(f"{rug} can lie nowhere and goes back to the box [Enter]")
            return legal[0]
        places = [action.placement for action in legal if isinstance(action, Lay)]
        choices = [f"{n} {place}" for n, place in enumerate(places, start=1)]
        for first in range(0, len(choices), _PLACES_PER_LINE):
            print("  " + "  ".join(choices[first : first + _PLACES_PER_LINE]))
        answer = self._ask(f"{rug}, where? [a number, or two squares like {places[0]}]")
        numbers = [str(n) for n, _ in enumerate(places, start=1)]
        if answer in numbers:
            return legal[numbers.index(answer)]
        if not answer or answer.isdecimal():
            raise NotationError(
                f"'{answer}' is not a choice: use 1 to {len(places)}, or two squares"
            )
        place = parse_placement(answer)
        return Lay(place.first, place.second)

    def _ask_pivot(self, state: State) -> Action:
        ways = "/".join(sorted(a.facing.letter for a in legal_actions(state) if type(a) is Pivot))
        answer = self._ask(f"{self._mover_name(state)}: turn Assam for the next player, {ways}?")
        return Pivot(parse_facing(answer))

    # --- Output -----------------------------------------------------------------------

    def _draw(self) -> None:
        state = self.state
        tribute = state.tribute_at(state.assam) if state.phase is Phase.PAY else None
        marked = tribute.region if tribute else ()
        print()
        print(*draw_market(state, marked=marked, is_coloured=self.is_coloured), sep="\n")
        print(*draw_players(state, self.record.names, is_coloured=self.is_coloured), sep="\n")

    def _print_event(self, event: Event) -> None:
        names = self.record.names
        match event:
            case Walked(_, path):
                print(f"  Assam goes {len(path)}: {' '.join(square_name(s) for s, _ in path)}")
            case Paid(payer, owner, _, paid):
                payer_name = name_of(self.state, payer, names)
                print(f"  {payer_name} pays {name_of(self.state, owner, names)} {paid}.")
            case WentOut(player):
                print(f"  {name_of(self.state, player, names)} is out: the rugs are neutral now.")
            case Returned():
                print("  The rug goes back to the box.")
            case _:  # visible on the market
                pass

    def _undo(self) -> None:
        if not self.actions:
            print("  There is nothing to take back.")
            return
        print(f"  Taken back: {self.actions.pop()}.")
        self.states.pop()
        self._save()
        self._draw()

    def _print_score(self) -> None:
        print("\nThe count:")
        for row in self.state.ranking():
            score = "out" if row.is_out else f"{row.dirhams} + {row.visible} = {row.score}"
            print(f"{row.rank}. {name_of(self.state, row.player, self.record.names)}: {score}")

    # --- Saving -----------------------------------------------------------------------

    def _save(self) -> None:
        if self.record_file is None:
            return
        try:
            self.record_file.save(self.text)
        except CompanionError as error:
            print(f"  NOT SAVED: {error}. The game goes on.")

    def _print_where_saved(self) -> None:
        if self.record_file and self.record_file.is_saved:
            name = self.record_file.shown_name
            print(f"\nThe game is saved in {name}.")
            print(f"'marrakech hotseat --record {quote(name)}' continues it.")
        elif self.actions:
            print(f"\nThe game so far:\n\n{self.text}")


def _print_refusal(error: CompanionError) -> None:
    """Print why an answer is refused, without the error's position line."""
    print(fold(f"  {one_line(str(error).partition(chr(10))[0])}"))


class StopGame(Exception):
    """A player typed q."""


class _CommandHandled(Exception):
    """The player typed a command (?, m or u), which has been carried out."""
