"""Rule options: each option, its values and its default.

An option is declared once, as a field of `Options`. Its first value is the default: the rule of
the publisher's English booklet. Every value needs a sentence in the catalogue
(`option.NAME.VALUE`); a test checks that it has one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from companion.errors import SettingError, unknown
from companion.games.marrakech.market import LOOPS
from companion.games.marrakech.rug import COLOURS, Colour, colour_named


def _one_of(*values: str) -> str:
    """A field of `Options` with these values; the first is the default."""
    return field(default=values[0], metadata={"values": values})


@dataclass(frozen=True, slots=True)
class Options:
    """How this table plays. Every value is checked."""

    bankruptcy: str = _one_of("out", "spare")
    covering: str = _one_of("no-whole-rug", "two-colours", "own-rug-allowed")
    two_player: str = _one_of("shuffled", "alternating", "one-colour")
    turn_order: str = _one_of("classic", "pivot-last")
    pivot: str = _one_of("must", "may")
    purse: str = _one_of("thirty", "share-120")
    tie_break: str = _one_of("dirhams", "visible-rugs", "shared")
    box: str = _one_of("60", "57")
    short_colour: str = _one_of("brown", "red", "yellow", "blue")
    loops: str = _one_of("ne-sw", "nw-se")

    def __post_init__(self) -> None:
        for name, value in self.items():
            if value not in OPTIONS[name]:
                raise SettingError(unknown(f"value of {name}", value, OPTIONS[name]))

    def items(self) -> Iterator[tuple[str, str]]:
        for name in OPTIONS:
            yield name, getattr(self, name)

    def with_changes(self, changes: Mapping[str, str]) -> Options:
        """A copy with some options changed. Unknown names and values are refused."""
        for name in changes:
            if name not in OPTIONS:
                raise SettingError(unknown("option", name, OPTIONS))
        named: dict[str, Any] = dict(changes)
        return replace(self, **named)

    def differences(self, other: Options) -> dict[str, str]:
        """The options whose values differ from those of `other`."""
        return {name: value for name, value in self.items() if value != getattr(other, name)}

    def rugs_in_box(self, colour: Colour) -> int:
        is_short = self.box == "57" and colour is colour_named(self.short_colour)
        return 12 if is_short else 15


OPTIONS: Mapping[str, tuple[str, ...]] = {
    option.name: option.metadata["values"] for option in fields(Options)
}
"""The values of each option, the default first."""


def parse_options(texts: Iterable[str]) -> dict[str, str]:
    """Parse `name=value` texts, as in command lines, positions and records."""
    changes: dict[str, str] = {}
    for text in texts:
        read_option(text, changes)
    return changes


def read_option(text: str, changes: dict[str, str]) -> None:
    """Parse one `name=value` text and add it to `changes`."""
    name, equals, value = text.partition("=")
    if not equals:
        raise SettingError(f"'{text}' is not an option: write name=value, like loops=nw-se")
    if name in changes:
        raise SettingError(f"option {name} is set twice")
    changes[name] = value


assert set(OPTIONS["loops"]) == set(LOOPS)
assert set(OPTIONS["short_colour"]) == {c.label for c in COLOURS}
