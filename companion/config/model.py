"""The settings of a table: sections, keys, defaults, checks and comments.

Sections and keys are added here only: `file.py` reads, checks and prints every field. `Config()`
has the defaults. A `ConfigError` lists all errors of a file.
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
    boolean,
    folder,
    host,
    host_names,
    key,
    names,
    night_hours,
    number,
    one_of,
    one_of_numbers,
    pin,
    pins,
    port,
    whole_number,
)
from companion.errors import CompanionError, one_line
from companion.games.marrakech import OPTIONS, PIPS, Facing, Options, booklet_named
from companion.i18n.languages import BOOKLET_LANGUAGE, LANGUAGES
from companion.light.current import DEFAULT_LIMIT_MA, MIN_LIMIT_MA
from companion.light.layout import RAILS, ROTATIONS, WIRINGS, Layout
from companion.light.night import parse_night

if TYPE_CHECKING:
    from datetime import datetime

MAX_NAMES = 4
MAX_NAME_LENGTH = 20
MAX_HOST_NAMES = 8
MAX_FAULT_LENGTH = 1000
"""Of one line: room for a long file name and a list of all booklets."""


class ConfigError(CompanionError, ValueError):
    """Invalid settings: one line for each fault."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(one_line(fault, MAX_FAULT_LENGTH) for fault in faults)
        super().__init__("\n".join(self.faults))


# --- Sections -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameConfig:
    """Defaults of set-up; players may change them."""

    players: int = key(4, whole_number(2, 4), "number of players: 2, 3 or 4")
    booklet: str = key(
        "en", booklet, "booklet with the rules; 'marrakech rules' lists the booklets"
    )
    piles: str = key(
        "told",
        one_of("piles", ("told", "dealt")),
        "two players with shuffled piles: players enter each rug (told), or the companion deals",
    )
    names: tuple[str, ...] = key(
        (),
        names(MAX_NAMES, MAX_NAME_LENGTH),
        "names of the players in seating order; the first one begins",
    )
    facing: str = key(
        "south",
        one_of("facing", [facing.name.lower() for facing in Facing]),
        "Assam's facing at the start: north, east, south or west",
    )
    options: tuple[tuple[str, str], ...] = ()
    """Section [game.options]: options that differ from the booklet, in the order of the rules."""


@dataclass(frozen=True, slots=True)
class MatrixConfig:
    kind: str = key(
        "max7219", one_of("kind", ("max7219", "apa102")), "max7219 (one colour) or apa102 (RGB)"
    )
    brightness: int = key(
        3,
        whole_number(0, 15),
        "0 to 15; high values need a strong power supply, and apa102 are off at 0",
    )
    bus: int = key(0, whole_number(0, 1), "SPI bus: 0 or 1")
    chip_select: int = key(0, whole_number(0, 1), "chip select of the SPI bus: 0 or 1")
    rotation: int = key(
        0,
        one_of_numbers(ROTATIONS),
        "clockwise rotation of the module: 0, 90, 180 or 270; check it with 'marrakech light'",
    )
    mirrored: bool = key(
        False, boolean, "true if the columns are reversed, or the LEDs are seen from behind"
    )
    wiring: str = key(
        "rows",
        one_of("wiring", WIRINGS),
        "order of apa102 LEDs: rows (each from the same side) or zigzag (alternating sides)",
    )
    rail: str = key(
        "south-east",
        one_of("rail", RAILS),
        "edges outside the market: south-east, south-west, north-east or north-west",
    )
    night: str = key(
        "",
        night_hours,
        'hours of night_brightness, in local time, like "22:00-07:00"; "" is never',
    )
    night_brightness: int = key(1, whole_number(0, 15), "brightness during these hours: 0 to 15")
    most_ma: int = key(
        DEFAULT_LIMIT_MA,
        whole_number(MIN_LIMIT_MA, 4000),
        "mA that apa102 may draw: two thirds of their supply (3 A in the guide); more is dimmed",
    )
    renew_every_s: int = key(
        60,
        whole_number(0, 3600),
        "seconds between initializations of the chip, which repair glitches; 0 is never",
    )

    def layout(self) -> Layout:
        """How the LEDs are mounted and wired."""
        return Layout(
            rotation=self.rotation,
            is_mirrored=self.mirrored,
            is_zigzag=self.has_chain and self.wiring == "zigzag",
            rail=self.rail,
        )

    @property
    def has_chain(self) -> bool:
        """Whether the LEDs are a chain, which can be wired in different ways."""
        return self.kind == "apa102"

    def brightness_at(self, now: datetime) -> int:
        """The brightness at a local time."""
        night = parse_night(self.night)
        is_night = night is not None and night.includes(now.hour, now.minute)
        return self.night_brightness if is_night else self.brightness


