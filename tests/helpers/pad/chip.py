"""The released firmware in simavr, for tests."""

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
    """A function that plugs in a pad. The simulator is built once, in a temporary folder."""
    need("sim")
    firmware = Firmware(build=tmp_path_factory.mktemp("chip"))
    program, image = firmware.simulator(), firmware.released_image()
    return lambda loop: SimavrPad(loop, program, image)


def write_program(path: Path, text: str) -> Path:
    """Write a fake program as a shell script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}")
    path.chmod(0o755)
    return path
