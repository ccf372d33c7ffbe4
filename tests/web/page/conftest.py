"""A browser for the tests of a module, and a phone for each of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright
from web_phone import Phone
from web_stub import WebStub

CHROMIUM = Path("/usr/bin/chromium")
QUIET = (
    "--no-sandbox",
    "--headless=new",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Not for the session: as long as it is open, no other test could run a loop."""
    if not CHROMIUM.exists():
        pytest.skip(f"no {CHROMIUM}: 'sudo apt install chromium' brings it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def stub(tmp_path: Path) -> Iterator[WebStub]:
    with WebStub(tmp_path) as stub:
        yield stub


@pytest.fixture
def phone(browser: Browser, stub: WebStub) -> Iterator[Phone]:
    """A usual phone; whatever its browser complains of fails the test."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, reduced_motion="reduce", locale="en-GB"
    )
    phone = Phone(context.new_page(), stub)
    yield phone
    context.close()
    assert phone.faults == []
