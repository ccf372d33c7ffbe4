"""The guide agrees with the code: pins, commands, numbers and links."""

from __future__ import annotations

import argparse
import re
import shlex
from collections import Counter
from pathlib import Path
from tomllib import loads as parse_toml

import pytest

from companion.cli.main import COMMANDS, add_arguments
from companion.config.file import parse_config
from companion.config.model import Config
from hardware.header import POWER
from hardware.pinout import read_pinout
from hardware.render import PARTS
from hardware.wires import apa102_full_ma, apa102_ma, jumper_counts, pad_wires, table_wires

HARDWARE = Path(__file__).parents[2] / "hardware"
PINOUT = read_pinout()
GUIDE = (HARDWARE / "README.md").read_text(encoding="utf-8")
BOM = (HARDWARE / "bom.md").read_text(encoding="utf-8")
PAGES = ["README.md", "bom.md", "wiring.md", "pad-wiring.md"]


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_existing_files(page: str) -> None:
    text = (HARDWARE / page).read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link]
    assert links
    assert [link for link in links if not (HARDWARE / link).exists()] == []


# --- Pins ---------------------------------------------------------------------------------


def named_pins(text: str) -> set[tuple[int, str]]:
    """Every `19 (BCM 10)` or `39 (GND)` of a text."""
    return {(int(pin), what) for pin, what in re.findall(r"\b(\d+) \((BCM \d+|GND|5V)\)", text)}


def all_pins() -> set[tuple[int, str]]:
    return {
        (each.pin, POWER[each.pin] if each.bcm is None else f"BCM {each.bcm}")
        for each in PINOUT.header_pins()
    }


def test_the_guide_names_the_pins_of_the_pinout() -> None:
    assert named_pins(GUIDE) == all_pins()
    assert re.findall(r"\bpins? \d+ \((?!BCM|GND|5V)", GUIDE) == []


def test_the_table_of_wires_names_the_pins_of_the_pinout() -> None:
    text = (HARDWARE / "wiring.md").read_text(encoding="utf-8")
    rows = "\n".join(re.findall(r"^\| Pi \| (.+?) \|", text, re.MULTILINE))
    assert named_pins(rows) == all_pins()


def test_the_guide_has_the_pin_of_each_button() -> None:
    rows = re.findall(r"^\| ([A-Z]+) \| pin (\d+) \(BCM (\d+)\) \|$", GUIDE, re.MULTILINE)
    assert rows == [
        (name.upper(), str(each.pin), str(each.bcm)) for name, each in PINOUT.buttons.items()
    ]


def test_the_die_keys_of_the_guide_are_in_order() -> None:
    (pins,) = re.findall(r"Four keys for 1, 2, 3 and 4 at (.+?), with\s", GUIDE, re.DOTALL)
    assert [int(bcm) for bcm in re.findall(r"BCM (\d+)", pins)] == list(Config().die.keys)


def test_the_guide_lists_the_free_pins_of_the_pinout() -> None:
    (pins,) = re.findall(r"Left free are BCM\s([\d, and\n]+),", GUIDE)
    assert [int(bcm) for bcm in re.findall(r"\d+", pins)] == sorted(PINOUT.kept_free)


def test_the_guide_has_the_pins_of_the_pad() -> None:
    keys = dict(re.findall(r"\b([1-4]|ROLL) to (D\d+)\b", GUIDE))
    assert keys == {name.upper(): each.nano for name, each in PINOUT.pad_keys.items()}
    assert f"goes to {PINOUT.pad_led.nano} through {PINOUT.pad_resistor}" in GUIDE
    assert f"Leave {PINOUT.pad_open} open" in GUIDE


# --- Numbers ------------------------------------------------------------------------------


def test_the_guide_has_the_currents_of_the_generator() -> None:
    assert f"64 × 60 mA = {apa102_full_ma(PINOUT) / 1000:.2f} A" in GUIDE
    rows = re.findall(r"^\| (\d+)(?: \(.+\))? \| ([\d.]+) A \| 5 V (\d) A", GUIDE, re.MULTILINE)
    assert [int(row[0]) for row in rows] == [3, 8, 15]
    for brightness, current, supply in rows:
        needed = apa102_ma(PINOUT, int(brightness)) / 1000
        assert current == f"{needed:.2f}"
        assert needed * 1.5 < int(supply), "a third of the supply is reserve"


def test_the_brightness_called_default_is_the_default() -> None:
    assert re.findall(r"^\| (\d+) \(default\)", GUIDE, re.MULTILINE) == [
        str(Config().matrix.brightness)
    ]


