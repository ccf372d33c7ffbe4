"""What a table may decide: each option, its values, and what they mean.

The first value of each option is the one of the publisher's English booklet. A new value is
added here and where the rules act on it, nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from companion.errors import SettingError, unknown
from companion.games.marrakech.market import LOOPS
from companion.games.marrakech.rug import COLOURS, Colour, colour_named

OPTIONS: Mapping[str, Mapping[str, str]] = {
    "bankruptcy": {
        "out": "who cannot pay the whole tribute pays what he has and is out",
        "spare": "who cannot pay the whole tribute pays what he has and plays on",
    },
    "covering": {
        "no-whole-rug": "both halves of one visible rug are never covered in one go",
        "two-colours": "two covered halves must differ in colour",
        "own-rug-allowed": "of whole rugs, only one's own may be covered in one go",
    },
    "two_player": {
        "shuffled": "two colours each, shuffled into one pile",
        "alternating": "two colours each, alternating in the pile",
        "one-colour": "15 rugs of one colour each",
    },
    "turn_order": {
        "classic": "orient, roll, move, pay, lay",
        "pivot-last": "roll, move, pay, lay, then turn Assam for the next player",
    },
    "pivot": {
        "must": "with pivot-last, Assam is turned a quarter left or right",
        "may": "with pivot-last, Assam may also be left as he faces",
    },
    "purse": {
        "thirty": "30 dirhams each",
        "share-120": "the 120 dirhams of the box are shared out evenly",
    },
    "tie_break": {
        "dirhams": "a tie goes to more dirhams",
        "visible-rugs": "a tie goes to more visible halves",
        "shared": "a tie is shared",
    },
    "box": {
        "60": "four colours of 15 rugs",
        "57": "three colours of 15 rugs and one of 12",
    },
    "short_colour": {
        "brown": "in a box of 57, brown has the 12 rugs",
        "red": "in a box of 57, red has the 12 rugs",
        "yellow": "in a box of 57, yellow has the 12 rugs",
        "blue": "in a box of 57, blue has the 12 rugs",
    },
    "loops": {
        "ne-sw": "the board lies with its three-quarter loops north-east and south-west",
        "nw-se": "the board lies with its three-quarter loops north-west and south-east",
    },
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
