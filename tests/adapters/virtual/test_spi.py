"""The virtual chips light the LEDs that the real ones would."""

from __future__ import annotations

import pytest

from companion.adapters.virtual.spi import Apa102Strip, Max7219Chip, Sk9822Strip, VirtualSpi


def count(chip: Max7219Chip | Apa102Strip) -> int:
    return sum(any(colour) for colour in chip.light())


def test_a_max7219_is_dark_while_shut_down() -> None:
    chip = Max7219Chip()
    chip.transfer(bytes([0x0B, 7]))
    chip.transfer(bytes([0x01, 0xFF]))
    assert count(chip) == 0
    chip.transfer(bytes([0x0C, 1]))
    assert [led for led, colour in enumerate(chip.light()) if any(colour)] == list(range(0, 64, 8))


def test_a_max7219_lights_only_the_digits_it_scans() -> None:
    chip = Max7219Chip()
    for address, value in [(0x0C, 1), (0x0B, 2), *((digit, 0xFF) for digit in range(1, 9))]:
        chip.transfer(bytes([address, value]))
    assert count(chip) == 3 * 8


def test_a_max7219_in_display_test_lights_everything() -> None:
    chip = Max7219Chip()
    chip.transfer(bytes([0x0F, 1]))
    assert count(chip) == 64


@pytest.mark.parametrize("data", [b"", b"\x01", b"\x01\x02\x03"])
def test_a_max7219_takes_two_bytes_at_a_time(data: bytes) -> None:
    with pytest.raises(ValueError, match=f"^a MAX7219 takes 2 bytes at a time, not {len(data)}$"):
        Max7219Chip().transfer(data)


FRAME = bytes(4) + bytes([0xE1, 1, 2, 3]) * 64 + bytes(4)


def test_an_apa102_reads_blue_green_red() -> None:
    strip = Apa102Strip()
    assert count(strip) == 0
    strip.transfer(FRAME)
    assert strip.light() == ((3, 2, 1),) * 64


def test_an_apa102_without_brightness_is_dark() -> None:
    strip = Apa102Strip()
    strip.transfer(FRAME.replace(b"\xe1", b"\xe0"))
    assert count(strip) == 0


def test_each_sk9822_waits_for_32_zero_bits() -> None:
    """Each LED delays the data by half a clock."""
    for zeros, lit in [(4, 1), (5, 17), (6, 33), (7, 49), (8, 64), (12, 64)]:
        strip = Sk9822Strip()
        strip.transfer(FRAME[:-4] + bytes(zeros))
        assert count(strip) == lit
    strip = Sk9822Strip()
    strip.transfer(FRAME)
    strip.transfer(FRAME + bytes(4))
    assert strip.light() == ((3, 2, 1),) * 64


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x01" + FRAME[1:], "264 bytes are not a frame for 64 APA102"),
        (FRAME[:-8], "256 bytes are not a frame for 64 APA102"),
        (FRAME[:-1], "263 bytes are not a frame for 64 APA102"),
        (FRAME.replace(b"\xe1", b"\x61"), "an APA102 frame starts with three ones"),
        (FRAME[:-1] + b"\x01", "after the last APA102 frame there are only zeros"),
        (FRAME + FRAME[4:8], "after the last APA102 frame there are only zeros"),
    ],
)
def test_data_that_is_not_an_apa102_frame_raises_an_error(data: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        Apa102Strip().transfer(data)


def test_the_bus_must_be_open_and_plugged_in() -> None:
    device = VirtualSpi(Max7219Chip())
    with pytest.raises(OSError, match="Bad file descriptor"):
        device.writebytes([0x0C, 1])
    device.unplug()
    with pytest.raises(OSError, match="Input/output error"):
        device.open(0, 0)
