"""The market as a widget: the cardboard that was told, and the light of the chip over it."""

from __future__ import annotations

from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from companion.adapters.virtual.spi import Light
from companion.i18n.renderer import TextRenderer
from companion.simulator.board import Cardboard, draw_board
from companion.simulator.canvas import Canvas
from companion.simulator.layout import BoardLayout
from companion.simulator.led_layer import name_lamps, shine


class Market(Widget):
    """Draws only lines that look otherwise than before."""

    DEFAULT_CSS = "Market { margin: 0 1 0 0; }"

    def __init__(self) -> None:
        super().__init__()
        self.plan = BoardLayout(6)
        self.light: Light = ((0, 0, 0),) * 64
        self.cardboard: Cardboard | None = None
        self.speech = TextRenderer()
        self.canvas: Canvas | None = None
        """What was drawn last."""
        self._base: Canvas | None = None
        self._lines: list[Strip] = []

    def fit(self, plan: BoardLayout) -> None:
        """Take the room there is."""
        self.styles.width, self.styles.height = plan.width, plan.rows
        if plan != self.plan:
            self.plan, self._base, self._lines = plan, None, []
            self._draw()

    def show_cardboard(self, cardboard: Cardboard, speech: TextRenderer) -> None:
        if (cardboard, speech) != (self.cardboard, self.speech):
            self.cardboard, self.speech, self._base = cardboard, speech, None
            self._draw()

    def show_light(self, light: Light) -> None:
        if light != self.light:
            self.light = light
            self._draw()

    def _draw(self) -> None:
        if self.cardboard is None:
            return
        if self._base is None:
            self._base = draw_board(self.plan, self.cardboard)
        canvas = shine(self._base, self.plan, self.light)
        name_lamps(canvas, self.plan, self.cardboard, self.light, self.speech)
        self.canvas = canvas
        lines = [canvas.strip(row) for row in range(canvas.rows)]
        before, self._lines = self._lines, lines
        if len(before) != len(lines):
            self.refresh()
            return
        changed = [row for row, line in enumerate(lines) if line != before[row]]
        if changed:
            self.refresh(*(Region(0, row, self.plan.width, 1) for row in changed))

    def render_line(self, y: int) -> Strip:
        if y >= len(self._lines):
            return Strip.blank(self.size.width, self.rich_style)
        return self._lines[y].adjust_cell_length(self.size.width, self.rich_style)
