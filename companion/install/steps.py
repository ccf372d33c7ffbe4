"""Steps: each looks whether it is done already, does its part, and says so in one line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from companion.errors import CompanionError, one_line
from companion.install.machine import CommandError

AGAIN = "what was done so far stays as it is; the same command goes on from here"


class InstallError(CompanionError):
    """Something on this machine is in the way: what, why, and what to do about it."""

    def __init__(self, what: str, *, lines: Sequence[str] = (), advice: str = "") -> None:
        super().__init__(what)
        self.lines = tuple(lines)
        """What a command said last."""
        self.advice = advice

    def told(self, *, has_advice: bool = True) -> str:
        said = "".join(f"\n  | {one_line(line)}" for line in self.lines)
        return f"{one_line(str(self), 1000)}{said}" + (
            f"\n{self.advice}" if self.advice and has_advice else ""
        )


@dataclass(frozen=True)
class Step:
    name: str
    text: str
    is_done: Callable[[], bool]
    do: Callable[[], object]
    advice: str = ""
    """What to do if it fails."""


class StepRunner:
    """Takes one step after the other; with `is_dry` he only says what he would do."""

    def __init__(self, *, is_dry: bool = False, say: Callable[[str], None] | None = None) -> None:
        self.is_dry = is_dry
        self.say = say or say_aloud

    def take(self, step: Step) -> bool:
        """Whether there was anything to do. An `InstallError` names the step that failed."""
        try:
            if step.is_done():
                self.say(f"{step.name}: {step.text} ... already so\n")
                return False
            if self.is_dry:
                self.say(f"{step.name}: {step.text} ... would be done\n")
                return True
            self.say(f"{step.name}: {step.text} ... ")
            step.do()
        except (CompanionError, OSError) as error:
            self.say("FAILED\n")
            raise _failure(step, error) from error
        except KeyboardInterrupt:
            self.say("stopped\n")
            raise
        self.say("done\n")
        return True


def _failure(step: Step, error: CompanionError | OSError) -> InstallError:
    advice = "; ".join(filter(None, (step.advice, AGAIN)))
    lines: Sequence[str] = ()
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        why = f"{where}{error.strerror or error}"
    else:
        why = str(error)
        if isinstance(error, CommandError | InstallError):
            lines = error.lines
    return InstallError(f"the step '{step.name}' failed: {why}", lines=lines, advice=advice)


def say_aloud(text: str) -> None:
    """At once: some steps take minutes. A terminal that has gone is no reason to stop half-way."""
    with suppress(OSError, ValueError):
        sys.stdout.write(text)
        sys.stdout.flush()
