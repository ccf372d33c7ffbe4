"""The positions of pins on the header, compared with gpiozero and with the building guide."""

from __future__ import annotations

from pathlib import Path

from gpiozero.pins.data import PLUS_J8

from companion.config.file import parse_config
from companion.doctor.header import HEADER_PINS, pin_label, pinout_text

GUIDE = Path(__file__).parents[2] / "hardware" / "README.md"


def test_header_is_the_same_as_in_gpiozero() -> None:
    header = PLUS_J8[2]
    assert sorted(HEADER_PINS) == list(range(28))
    for bcm, pin in HEADER_PINS.items():
        assert f"GPIO{bcm}" in header[pin].values()


def test_pin_label_is_the_same_as_in_the_guide() -> None:
    assert pin_label(5) == "pin 29 (BCM 5)"
    assert f"| NORTH | {pin_label(5)} |" in GUIDE.read_text()


def test_pinout_follows_the_config() -> None:
    settings = '[die]\ninput = "electronic"\n[buttons]\nnorth = 12\n'
    assert pinout_text(parse_config(settings, "marrakech.toml")) == (
        "button NORTH  pin 32 (BCM 12)\n"
        "button EAST   pin 31 (BCM 6)\n"
        "button SOUTH  pin 33 (BCM 13)\n"
        "button WEST   pin 35 (BCM 19)\n"
        "button OK     pin 37 (BCM 26)\n"
        "button BACK   pin 36 (BCM 16)\n"
        "matrix MOSI   pin 19 (BCM 10)\n"
        "matrix SCLK   pin 23 (BCM 11)\n"
        "matrix CE0    pin 24 (BCM 8)\n"
    )


def test_pinout_names_another_spi_bus() -> None:
    settings = '[die]\ninput = "electronic"\n[matrix]\nbus = 1\n[buttons]\nwest = 12\n'
    assert pinout_text(parse_config(settings, "m")).endswith("matrix        SPI1\n")