@dataclass(frozen=True, slots=True)
class ButtonsConfig:
    """BCM pins. Each button connects its pin to ground."""

    north: int = key(pinout.NORTH, pin, "BCM pin of the button that points north on the matrix")
    east: int = key(pinout.EAST, pin, "BCM pin of the button that points east")
    south: int = key(pinout.SOUTH, pin, "BCM pin of the button that points south")
    west: int = key(pinout.WEST, pin, "BCM pin of the button that points west")
    ok: int = key(pinout.OK, pin, "BCM pin of OK")
    back: int = key(pinout.BACK, pin, "BCM pin of BACK")
    debounce_ms: int = key(
        12, whole_number(0, 100), "milliseconds that a contact must be stable to count"
    )
    hold_ms: int = key(
        2000, whole_number(500, 10_000), "milliseconds after which OK or BACK counts as held"
    )


@dataclass(frozen=True, slots=True)
class DieConfig:
    input: str = key(
        "both",
        one_of("input", ("keys", "electronic", "both")),
        "keys: the wooden die, entered with four keys; electronic: OK rolls; both: either",
    )
    keys: tuple[int, ...] = key(
        pinout.DIE_KEYS, pins(len(PIPS)), "BCM pins of the die keys 1, 2, 3 and 4"
    )


@dataclass(frozen=True, slots=True)
class PadConfig:
    port: str = key(
        "auto",
        port,
        'serial port of the die pad: a path or pattern, "auto" for a remembered pad, or "none"',
    )
    roll: str = key(
        "pad",
        one_of("roll", ("pad", "host")),
        "what rolls when ROLL is pressed: the pad, or the host (the companion)",
    )


@dataclass(frozen=True, slots=True)
class JournalConfig:
    folder: str = key("", folder, 'folder of the games; "" is the default folder')
    retry_s: float = key(2.0, number(0.1, 60), "seconds before a failed write is retried")


@dataclass(frozen=True, slots=True)
class TableConfig:
    rest_after_s: int = key(
        60, whole_number(0, 3600), "seconds without input before the light rests; 0 is never"
    )


@dataclass(frozen=True, slots=True)
class WebConfig:
    """The page for phones. Runs in its own process; the table works without it."""

    enabled: bool = key(True, boolean, "whether to serve the page for phones")
    host: str = key(
        "0.0.0.0",
        host,
        'IP address to listen on: "0.0.0.0" is all networks, "127.0.0.1" is this machine only',
    )
    port: int = key(
        8080, whole_number(1024, 65_535), "port of the page; if it is in use, one of the next nine"
    )
    odds: bool = key(True, boolean, "whether the page shows the odds before a roll")
    hosts: tuple[str, ...] = key(
        (),
        host_names(MAX_HOST_NAMES),
        "other host names of this machine that phones use",
    )


@dataclass(frozen=True, slots=True)
class Config:
    """All settings. Checked only if they come from `parse_config`."""

    language: str = key(
        BOOKLET_LANGUAGE,
        one_of("language", (BOOKLET_LANGUAGE, *LANGUAGES)),
        "language of the texts: that of the booklet, or a code like en; phones use their own",
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
        return booklet_named(self.game.booklet).options.with_changes(dict(self.game.options))

    def facing(self) -> Facing:
        """Assam's facing at the start."""
        return Facing[self.game.facing.upper()]

    def journal_folder(self, environ: Mapping[str, str]) -> Path:
        """The folder of the games: configured, given by systemd, or the XDG state folder."""
        configured, home = self.journal.folder, environ.get("HOME", "")
        if configured and not configured.startswith("~/"):
            return Path(configured)
        if not configured:
            if given := environ.get("STATE_DIRECTORY", "").partition(":")[0]:
                return Path(given)  # systemd separates several folders with colons
            if (state := Path(environ.get("XDG_STATE_HOME", ""))).is_absolute():
                return state / "marrakech"
        if not home:
            raise ConfigError(
                ["no folder for games: $HOME is not set; set [journal] folder to an absolute path"]
            )
        return Path(home) / (
            configured.removeprefix("~/") if configured else ".local/state/marrakech"
        )


# --- Schema -------------------------------------------------------------------------------

OPTIONS_SECTION = "game.options"


def section_classes() -> dict[str, Any]:
    """The class of each section, in order."""
    return {e.name: e.default_factory for e in fields(Config) if "key" not in e.metadata}


def keys_of(section: str) -> dict[str, Key]:
    """The keys of a section, in order. Top-level keys are in section ''."""
    if section == OPTIONS_SECTION:
        return {name: Key(one_of(name, OPTIONS[name]), "") for name in OPTIONS}
    own = fields(section_classes()[section] if section else Config)
    return {each.name: each.metadata["key"] for each in own if "key" in each.metadata}


def section_names() -> list[str]:
    """The names of all sections, in order."""
    found = list(section_classes())
    found.insert(found.index("game") + 1, OPTIONS_SECTION)
    return found
