"""What nobody may overlook: that none of this is real."""

from __future__ import annotations

from textual.widgets import Static


class Banner(Static):
    """An inverse bar at the top of every screen."""

    DEFAULT_CSS = """
    Banner {
        dock: top; width: 100%; height: 1; text-align: center; text-style: bold;
        background: #ffcf3f; color: #1a1410;
    }
    """

    def __init__(self) -> None:
        super().__init__("░▒▓ SIMULATED · no hardware: mock pins and a virtual matrix ▓▒░")
