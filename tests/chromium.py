"""A real browser for tests, without a window.

Debian has Chromium in two packages: with windows, and without, which is the same engine for half
the work. Either will do.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

PROGRAMS = (Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium"))
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
    program = next((program for program in PROGRAMS if program.exists()), None)
    if program is None:
        pytest.skip(f"no {PROGRAMS[0]}: 'sudo apt install {PROGRAMS[0].name}' brings it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=QUIET)
        yield browser
        browser.close()
