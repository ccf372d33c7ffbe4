"""The bytes on the SPI bus of an emulated Raspberry Pi, from QEMU's trace of register writes.

The kernel's driver writes each byte to the FIFO of the SPI controller. It moves the chip select,
GPIO 8, like any other pin: low during a transfer. The chip takes its bytes when it rises.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

EVENT = "memory_region_ops_write"
"""A trace event of QEMU: any write of the processor to a register."""
CHIP_SELECT_PIN = 8
_WRITE = re.compile(
    rf"{EVENT} .* addr (0x[0-9a-f]+) value (0x[0-9a-f]+) size \d+ name '([^']+)'", re.ASCII
)
_SPI, _GPIO = "bcm2835-spi", "bcm2835_gpio"
REGIONS = (f"name '{_SPI}'", f"name '{_GPIO}'")
"""In the lines that matter here: reading the card alone makes a million others."""
# Offsets of the registers.
_FIFO, _SET_PINS, _CLEAR_PINS = 0x04, 0x1C, 0x28


def transfers(lines: Iterable[str]) -> Iterator[bytes]:
    """What was sent each time while the chip select was low."""
    sent: bytearray | None = None
    for line in lines:
        found = _WRITE.search(line)
        if not found:
            continue
        offset, value, region = int(found[1], 16) & 0xFFF, int(found[2], 16), found[3]
        is_select = region == _GPIO and value >> CHIP_SELECT_PIN & 1
        if is_select and offset == _CLEAR_PINS:
            sent = bytearray()
        elif is_select and offset == _SET_PINS:
            if sent:
                yield bytes(sent)
            sent = None
        elif region == _SPI and offset == _FIFO and sent is not None:
            sent.append(value & 0xFF)
