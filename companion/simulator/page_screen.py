"""The screen with the QR code and the address of the page for phones."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from companion.i18n.message import message
from companion.i18n.renderer import TextRenderer
from companion.simulator.banner import Banner
from companion.simulator.remote_clients import PageLink

LIGHT = "#ffffff"
DARK = "#000000"


class PageScreen(ModalScreen[None]):
    """Each of its keys closes it."""

    # The padding is the quiet zone that QR readers need.
    DEFAULT_CSS = f"""
    PageScreen {{ align: center middle; }}
    PageScreen > Vertical {{
        width: 76; max-width: 100%; height: auto; max-height: 100%; margin: 1 0 0 0;
        border: round #e9cf8f; border-title-color: #e9cf8f; background: #231c18;
        overflow-y: auto;
    }}
    PageScreen Static {{ color: #f2e6cf; height: auto; text-align: center; }}
    PageScreen Banner {{ color: #1a1410; height: 1; }}
    PageScreen .qr {{ background: {LIGHT}; width: auto; padding: 1 2; }}
    PageScreen .url {{ color: #fff6e0; text-style: bold; }}
    PageScreen .hint {{ color: #cdbfa6; }}
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,space,a,A,q,f1,question_mark", "close", "close"),
    ]

    def __init__(self, page_link: PageLink, renderer: TextRenderer) -> None:
        super().__init__()
        self._page_link = page_link
        self._renderer = renderer

    def compose(self) -> ComposeResult:
        render = self._renderer.render
        yield Banner(self._renderer)
        with Vertical() as box:
            box.border_title = render(message("sim.page"))
            box.border_subtitle = render(message("sim.close"))
            if self._page_link.qr:
                yield Center(Static(qr_text(self._page_link.qr), classes="qr"))
            yield Static(Text(render(message("sim.page_scan"))))
            yield Static(Text(" · ".join(self._page_link.urls)), classes="url")
            yield Static(Text(render(message("sim.page_pair"))), classes="hint")

    def action_close(self) -> None:
        if self.is_current:  # a second key may arrive before the first has closed the screen
            self.dismiss(None)


def qr_text(lines: tuple[str, ...]) -> Text:
    """Light blocks on a dark ground, whatever the colours of the terminal.

    With an odd number of rows, the lower half of the last line is part of the quiet zone too.
    """
    *above, last = lines
    rows = [*above, last if last.strip("▀") else "█" * len(last)]
    return Text("\n".join(rows), f"{LIGHT} on {DARK}", no_wrap=True)
