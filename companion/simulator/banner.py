"""The banner that marks every screen as simulated."""

from __future__ import annotations

from rich.text import Text
from textual.widgets import Static

from companion.i18n.message import message
from companion.i18n.renderer import TextRenderer


class Banner(Static):
    """A bar at the top of every screen."""

    DEFAULT_CSS = """
    Banner {
        dock: top; width: 100%; height: 1; text-align: center; text-style: bold;
        background: #ffcf3f; color: #1a1410;
    }
    """

    def __init__(self, renderer: TextRenderer) -> None:
        super().__init__(_bar(renderer.render(message("sim.banner"))))

    def show_page(self, url: str | None, renderer: TextRenderer) -> None:
        """Show the address of the page for phones too, or None if there is no page."""
        text = message("sim.banner") if url is None else message("sim.banner_page", address=url)
        self.update(_bar(renderer.render(text)))


def _bar(text: str) -> Text:
    return Text(f"░▒▓ {text} ▓▒░", no_wrap=True, overflow="ellipsis")
