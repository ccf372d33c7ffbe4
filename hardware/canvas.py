"""A canvas for SVG drawings: boxes, labels and wires."""

from __future__ import annotations

from xml.sax.saxutils import escape

from hardware.pinout import WIRES

INK, PAPER, FAINT, BOARD, RESISTOR = "#1d2733", "#fcfbf7", "#66717c", "#1e6b3a", "#efe3c8"
Point = tuple[float, float]

_STYLE = (
    "text { font-family: 'DejaVu Sans', Verdana, Arial, sans-serif; font-size: 15px; "
    f"fill: {INK}; }} "
    ".small { font-size: 13px; } .big { font-size: 19px; font-weight: bold; } "
    ".title { font-size: 28px; font-weight: bold; } .bold { font-weight: bold; } "
    f".faint {{ fill: {FAINT}; }} .light {{ fill: #ffffff; }}"
)


class Canvas:
    """Collects shapes. Later ones are drawn over earlier ones."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self.size = width, height
        self._shapes = [
            f"<title>{escape(title)}</title>",
            f"<style>{_STYLE}</style>",
            f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
        ]

    def box(
        self,
        corner: Point,
        size: Point,
        *,
        fill: str = "#ffffff",
        line: str = INK,
        round_by: float = 6,
        is_optional: bool = False,
    ) -> None:
        dashes = ' stroke-dasharray="9 6"' if is_optional else ""
        self._shapes.append(
            f'<rect x="{corner[0]:g}" y="{corner[1]:g}" width="{size[0]:g}" height="{size[1]:g}" '
            f'rx="{round_by:g}" fill="{fill}" stroke="{line}" stroke-width="2"{dashes}/>'
        )

    def circle(self, at: Point, radius: float, *, fill: str, line: str = INK) -> None:
        self._shapes.append(
            f'<circle cx="{at[0]:g}" cy="{at[1]:g}" r="{radius:g}" fill="{fill}" '
            f'stroke="{line}" stroke-width="2"/>'
        )

    def shape(self, points: list[Point], *, fill: str) -> None:
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        self._shapes.append(
            f'<polygon points="{path}" fill="{fill}" stroke="{INK}" stroke-width="2"/>'
        )

    def text(self, at: Point, words: str, style: str = "", anchor: str = "start") -> None:
        """`at` is at half the height of the text."""
        kind = f' class="{style}"' if style else ""
        self._shapes.append(
            f'<text x="{at[0]:g}" y="{at[1] + 5:g}" text-anchor="{anchor}"{kind}>'
            f"{escape(words)}</text>"
        )

    def texts(self, at: Point, words: list[str], style: str = "", anchor: str = "start") -> None:
        for index, line in enumerate(words):
            self.text((at[0], at[1] + 20 * index), line, style, anchor)

    def wire(self, points: list[Point], colour: str) -> None:
        """Has a dark outline, so that yellow and white are visible."""
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        for line, width in ((INK, 6.5), (WIRES[colour], 4)):
            self._shapes.append(
                f'<polyline points="{path}" fill="none" stroke="{line}" stroke-width="{width}" '
                f'stroke-linejoin="round"/>'
            )

    def line(self, points: list[Point]) -> None:
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        self._shapes.append(
            f'<polyline points="{path}" fill="none" stroke="{INK}" stroke-width="2"/>'
        )

    def resistor(self, at: Point, value: str) -> None:
        """On a wire that is drawn already; `at` is the middle."""
        self.box((at[0] - 31, at[1] - 13), (62, 26), fill=RESISTOR, round_by=8)
        self.text(at, value, "small", "middle")

    def joint(self, at: Point, colour: str = "black") -> None:
        """A dot where crossing wires are joined."""
        self.circle(at, 5, fill=WIRES[colour])

    def svg(self) -> str:
        width, height = self.size
        body = "\n".join(self._shapes)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}">\n{body}\n</svg>\n'
        )


def text_colour(wire: str) -> str:
    """The style of a label on the colour of a wire."""
    return "" if wire in ("white", "yellow", "orange", "pink", "grey") else "light"
