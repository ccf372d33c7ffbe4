"""The report: lines for people, JSON for programs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from companion import __version__
from companion.doctor.checks.run import CHECKS
from companion.doctor.finding import Finding, Level
from companion.errors import counted, listed

# Words, not only colours, so that the report can be copied, searched and read by a screen reader.
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
ARROW = "-> "


def finding_lines(
    finding: Finding, *, width: int | None = None, is_coloured: bool = False
) -> Iterator[str]:
    """`ok    spi       /dev/spidev0.0 exists`, and the advice below."""
    mark = f"{MARKS[finding.level]:{_MARK_WIDTH}}"
    if is_coloured and finding.level in _COLOURS:
        mark = f"\x1b[{_COLOURS[finding.level]}m{mark}\x1b[0m"
    first = f"{mark}  {finding.name:{_NAME_WIDTH}}  "
    for line in _wrapped(finding.text, width):
        yield first + line
        first = " " * INDENT
    prefix = ARROW
    for line in _wrapped(finding.advice, width, len(ARROW)):
        yield " " * INDENT + prefix + line
        prefix = " " * len(ARROW)


def _wrapped(text: str, width: int | None, indent: int = 0) -> list[str]:
    if width is None or not text:
        return [text] if text else []
    columns = max(width - INDENT - indent, 20)
    return wrap(text, columns, break_on_hyphens=False, break_long_words=False)


def absent_lines(findings: Iterable[Finding], *, width: int | None = None) -> Iterator[str]:
    """All checks that do not apply to this machine, in one line."""
    names = [finding.name for finding in findings if finding.level is Level.ABSENT]
    if names:
        mark = MARKS[Level.ABSENT]
        for line in _wrapped(
            f"{listed(names, 'and')}: not on this machine", width, -_NAME_WIDTH - 2
        ):
            yield f"{mark:{_MARK_WIDTH}}  {line}"
            mark = ""


def summary(findings: Sequence[Finding]) -> str:
    """The last line: how many checks failed, and the rest in numbers."""
    levels = Counter(finding.level for finding in findings)
    failures = levels[Level.FAILED]
    verdict = f"{counted(failures, 'check')} failed" if failures else "nothing failed"
    others = [
        (levels[Level.WARNING], "warning"),
        (levels[Level.NOTE], "note"),
    ]
    parts = [counted(number, noun) for number, noun in others if number]
    if levels[Level.UNKNOWN]:
        parts.append(f"{levels[Level.UNKNOWN]} unknown")
    return f"{verdict}; {listed(parts, 'and')}" if parts else verdict


def report_text(findings: Iterable[Finding], *, is_simulated: bool) -> str:
    """The whole report without colours, one line for each text."""
    found = list(findings)
    head = ["SIMULATED"] if is_simulated else []
    shown = [finding for finding in found if finding.level is not Level.ABSENT]
    lines = [line for finding in shown for line in finding_lines(finding)]
    return "\n".join([*head, *lines, *absent_lines(found), "", summary(found)]) + "\n"


def report_json(findings: Iterable[Finding], *, is_simulated: bool) -> str:
    """Keys and levels are a public interface: add to them, but do not change them."""
    found = list(findings)
    document = {
        "companion": __version__,
        "simulated": is_simulated,
        "ok": not has_failed(found),
        "checks": [
            {"name": one.name, "level": one.level.value, "said": one.text, "todo": one.advice}
            for one in found
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def has_failed(findings: Iterable[Finding]) -> bool:
    return any(finding.level is Level.FAILED for finding in findings)
