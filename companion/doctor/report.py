"""What was found, in lines for a person or as JSON for a program."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from companion import __version__
from companion.doctor.checks.run import CHECKS
from companion.doctor.finding import Finding, Level
from companion.errors import counted, listed

# Words, not signs or colours alone: they are read aloud, copied and searched for.
MARKS = {
    Level.GOOD: "ok",
    Level.NOTE: "note",
    Level.WARNING: "WARN",
    Level.FAILED: "FAIL",
    Level.UNKNOWN: "?",
    Level.ABSENT: "-",
}
_COLOURS = {Level.GOOD: 32, Level.NOTE: 36, Level.WARNING: 33, Level.FAILED: 31, Level.UNKNOWN: 33}
_MARK_WIDTH = max(map(len, MARKS.values()))
_NAME_WIDTH = max(len(check.name) for check in CHECKS)
INDENT = _MARK_WIDTH + 2 + _NAME_WIDTH + 2
TODO = "-> "


def finding_lines(
    finding: Finding, *, width: int | None = None, is_coloured: bool = False
) -> Iterator[str]:
    """`ok    spi       /dev/spidev0.0 is there`, and below it what to do."""
    mark = f"{MARKS[finding.level]:{_MARK_WIDTH}}"
    if is_coloured and finding.level in _COLOURS:
        mark = f"\x1b[{_COLOURS[finding.level]}m{mark}\x1b[0m"
    first = f"{mark}  {finding.name:{_NAME_WIDTH}}  "
    for line in _folded(finding.said, width):
        yield first + line
        first = " " * INDENT
    lead = TODO
    for line in _folded(finding.todo, width, len(TODO)):
        yield " " * INDENT + lead + line
        lead = " " * len(TODO)


def _folded(text: str, width: int | None, indent: int = 0) -> list[str]:
    if width is None or not text:
        return [text] if text else []
    room = max(width - INDENT - indent, 20)
    return wrap(text, room, break_on_hyphens=False, break_long_words=False)


def absent_lines(findings: Iterable[Finding], *, width: int | None = None) -> Iterator[str]:
    """All that is not on this machine, together: a line for each would hide the rest."""
    names = [finding.name for finding in findings if finding.level is Level.ABSENT]
    if names:
        mark = MARKS[Level.ABSENT]
        for line in _folded(
            f"{listed(names, 'and')}: not on this machine", width, -_NAME_WIDTH - 2
        ):
            yield f"{mark:{_MARK_WIDTH}}  {line}"
            mark = ""


def summary(findings: Sequence[Finding]) -> str:
    """The last line: what it all comes to."""
    levels = Counter(finding.level for finding in findings)
    bad = levels[Level.FAILED]
    verdict = f"{counted(bad, 'check')} failed" if bad else "nothing failed"
    others = [
        (levels[Level.WARNING], "warning"),
        (levels[Level.NOTE], "note"),
    ]
    told = [counted(number, noun) for number, noun in others if number]
    if levels[Level.UNKNOWN]:
        told.append(f"{levels[Level.UNKNOWN]} cannot be told")
    return f"{verdict}; {listed(told, 'and')}" if told else verdict


def report_text(findings: Iterable[Finding], *, is_simulated: bool) -> str:
    """All of it, without colours and a line for each."""
    found = list(findings)
    head = ["SIMULATED"] if is_simulated else []
    shown = [finding for finding in found if finding.level is not Level.ABSENT]
    lines = [line for finding in shown for line in finding_lines(finding)]
    return "\n".join([*head, *lines, *absent_lines(found), "", summary(found)]) + "\n"


def report_json(findings: Iterable[Finding], *, is_simulated: bool) -> str:
    """The keys and levels stay as they are; others may come beside them."""
    found = list(findings)
    document = {
        "companion": __version__,
        "simulated": is_simulated,
        "ok": not has_failed(found),
        "checks": [
            {"name": one.name, "level": one.level.value, "said": one.said, "todo": one.todo}
            for one in found
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def has_failed(findings: Iterable[Finding]) -> bool:
    return any(finding.level is Level.FAILED for finding in findings)
