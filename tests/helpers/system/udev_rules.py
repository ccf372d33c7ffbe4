"""A parser and interpreter for the subset of udev(7) rules that ours use.

apply_rules(read_rules(path), Device(SUBSYSTEM="tty", idVendor="1a86", idProduct="7523"))
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
    """The name in braces, if the key has one."""
    operator: str
    value: str


Rule = tuple[Term, ...]


@dataclass(frozen=True)
class Device:
    """The properties of a device that rules match; `attributes` are those of one parent."""

    subsystem: str
    kernel: str = ""
    action: str = "add"
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Assignments:
    """What the rules assign to a device."""

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
    assert wanted <= labels, f"GOTO without LABEL: {wanted - labels}"
    return rules


def _term(text: str, number: int) -> Term:
    found = _TERM.fullmatch(text)
    assert found, f"line {number}: invalid for udev: {text!r}"
    term = Term(found[1], found[2] or "", found[3], found[4])
    assert term.operator in KEYS.get(term.key, ()), f"line {number}: {term.key}{term.operator}"
    assert bool(term.name) == (term.key in ("ATTRS", "ENV")), f"line {number}: {text}"
    return term


def apply_rules(rules: Sequence[Rule], device: Device) -> Assignments:
    result, label = Assignments(), ""
    for rule in rules:
        if label:
            label = "" if Term("LABEL", "", "=", label) in rule else label
        elif all(_fits(term, device, result) for term in rule if term.operator in MATCHED):
            for term in rule:
                label = term.value if term.key == "GOTO" else label
                _assign(term, result)
    return result


def _fits(term: Term, device: Device, result: Assignments) -> bool:
    seen = {
        "ACTION": device.action,
        "SUBSYSTEM": device.subsystem,
        "KERNEL": device.kernel,
        "ATTRS": device.attributes.get(term.name, ""),
        "ENV": result.env.get(term.name, ""),
    }[term.key]
    fits = any(fnmatchcase(seen, pattern) for pattern in term.value.split("|"))
    return fits == (term.operator == "==")


def _assign(term: Term, result: Assignments) -> None:
    if term.operator not in ASSIGNED:
        return
    match term.key:
        case "ENV":
            result.env[term.name] = term.value
        case "GROUP":
            result.group = term.value
        case "MODE":
            result.mode = term.value
        case "SYMLINK":
            result.links.append(term.value)
