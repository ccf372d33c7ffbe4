"""The picture of a finished game, as SVG and PNG: the market and the players' results.

The SVG has attributes only, no styles or scripts, so that the page's content security policy allows
it. Player names are untrusted text: everything is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from companion.drawing.lettering import (
    can_shape,
    clean_text,
    estimated_ems,
    font_for,
    fonts,
    fonts_for,
    has_glyphs,
    is_rtl,
    shortened,
    spelling_variants,
)
from companion.drawing.market_layout import BOARD_SIDE, CELL, INSET, corner
from companion.drawing.market_svg import market_svg, rug_fill, rug_patterns
from companion.drawing.palette import RUGS, TABLE
from companion.games.marrakech import (
    COLOURS,
    Colour,
    Facing,
    State,
    colour_named,
    parse_position,
)
from companion.games.marrakech.market import SQUARES
from companion.i18n.languages import LANGUAGES
from companion.i18n.message import PlayerName, message
from companion.i18n.renderer import FIRST_STRONG_ISOLATE, POP_ISOLATE, TextRenderer
from companion.web.views.history import DamagedGameError

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

SIDE = BOARD_SIDE
ROW, SWATCH = 72, 48
MAX_NAME_LENGTH, MAX_TEXT_LENGTH = 24, 200
FONT_SIZE, SENTENCE_FONT_SIZE = 28, 22
"""A sentence has the row to itself."""
_TEXT, _FAINT, _MARK = "#f5ead6", "#c4b49a", "#ffb454"
_ISOLATES = FIRST_STRONG_ISOLATE + POP_ISOLATE
_SWATCH_X, _NAME_X, _END_X, _BASELINE, _GAP = 72, 212, SIDE - 24, 46, 24
"""In a row: the left edge of swatches and name, the right edge, the baseline, and the least gap
between name and sum."""
GameData = Mapping[str, Any]
"""JSON of a game as `ArchiveView.game` returns it, with its messages rendered."""
Row = Mapping[str, Any]
"""A player's row of its `count`."""


def table_svg(game: GameData, renderer: TextRenderer | None = None) -> str:
    """The picture as SVG. Raises `DamagedGameError` for a damaged game."""
    state = _state_of(game)
    height = SIDE + ROW * (len(game["count"]) + 1)
    title = escape(" / ".join(_count_text(row["words"]) for row in game["count"]))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {height}" '
        f'width="{SIDE}" height="{height}" role="img" font-family="system-ui, sans-serif">',
        f"<title>{title}</title>",
        rug_patterns(),
        f'<rect width="{SIDE}" height="{height}" fill="{TABLE.hex}"/>',
        *market_svg(state),
        *_player_rows(game, renderer or TextRenderer()),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _state_of(game: GameData) -> State:
    """The position, with Assam's facing on the board."""
    if game["damaged"] or game["game"] is None:
        raise DamagedGameError(game["damaged"] or "no game was begun here")
    table = game["game"]
    facing = Facing[table["assam"]["facing"].upper()]
    return parse_position(table["position"])._replace(facing=facing)


# --- The players --------------------------------------------------------------------------


def _sum(row: Row) -> str:
    """`31 + 12 = 43`: dirhams and visible halves."""
    return "" if row["out"] else f"{row['dirhams']} + {row['visible']} = {row['score']}"


def _count_text(words: str) -> str:
    """Keeps the directional isolates, unless the text is cut off between them."""
    text = clean_text(words, kept=_ISOLATES)
    return text if len(text) <= MAX_TEXT_LENGTH else f"{clean_text(text)[:MAX_TEXT_LENGTH]}…"


def _name(game: GameData, row: Row) -> str:
    """Empty if the player gave none."""
    return clean_text(game["players"][row["seat"]]["name"]).strip()


def _label_maker(game: GameData, row: Row, renderer: TextRenderer) -> Callable[[str], str]:
    """A function from a name to the player's label. A player who is out has a sentence instead."""
    colours = tuple(map(colour_named, game["players"][row["seat"]]["colours"]))

    def make_label(name: str) -> str:
        player = PlayerName(name, colours)
        if row["out"]:
            return renderer.render(message("count.out", player=player))
        return renderer.render_value(player)

    return make_label


def _fit(
    make_label: Callable[[str], str], name: str, max_width: float, width: Callable[[str], float]
) -> str:
    """The label with as much of the name as fits."""
    names, text = shortened(name, MAX_NAME_LENGTH), make_label("")
    labels = map(make_label, names) if name else shortened(text, MAX_TEXT_LENGTH)
    return next((label for label in labels if width(label) <= max_width), make_label("…"))


def _size_and_width(row: Row, sum_width: float) -> tuple[int, float]:
    """The font size of a player's label, and its greatest width."""
    width = _END_X - _NAME_X
    return (SENTENCE_FONT_SIZE, width) if row["out"] else (FONT_SIZE, width - _GAP - sum_width)


def _footer(game: GameData, renderer: TextRenderer) -> tuple[str, str]:
    """The date, and a mark if the game is simulated."""
    mark = renderer.render(message("past.simulated")) if game["simulated"] else ""
    return clean_text((game["begun"] or "")[:10]), mark


