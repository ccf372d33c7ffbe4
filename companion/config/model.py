"""The settings of a table: sections, keys, defaults, and what each means.

This is the one place where a section or a key is added: a field here is read, checked, printed and
explained by config_file.py without another word. `Config()` is the defaults. What is wrong with a
config is said all at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.config import pinout
from companion.config.keys import (
    Key,
    booklet,
    folder,
    host,
    host_names,
    hours,
    key,
    names,
    number,
    one_number_of,
    one_of,
    pin,
    pins,
    port,
    whole,
    yes_or_no,
)
from companion.errors import CompanionError, one_line
from companion.games.marrakech import OPTIONS, PIPS, Facing, Options, booklet_named
from companion.i18n.languages import BOOKLETS_LANGUAGE, LANGUAGES
from companion.light.current import LEAST_MA, MOST_MA
from companion.light.layout import RAILS, ROTATIONS, WIRINGS, Layout
from companion.light.night import parse_night

if TYPE_CHECKING:
    from datetime import datetime

NAMES = 4
LONGEST_NAME = 20
HOST_NAMES = 8
LONGEST_FAULT = 1000
"""Of a line: a file's long name, and all booklets there are."""


class ConfigError(CompanionError, ValueError):
    """Settings that cannot be used: one line for each fault."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(one_line(fault, LONGEST_FAULT) for fault in faults)
        super().__init__("\n".join(self.faults))


# --- The sections -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameConfig:
    """What set-up offers; the table may choose otherwise."""

    players: int = key(4, whole(2, 4), "how many play: 2, 3 or 4")
    booklet: str = key("en", booklet, "whose rules: 'marrakech rules' lists the booklets")
    piles: str = key(
        "told",
        one_of("piles", ("told", "dealt")),
        "two players with shuffled piles: each rug is told by the table, or dealt by the companion",
    )
    names: tuple[str, ...] = key(
        (), names(NAMES, LONGEST_NAME), "who sits where, in seating order; the first begins"
    )
    facing: str = key(
        "south",
        one_of("facing", [facing.name.lower() for facing in Facing]),
        "where Assam faces at the start: north, east, south or west",
    )
    options: tuple[tuple[str, str], ...] = ()
    """The section [game.options]: what is set otherwise than the booklet, in the rules' order."""


@dataclass(frozen=True, slots=True)
class MatrixConfig:
    kind: str = key(
        "max7219", one_of("kind", ("max7219", "apa102")), "max7219 (one colour) or apa102 (RGB)"
    )
    brightness: int = key(
        3,
        whole(0, 15),
        "0 to 15; a bright matrix wants a strong supply, and at 0 an apa102 is dark",
    )
    bus: int = key(0, whole(0, 1), "the SPI bus: 0 or 1")
    chip_select: int = key(0, whole(0, 1), "the chip select line of the bus: 0 or 1")
    rotation: int = key(
        0,
        one_number_of(ROTATIONS),
        "how far the module is turned clockwise: 0, 90, 180 or 270; 'marrakech light' tells",
    )
    mirrored: bool = key(
        False, yes_or_no, "true if the columns run backwards, or the LEDs are seen from behind"
    )
    wiring: str = key(
        "rows",
        one_of("wiring", WIRINGS),
        "how a chain of apa102 runs: rows (each from the same side) or zigzag (to and fro)",
    )
    rail: str = key(
        "south-east",
        one_of("rail", RAILS),
        "the edges beside the market: south-east, south-west, north-east or north-west",
    )
    night: str = key(
        "",
        hours,
        'when it is dimmed, by the clock of this machine, like "22:00-07:00"; "" is never',
    )
    night_brightness: int = key(1, whole(0, 15), "how bright it is then: 0 to 15")
    most_ma: int = key(
        MOST_MA,
        whole(LEAST_MA, 4000),
        "what apa102 may draw in mA: two thirds of their supply (3 A in the guide); more is dimmed",
    )
    renew_every_s: int = key(
        60, whole(0, 3600), "how often the chip is set up anew, unseen, lest it glitch; 0 is never"
    )

    def layout(self) -> Layout:
        """Where the LEDs are."""
        return Layout(
            rotation=self.rotation,
            is_mirrored=self.mirrored,
            is_zigzag=self.has_chain and self.wiring == "zigzag",
            rail=self.rail,
        )

    @property
    def has_chain(self) -> bool:
        """Whether the LEDs hang on one another, so that there are ways to wire them."""
        return self.kind == "apa102"

    def brightness_at(self, now: datetime) -> int:
        """By day or by night, as the clock on the wall shows it."""
        night = parse_night(self.night)
        is_night = night is not None and night.has(now.hour, now.minute)
        return self.night_brightness if is_night else self.brightness


@dataclass(frozen=True, slots=True)
class ButtonsConfig:
    """Pins by their BCM numbers, each from its button to ground."""

    north: int = key(pinout.NORTH, pin, "the BCM pin of the button that points north on the matrix")
    east: int = key(pinout.EAST, pin, "the BCM pin of the button that points east")
    south: int = key(pinout.SOUTH, pin, "the BCM pin of the button that points south")
    west: int = key(pinout.WEST, pin, "the BCM pin of the button that points west")
    ok: int = key(pinout.OK, pin, "the BCM pin of OK")
    back: int = key(pinout.BACK, pin, "the BCM pin of BACK")
    debounce_ms: int = key(12, whole(0, 100), "how long a contact must be still to count")
    hold_ms: int = key(2000, whole(500, 10_000), "how long OK or BACK is held to mean more")


