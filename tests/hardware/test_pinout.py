"""pinout.toml is valid, and the generated files, the companion and the firmware agree with it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from gpiozero.pins.data import PLUS_J8

from companion.config import pinout as companion_pins
from companion.config.cross_checks import pin_faults
from companion.config.model import ButtonsConfig, Config
from companion.table.inputs import Button
from hardware.generate import generate, main, outdated
from hardware.header import AHCT125_GATES, BCM, PINS, POWER
from hardware.pinout import SOURCE, faults, read_pinout

ROOT = Path(__file__).parents[2]
FIRMWARE = ROOT / "firmware" / "atmega328p"
TOML = SOURCE.read_text(encoding="utf-8")
PINOUT = read_pinout()


def faults_with(old: str, new: str) -> list[str]:
    """The faults of the pinout after one change."""
    assert TOML.count(old) == 1, "ambiguous change"
    return faults(read_pinout(TOML.replace(old, new)))


# --- Header and shifter -------------------------------------------------------------------


def test_the_header_has_forty_pins_and_every_gpio_once() -> None:
    assert sorted([*BCM, *POWER]) == list(PINS)
    assert sorted(BCM.values()) == list(range(28))
    assert sorted(POWER.values()) == ["3V3"] * 2 + ["5V"] * 2 + ["GND"] * 8


def test_gpiozero_has_the_same_header() -> None:
    """Compares with the board data of gpiozero."""
    theirs = PLUS_J8[2]
    for pin in PINS:
        assert (f"GPIO{BCM[pin]}" if pin in BCM else POWER[pin]) in theirs[pin].values()
    for name, each in PINOUT.spi.items():
        assert theirs[each.pin]["spi"] == f"SPI0 {name.upper()}"


def test_the_shifter_has_four_gates_on_different_pins() -> None:
    pins = [pin for gate in AHCT125_GATES for pin in gate]
    assert sorted([*pins, 7, 14]) == list(range(1, 15))


# --- The pinout ---------------------------------------------------------------------------


def test_the_pinout_has_no_faults() -> None:
    assert faults(PINOUT) == []


def test_i2c_uart_pwm_and_the_second_chip_select_are_kept_free() -> None:
    assert set(PINOUT.kept_free) == {2, 3, 7, 14, 15, 18}


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            "east = { bcm = 6, pin = 31",
            "east = { bcm = 5, pin = 29",
            "pin 29 is used by north and east",
        ),
        (
            "east = { bcm = 6, pin = 31",
            "east = { bcm = 6, pin = 32",
            "east: BCM 6 is not at pin 32",
        ),
        (
            "east = { bcm = 6, pin = 31",
            "east = { bcm = 0, pin = 27",
            "east: BCM 0 is reserved for the ID EEPROM of a HAT",
        ),
        (
            "ok = { bcm = 26, pin = 37",
            "ok = { bcm = 18, pin = 12",
            "ok: BCM 18 is kept free (PWM)",
        ),
        ("ok = { bcm = 26, pin = 37", "ok = { bcm = 9, pin = 21", "ok: BCM 9 belongs to SPI0"),
        (
            "ok = { bcm = 26, pin = 37",
            "ok = { pin = 6",
            "ok: BCM None is not at pin 6",
        ),
        (
            "sclk = { bcm = 11, pin = 23",
            "sclk = { bcm = 25, pin = 22",
            "sclk: BCM 25 is not SPI0's sclk",
        ),
        (
            "power = { bcm = 3, pin = 5",
            "power = { bcm = 4, pin = 7",
            "power: only BCM 3 starts a Pi that is shut down",
        ),
        (
            'outputs = ["mosi", "sclk"]',
            'outputs = ["miso"]',
            "there is no gate miso for a resistor",
        ),
        ("5v = { pin = 2", "5v = { pin = 1", "5v: pin 1 is not a 5V pin"),
        (
            "ground_buttons = { pin = 39",
            "ground_buttons = { pin = 4",
            "ground_buttons: pin 4 is not a GND pin",
        ),
        (
            'pin = 37, wire = "pink"',
            'pin = 37, wire = "plaid"',
            "ok: there is no plaid wire",
        ),
        (
            "sclk = { enable = 4, in = 5, out = 6 }",
            "sclk = { enable = 4, in = 6, out = 5 }",
            "sclk: 4, 6, 5 is not a gate of a 74AHCT125",
        ),
        ("vcc = 14", "vcc = 7", "the shifter's supply is 14 and its ground 7"),
        (
            "enable = 13\nin = 12",
            "enable = 4\nin = 5",
            "a gate of the shifter is used twice",
        ),
        (
            "enable = 13\nin = 12",
            "enable = 13\nin = 11",
            "the spare gate: 13, 11 is not a gate of a 74AHCT125",
        ),
        ('avr = "PD3"', 'avr = "PD4"', "the pad's key 2: D3 is not PD4"),
        (
            'nano = "D13"\navr = "PB5"',
            'nano = "D6"\navr = "PD6"',
            "the pad's D6 is used by key roll and LED",
        ),
        (
            'nano = "D2", avr = "PD2"',
            'nano = "D1", avr = "PD1"',
            "the pad's key 1: D1 is the serial line",
        ),
        ('nano = "A7"', 'nano = "A6"', "the pad's noise: A6 is not input 7"),
        ('ground_keys = "GND"', 'ground_keys = "EARTH"', "a Nano has no pin EARTH"),
    ],
)
def test_a_wrong_pinout_has_a_fault(old: str, new: str, fault: str) -> None:
    assert fault in faults_with(old, new)


# --- Generated files ----------------------------------------------------------------------


def test_generated_files_are_up_to_date(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """If this fails, run `.venv/bin/python -m hardware.generate`."""
    assert (main(["--check"]), capsys.readouterr().out) == (0, "")


def test_the_generator_writes_outdated_files_and_check_only_lists_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = generate(PINOUT)
    for path in files:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    assert main([], root=tmp_path) == 0
    assert outdated(tmp_path, files) == []
    (tmp_path / "hardware/wiring.md").write_text("Pi 19 to 74AHCT125 5\n")
    capsys.readouterr()
    assert main(["--check"], root=tmp_path) == 1
    assert capsys.readouterr().out == "hardware/wiring.md: out of date\n"
    assert outdated(tmp_path, files) == ["hardware/wiring.md"]


def test_the_default_pins_of_the_companion_are_those_of_the_pinout() -> None:
    buttons = {button: getattr(Config().buttons, button.value) for button in Button}
    assert buttons == {Button(name): each.bcm for name, each in PINOUT.buttons.items()}
    assert list(Config().die.keys) == [each.bcm for each in PINOUT.die_keys.values()]


def test_the_matrix_is_on_the_default_bus_of_the_companion() -> None:
    for pin in (companion_pins.MOSI, companion_pins.SCLK, companion_pins.CE0):
        config = Config(buttons=ButtonsConfig(north=pin))
        assert list(pin_faults(config)) == [
            f"[buttons] north = {pin}: the matrix needs pin {pin} for SPI0"
        ]


# --- The pad's firmware -------------------------------------------------------------------


def macro(name: str) -> list[str]:
    """The pins of the chip in a macro of pins.c."""
    source = (FIRMWARE / "pins.c").read_text(encoding="utf-8")
    (body,) = re.findall(rf"^#define {name} (.+)$", source, re.MULTILINE)
    return re.findall(r"_BV\((P[A-D]\d)\)", body)


def test_the_firmware_has_the_pins_of_the_keys_and_the_led() -> None:
    assert macro("KEYS") == [each.avr for each in PINOUT.pad_keys.values()]
    assert macro("LED") == [PINOUT.pad_led.avr]


def test_the_firmware_has_key_1_in_bit_0() -> None:
    """The port is shifted down by the pin of the first key."""
    source = (FIRMWARE / "pins.c").read_text(encoding="utf-8")
    assert f">> {PINOUT.pad_keys['1'].avr})" in source
    places = [int(each.avr[-1]) for each in PINOUT.pad_keys.values()]
    assert places == list(range(places[0], places[0] + 5))


def test_the_firmware_reads_noise_from_the_open_pin() -> None:
    source = (FIRMWARE / "noise.c").read_text(encoding="utf-8")
    assert re.findall(r"^    ADMUX = _BV\(REFS0\) \| (\d);", source, re.MULTILINE) == [
        str(PINOUT.pad_adc)
    ]


def test_the_readme_of_the_firmware_has_the_pins_of_the_pinout() -> None:
    rows = re.findall(
        r"^\| ([AD][\d, AD]+) \|", (FIRMWARE.parent / "README.md").read_text(), re.MULTILINE
    )
    keys = [each.nano for each in PINOUT.pad_keys.values()]
    assert rows == [", ".join(keys[:4]), keys[4], PINOUT.pad_led.nano, PINOUT.pad_open]
