"""Fixtures of the tests in the test kernel."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from kernel.inside.header import Header
from kernel.inside.udev import udev_running


@pytest.fixture
def header() -> Header:
    """The header with all contacts open."""
    header = Header()
    header.open_all()
    return header


@pytest.fixture(scope="session")
def udev() -> Iterator[None]:
    """A running udev with the companion's rules."""
    with udev_running():
        yield