@dataclass(frozen=True, slots=True)
class DieConfig:
    input: str = key(
        "keys",
        one_of("input", ("keys", "electronic", "both")),
        "keys: the wooden die, told with four keys; electronic: OK rolls; both: either of them",
    )
    keys: tuple[int, ...] = key(
        pinout.DIE_KEYS, pins(len(PIPS)), "the BCM pins of the keys for 1, 2, 3 and 4"
    )


@dataclass(frozen=True, slots=True)
class PadConfig:
    port: str = key(
        "auto",
        port,
        'where the die pad is plugged in: a path or pattern, "auto" to look for it, "none"',
    )
    roll: str = key(
        "pad",
        one_of("roll", ("pad", "host")),
        "who rolls when ROLL is pressed: the pad itself, or the host",
    )


@dataclass(frozen=True, slots=True)
class JournalConfig:
    folder: str = key("", folder, 'where games are kept; "" is the usual place for it')
    retry_s: float = key(
        2.0, number(0.1, 60), "how soon to try again when the disk cannot be written"
    )


@dataclass(frozen=True, slots=True)
class TableConfig:
    rest_after_s: int = key(
        60, whole(0, 3600), "how long nobody does anything before the light rests; 0 is never"
    )


@dataclass(frozen=True, slots=True)
class WebConfig:
    """The page for phones: a process of its own, which the table can do without."""

    enabled: bool = key(True, yes_or_no, "whether there is a page for phones")
    host: str = key(
        "0.0.0.0",
        host,
        'which of this machine\'s addresses it listens at: "0.0.0.0" is all, "127.0.0.1" is '
        "for nobody else",
    )
    port: int = key(8080, whole(1024, 65_535), "its port; where it is taken, one of the next nine")
    odds: bool = key(True, yes_or_no, "whether it shows the odds before a roll")
    hosts: tuple[str, ...] = key(
        (),
        host_names(HOST_NAMES),
        "what else this machine is called in the house, if phones use another name than its own",
    )


@dataclass(frozen=True, slots=True)
class Config:
    """All of it. What `parse_config` returns has been checked; what is made by hand has not."""

    language: str = key(
        BOOKLETS_LANGUAGE,
        one_of("language", (BOOKLETS_LANGUAGE, *LANGUAGES)),
        "the language of what is shown: that of the booklet, or another; phones follow their own",
    )
    game: GameConfig = field(default_factory=GameConfig)
    matrix: MatrixConfig = field(default_factory=MatrixConfig)
    buttons: ButtonsConfig = field(default_factory=ButtonsConfig)
    die: DieConfig = field(default_factory=DieConfig)
    pad: PadConfig = field(default_factory=PadConfig)
    journal: JournalConfig = field(default_factory=JournalConfig)
    table: TableConfig = field(default_factory=TableConfig)
    web: WebConfig = field(default_factory=WebConfig)

    def setup_options(self) -> Options:
        """The booklet's options with those of [game.options] on top."""
        return booklet_named(self.game.booklet).options.but(dict(self.game.options))

    def facing(self) -> Facing:
        """Where Assam faces at the start."""
        return Facing[self.game.facing.upper()]

    def journal_folder(self, environ: Mapping[str, str]) -> Path:
        """Where games are kept: as set, as systemd says, or where such things belong."""
        told, home = self.journal.folder, environ.get("HOME", "")
        if told and not told.startswith("~/"):
            return Path(told)
        if not told:
            if given := environ.get("STATE_DIRECTORY", "").partition(":")[0]:
                return Path(given)  # systemd lists several with colons
            if (state := Path(environ.get("XDG_STATE_HOME", ""))).is_absolute():
                return state / "marrakech"
        if not home:
            raise ConfigError(
                ["no place to keep games: $HOME is not set, so write [journal] folder as /…"]
            )
        return Path(home) / (told.removeprefix("~/") if told else ".local/state/marrakech")


# --- The schema, as the fields tell it ----------------------------------------------------

OPTIONS_SECTION = "game.options"


def section_classes() -> dict[str, Any]:
    """The class of each section, in order."""
    return {e.name: e.default_factory for e in fields(Config) if "key" not in e.metadata}


def keys_of(section: str) -> dict[str, Key]:
    """The keys of a section, in order; those at the top are in the section ''."""
    if section == OPTIONS_SECTION:
        return {name: Key(one_of(name, OPTIONS[name]), "") for name in OPTIONS}
    own = fields(section_classes()[section] if section else Config)
    return {each.name: each.metadata["key"] for each in own if "key" in each.metadata}


def section_names() -> list[str]:
    """What may stand in brackets; the options come right after their game."""
    found = list(section_classes())
    found.insert(found.index("game") + 1, OPTIONS_SECTION)
    return found
