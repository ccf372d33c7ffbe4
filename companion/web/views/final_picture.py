"""A picture of the table in the end, to be kept and shared: the market, and who came to what.

Both forms are drawn from what the archive tells of a game. The SVG has attributes only, no styles
and no scripts: a strict page shows it as it is. Names are anybody's text, so all of it is escaped.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

from companion.drawing.lettering import (
    can_shape,
    clean,
    ems,
    font_for,
    fonts,
    fonts_for,
    has_all,
    is_rtl,
    shorter,
    spellings,
)
from companion.games.marrakech import (
    COLOURS,
    Colour,
    Facing,
    Rug,
    State,
    colour_named,
    parse_position,
)
from companion.games.marrakech.market import SIZE, SQUARES, STRIDES, paths
from companion.i18n.languages import LANGUAGES
from companion.i18n.message import Who, message
from companion.i18n.renderer import FIRST_STRONG_ISOLATE, POP_ISOLATE, TextRenderer
from companion.web.views.history import DamagedGameError

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

# As companion/drawing/market.py draws the same market.
CELL, MARGIN, INSET = 96, 84, 7
SIDE = 2 * MARGIN + SIZE * CELL
ROW, SWATCH = 72, 48
LONGEST_NAME, LONGEST_TOLD = 24, 200
LETTERS, SENTENCE = 28, 22
"""Their size, in both forms, and that of a sentence, which has a whole row for itself."""
_TABLE, _BOARD, _SQUARE, _LINE = "#3a2e26", "#e2cda3", "#f0e2c2", "#b09468"
_TEXT, _FAINT, _MARK = "#f5ead6", "#c4b49a", "#ffb454"
_RUG = {
    Colour.RED: ("#b22a26", "#e89678"),
    Colour.YELLOW: ("#e2aa28", "#fff0c0"),
    Colour.BLUE: ("#2c5496", "#96b8e2"),
    Colour.BROWN: ("#70462a", "#c6a078"),
}
_WEAVE = {
    Colour.RED: '<path d="M-6 6 6-6M0 24 24 0M18 30 30 18" stroke="{thread}" stroke-width="5"/>',
    Colour.YELLOW: '<circle cx="12" cy="12" r="5" fill="{thread}"/>',
    Colour.BLUE: '<path d="M-4 16 0 18 12 6 24 18 28 16" fill="none" stroke="{thread}" '
    'stroke-width="4"/>',
    Colour.BROWN: '<path d="M0 0 24 24M24 0 0 24" stroke="{thread}" stroke-width="3"/>',
}
"""On a tile of 24 by 24: stripes aslant, dots, zigzag, lattice."""
_ISOLATES = FIRST_STRONG_ISOLATE + POP_ISOLATE
_AT, _NAME_AT, _END, _BASE, _GAP = 72, 212, SIDE - 24, 46, 24
"""Where a row has its swatches, its name and its end, the line that its letters stand on, and how
much is between name and sum at least."""
Plain = Mapping[str, Any]


def table_svg(game: Plain, speech: TextRenderer | None = None) -> str:
    """The picture of a game as `ArchiveView.game` tells it."""
    state = _state_of(game)
    height = SIDE + ROW * (len(game["count"]) + 1)
    told = escape(" / ".join(_told(row["words"]) for row in game["count"]))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {height}" '
        f'width="{SIDE}" height="{height}" role="img" font-family="system-ui, sans-serif">',
        f"<title>{told}</title>",
        f"<defs>{''.join(map(_pattern, Colour))}</defs>",
        f'<rect width="{SIDE}" height="{height}" fill="{_TABLE}"/>',
        f'<rect x="12" y="12" width="{SIDE - 24}" height="{SIDE - 24}" rx="40" fill="{_BOARD}"/>',
        f'<path d="{"".join(_loops(state.setup.options.loops))}" fill="none" stroke="{_LINE}" '
        'stroke-width="10"/>',
        *_squares(),
        *_rugs(state),
        _assam(state),
        *_players(game, speech or TextRenderer()),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _state_of(game: Plain) -> State:
    """The position, with Assam as he stands on the cardboard."""
    if game["damaged"] or game["game"] is None:
        raise DamagedGameError(game["damaged"] or "no game was begun here")
    table = game["game"]
    facing = Facing[table["assam"]["facing"].upper()]
    return parse_position(table["position"])._replace(facing=facing)


def _corner(square: int) -> tuple[int, int]:
    y, x = divmod(square, SIZE)
    return MARGIN + x * CELL, MARGIN + y * CELL


def _pattern(colour: Colour) -> str:
    base, thread = _RUG[colour]
    return (
        f'<pattern id="{colour.label}" width="24" height="24" patternUnits="userSpaceOnUse">'
        f'<rect width="24" height="24" fill="{base}"/>'
        f"{_WEAVE[colour].format(thread=thread)}</pattern>"
    )


def _loops(loops: str) -> Iterator[str]:
    """An arc from each exit to the one that the cardboard joins it to, by the rules' own table."""
    table = paths(loops)
    for square in range(SQUARES):
        for facing in Facing:
            (step,) = table[square * 4 + facing][1]
            if step.square == square or step.facing is facing.behind:
                is_corner = step.square == square
                (ax, ay), (bx, by) = _exit(square, facing), _exit(step.square, step.facing.behind)
                if (ax, ay) < (bx, by):
                    turn = _is_clockwise(facing, (bx - ax, by - ay))
                    yield f"M{ax} {ay}A48 48 0 {is_corner:d} {turn:d} {bx} {by}"


