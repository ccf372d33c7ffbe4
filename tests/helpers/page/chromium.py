"""A headless Chromium for tests, with a chosen font set.

Debian has Chromium in two packages: the full browser, and a faster headless shell. Either works.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from helpers.page.fonts import USUAL_FONTS, fontconfig_file
from helpers.requirements import missing_tool

PROGRAMS = (Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium"))
ARGUMENTS = (
    "--no-sandbox",
    "--headless=new",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def open_browser(fonts: str = USUAL_FONTS) -> Iterator[Browser]:
    """Keep it open for one module at most: meanwhile no other test can run an event loop."""
    program = next((program for program in PROGRAMS if program.exists()), None)
    if program is None:
        missing_tool(str(PROGRAMS[0]), PROGRAMS[0].name)
    with fontconfig_file(fonts) as config, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program,
            args=ARGUMENTS,
            env={**os.environ, "FONTCONFIG_FILE": str(config)},
        )
        yield browser
        browser.close()
