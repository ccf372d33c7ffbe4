"""The real bootloaders of a Nano, from the Arduino core of Debian, for simavr."""

from __future__ import annotations

import subprocess
from pathlib import Path

from helpers.pad.tools import need
from helpers.requirements import forbidden_here, need_tools

FOLDER = Path("/usr/share/arduino/hardware/arduino/avr/bootloaders")
OLD = FOLDER / "atmega" / "ATmegaBOOT_168_atmega328.hex"
OPTIBOOT = FOLDER / "optiboot" / "optiboot.c"
STARTS = {"atmega328p": 0x7E00, "atmega168": 0x3E00}
MAX_SIZE = 510
# gcc makes the code 20 bytes too long for the boot section without the second line of options;
# Debian's own image of it is too long, and cannot start a program.
FLAGS = """
    -Os -fno-split-wide-types -mrelax -DF_CPU=16000000L -DBAUD_RATE=115200 -DLED_START_FLASHES=3
    -fwhole-program -fno-inline-small-functions -fno-ivopts -fno-move-loop-invariants
    -fno-tree-scev-cprop
    -Wl,--relax -Wl,--gc-sections -nostartfiles -nostdlib
"""


def need_avrdude() -> None:
    need("all")
    need("sim")
    need_tools({"avrdude": "avrdude", str(OPTIBOOT): "arduino-core-avr"})


def build_optiboot(folder: Path, mcu: str = "atmega328p") -> Path:
    """The new bootloader, compiled from its source."""
    start, elf, image = STARTS[mcu], folder / "optiboot.elf", folder / f"optiboot-{mcu}.hex"
    sections = [f"-Wl,--section-start=.text={start:#x}"]
    sections += [f"-Wl,--section-start=.version={start + MAX_SIZE:#x}"]
    command = ["avr-gcc", f"-mmcu={mcu}", *FLAGS.split(), *sections, str(OPTIBOOT), "-o", str(elf)]
    built = subprocess.run(command, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    copy = ["avr-objcopy", "-O", "ihex", "-j", ".text", str(elf), str(image)]
    subprocess.run(copy, check=True)
    data = [bytes.fromhex(line[1:]) for line in image.read_text().split()]
    size = sum(one[0] for one in data if one[3] == 0)
    if size > MAX_SIZE:
        forbidden_here(f"this avr-gcc makes Optiboot {size} bytes long, and {MAX_SIZE} fit")
    return image