def _exit(square: int, facing: Facing) -> tuple[int, int]:
    """The middle of the side through which Assam leaves that way."""
    (x, y), (dx, dy) = _corner(square), STRIDES[facing]
    return x + (1 + dx) * CELL // 2, y + (1 + dy) * CELL // 2


def _is_clockwise(facing: Facing, way: tuple[int, int]) -> bool:
    """Whether an arc that goes out `facing` comes round clockwise to what lies `way`."""
    dx, dy = STRIDES[facing]
    return dx * way[1] - dy * way[0] > 0


def _squares() -> Iterator[str]:
    for square in range(SQUARES):
        x, y = _corner(square)
        yield (
            f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{_SQUARE}" '
            f'stroke="{_LINE}" stroke-width="3"/>'
        )


def _rugs(state: State) -> Iterator[str]:
    """A rug that is seen whole is one piece; of one that is not, the half that is seen."""
    seen: dict[Rug, list[int]] = defaultdict(list)
    for square in range(SQUARES):
        if rug := state.rug_on(square):
            seen[rug].append(square)
    for rug, squares in seen.items():
        (x, y), (u, v) = _corner(squares[0]), _corner(squares[-1])
        yield (
            f'<rect x="{x + INSET}" y="{y + INSET}" width="{u - x + CELL - 2 * INSET}" '
            f'height="{v - y + CELL - 2 * INSET}" rx="4" fill="url(#{rug.colour.label})" '
            f'stroke="{_RUG[rug.colour][0]}" stroke-width="5"/>'
        )


def _assam(state: State) -> str:
    """Seen from above: a round man, his slippers pointing the way he faces."""
    x, y = _corner(state.assam)
    middle = f"translate({x + CELL // 2} {y + CELL // 2}) rotate({90 * state.facing})"
    return (
        f'<g transform="{middle}" stroke="#14101e">'
        '<path d="M0-44 26-8H-26Z" fill="#28223c"/>'
        '<circle r="28" fill="#3e3460" stroke-width="4"/>'
        '<circle r="13" fill="#961e24" stroke-width="3"/></g>'
    )


# --- The players --------------------------------------------------------------------------


def _sum(row: Plain) -> str:
    """`31 + 12 = 43`: dirhams and what can be seen."""
    return "" if row["out"] else f"{row['dirhams']} + {row['visible']} = {row['score']}"


def _told(words: str) -> str:
    """With what keeps the order of letters in a sentence, unless half of that is cut off."""
    told = clean(words, kept=_ISOLATES)
    return told if len(told) <= LONGEST_TOLD else f"{clean(told)[:LONGEST_TOLD]}…"


def _name(game: Plain, row: Plain) -> str:
    """As it was given; empty where none was."""
    return clean(game["players"][row["seat"]]["name"]).strip()


def _called(game: Plain, row: Plain, speech: TextRenderer) -> Callable[[str], str]:
    """What is drawn of a player by this name. Who is out has no sum: the words say so."""
    colours = tuple(map(colour_named, game["players"][row["seat"]]["colours"]))

    def called(name: str) -> str:
        who = Who(name, colours)
        return speech.say(message("count.out", player=who)) if row["out"] else speech.word(who)

    return called


def _fitted(
    called: Callable[[str], str], name: str, room: float, width: Callable[[str], float]
) -> str:
    """With as much of the name as there is room for."""
    texts = map(called, shorter(name, LONGEST_NAME)) if name else shorter(called(""), LONGEST_TOLD)
    return next((text for text in texts if width(text) <= room), called("…"))


def _size_and_room(row: Plain, sum_width: float) -> tuple[int, float]:
    """Of what is said of a player, up to the sum if there is one."""
    room = _END - _NAME_AT
    return (SENTENCE, room) if row["out"] else (LETTERS, room - _GAP - sum_width)


def _foot(game: Plain, speech: TextRenderer) -> tuple[str, str]:
    """The day, and that nobody sat at a table, where it is so."""
    mark = speech.say(message("past.simulated")) if game["simulated"] else ""
    return clean((game["begun"] or "")[:10]), mark


