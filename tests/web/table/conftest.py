"""A browser for each module, and a real table for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from helpers.page.chromium import open_browser
from helpers.page.page_watchers import PageWatchers
from helpers.page.table_process import TableProcess
from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as browser:
        yield browser


@pytest.fixture
def table() -> Iterator[TableProcess]:
    with TemporaryDirectory(prefix="m") as folder, TableProcess(Path(folder)) as table:
        yield table


@pytest.fixture
def watchers(browser: Browser, table: TableProcess) -> Iterator[PageWatchers]:
    with PageWatchers(browser, table) as watchers:
        yield watchers
