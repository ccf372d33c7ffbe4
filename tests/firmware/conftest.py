"""The firmware, built once for all tests in a folder of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.pad.library import Library, Pad
from helpers.pad.simulator import Start
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
def start(program: Path, image: Path) -> Iterator[Start]:
    made = Start(program, image)
    yield made
    for one in reversed(made.running):
        one.close()
