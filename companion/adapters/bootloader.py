"""The bootloader of an Arduino: how fast it talks, and the chip it runs on.

A Nano has one of two bootloaders: the new one (Optiboot) at 115200 baud, or the old one
(ATmegaBOOT) at 57600 baud. Both speak STK500 version 1, for about a second after a reset. avrdude
needs the speed beforehand, and takes a minute to find out that nobody answers: ask here first.

These functions block.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import serial

from companion.adapters.pad_port import check_is_free, close_port
from companion.errors import CompanionError

NEW_BAUD = 115_200
OLD_BAUD = 57_600
NAMES = {NEW_BAUD: "the new bootloader", OLD_BAUD: "the old bootloader"}

# The timing of avrdude, which is known to work: Optiboot flashes its LED for 375 ms, and has space
# for two bytes meanwhile.
RESET_S = 0.1
"""How long DTR is off. Turning it on again resets the board, through a capacitor."""
START_S = 0.3
ANSWER_S = 0.25
ATTEMPTS = 4
"""More make no sense: the bootloader starts the program after a second without a command."""

_GET_SYNC = b"\x30\x20"
_READ_SIGNATURE = b"\x75\x20"
_IN_SYNC = re.compile(rb"\x14\x10")
_SIGNATURE = re.compile(rb"\x14(.{3})\x10", re.DOTALL)

PARTS = {"1e950f": "m328p", "1e9514": "m328", "1e9516": "m328pb"}
"""Chips that run the firmware: their signatures, and avrdude's names of them.

The ATmega328 lacks some ways to save power, and the ATmega328PB has more pins and timers. Clones
with an LGT8F328P have the signature of an ATmega328P.
"""
OTHER_CHIPS = {
    "1e9307": "an ATmega8",
    "1e9406": "an ATmega168",
    "1e940b": "an ATmega168P",
    "1e9415": "an ATmega168PB",
    "1e9587": "an ATmega32U4",
    "1e9703": "an ATmega1280",
    "1e9801": "an ATmega2560",
}


@dataclass(frozen=True, slots=True)
class Bootloader:
    baud: int
    signature: str
    """Of the chip, as avrdude prints it: `1e950f`."""

    @property
    def part(self) -> str:
        """avrdude's name of the chip. Raises `CompanionError` if it cannot run the firmware."""
        if part := PARTS.get(self.signature):
            return part
        chip = OTHER_CHIPS.get(self.signature, f"unknown: its signature is 0x{self.signature}")
        raise CompanionError(
            f"the board's chip is {chip}. The pad's firmware does not run on it: use a Nano with "
            "an ATmega328P"
        )


def find_bootloader(
    port: str,
    bauds: Sequence[int] = (NEW_BAUD, OLD_BAUD),
    *,
    on_try: Callable[[int], None] = lambda _: None,
) -> Bootloader | None:
    """Reset the board and ask it, at each speed. None if nobody answers.

    Raises one of `OPEN_ERRORS` if the port cannot be opened, or is unplugged meanwhile.
    """
    for baud in bauds:
        on_try(baud)
        if signature := _ask(port, baud):
            return Bootloader(baud, signature)
    return None


def _ask(port: str, baud: int) -> str:
    """The signature of the chip, in hexadecimal; empty without an answer."""
    check_is_free(port)
    line = serial.Serial(port, baud, timeout=ANSWER_S, exclusive=True)
    try:
        _reset(line)
        if not _is_answered(line):
            return ""
        for _ in range(ATTEMPTS):
            line.write(_READ_SIGNATURE)
            if found := _read_until(line, _SIGNATURE):
                return found[1].hex()
        return ""
    finally:
        close_port(line)


def _reset(line: serial.Serial) -> None:
    """Pulse DTR, and RTS for boards that use it. A pty has neither: opening it is the reset."""
    with suppress(OSError):
        line.dtr = line.rts = False
        time.sleep(RESET_S)
        line.dtr = line.rts = True
    time.sleep(START_S)
    line.reset_input_buffer()


def _is_answered(line: serial.Serial) -> bool:
    for _ in range(ATTEMPTS):
        line.write(_GET_SYNC)
        if _read_until(line, _IN_SYNC):
            return True
    return False


def _read_until(line: serial.Serial, pattern: re.Pattern[bytes]) -> re.Match[bytes] | None:
    """Late answers to earlier commands may come before the wanted one."""
    received, end = b"", time.monotonic() + ANSWER_S
    while not (found := pattern.search(received)) and time.monotonic() < end:
        received += line.read(1)
    return found
