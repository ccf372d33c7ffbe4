"""The market widget: the board with the LEDs of the chip on it."""

from __future__ import annotations

from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from companion.adapters.virtual.spi import Light
from companion.i18n.renderer import TextRenderer
from companion.simulator.board_view.board import Cardboard, draw_board
from companion.simulator.board_view.canvas import Canvas
from companion.simulator.board_view.layout import BoardLayout
from companion.simulator.board_view.led_layer import draw_leds, draw_rail_labels


class Market(Widget):
    """Refreshes only the lines that have changed."""

    DEFAULT_CSS = "Market { margin: 0 1 0 0; }"

    def __init__(self) -> None:
        super().__init__()
        self.board_layout = BoardLayout(6)
        self.light: Light = ((0, 0, 0),) * 64
        self.cardboard: Cardboard | None = None
        self.renderer = TextRenderer()
        self.canvas: Canvas | None = None
        """The last drawing."""
        self._base: Canvas | None = None
        self._lines: list[Strip] = []

    def fit(self, layout: BoardLayout) -> None:
        self.styles.width, self.styles.height = layout.width, layout.rows
        if layout != self.board_layout:
            self.board_layout, self._base, self._lines = layout, None, []
            self._draw()

    def show_cardboard(self, cardboard: Cardboard, renderer: TextRenderer) -> None:
        if (cardboard, renderer) != (self.cardboard, self.renderer):
            self.cardboard, self.renderer, self._base = cardboard, renderer, None
            self._draw()

    def show_light(self, light: Light) -> None:
        if light != self.light:
            self.light = light
            self._draw()

    def _draw(self) -> None:
        if self.cardboard is None:
            return
        if self._base is None:
            self._base = draw_board(self.board_layout, self.cardboard)
        canvas = draw_leds(self._base, self.board_layout, self.light)
        draw_rail_labels(canvas, self.board_layout, self.cardboard, self.light, self.renderer)
        self.canvas = canvas
        lines = [canvas.strip(row) for row in range(canvas.rows)]
        before, self._lines = self._lines, lines
        if len(before) != len(lines):
            self.refresh()
            return
        changed = [row for row, line in enumerate(lines) if line != before[row]]
        if changed:
            self.refresh(*(Region(0, row, self.board_layout.width, 1) for row in changed))

    def render_line(self, y: int) -> Strip:
        if y >= len(self._lines):
            return Strip.blank(self.size.width, self.rich_style)
        return self._lines[y].adjust_cell_length(self.size.width, self.rich_style)
