"""The firmware, built once for all tests in a temporary folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.pad.library import Library, Pad
from helpers.pad.simulator import SimulatorFactory
from helpers.pad.tools import make


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("firmware")


@pytest.fixture(scope="session")
def library(build: Path) -> Library:
    make("host", build)
    return Library(build / "libpad.so")


@pytest.fixture
def pad(library: Library) -> Pad:
    return Pad(library)


@pytest.fixture(scope="session")
def image(build: Path) -> Path:
    make("all", build)
    return build / "pad.hex"


@pytest.fixture(scope="session")
def program(build: Path) -> Path:
    make("sim", build)
    return build / "pad_sim"


@pytest.fixture
def simulators(program: Path, image: Path) -> Iterator[SimulatorFactory]:
    factory = SimulatorFactory(program, image)
    yield factory
    for item in reversed(factory.running):
        item.close()
