"""A phone in somebody's hand: a real browser, with the page open on it."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page

from helpers.page.page_stub import CODE, WebStub
from helpers.table.table_driver import TableDriver

# A page is laid out, and fitted to its screen, one frame after the screen has changed.
NEXT_FRAME = """() => new Promise((resolve) => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
})"""


class Phone:
    """The page of a stub, in a browser. Whatever the page does wrong is kept in `faults`."""

    def __init__(self, page: Page, stub: WebStub) -> None:
        self.page = page
        self.stub = stub
        self.faults: list[str] = []
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda said: self._hear(said.text))

    def _hear(self, text: str) -> None:
        if "Content Security Policy" in text:
            self.faults.append(text)

    def open(self, talk: TableDriver, view: str = "table", **status: Any) -> Phone:  # noqa: ANN401
        self.stub.show(talk, **status)
        self.page.goto(f"{self.stub.url}#{view}")
        return self.wait()

    def show(self, talk: TableDriver, **status: Any) -> Phone:  # noqa: ANN401
        """Something happens at the table, and the page has drawn it."""
        self.stub.show(talk, **status)
        return self.wait()

    def wait(self) -> Phone:
        self.page.wait_for_selector(f'body.ready[data-sequence="{self.stub.sequence}"]')
        return self

    def go(self, view: str) -> Phone:
        """To another view, once something of it is there."""
        self.page.evaluate("view => { location.hash = view; }", view)
        self.page.wait_for_selector(f"#view-{view.split('/')[0]} h2")
        return self

    def resize(self, width: int, height: int) -> Phone:
        """Give it another screen, or turn it, once the page is fitted to that."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.evaluate(NEXT_FRAME)
        return self

    def pair(self) -> Phone:
        """With the code that the table shows, once the buttons are there."""
        self.find("#pair").click()
        self.find("#pairing-code").fill(CODE)
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector("#pad:not([hidden])")
        return self

    def find(self, selector: str) -> Locator:
        return self.page.locator(selector)

    def text(self, selector: str) -> str:
        """As somebody reads it: one line."""
        return " ".join(self.find(selector).inner_text().split())

    def texts(self, selector: str) -> list[str]:
        return [" ".join(text.split()) for text in self.find(selector).all_inner_texts()]

    def sees(self, selector: str) -> bool:
        return self.find(selector).is_visible()
