"""Two phones and a desktop that watch a real table's page, in one browser."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle
from types import TracebackType
from typing import Any

from playwright.sync_api import Browser, Page

from companion.json_types import JsonObject
from helpers.page.page_reader import READ_PAGE, expected_page
from helpers.page.table_process import TableProcess

PATIENCE_MS = 120_000
"""The page has the lowest priority on a busy machine."""
SCREENS = {"phone": (390, 844), "small phone": (360, 640), "desktop": (1280, 800)}


class PageWatchers:
    """Browser pages by screen name. `faults` has all errors of their scripts."""

    def __init__(self, browser: Browser, table: TableProcess, **more: Any) -> None:  # noqa: ANN401
        self.table = table
        self.faults: list[str] = []
        self.pages: dict[str, Page] = {}
        self._next = cycle(SCREENS)
        self._fills: dict[str, str] = {}
        self._contexts = []
        for name, (width, height) in SCREENS.items():
            context = browser.new_context(
                viewport={"width": width, "height": height},
                reduced_motion="reduce",
                locale="en-GB",
                **more,
            )
            context.set_default_timeout(PATIENCE_MS)
            self._contexts.append(context)
            page = self.pages[name] = context.new_page()
            page.on("pageerror", lambda error: self.faults.append(str(error)))

    def __enter__(self) -> PageWatchers:
        for page in self.pages.values():
            page.goto(self.table.url)
            page.wait_for_selector("body.ready[data-sequence]")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for context in self._contexts:
            context.close()
        if kind is None:
            assert self.faults == []

    def compare(self) -> JsonObject:
        """Check that all pages show the table's snapshot. Returns the snapshot."""
        return self._compare(self.pages)

    def compare_one(self) -> JsonObject:
        """Check one page, another one each time: reading a page is slower than playing."""
        name = next(self._next)
        return self._compare({name: self.pages[name]})

    def _compare(self, pages: Mapping[str, Page]) -> JsonObject:
        while True:
            snapshot = self.table.snapshot()
            expected = expected_page(snapshot)
            seen = {
                name: page.evaluate(READ_PAGE, snapshot["sequence"]) for name, page in pages.items()
            }
            if all(one["sequence"] == snapshot["sequence"] for one in seen.values()):
                break  # else the table has changed meanwhile
        for name, one in seen.items():
            self._check_fills(one)
            wrong = {key: (one[key], value) for key, value in expected.items() if one[key] != value}
            assert not wrong, f"{name}, seen and expected: {wrong}\n{_position(snapshot)}"
        return snapshot

    def _check_fills(self, seen: JsonObject) -> None:
        """Every colour has the same fill on all rugs and pages, and no other colour has it."""
        for rug in (*seen["rugs"], *seen["offered"]):
            fill = rug.pop("fill")
            assert self._fills.setdefault(rug["colour"], fill) == fill
        assert len(set(self._fills.values())) == len(self._fills)


def _position(snapshot: JsonObject) -> str:
    return f"{snapshot['stage']}: {snapshot['game'] and snapshot['game']['position']}"
