"""A phone: a real browser with the stub's page open in it."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page

from helpers.page.page_stub import CODE, PageStub
from helpers.table.table_driver import TableDriver

# The page fits itself to the screen one frame after the screen has changed.
NEXT_FRAME = """() => new Promise((resolve) => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
})"""


class Phone:
    """`faults` has all script errors and violations of the content security policy."""

    def __init__(self, page: Page, stub: PageStub) -> None:
        self.page = page
        self.stub = stub
        self.faults: list[str] = []
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda entry: self._check_console(entry.text))

    def _check_console(self, text: str) -> None:
        if "Content Security Policy" in text:
            self.faults.append(text)

    def open(self, driver: TableDriver, view: str = "table", **status: Any) -> Phone:  # noqa: ANN401
        self.stub.show(driver, **status)
        self.page.goto(f"{self.stub.url}#{view}")
        return self.wait()

    def show(self, driver: TableDriver, **status: Any) -> Phone:  # noqa: ANN401
        """Change the table and wait until the page has drawn it."""
        self.stub.show(driver, **status)
        return self.wait()

    def wait(self) -> Phone:
        self.page.wait_for_selector(f'body.ready[data-sequence="{self.stub.sequence}"]')
        return self

    def go(self, view: str) -> Phone:
        """Go to another view and wait for its heading."""
        self.page.evaluate("view => { location.hash = view; }", view)
        self.page.wait_for_selector(f"#view-{view.split('/')[0]} h2")
        return self

    def resize(self, width: int, height: int) -> Phone:
        """Change the screen's size and wait until the page fits it."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.evaluate(NEXT_FRAME)
        return self

    def pair(self) -> Phone:
        """Pair with the right code and wait for the pad."""
        self.find("#pair").click()
        self.find("#pairing-code").fill(CODE)
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector("#pad:not([hidden])")
        return self

    def find(self, selector: str) -> Locator:
        return self.page.locator(selector)

    def text(self, selector: str) -> str:
        """The visible text as one line."""
        return " ".join(self.find(selector).inner_text().split())

    def texts(self, selector: str) -> list[str]:
        return [" ".join(text.split()) for text in self.find(selector).all_inner_texts()]

    def is_visible(self, selector: str) -> bool:
        return self.find(selector).is_visible()
