"""Scenarios: what is done at a table and what is then to be seen, played without a screen.

    outcome = run_script(text, "back.txt", folder)
    print(outcome.report)

The daemon is the one that runs on a Raspberry Pi, on mocked pins, a virtual SPI bus and a virtual
clock: an evening takes no longer than what happens in it, and comes out the same every time.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from companion.errors import CompanionError, counted
from companion.scenario.expectations import Expectations
from companion.scenario.reader import parse_scenario
from companion.scenario.runner import ScenarioTable
from companion.scenario.statements import (
    Bounce,
    Code,
    Deals,
    DiskIs,
    Doing,
    Expect,
    Expectation,
    ExpectFrames,
    ExpectHeard,
    Glitch,
    Hold,
    Kill,
    MatrixPlug,
    Move,
    Press,
    Restart,
    Rolls,
    Scenario,
    Statement,
    Tear,
    Wait,
)
from companion.testing.virtual_time import run


@dataclass(frozen=True)
class Failure:
    """A line that did not come out: what was expected there, and what was shown."""

    statement: Statement
    expected: tuple[str, ...]
    shown: tuple[str, ...]

    def __str__(self) -> str:
        lines = [f"line {self.statement.line}: {self.statement.text}"]
        lines += [f"  expected: {one}" for one in self.expected]
        lines += [f"  shown:    {one}" for one in self.shown]
        return "\n".join(lines)


@dataclass(frozen=True)
class Outcome:
    """How a scenario came out."""

    name: str
    title: str
    expectations: int
    """How many were checked."""
    failures: tuple[Failure, ...]

    @property
    def passed(self) -> bool:
        return not self.failures

    @property
    def report(self) -> str:
        """For people: one line, and a few more for each line that did not come out."""
        checked = counted(self.expectations, "expectation")
        if self.passed:
            return f"{self.name}: {self.title}: passed, {checked}"
        failed = counted(len(self.failures), "line")
        head = f"{self.name}: {self.title}: FAILED in {failed}, {checked} checked"
        return "\n".join([head, *map(str, self.failures)])


def run_scenario(text: str, name: str, folder: Path) -> Outcome:
    """Play a scenario on the games in `folder`. What cannot be read is a ScriptError.

    All expectations are checked, also after one that failed; what cannot be done ends it.
    """
    return run(_play(parse_scenario(text), name, folder))


async def _play(script: Scenario, name: str, folder: Path) -> Outcome:
    rehearsal = ScenarioTable(script.config, folder)
    audience = Expectations(rehearsal)
    failures: list[Failure] = []
    checked = 0
    statement = Statement(1, f"title {script.title}", Restart())
    try:
        await rehearsal.start()
        for statement in script.statements:
            says = statement.says
            if isinstance(says, Expect | ExpectFrames | ExpectHeard):
                checked += 1
                shown = await audience.misses(says)
                if shown is not None:
                    failures.append(Failure(statement, _expected(says), shown))
            else:
                await _do(rehearsal, says)
            if rehearsal.faults:
                raise rehearsal.faults[0]
        await rehearsal.stop()
    except CompanionError as error:
        failures.append(Failure(statement, (), (str(error),)))
    except Exception as error:  # a fault of ours: the scenario is what found it
        told = f"the companion failed: {type(error).__name__}: {error}"
        failures.append(Failure(statement, ("an answer",), (told,)))
    finally:
        rehearsal.drop()
    return Outcome(name, script.title, checked, tuple(failures))


async def _do(at: ScenarioTable, doing: Doing) -> None:
    match doing:
        case Press(contacts):
            for contact in contacts:
                await at.tap(contact)
        case Hold(contact):
            await at.hold(contact)
        case Move(way, contact):
            await at.move(way, contact)
        case Bounce(contact, times):
            await at.tap(contact, times)
        case Glitch(contact, ms):
            await at.glitch(contact, ms)
        case Wait(ms):
            await at.pass_time(ms)
        case MatrixPlug(is_in):
            at.plug_matrix(is_in)
        case DiskIs(None, takes_ms):
            at.slow_disk(takes_ms)
        case DiskIs(state):
            assert state is not None
            at.set_disk(state)
        case Kill():
            await at.kill()
        case Restart():
            await at.start()
        case Tear(count):
            at.tear(count)
        case Rolls(pips):
            at.chance.rolls.extend(pips)
        case Deals(piles):
            at.chance.piles = piles
        case Code(digits):
            at.chance.codes.append(digits)


def _expected(says: Expectation) -> tuple[str, ...]:
    """In the form in which it is shown."""
    match says:
        case ExpectFrames(_, frames):
            return tuple(" ".join(row) for row in zip(*frames, strict=True))
        case ExpectHeard(within_ms):
            return (f"heard within {within_ms:g} ms",)
        case Expect(subject, is_not, one, is_part, all_of):
            if all_of is not None:
                return all_of
            told = subject if one is None else one
            return (f"{'not ' * is_not}{'… ' * is_part}{told}{' …' * is_part}",)
