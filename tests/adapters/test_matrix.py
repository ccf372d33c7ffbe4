"""Both kinds of matrix behave the same, and send exact bytes."""

from __future__ import annotations

import pytest
from helpers.recording_chips import SAMPLE_FRAME, RecordingMax7219, RecordingStrip, frame_with

from companion.adapters.matrix import KINDS, Matrix, open_matrix
from companion.adapters.virtual.spi import Apa102Strip, Max7219Chip, VirtualSpi, virtual_chip
from companion.light.frame import DARK
from companion.light.rgb import RGB
from companion.table.scenes.scene import Ink


def virtual(kind: str, *, brightness: int = 3) -> tuple[Matrix, VirtualSpi]:
    device = VirtualSpi(virtual_chip(kind))
    return open_matrix(kind, device, brightness=brightness), device


def lit(device: VirtualSpi) -> list[int]:
    return [led for led, colour in enumerate(device.chip.light()) if any(colour)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_frame_lights_its_leds(kind: str) -> None:
    matrix, device = virtual(kind)
    assert lit(device) == []
    matrix.show(SAMPLE_FRAME)
    assert lit(device) == [0, 1, 8, 63]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("led", range(64))
def test_every_led_can_be_lit_alone(kind: str, led: int) -> None:
    matrix, device = virtual(kind)
    matrix.show(frame_with(**{f"led{led}": Ink.WHITE}))
    assert lit(device) == [led]


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_sent_while_nothing_changes(kind: str) -> None:
    matrix, device = virtual(kind)
    matrix.show(SAMPLE_FRAME)
    before = device.transfers
    matrix.show(SAMPLE_FRAME)
    assert device.transfers == before
    matrix.show(DARK)
    assert device.transfers > before
    assert lit(device) == []


@pytest.mark.parametrize("kind", KINDS)
def test_close_darkens_the_matrix_and_releases_the_bus(kind: str) -> None:
    matrix, device = virtual(kind)
    matrix.show(SAMPLE_FRAME)
    matrix.close()
    assert lit(device) == []
    assert not device.is_open
    matrix.close()


@pytest.mark.parametrize("kind", KINDS)
def test_after_a_failed_transfer_the_next_frame_is_sent(kind: str) -> None:
    """Even if it is the one before: the state of the matrix is unknown."""
    matrix, device = virtual(kind)
    matrix.show(DARK)
    device.unplug()
    with pytest.raises(OSError, match="Input/output error"):
        matrix.show(SAMPLE_FRAME)
    device.plug_in()
    before = device.transfers
    matrix.show(DARK)
    assert device.transfers > before
    matrix.show(SAMPLE_FRAME)
    assert lit(device) == [0, 1, 8, 63]


@pytest.mark.parametrize("kind", KINDS)
def test_close_releases_the_bus_even_if_the_transfer_fails(kind: str) -> None:
    matrix, device = virtual(kind)
    device.unplug()
    with pytest.raises(OSError, match="Input/output error"):
        matrix.close()
    assert not device.is_open


def test_the_bytes_that_initialize_a_max7219_and_show_a_frame() -> None:
    chip = RecordingMax7219()
    device = VirtualSpi(chip)
    matrix = open_matrix("max7219", device, brightness=5)
    dark = [f"0{digit}00" for digit in range(1, 9)]
    # scan all eight digits, no decoding, no display test, intensity, clear, wake up
    assert chip.sent == ["0b07", "0900", "0f00", "0a05", *dark, "0c01"]
    assert (device.address, device.max_speed_hz) == ((0, 0), 1_000_000)
    chip.sent.clear()
    matrix.show(SAMPLE_FRAME)
    # column by column from the west, the northern row in the lowest bit
    assert chip.sent == ["0103", "0201", "0300", "0400", "0500", "0600", "0700", "0880"]


def test_the_bytes_that_show_a_frame_on_apa102() -> None:
    strip = RecordingStrip()
    matrix = open_matrix("apa102", VirtualSpi(strip), brightness=9)
    assert [frame.hex() for frame in strip.sent] == ["00" * 4 + "e0000000" * 64 + "00" * 8]
    matrix.show(SAMPLE_FRAME)
    (frame,) = strip.sent[1:]
    off = "e9000000"
    assert frame[:4].hex() == "00000000"
    assert frame[4:12].hex() == "e91e28ff" + "e9ff6e28"  # brightness, blue, green, red
    assert frame[12:36].hex() == off * 6
    assert frame[36:40].hex() == "e9ffffff"
    assert frame[40 : 4 + 63 * 4].hex() == off * 54
    assert frame[4 + 63 * 4 : 4 + 64 * 4].hex() == "e90a50be"
    assert frame[4 + 64 * 4 :].hex() == "00" * 4 + "00" * 4  # to the last LED, and for SK9822
    matrix.close()


def test_apa102_show_the_colours_of_the_inks() -> None:
    matrix, device = virtual("apa102")
    for ink in Ink:
        matrix.show(frame_with(led5=ink))
        assert device.chip.light()[5] == RGB[ink]


def test_the_brightness_is_sent_to_the_chips() -> None:
    _, device = virtual("max7219", brightness=15)
    assert isinstance(device.chip, Max7219Chip)
    assert device.chip.registers[Max7219Chip.INTENSITY] == 15
    matrix, device = virtual("apa102", brightness=15)
    matrix.show(SAMPLE_FRAME)
    assert isinstance(device.chip, Apa102Strip)
    assert device.chip.brightness == 15