def test_the_bill_of_materials_has_the_printed_parts() -> None:
    assert "4 | `frame` corners" in BOM
    corners = " ".join(re.findall(r"`(corner_\w+)`", BOM))
    assert corners.split() == [part for part in PARTS["frame"] if part.startswith("corner")]
    for part in ("bar_west", "bar_east"):
        assert f"| {PARTS['frame'][part]} | `frame` {part}, printed" in BOM
    for name, parts in PARTS.items():
        if name != "frame":
            listed = " and ".join(", ".join(parts).rsplit(", ", 1))
            assert f"| 1 | `{name}`, printed: {listed} |" in BOM


@pytest.mark.parametrize(
    ("section", "builds"),
    [
        ("Console", ("both", "console")),
        ("For the wooden die", ("die keys", "pad")),
        ("Power button", ("power button",)),
    ],
)
def test_the_bill_of_materials_has_the_jumper_wires(section: str, builds: tuple[str, ...]) -> None:
    (text,) = re.findall(rf"^## {section}$(.+?)(?=^## |\Z)", BOM, re.MULTILINE | re.DOTALL)
    listed: Counter[str] = Counter()
    for count, ends in re.findall(
        r"^\| (\d+) \| jumper wires, (\w+ to \w+) \|", text, re.MULTILINE
    ):
        listed[ends] += int(count)
    wires = (*table_wires(PINOUT), *pad_wires(PINOUT))
    assert listed == jumper_counts(wire for wire in wires if wire.build in builds)


def test_the_bill_of_materials_has_the_resistors_and_only_ahct() -> None:
    console = [wire for wire in table_wires(PINOUT) if wire.build in ("both", "console")]
    count = sum(bool(wire.resistor) for wire in console)
    assert f"| {count} | resistor {PINOUT.shifter_resistor}" in BOM
    assert "AHCT only, not HC and not HCT" in BOM
    assert "Do not use a 74HCT125" in GUIDE


# --- Commands and settings ----------------------------------------------------------------

COMMAND_LINES = sorted(
    set(re.findall(r"(?:^|`|sudo )(?:\./)?marrakech (?!`)([a-z][^\n`]+)", GUIDE, re.MULTILINE))
)


MATRIX_KEYS = sorted(
    set(re.findall(r"`((?:rotation|mirrored|wiring|rail|most_ma) = [^`]+)`", GUIDE))
)


@pytest.mark.parametrize("line", MATRIX_KEYS)
def test_every_matrix_setting_of_the_guide_is_valid(line: str) -> None:
    key, _ = line.split(" = ")
    config = parse_config(f'[matrix]\nkind = "apa102"\n{line}', "guide")
    assert getattr(config.matrix, key) == parse_toml(line)[key]


def test_the_guide_has_all_settings_for_mounting_a_matrix() -> None:
    assert {line.split()[0] for line in MATRIX_KEYS} == {
        "rotation", "mirrored", "wiring", "rail", "most_ma",
    }  # fmt: skip


@pytest.mark.parametrize("line", COMMAND_LINES)
def test_every_command_of_the_guide_is_valid(line: str) -> None:
    command, *words = shlex.split(line)
    assert command in COMMANDS
    parser = argparse.ArgumentParser()
    add_arguments(parser, command)
    parser.parse_args(words)


def test_the_settings_of_the_guide_are_valid() -> None:
    (text,) = re.findall(r"```\n(\[matrix\]\n.+?)```", GUIDE, re.DOTALL)
    assert parse_config(text, "guide").matrix.kind == "apa102"
    for kind in ("both", "keys", "electronic"):
        assert parse_config(f'[die]\ninput = "{kind}"', "guide").die.input == kind
        assert f'input = "{kind}"' in GUIDE.replace("\n", " ")


# --- Order --------------------------------------------------------------------------------


def test_the_service_is_stopped_before_the_first_test_after_each_start_of_the_pi() -> None:
    """These refuse to start while the service has the pins and the matrix."""
    blocks = re.findall(r"^```\n(.+?)^```", GUIDE, re.MULTILINE | re.DOTALL)
    opens_hardware = re.compile(r"^marrakech (light|doctor --walk)", re.MULTILINE)
    tests = [text for text in blocks if opens_hardware.search(text)]
    assert len(tests) == 4
    assert [text for text in tests if not text.startswith("sudo systemctl stop marrakech\n")] == []


@pytest.mark.parametrize("page", ["README.md", "bom.md"])
def test_supported_systems_are_named(page: str) -> None:
    text = " ".join((HARDWARE / page).read_text(encoding="utf-8").split())
    for words in ("64-bit Raspberry Pi OS 12", "13", "Debian 12", "Plain Debian 13"):
        assert words in text
