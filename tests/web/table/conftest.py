"""A browser for the tests of a module, and a real table for each of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from helpers.page.chromium import open_browser
from helpers.page.page_watchers import Onlookers
from helpers.page.served_table import ServedTable
from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as browser:
        yield browser


@pytest.fixture
def table() -> Iterator[ServedTable]:
    with TemporaryDirectory(prefix="m") as folder, ServedTable(Path(folder)) as table:
        yield table


@pytest.fixture
def onlookers(browser: Browser, table: ServedTable) -> Iterator[Onlookers]:
    with Onlookers(browser, table) as onlookers:
        yield onlookers
