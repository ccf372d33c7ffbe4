"""Checks across several keys of the config."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from companion.config.keys import pin, toml_value
from companion.config.model import Config, keys_of
from companion.errors import listed
from companion.table.player_names import duplicate_name


def matrix_faults(config: Config, invalid_keys: Collection[tuple[str, str]] = ()) -> Iterator[str]:
    """Contradictions in [matrix]. Ignores `invalid_keys`, which have their own errors."""
    matrix = config.matrix
    is_read = ("matrix", "kind") not in invalid_keys
    if is_read and matrix.wiring != "rows" and not matrix.has_chain:
        yield (
            f"[matrix] wiring = {toml_value(matrix.wiring)}: only apa102 have a wiring; "
            'remove it for a max7219, or write kind = "apa102"'
        )


def name_faults(config: Config, invalid_keys: Collection[tuple[str, str]] = ()) -> Iterator[str]:
    """Two seats with the same name."""
    if ("game", "names") not in invalid_keys and (name := duplicate_name(config.game.names)):
        yield (
            f"[game] names = {toml_value(config.game.names)}: {toml_value(name)} is the name of "
            "two seats: give each seat its own name"
        )


# --- Pins ---------------------------------------------------------------------------------

# The pins of each SPI bus: data in, data out, clock, and the first chip select, which the kernel
# always uses. The second chip select is used only if it is configured.
_SPI_PINS = {0: (8, 9, 10, 11), 1: (18, 19, 20, 21)}
_SECOND_CHIP_SELECT = {0: 7, 1: 17}


def pin_faults(config: Config, invalid_keys: Collection[tuple[str, str]] = ()) -> Iterator[str]:
    """Pins that two inputs share, or that the matrix needs. Ignores `invalid_keys`."""
    inputs = [wired for wired in _inputs(config, invalid_keys) if wired[:2] not in invalid_keys]
    users: dict[int, list[str]] = {}
    for section, name, values in inputs:
        is_default = _value(config, section, name) == _value(Config(), section, name)
        by_default = " (the default)" if is_default else ""
        for each in values:
            users.setdefault(each, []).append(f"[{section}] {name}{by_default}")
    for each, taken_by in users.items():
        if len(taken_by) > 1:
            yield f"pin {each} is used by {listed(taken_by, 'and')}: use a different pin for each"
    if ("matrix", "bus") in invalid_keys or ("matrix", "chip_select") in invalid_keys:
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
    config: Config, invalid_keys: Collection[tuple[str, str]]
) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """Section, key and pins of each input. An electronic die has no keys."""
    for name, each in keys_of("buttons").items():
        if each.check is pin:
            yield "buttons", name, (getattr(config.buttons, name),)
    if config.die.input != "electronic" and ("die", "input") not in invalid_keys:
        yield "die", "keys", config.die.keys


def _value(config: Config, section: str, name: str) -> object:
    return getattr(getattr(config, section), name)
