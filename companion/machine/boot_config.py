"""Reads config.txt, which the Raspberry Pi's firmware applies at boot.

Filters such as [pi4] are ignored: a line counts for every model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

BOOT_CONFIG = "/boot/firmware/config.txt"
SHUTDOWN_OVERLAY = "gpio-shutdown"
SHUTDOWN_PIN = 3
"""The overlay's default, and the only pin that also starts a Pi. It is the clock of I2C."""

_I2C_SWITCHES = ("i2c", "i2c_arm", "i2c1")
_I2C_OVERLAY = re.compile(r"i2c(1|-rtc|-sensor)(-pi5)?")
_ON = ("", "on", "yes", "true", "1")


def shutdown_pin(text: str) -> int | None:
    """The BCM pin of the shutdown button; None if there is none."""
    for name, parameters in _overlays(text):
        if name == SHUTDOWN_OVERLAY:
            pins = [word.partition("=")[2] for word in parameters if word.startswith("gpio_pin=")]
            return int(pins[-1]) if pins and pins[-1].isdecimal() else SHUTDOWN_PIN
    return None


def uses_i2c(text: str) -> bool:
    """Whether BCM 2 and 3 are the I2C bus."""
    is_on = False
    for value in _values(text, "dtparam"):
        for word in value.split(","):
            name, _, setting = word.partition("=")
            if name.strip() in _I2C_SWITCHES:
                is_on = setting.strip().lower() in _ON
    return is_on or any(_I2C_OVERLAY.fullmatch(name) for name, _ in _overlays(text))


def _overlays(text: str) -> Iterator[tuple[str, list[str]]]:
    for value in _values(text, "dtoverlay"):
        name, *parameters = (word.strip() for word in value.split(","))
        yield name, parameters


def _values(text: str, key: str) -> Iterator[str]:
    for line in text.splitlines():
        name, has_value, value = line.partition("#")[0].partition("=")
        if has_value and name.strip() == key:
            yield value.strip()
