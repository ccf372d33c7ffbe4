"""Installation steps: each checks whether it is done, does its part, and prints one line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from companion.errors import CompanionError, one_line
from companion.machine.commands import CommandError

RETRY = "the steps before it are done; run the same command again to continue"


class InstallError(CompanionError):
    """The installation cannot go on: what is wrong, and what to do about it."""

    def __init__(self, what: str, *, lines: Sequence[str] = (), advice: str = "") -> None:
        super().__init__(what)
        self.lines = tuple(lines)
        """The last output of a command that failed."""
        self.advice = advice

    def report(self, *, has_advice: bool = True) -> str:
        output = "".join(f"\n  | {one_line(line)}" for line in self.lines)
        advice = f"\n{self.advice}" if self.advice and has_advice else ""
        return f"{one_line(str(self), 1000)}{output}{advice}"


@dataclass(frozen=True)
class InstallStep:
    name: str
    text: str
    is_done: Callable[[], bool]
    do: Callable[[], object]
    advice: str = ""
    """What to do if the step fails."""


class StepRunner:
    """Runs steps. With `is_dry` it only prints what it would do."""

    def __init__(self, *, is_dry: bool = False, write: Callable[[str], None] | None = None) -> None:
        self.is_dry = is_dry
        self.write = write or print_text

    def run(self, step: InstallStep) -> bool:
        """Whether there was anything to do. Raises an `InstallError` that names the step."""
        try:
            if step.is_done():
                self.write(f"{step.name}: {step.text} ... already done\n")
                return False
            if self.is_dry:
                self.write(f"{step.name}: {step.text} ... would be done\n")
                return True
            self.write(f"{step.name}: {step.text} ... ")
            step.do()
        except (CompanionError, OSError) as error:
            self.write("FAILED\n")
            raise _failure(step, error) from error
        except KeyboardInterrupt:
            self.write("stopped\n")
            raise
        self.write("done\n")
        return True


def _failure(step: InstallStep, error: CompanionError | OSError) -> InstallError:
    advice = "; ".join(filter(None, (step.advice, RETRY)))
    lines: Sequence[str] = ()
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        why = f"{where}{error.strerror or error}"
    else:
        why = str(error)
        if isinstance(error, CommandError | InstallError):
            lines = error.lines
        if isinstance(error, InstallError) and error.advice:  # more specific than the step's
            advice = error.advice
    return InstallError(f"the step '{step.name}' failed: {why}", lines=lines, advice=advice)


def print_text(text: str) -> None:
    """Print and flush. A closed terminal must not stop an installation halfway."""
    with suppress(OSError, ValueError):
        sys.stdout.write(text)
        sys.stdout.flush()
