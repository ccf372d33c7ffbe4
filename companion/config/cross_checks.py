"""Settings that do not go together: what no key can see alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from companion.config.keys import pin, toml_value
from companion.config.model import Config, keys_of
from companion.errors import listed
from companion.table.player_names import name_given_twice


def matrix_faults(config: Config, unread: Collection[tuple[str, str]] = ()) -> Iterator[str]:
    """Keys of the matrix that do not go together; keys in `unread` are wrong already."""
    matrix = config.matrix
    is_read = ("matrix", "kind") not in unread
    if is_read and matrix.wiring != "rows" and not matrix.has_chain:
        yield (
            f"[matrix] wiring = {toml_value(matrix.wiring)}: only apa102 hang on a chain; leave it "
            'out with a max7219, or write kind = "apa102"'
        )


def name_faults(config: Config, unread: Collection[tuple[str, str]] = ()) -> Iterator[str]:
    """The same name for two seats; a phone that asks for it is told so by the table itself."""
    if ("game", "names") not in unread and (twice := name_given_twice(config.game.names)):
        yield (
            f"[game] names = {toml_value(config.game.names)}: {toml_value(twice)} has two seats: "
            "give each a name of its own"
        )


# --- Pins ---------------------------------------------------------------------------------

# The lines of each SPI bus: data in, data out, clock, and the first chip select, which the kernel
# takes in any case. The second is taken where it is asked for.
_SPI_PINS = {0: (8, 9, 10, 11), 1: (18, 19, 20, 21)}
_SECOND_CHIP_SELECT = {0: 7, 1: 17}


def pin_faults(config: Config, unread: Collection[tuple[str, str]] = ()) -> Iterator[str]:
    """Pins that two inputs share or the matrix needs; keys in `unread` are wrong already."""
    inputs = [wired for wired in _inputs(config, unread) if wired[:2] not in unread]
    users: dict[int, list[str]] = {}
    for section, name, values in inputs:
        is_default = _value(config, section, name) == _value(Config(), section, name)
        by_default = " (the default)" if is_default else ""
        for each in values:
            users.setdefault(each, []).append(f"[{section}] {name}{by_default}")
    for each, taken_by in users.items():
        if len(taken_by) > 1:
            who = listed(taken_by, "and")
            yield f"pin {each} is used by {who}: use a pin of its own for each"
    if ("matrix", "bus") in unread or ("matrix", "chip_select") in unread:
        return
    bus = config.matrix.bus
    reserved = {*_SPI_PINS[bus]}
    if config.matrix.chip_select:
        reserved.add(_SECOND_CHIP_SELECT[bus])
    for section, name, values in inputs:
        if clash := [str(each) for each in values if each in reserved]:
            value = toml_value(_value(config, section, name))
            taken = f"{'pin' if len(clash) == 1 else 'pins'} {listed(clash, 'and')}"
            yield f"[{section}] {name} = {value}: the matrix needs {taken} for SPI{bus}"


def _inputs(
    config: Config, unread: Collection[tuple[str, str]]
) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """Section, key and pins of whatever is wired; an electronic die has no keys."""
    for name, each in keys_of("buttons").items():
        if each.check is pin:
            yield "buttons", name, (getattr(config.buttons, name),)
    if config.die.input != "electronic" and ("die", "input") not in unread:
        yield "die", "keys", config.die.keys


def _value(config: Config, section: str, name: str) -> object:
    return getattr(getattr(config, section), name)
