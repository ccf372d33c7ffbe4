"""Rules of udev, read and followed: as much of udev(7) as ours need, and not a sign more.

follow(read_rules(path), Device(SUBSYSTEM="tty", idVendor="1a86", idProduct="7523"))
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

MATCHED = ("==", "!=")
ASSIGNED = ("=", "+=")
KEYS = {
    "ACTION": MATCHED,
    "SUBSYSTEM": MATCHED,
    "KERNEL": MATCHED,
    "ATTRS": MATCHED,
    "ENV": (*MATCHED, "="),
    "GROUP": ("=",),
    "MODE": ("=",),
    "SYMLINK": ("+=",),
    "GOTO": ("=",),
    "LABEL": ("=",),
}
_TERM = re.compile(r'([A-Z]+)(?:\{([\w.]+)\})?(==|!=|\+=|=)"([^"]*)"')


class Term(NamedTuple):
    key: str
    name: str
    """In braces, where the key has one."""
    operator: str
    value: str


Rule = tuple[Term, ...]


@dataclass(frozen=True)
class Device:
    """What a rule can see of a device; `attributes` are those of one of its parents."""

    subsystem: str
    kernel: str = ""
    action: str = "add"
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Outcome:
    """What the rules made of it."""

    env: dict[str, str] = field(default_factory=dict)
    group: str = ""
    mode: str = ""
    links: list[str] = field(default_factory=list)


def read_rules(path: Path) -> list[Rule]:
    rules = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line and not line.startswith("#"):
            rules.append(tuple(_term(text, number) for text in line.split(", ")))
    labels = {term.value for rule in rules for term in rule if term.key == "LABEL"}
    wanted = {term.value for rule in rules for term in rule if term.key == "GOTO"}
    assert wanted <= labels, f"nowhere to go: {wanted - labels}"
    return rules


def _term(text: str, number: int) -> Term:
    found = _TERM.fullmatch(text)
    assert found, f"line {number}: udev would not understand {text!r}"
    term = Term(found[1], found[2] or "", found[3], found[4])
    assert term.operator in KEYS.get(term.key, ()), f"line {number}: {term.key}{term.operator}"
    assert bool(term.name) == (term.key in ("ATTRS", "ENV")), f"line {number}: {text}"
    return term


def follow(rules: Sequence[Rule], device: Device) -> Outcome:
    outcome, label = Outcome(), ""
    for rule in rules:
        if label:
            label = "" if Term("LABEL", "", "=", label) in rule else label
        elif all(_fits(term, device, outcome) for term in rule if term.operator in MATCHED):
            for term in rule:
                label = term.value if term.key == "GOTO" else label
                _assign(term, outcome)
    return outcome


def _fits(term: Term, device: Device, outcome: Outcome) -> bool:
    seen = {
        "ACTION": device.action,
        "SUBSYSTEM": device.subsystem,
        "KERNEL": device.kernel,
        "ATTRS": device.attributes.get(term.name, ""),
        "ENV": outcome.env.get(term.name, ""),
    }[term.key]
    fits = any(fnmatchcase(seen, pattern) for pattern in term.value.split("|"))
    return fits == (term.operator == "==")


def _assign(term: Term, outcome: Outcome) -> None:
    if term.operator not in ASSIGNED:
        return
    match term.key:
        case "ENV":
            outcome.env[term.name] = term.value
        case "GROUP":
            outcome.group = term.value
        case "MODE":
            outcome.mode = term.value
        case "SYMLINK":
            outcome.links.append(term.value)