def _players(game: Plain, speech: TextRenderer) -> Iterator[str]:
    y = SIDE
    for row in game["count"]:
        yield _svg_text(24, y + _BASE, f"{row['rank']}.", _FAINT)
        for number, label in enumerate(game["players"][row["seat"]]["colours"]):
            yield (
                f'<rect x="{_AT + ROW * number}" y="{y + 12}" width="{SWATCH}" '
                f'height="{SWATCH}" rx="4" '
                f'fill="url(#{quoteattr(label)[1:-1]})"/>'
            )
        name, called = _name(game, row), _called(game, row, speech)
        size, room = _size_and_room(row, LETTERS * ems(_sum(row)))
        told = _fitted(called, name, room / size, ems)
        yield _svg_text(_NAME_AT, y + _BASE, told, _TEXT, size=size)
        yield _svg_text(_END, y + _BASE, _sum(row), _TEXT, is_right=True)
        y += ROW
    day, mark = _foot(game, speech)
    yield _svg_text(24, y + _BASE, day, _FAINT)
    yield _svg_text(_END, y + _BASE, mark, _MARK, is_right=True)


def _svg_text(
    x: int, y: int, text: str, fill: str, *, is_right: bool = False, size: int = LETTERS
) -> str:
    """What is read from the right has its end on the left, and stands in the same place."""
    way = is_rtl(_outside(text))
    ends = ' direction="rtl"' if way else ""
    ends += ' text-anchor="end"' if way != is_right else ""
    return f'<text x="{x}" y="{y}" font-size="{size}" fill="{fill}"{ends}>{escape(text)}</text>'


def _outside(text: str) -> str:
    """A sentence without what was put into it, which does not say how the sentence is read."""
    return re.sub(f"{FIRST_STRONG_ISOLATE}.*?{POP_ISOLATE}", "", text)


# --- PNG ----------------------------------------------------------------------------------


def table_png(game: Plain, speech: TextRenderer | None = None) -> bytes:
    """The same for whoever cannot show an SVG."""
    # Pillow takes time and memory, and most pages never ask for this.
    from PIL import Image, ImageDraw

    from companion.drawing.market import draw_board

    state = _state_of(game)
    image = Image.new("RGB", (SIDE, SIDE + ROW * (len(game["count"]) + 1)), _TABLE)
    image.paste(draw_board(state).crop((0, 0, SIDE, SIDE)))
    for line, row in enumerate(game["count"]):
        for number, label in enumerate(game["players"][row["seat"]]["colours"]):
            swatch = _swatch(image, state, colour_named(label))
            image.paste(swatch, (_AT + ROW * number, SIDE + ROW * line + 12))
    _draw_players(ImageDraw.Draw(image), game, speech or TextRenderer())
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def drawable_speech(speech: TextRenderer) -> TextRenderer:
    """The same, or English where no font has all letters, or one reads from the right.

    Our own sentences are laid out from the left, whoever's name is in them.
    """
    sample = "".join(speech.word(Who("", (colour,))) for colour in COLOURS)
    sample += speech.say(message("past.simulated"))
    sample += speech.say(message("count.out", player=Who("", COLOURS[:2])))
    is_drawn = not LANGUAGES[speech.language].is_rtl and font_for(sample, LETTERS) is not None
    return speech if is_drawn else TextRenderer()


def _swatch(image: Image, state: State, colour: Colour) -> Image:
    """A piece of this colour as it lies on the market, so that its weave is known again."""
    for square in range(SQUARES):
        rug = state.rug_on(square)
        if rug is not None and rug.colour is colour and square != state.assam:
            x, y = _corner(square)
            box = (x + INSET, y + INSET, x + CELL - INSET, y + CELL - INSET)
            return image.resize((SWATCH, SWATCH), box=box, reducing_gap=2.0)
    swatch = image.resize((SWATCH, SWATCH))  # none can be seen: nothing to be told apart
    swatch.paste(_RUG[colour][0], (0, 0, SWATCH, SWATCH))
    return swatch


def _draw_players(draw: ImageDraw, game: Plain, speech: TextRenderer) -> None:
    font = next(fonts(LETTERS))
    y = SIDE + _BASE
    for row in game["count"]:
        draw.text((24, y), f"{row['rank']}.", _FAINT, font, "ls")
        _draw_name(draw, y, game, row, speech)
        draw.text((_END, y), _sum(row), _TEXT, font, "rs")
        y += ROW
    day, mark = _foot(game, speech)
    draw.text((24, y), day, _FAINT, font, "ls")
    draw.text((_END, y), mark, _MARK, font_for(mark, LETTERS) or font, "rs")


def _draw_name(draw: ImageDraw, y: int, game: Plain, row: Plain, speech: TextRenderer) -> None:
    """The name; without accents, or as the colours, where no font has its letters."""
    called = _called(game, row, speech)
    size, room = _size_and_room(row, draw.textlength(_sum(row), next(fonts(LETTERS))))
    for name in (*spellings(_name(game, row)), ""):
        for font in fonts_for(name, size):
            # A sentence of ours is read from the left, whoever's name it begins with.
            way = "ltr" if row["out"] and can_shape(font) else None
            width = partial(font.getlength, direction=way)
            text = _fitted(lambda one: clean(called(one)), name, room, width)
            if has_all(font, text):
                draw.text((_NAME_AT, y), text, _TEXT, font, "ls", direction=way)
                return
