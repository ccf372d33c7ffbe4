"""A matrix that is rotated, loses its registers, has a small power supply, or is made of SK9822."""

from __future__ import annotations

import pytest
from helpers.recording_chips import SAMPLE_FRAME, RecordingMax7219, RecordingStrip, frame_with

from companion.adapters.matrix import KINDS, open_matrix
from companion.adapters.virtual.spi import (
    Apa102Strip,
    Max7219Chip,
    Sk9822Strip,
    VirtualSpi,
    virtual_chip,
)
from companion.light.current import estimate_ma
from companion.light.layout import RAILS, ROTATIONS, Layout
from companion.light.rgb import RGB
from companion.table.scenes.scene import Ink

# --- Rotated and mirrored -----------------------------------------------------------------

CORNER = frame_with(led0=Ink.WHITE, led1=Ink.WHITE)
"""The north-west LED and its eastern neighbour."""


@pytest.mark.parametrize(
    ("layout", "columns"),
    [
        (Layout(rotation=90), {1: 0xC0}),  # its first column is the northern row: 6 and 7 from west
        (Layout(rotation=180), {8: 0x80, 7: 0x80}),
        (Layout(rotation=270), {8: 0x03}),
        (Layout(is_mirrored=True), {8: 0x01, 7: 0x01}),
        (Layout(rail="north-west"), {2: 0x02, 3: 0x02}),
        (Layout(rail="south-west"), {2: 0x01, 3: 0x01}),
        (Layout(rail="north-east"), {1: 0x02, 2: 0x02}),
    ],
)
def test_the_bytes_for_a_max7219_in_another_layout(layout: Layout, columns: dict[int, int]) -> None:
    chip = RecordingMax7219()
    matrix = open_matrix("max7219", VirtualSpi(chip), layout=layout)
    chip.sent.clear()
    matrix.show(CORNER)
    assert chip.sent == [f"{digit:02x}{columns.get(digit, 0):02x}" for digit in range(1, 9)]


@pytest.mark.parametrize(
    ("layout", "places"),
    [
        (Layout(rotation=90), [56, 48]),
        (Layout(is_mirrored=True), [7, 6]),
        (Layout(is_zigzag=True, rail="north-east"), [15, 14]),
        (Layout(is_zigzag=True, rotation=180), [63 - 7, 63 - 6]),
    ],
)
def test_the_bytes_for_an_apa102_chain_in_another_layout(layout: Layout, places: list[int]) -> None:
    strip = RecordingStrip()
    matrix = open_matrix("apa102", VirtualSpi(strip), layout=layout)
    matrix.show(CORNER)
    leds = [strip.sent[-1][4 + 4 * led : 8 + 4 * led].hex() for led in range(64)]
    assert leds == ["e3ffffff" if led in places else "e3000000" for led in range(64)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rail", RAILS)
@pytest.mark.parametrize("rotation", ROTATIONS)
def test_the_layout_maps_the_light_back_to_the_frame(rotation: int, rail: str, kind: str) -> None:
    layout = Layout(rotation=rotation, is_mirrored=True, is_zigzag=kind == "apa102", rail=rail)
    device = VirtualSpi(virtual_chip(kind))
    open_matrix(kind, device, layout=layout).show(SAMPLE_FRAME)
    meant = layout.from_chip(device.chip.light())
    assert [led for led, colour in enumerate(meant) if any(colour)] == [0, 1, 8, 63]


# --- Reinitialization ---------------------------------------------------------------------


def test_the_bytes_that_reinitialize_a_max7219() -> None:
    """No display test, no decoding, all digits, intensity, awake; then the columns."""
    chip = RecordingMax7219()
    matrix = open_matrix("max7219", VirtualSpi(chip), brightness=5)
    matrix.show(SAMPLE_FRAME)
    chip.sent.clear()
    matrix.reinitialize()
    assert chip.sent == ["0f00", "0900", "0b07", "0a05", "0c01"]
    chip.sent.clear()
    matrix.show(SAMPLE_FRAME)
    assert chip.sent == ["0103", "0201", "0300", "0400", "0500", "0600", "0700", "0880"]


def test_reinitializing_a_max7219_is_not_visible() -> None:
    """No transfer changes the light."""
    chip = RecordingMax7219()
    matrix = open_matrix("max7219", VirtualSpi(chip))
    matrix.show(SAMPLE_FRAME)
    chip.lights.clear()
    matrix.reinitialize()
    matrix.show(SAMPLE_FRAME)
    assert len(chip.lights) == 5 + 8
    assert set(chip.lights) == {chip.light()}


@pytest.mark.parametrize("register", range(1, 16))
@pytest.mark.parametrize("value", [0x00, 0xFF])
def test_a_max7219_recovers_from_any_register(register: int, value: int) -> None:
    chip = Max7219Chip()
    matrix = open_matrix("max7219", VirtualSpi(chip), brightness=5)
    matrix.show(SAMPLE_FRAME)
    whole = bytes(chip.registers)
    chip.registers[register] = value
    matrix.reinitialize()
    matrix.show(SAMPLE_FRAME)
    if register in (0xD, 0xE):  # the chip has no such register
        chip.registers[register] = 0
    assert chip.registers == whole


def test_after_reinitialization_apa102_are_sent_the_frame_again() -> None:
    strip = RecordingStrip()
    matrix = open_matrix("apa102", VirtualSpi(strip))
    matrix.show(SAMPLE_FRAME)
    matrix.reinitialize()
    matrix.show(SAMPLE_FRAME)
    assert len(strip.sent) == 3
    assert strip.sent[1] == strip.sent[2]


@pytest.mark.parametrize("kind", KINDS)
def test_reinitialization_sets_the_brightness_and_keeps_it(kind: str) -> None:
    chip = virtual_chip(kind)
    matrix = open_matrix(kind, VirtualSpi(chip), brightness=9)
    for brightness in (2, None):
        matrix.reinitialize(brightness)
        matrix.show(SAMPLE_FRAME)
        if isinstance(chip, Apa102Strip):
            assert chip.brightness == 2
        else:
            assert chip.registers[Max7219Chip.INTENSITY] == 2


def test_reinitialization_creates_no_luma_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """luma keeps every device until the process ends: one per minute would fill the memory."""
    matrix = open_matrix("max7219", VirtualSpi(Max7219Chip()))
    hooks: list[object] = []
    monkeypatch.setattr("atexit.register", hooks.append)
    matrix.reinitialize()
    assert hooks == []


# --- Power supply and SK9822 --------------------------------------------------------------


def test_a_frame_over_the_current_limit_is_dimmed_and_the_next_is_not() -> None:
    strip = RecordingStrip()
    matrix = open_matrix("apa102", VirtualSpi(strip), brightness=15, most_ma=1000)
    matrix.show((Ink.WHITE,) * 64)
    assert strip.sent[-1][4:-8].hex() == "e7ffffff" * 64
    assert estimate_ma(strip.light(), strip.brightness) <= 1000
    matrix.show(SAMPLE_FRAME)
    assert strip.brightness == 15


def test_sk9822_show_every_frame_at_once() -> None:
    strip = Sk9822Strip()
    matrix = open_matrix("apa102", VirtualSpi(strip))
    for ink in (Ink.WHITE, Ink.RED):
        matrix.show((ink,) * 64)
        assert set(strip.light()) == {RGB[ink]}
