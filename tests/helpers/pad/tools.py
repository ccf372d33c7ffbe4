"""Builds the firmware for tests. Skips a test, with the reason, if a tool is missing."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from helpers.requirements import missing_tool, need_tools

FIRMWARE = Path(__file__).parents[3] / "firmware"

# Programs and headers that each target of the Makefile needs, with their Debian packages.
NEEDS = {
    "all": {"avr-gcc": "gcc-avr", "/usr/lib/avr/include/avr/io.h": "avr-libc"},
    "host": {"gcc": "gcc"},
    "host-san": {"gcc": "gcc"},
    "fuzz": {"clang": "clang"},
    "sim": {"gcc": "gcc", "/usr/include/simavr/sim_avr.h": "libsimavr-dev"},
}


def need(target: str) -> None:
    """Skip the test if a tool for the target is missing."""
    need_tools({"make": "make", **NEEDS[target]})
    if target == "fuzz" and not _has_fuzzer():
        missing_tool("clang's fuzzer", "libclang-rt-dev")


def _has_fuzzer() -> bool:
    clang = os.environ.get("CLANG", "clang").split()
    source = "int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return d == 0 && n; }"
    tried = subprocess.run(
        [*clang, "-fsanitize=fuzzer,address,undefined", "-x", "c", "-", "-o", os.devnull],
        input=source,
        capture_output=True,
        text=True,
    )
    return tried.returncode == 0


def make(target: str, build: Path) -> str:
    """Make a target in a build folder. Returns the output."""
    need(target)
    made = subprocess.run(
        ["make", "-C", str(FIRMWARE), f"BUILD={build}", target],
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    return made.stdout + made.stderr
