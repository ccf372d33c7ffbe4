"""What nobody may overlook: that none of this is real."""

from __future__ import annotations

from rich.text import Text
from textual.widgets import Static

from companion.i18n.message import message
from companion.i18n.renderer import TextRenderer


class Banner(Static):
    """An inverse bar at the top of every screen."""

    DEFAULT_CSS = """
    Banner {
        dock: top; width: 100%; height: 1; text-align: center; text-style: bold;
        background: #ffcf3f; color: #1a1410;
    }
    """

    def __init__(self, speech: TextRenderer) -> None:
        super().__init__(_bar(speech.say(message("sim.banner"))))

    def show_page(self, url: str | None, speech: TextRenderer) -> None:
        """Beside it, where phones find the page; None while there is none."""
        words = message("sim.banner") if url is None else message("sim.banner_page", address=url)
        self.update(_bar(speech.say(words)))


def _bar(text: str) -> Text:
    return Text(f"░▒▓ {text} ▓▒░", no_wrap=True, overflow="ellipsis")
