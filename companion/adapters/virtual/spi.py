"""Virtual matrix chips on a virtual SPI bus. They decode the bytes for the real chips.

A `VirtualSpi` replaces spidev.SpiDev and passes every transfer to a chip. The chip keeps its
registers as in its datasheet, and computes the light of its LEDs.
"""

from __future__ import annotations

from typing import Protocol

Light = tuple[tuple[int, int, int], ...]
"""(red, green, blue) of the 64 LEDs, in the order of the chip. A `Layout` maps them to squares."""

_LEDS = 64
_DARK = (0, 0, 0)
_LIT = (255, 0, 0)


class Chip(Protocol):
    def transfer(self, data: bytes) -> None: ...
    def light(self) -> Light: ...


class Max7219Chip:
    """One MAX7219 on 8 x 8 red LEDs.

    A transfer is an address and a value. Digit registers 1 to 8 are the columns from the west, bit
    0 of each is the northernmost row.
    """

    DECODE_MODE, INTENSITY, SCAN_LIMIT, SHUTDOWN, DISPLAY_TEST = 0x9, 0xA, 0xB, 0xC, 0xF

    def __init__(self) -> None:
        # At power-up the chip is shut down and its registers are empty.
        self.registers = bytearray(16)

    def transfer(self, data: bytes) -> None:
        if len(data) != 2:
            raise ValueError(f"a MAX7219 takes 2 bytes at a time, not {len(data)}")
        address, value = data
        self.registers[address & 0xF] = value

    def light(self) -> Light:
        if self.registers[self.DISPLAY_TEST] & 1:
            return (_LIT,) * _LEDS
        if not self.registers[self.SHUTDOWN] & 1:
            return (_DARK,) * _LEDS
        columns = self.registers[self.SCAN_LIMIT] & 7
        return tuple(
            _LIT if x <= columns and self.registers[x + 1] >> y & 1 else _DARK
            for y in range(8)
            for x in range(8)
        )


class Apa102Strip:
    """64 APA102 in a row.

    A transfer is four zero bytes; for each LED the bits 111, five bits of brightness, blue, green
    and red; then zeros, because each LED delays the data by half a clock.
    """

    LATCH_BITS = 0
    """The zero bits that an LED needs after its data before it shows its colour."""

    def __init__(self) -> None:
        self._light = [_DARK] * _LEDS
        self.brightness = 0

    def transfer(self, data: bytes) -> None:
        start, frames, end = data[:4], data[4 : 4 + 4 * _LEDS], data[4 + 4 * _LEDS :]
        if start != bytes(4) or len(frames) != 4 * _LEDS or len(end) * 8 < _LEDS // 2:
            raise ValueError(f"{len(data)} bytes are not a frame for {_LEDS} APA102")
        leds = [frames[at : at + 4] for at in range(0, len(frames), 4)]
        if any(head >> 5 != 0b111 for head, _, _, _ in leds):
            raise ValueError("an APA102 frame starts with three ones")
        if any(end):
            raise ValueError("after the last APA102 frame there are only zeros")
        self.brightness = leds[0][0] & 31
        for led, (head, blue, green, red) in enumerate(leds):
            if len(end) * 8 - (led + 1) // 2 >= self.LATCH_BITS:
                self._light[led] = (red, green, blue) if head & 31 else _DARK

    def light(self) -> Light:
        return tuple(self._light)


class Sk9822Strip(Apa102Strip):
    """64 SK9822, often sold as APA102: each shows its colour after 32 zero bits."""

    LATCH_BITS = 32


def virtual_chip(kind: str) -> Max7219Chip | Apa102Strip:
    """The chip for one of the matrix kinds."""
    return Apa102Strip() if kind == "apa102" else Max7219Chip()


class VirtualSpi:
    """Replaces spidev.SpiDev. While unplugged, transfers fail."""

    def __init__(self, chip: Chip) -> None:
        self.chip = chip
        self.max_speed_hz = 0
        self.address: tuple[int, int] | None = None
        self.transfers = 0
        self.is_open = False
        self._is_unplugged = False

    def open(self, bus: int, device: int) -> None:
        self._refuse_if_unplugged()
        self.address = (bus, device)
        self.is_open = True

    def writebytes(self, data: list[int]) -> None:
        if not self.is_open:
            raise OSError(9, "Bad file descriptor")
        self._refuse_if_unplugged()
        self.transfers += 1
        self.chip.transfer(bytes(data))

    def close(self) -> None:
        self.is_open = False

    def unplug(self) -> None:
        self._is_unplugged = True

    def plug_in(self) -> None:
        self._is_unplugged = False

    def _refuse_if_unplugged(self) -> None:
        if self._is_unplugged:
            raise OSError(5, "Input/output error")
