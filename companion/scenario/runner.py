"""Scenario runner: executes a scenario without a screen and reports what failed.

    result = run_scenario(text, "back.txt", folder)
    print(result.report)

It runs the same controller as the Raspberry Pi, on mocked pins, a virtual SPI bus and a virtual
clock. So a scenario takes little real time, and has the same result every time.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path

from companion.errors import CompanionError, counted
from companion.scenario.expectations import ExpectationChecker
from companion.scenario.reader import parse_scenario
from companion.scenario.scenario_table import ScenarioTable
from companion.scenario.statements import (
    ActionStatement,
    BounceContact,
    ChangeContact,
    Expectation,
    ExpectFrames,
    ExpectHeard,
    ExpectLines,
    GlitchContact,
    HoldContact,
    KillCompanion,
    PlugMatrix,
    PressContacts,
    RestartCompanion,
    Scenario,
    ScriptPairingCode,
    ScriptPiles,
    ScriptRolls,
    SetDisk,
    Statement,
    TearJournal,
    Wait,
)
from companion.testing.virtual_time import run

# Without a handler Python would print log records: a scenario prints its report only.
logging.getLogger("companion").addHandler(logging.NullHandler())


@dataclass(frozen=True)
class ScenarioFailure:
    """A statement that failed: what was expected, and what was shown instead."""

    statement: Statement
    expected: tuple[str, ...]
    shown: tuple[str, ...]

    def __str__(self) -> str:
        lines = [f"line {self.statement.line}: {self.statement.text}"]
        lines += [f"  expected: {line}" for line in self.expected]
        lines += [f"  shown:    {line}" for line in self.shown]
        return "\n".join(lines)


@dataclass(frozen=True)
class ScenarioResult:
    name: str
    title: str
    expectations: int
    """How many were checked."""
    failures: tuple[ScenarioFailure, ...]

    @property
    def passed(self) -> bool:
        return not self.failures

    @property
    def report(self) -> str:
        """One line, and a few more for each failure."""
        checked = counted(self.expectations, "expectation")
        if self.passed:
            return f"{self.name}: {self.title}: passed, {checked}"
        failed = counted(len(self.failures), "line")
        head = f"{self.name}: {self.title}: FAILED in {failed}, {checked} checked"
        return "\n".join([head, *map(str, self.failures)])


def run_scenario(text: str, name: str, folder: Path) -> ScenarioResult:
    """Run a scenario on the games in `folder`. Raises ScenarioError if it cannot be parsed.

    All expectations are checked, even after one has failed. A statement that cannot be executed
    ends the scenario.
    """
    return run(_run_statements(parse_scenario(text), name, folder))


async def _run_statements(scenario: Scenario, name: str, folder: Path) -> ScenarioResult:
    table = ScenarioTable(scenario.config, folder)
    checker = ExpectationChecker(table)
    failures: list[ScenarioFailure] = []
    checked = 0
    statement = Statement(1, f"title {scenario.title}", RestartCompanion())
    try:
        await table.start()
        for statement in scenario.statements:
            meaning = statement.meaning
            if isinstance(meaning, ExpectLines | ExpectFrames | ExpectHeard):
                checked += 1
                shown = await checker.find_difference(meaning)
                if shown is not None:
                    failures.append(ScenarioFailure(statement, _expected_lines(meaning), shown))
            else:
                await _execute(table, meaning)
            if table.errors:
                raise table.errors[0]
        await table.stop()
    except CompanionError as error:
        failures.append(ScenarioFailure(statement, (), (str(error),)))
    except Exception as error:  # a bug: the scenario has found it
        shown = (f"the companion failed: {type(error).__name__}: {error}",)
        failures.append(ScenarioFailure(statement, ("an answer",), shown))
    finally:
        table.cut_power()
    return ScenarioResult(name, scenario.title, checked, tuple(failures))


async def _execute(table: ScenarioTable, action: ActionStatement) -> None:
    match action:
        case PressContacts(contacts):
            for contact in contacts:
                await table.tap(contact)
        case HoldContact(contact):
            await table.hold(contact)
        case ChangeContact(change, contact):
            await table.change_contact(change, contact)
        case BounceContact(contact, bounces):
            await table.tap(contact, bounces)
        case GlitchContact(contact, ms):
            await table.glitch(contact, ms)
        case Wait(ms):
            await table.pass_time(ms)
        case PlugMatrix(is_plugged_in):
            table.plug_matrix(is_plugged_in)
        case SetDisk(None, write_ms):
            table.set_write_time(write_ms)
        case SetDisk(state):
            assert state is not None
            table.set_disk_state(state)
        case KillCompanion():
            await table.kill()
        case RestartCompanion():
            await table.start()
        case TearJournal(byte_count):
            table.tear_journal(byte_count)
        case ScriptRolls(pips):
            table.random_source.rolls.extend(pips)
        case ScriptPiles(piles):
            table.random_source.piles = piles
        case ScriptPairingCode(digits):
            table.random_source.pairing_codes.append(digits)


def _expected_lines(expectation: Expectation) -> tuple[str, ...]:
    """An expectation as text, in the form of what is shown."""
    match expectation:
        case ExpectFrames(_, frames):
            return tuple(" ".join(row) for row in zip(*frames, strict=True))
        case ExpectHeard(within_ms):
            return (f"heard within {within_ms:g} ms",)
        case ExpectLines(subject, is_negated, line, is_substring, all_lines):
            if all_lines is not None:
                return all_lines
            text = subject if line is None else line
            return (f"{'not ' * is_negated}{'… ' * is_substring}{text}{' …' * is_substring}",)
