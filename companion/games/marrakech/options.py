"""What a table may decide: each option and its values.

The first value of each option is the one of the publisher's English booklet. A new value is added
here and where the rules act on it; the catalogue says what it means (`option.NAME.VALUE`), and a
test sees that it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from companion.errors import SettingError, unknown
from companion.games.marrakech.market import LOOPS
from companion.games.marrakech.rug import COLOURS, Colour, colour_named

OPTIONS: Mapping[str, tuple[str, ...]] = {
    "bankruptcy": ("out", "spare"),
    "covering": ("no-whole-rug", "two-colours", "own-rug-allowed"),
    "two_player": ("shuffled", "alternating", "one-colour"),
    "turn_order": ("classic", "pivot-last"),
    "pivot": ("must", "may"),
    "purse": ("thirty", "share-120"),
    "tie_break": ("dirhams", "visible-rugs", "shared"),
    "box": ("60", "57"),
    "short_colour": ("brown", "red", "yellow", "blue"),
    "loops": ("ne-sw", "nw-se"),
}


@dataclass(frozen=True, slots=True)
class Options:
    """How this table plays. Every value is checked; the defaults are the English booklet's."""

    bankruptcy: str = "out"
    covering: str = "no-whole-rug"
    two_player: str = "shuffled"
    turn_order: str = "classic"
    pivot: str = "must"
    purse: str = "thirty"
    tie_break: str = "dirhams"
    box: str = "60"
    short_colour: str = "brown"
    loops: str = "ne-sw"

    def __post_init__(self) -> None:
        for name, value in self.items():
            if value not in OPTIONS[name]:
                raise SettingError(unknown(f"value of {name}", value, OPTIONS[name]))

    def items(self) -> Iterator[tuple[str, str]]:
        for field in fields(self):
            yield field.name, getattr(self, field.name)

    def but(self, changes: Mapping[str, str]) -> Options:
        """These options with some of them set otherwise, each refused if it is not known."""
        for name in changes:
            if name not in OPTIONS:
                raise SettingError(unknown("option", name, OPTIONS))
        named: dict[str, Any] = dict(changes)
        return replace(self, **named)

    def differences(self, other: Options) -> dict[str, str]:
        """The options that are set otherwise here than in `other`."""
        return {name: value for name, value in self.items() if value != getattr(other, name)}

    def rugs_in_box(self, colour: Colour) -> int:
        is_short = self.box == "57" and colour is colour_named(self.short_colour)
        return 12 if is_short else 15


def parse_options(texts: Iterable[str]) -> dict[str, str]:
    """Read `name=value` texts, as the command line and the text forms write them."""
    changes: dict[str, str] = {}
    for text in texts:
        read_option(text, changes)
    return changes


def read_option(text: str, changes: dict[str, str]) -> None:
    """Add one `name=value` to the changes read so far."""
    name, equals, value = text.partition("=")
    if not equals:
        raise SettingError(f"'{text}' is no option: write name=value, like loops=nw-se")
    if name in changes:
        raise SettingError(f"option {name} is set twice")
    changes[name] = value


assert set(OPTIONS["loops"]) == set(LOOPS)
assert set(OPTIONS["short_colour"]) == {c.label for c in COLOURS}
