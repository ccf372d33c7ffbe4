"""The die pad's released image in a simulated chip, for tests that play with it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.adapters.firmware_folder import Firmware
from companion.adapters.virtual.simavr_pad import SimavrPad
from helpers.pad.tools import need

MakeChip = Callable[[asyncio.AbstractEventLoop], SimavrPad]


@pytest.fixture(scope="session")
def chip(tmp_path_factory: pytest.TempPathFactory) -> MakeChip:
    """Plugs in a pad; the program for it is built once, in a folder of its own."""
    need("sim")
    firmware = Firmware(build=tmp_path_factory.mktemp("chip"))
    program, image = firmware.simulator(), firmware.released_image()
    return lambda loop: SimavrPad(loop, program, image)


def write_program(path: Path, text: str) -> Path:
    """A fake program for the shell to find."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}")
    path.chmod(0o755)
    return path