def _player_rows(game: GameData, renderer: TextRenderer) -> Iterator[str]:
    y = SIDE
    for row in game["count"]:
        yield _svg_text(24, y + _BASELINE, f"{row['rank']}.", _FAINT)
        for number, label in enumerate(game["players"][row["seat"]]["colours"]):
            yield (
                f'<rect x="{_SWATCH_X + ROW * number}" y="{y + 12}" width="{SWATCH}" '
                f'height="{SWATCH}" rx="4" '
                f'fill="{rug_fill(colour_named(label))}"/>'
            )
        make_label = _label_maker(game, row, renderer)
        size, max_width = _size_and_width(row, FONT_SIZE * estimated_ems(_sum(row)))
        text = _fit(make_label, _name(game, row), max_width / size, estimated_ems)
        yield _svg_text(_NAME_X, y + _BASELINE, text, _TEXT, size=size)
        yield _svg_text(_END_X, y + _BASELINE, _sum(row), _TEXT, is_right=True)
        y += ROW
    day, mark = _footer(game, renderer)
    yield _svg_text(24, y + _BASELINE, day, _FAINT)
    yield _svg_text(_END_X, y + _BASELINE, mark, _MARK, is_right=True)


def _svg_text(
    x: int, y: int, text: str, fill: str, *, is_right: bool = False, size: int = FONT_SIZE
) -> str:
    """Text from right to left is anchored at its other end, so that it stands in the same place."""
    is_reversed = is_rtl(_without_isolates(text))
    attributes = ' direction="rtl"' if is_reversed else ""
    attributes += ' text-anchor="end"' if is_reversed != is_right else ""
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" fill="{fill}"{attributes}>{escape(text)}</text>'
    )


def _without_isolates(text: str) -> str:
    """The sentence without inserted names, which do not decide its direction."""
    return re.sub(f"{FIRST_STRONG_ISOLATE}.*?{POP_ISOLATE}", "", text)


# --- PNG ----------------------------------------------------------------------------------


def table_png(game: GameData, renderer: TextRenderer | None = None) -> bytes:
    """The same picture as `table_svg`, for programs that cannot show SVG."""
    # Pillow takes time and memory to import, and most phones never need it.
    from PIL import Image, ImageDraw

    from companion.drawing.market import draw_board

    state = _state_of(game)
    image = Image.new("RGB", (SIDE, SIDE + ROW * (len(game["count"]) + 1)), TABLE)
    image.paste(draw_board(state).crop((0, 0, SIDE, SIDE)))
    for line, row in enumerate(game["count"]):
        for number, label in enumerate(game["players"][row["seat"]]["colours"]):
            swatch = _swatch(image, state, colour_named(label))
            image.paste(swatch, (_SWATCH_X + ROW * number, SIDE + ROW * line + 12))
    _draw_rows(ImageDraw.Draw(image), game, renderer or TextRenderer())
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def drawable_renderer(renderer: TextRenderer) -> TextRenderer:
    """The same renderer, or English if no font has all letters or the language is right-to-left.

    The PNG lays out its own sentences from the left, whatever name is in them.
    """
    sample = "".join(renderer.render_value(PlayerName("", (colour,))) for colour in COLOURS)
    sample += renderer.render(message("past.simulated"))
    sample += renderer.render(message("count.out", player=PlayerName("", COLOURS[:2])))
    is_drawn = not LANGUAGES[renderer.language].is_rtl and font_for(sample, FONT_SIZE) is not None
    return renderer if is_drawn else TextRenderer()


def _swatch(image: Image, state: State, colour: Colour) -> Image:
    """A piece of a rug of this colour on the market, with its pattern."""
    for square in range(SQUARES):
        rug = state.rug_on(square)
        if rug is not None and rug.colour is colour and square != state.assam:
            x, y = corner(square)
            box = (x + INSET, y + INSET, x + CELL - INSET, y + CELL - INSET)
            return image.resize((SWATCH, SWATCH), box=box, reducing_gap=2.0)
    swatch = image.resize((SWATCH, SWATCH))  # no rug of this colour is visible
    swatch.paste(RUGS[colour].base, (0, 0, SWATCH, SWATCH))
    return swatch


def _draw_rows(draw: ImageDraw, game: GameData, renderer: TextRenderer) -> None:
    font = next(fonts(FONT_SIZE))
    y = SIDE + _BASELINE
    for row in game["count"]:
        draw.text((24, y), f"{row['rank']}.", _FAINT, font, "ls")
        _draw_name(draw, y, game, row, renderer)
        draw.text((_END_X, y), _sum(row), _TEXT, font, "rs")
        y += ROW
    day, mark = _footer(game, renderer)
    draw.text((24, y), day, _FAINT, font, "ls")
    draw.text((_END_X, y), mark, _MARK, font_for(mark, FONT_SIZE) or font, "rs")


def _draw_name(draw: ImageDraw, y: int, game: GameData, row: Row, renderer: TextRenderer) -> None:
    """Draw the name; without accents, or as the colours, if no font has its letters."""
    make_label = _label_maker(game, row, renderer)
    size, max_width = _size_and_width(row, draw.textlength(_sum(row), next(fonts(FONT_SIZE))))
    for name in (*spelling_variants(_name(game, row)), ""):
        for font in fonts_for(name, size):
            # Our sentence reads from the left, also if it begins with a right-to-left name.
            direction = "ltr" if row["out"] and can_shape(font) else None
            width = partial(font.getlength, direction=direction)
            text = _fit(lambda one: clean_text(make_label(one)), name, max_width, width)
            if has_glyphs(font, text):
                draw.text((_NAME_X, y), text, _TEXT, font, "ls", direction=direction)
                return
