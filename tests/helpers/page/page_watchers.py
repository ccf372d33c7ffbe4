"""Onlookers at a real table: two phones and a desktop, on its page, in one browser."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle
from types import TracebackType
from typing import Any

from playwright.sync_api import Browser, Page

from helpers.page.page_reader import SEE, sight_of
from helpers.page.served_table import ServedTable

Plain = dict[str, Any]
PATIENCE_MS = 120_000
"""The page comes after everything else on a busy machine."""
SCREENS = {"phone": (390, 844), "small phone": (360, 640), "desktop": (1280, 800)}


class Onlookers:
    """Their pages, by name. Whatever a browser complains of is kept in `faults`."""

    def __init__(self, browser: Browser, table: ServedTable, **more: Any) -> None:  # noqa: ANN401
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

    def __enter__(self) -> Onlookers:
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

    def compare(self) -> Plain:
        """All of them see what the table says of itself. Its account is handed back."""
        return self._compare(self.pages)

    def glance(self) -> Plain:
        """One of them does, another one each time: looking takes longer than playing."""
        name = next(self._next)
        return self._compare({name: self.pages[name]})

    def _compare(self, pages: Mapping[str, Page]) -> Plain:
        while True:
            account = self.table.account()
            expected = sight_of(account)
            seen = {name: page.evaluate(SEE, account["sequence"]) for name, page in pages.items()}
            if all(one["sequence"] == account["sequence"] for one in seen.values()):
                break  # else something has happened since
        for name, one in seen.items():
            self._check_fills(one)
            wrong = {key: (one[key], due) for key, due in expected.items() if one[key] != due}
            assert not wrong, f"{name}, seen and due: {wrong}\n{_position(account)}"
        return account

    def _check_fills(self, seen: Plain) -> None:
        """A colour is the same on every rug and page, and no other's."""
        for rug in (*seen["rugs"], *seen["offered"]):
            fill = rug.pop("fill")
            assert self._fills.setdefault(rug["colour"], fill) == fill
        assert len(set(self._fills.values())) == len(self._fills)


def _position(account: Plain) -> str:
    return f"{account['stage']}: {account['game'] and account['game']['position']}"
