"""A real browser for tests, without a window."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

PROGRAM = Path("/usr/bin/chromium")
QUIET = (
    "--no-sandbox",
    "--headless=new",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def open_browser() -> Iterator[Browser]:
    """For a module at most: as long as it is open, no other test could run a loop."""
    if not PROGRAM.exists():
        pytest.skip(f"no {PROGRAM}: 'sudo apt install chromium' brings it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=QUIET)
        yield browser
        browser.close()
