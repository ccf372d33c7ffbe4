"""A browser for each module, and a phone for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.page.chromium import open_browser
from helpers.page.fonts import USUAL_FONTS
from helpers.page.page_stub import PageStub
from helpers.page.phone import Phone
from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def fonts(request: pytest.FixtureRequest) -> str:
    """The browser's font set: the default, or each in turn with IN_ALL_FONTS."""
    return str(getattr(request, "param", USUAL_FONTS))


@pytest.fixture(scope="module")
def browser(fonts: str) -> Iterator[Browser]:
    with open_browser(fonts) as browser:
        yield browser


@pytest.fixture
def stub(tmp_path: Path) -> Iterator[PageStub]:
    with PageStub(tmp_path) as stub:
        yield stub


@pytest.fixture
def phone(browser: Browser, stub: PageStub) -> Iterator[Phone]:
    """A typical phone. An error of the page's scripts fails the test."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, reduced_motion="reduce", locale="en-GB"
    )
    phone = Phone(context.new_page(), stub)
    yield phone
    context.close()
    assert phone.faults == []
