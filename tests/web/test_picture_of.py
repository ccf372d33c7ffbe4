"""The picture of a table: what is drawn where, and that no name can do anything in it."""

from __future__ import annotations

from io import BytesIO
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from PIL import Image
from sample_positions import EMPTY, TEN_TURNS, written

from companion.daemon.account import game_account
from companion.games.marrakech import Facing, parse_position, parse_square
from companion.picture.board import CELL, MARGIN, corner
from companion.table.game import Game, Moment
from companion.table.pages import Conversation, Customs, Playing
from companion.table.told import Beginning
from companion.web import picture_of
from companion.web.history import DamagedGameError
from companion.web.picture_of import ROW, SIDE, table_png, table_svg
from companion.words.speech import Speech

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("Ana", "Bo", "Cleo", "Dan")
EVIL = '</text><script>alert("1")</script>&\'\x00\x1b\ud83d\ufffe'


def told(
    position: str = TEN_TURNS,
    names: tuple[str, ...] = NAMES,
    facing: Facing | None = None,
    **more: Any,  # noqa: ANN401 - whatever the archive tells
) -> dict[str, Any]:
    """A game as the archive tells it."""
    state = parse_position(position)
    beginning = Beginning(state.setup, names=names)
    game = Game(beginning, Moment(state, state.facing if facing is None else facing))
    table = game_account(Conversation(Customs(), Playing(), game), Speech())
    count = [
        {
            "seat": row.player,
            "words": f"{table['players'][row.player]['called']}: out, no score",
            "dirhams": row.dirhams,
            "visible": row.visible,
            "score": row.score,
            "rank": row.rank,
            "out": row.is_out,
        }
        for row in state.ranking()
    ]
    about = {"begun": "2026-03-01T20:14:05+01:00", "simulated": False, "damaged": None}
    return {"game": table, "players": table["players"], "count": count, **about, **more}


def drawn(game: dict[str, Any]) -> ET.Element:
    return ET.fromstring(table_svg(game))


def texts(svg: ET.Element) -> list[str]:
    return [node.text or "" for node in svg.iter(f"{SVG}text")]


def rugs(svg: ET.Element) -> list[tuple[str, ...]]:
    """Colour, place and size of every rug on the market."""
    return [
        (
            node.get("fill", "")[5:-1],
            *(node.get(name, "") for name in ("x", "y", "width", "height")),
        )
        for node in svg.iter(f"{SVG}rect")
        if node.get("fill", "").startswith("url(") and float(node.get("y", "0")) < SIDE
    ]


# --- SVG ----------------------------------------------------------------------------------


def test_players_are_listed_by_rank_with_what_their_score_is_made_of() -> None:
    assert texts(drawn(told())) == [
        "1.", "Ana", "38 + 2 = 40",
        "2.", "Dan", "30 + 2 = 32",
        "3.", "Bo", "27 + 5 = 32",
        "4.", "Cleo", "25 + 3 = 28",
        "2026-03-01", "",
    ]  # fmt: skip


def test_a_rug_that_is_seen_whole_is_one_piece_and_a_half_is_a_half() -> None:
    found = rugs(drawn(told()))
    assert ("yellow", "571", "475", "178", "82") in found  # f5-g5
    assert ("brown", "475", "379", "82", "178") in found  # e4-e5
    assert ("blue", "187", "475", "82", "82") in found  # b5, its other half is covered
    assert len(found) == 7


def test_each_colour_has_a_weave_of_its_own() -> None:
    weaves = [list(node)[1] for node in drawn(told()).iter(f"{SVG}pattern")]
    shapes = [(node.tag, node.get("d")) for node in weaves]
    assert len(set(shapes)) == 4


def test_every_swatch_has_its_players_weave() -> None:
    svg = drawn(told())
    swatches = [
        node.get("fill")
        for node in svg.iter(f"{SVG}rect")
        if node.get("fill", "").startswith("url(") and float(node.get("y", "0")) > SIDE
    ]
    assert swatches == ["url(#red)", "url(#brown)", "url(#yellow)", "url(#blue)"]


def test_two_colours_of_a_player_are_two_swatches() -> None:
    position = f"{EMPTY} d4s orient RY RY:30:12+12,BN:30:12+12 -"
    svg = table_svg(told(position, ()))
    assert svg.count('<rect x="72" y="852" width="48"') == 1
    assert svg.count('<rect x="144" y="852" width="48"') == 1


@pytest.mark.parametrize(("facing", "turned"), [(Facing.NORTH, 0), (Facing.WEST, 270)])
def test_assam_stands_as_on_the_cardboard(facing: Facing, turned: int) -> None:
    """Also where the die has not committed how he was turned."""
    svg = table_svg(told(facing=facing))
    assert f'transform="translate(516 516) rotate({turned})"' in svg


@pytest.mark.parametrize(
    ("options", "large"),
    [("-", ["708 84", "84 708"]), ("loops=nw-se", ["84 132", "708 756"])],
)
def test_every_loop_of_the_board_is_drawn_once(options: str, large: list[str]) -> None:
    """Three small ones along each edge, and a large one at two corners."""
    svg = drawn(told(written(options=options)))
    (path,) = (node.get("d", "") for node in svg.iter(f"{SVG}path") if "A48" in node.get("d", ""))
    arcs = [arc.split("A48 48 0 ") for arc in path.split("M")[1:]]
    assert len(arcs) == len({start for start, _ in arcs}) == 14
    assert [start for start, way in arcs if way.startswith("1 ")] == large


def test_loops_go_round_outside_the_market() -> None:
    svg = table_svg(told(written()))
    for arc in (
        "M132 84A48 48 0 0 1 228 84",  # north, a to b
        "M84 132A48 48 0 0 0 84 228",  # west, 1 to 2
        "M228 756A48 48 0 0 0 324 756",  # south, b to c
        "M756 228A48 48 0 0 1 756 324",  # east, 2 to 3
        "M708 84A48 48 0 1 1 756 132",  # around g1
        "M84 708A48 48 0 1 0 132 756",  # around a7
    ):
        assert arc in svg


def test_a_simulated_game_is_marked() -> None:
    assert texts(drawn(told(simulated=True)))[-1] == "Simulated"


def test_a_game_that_began_nobody_knows_when_has_no_date() -> None:
    assert texts(drawn(told(begun=None)))[-2:] == ["", ""]


def test_who_is_out_is_said_to_be() -> None:
    position = TEN_TURNS.replace("Y:27:9", "Y:out")
    assert texts(drawn(told(position)))[9:12] == ["4.", "Bo: out, no score", ""]


def test_a_name_is_text_and_nothing_else() -> None:
    svg = table_svg(told(names=(EVIL, "<b>", "&amp;", "]]>")))
    root = ET.fromstring(svg.encode())
    assert [*root.iter(f"{SVG}script")] == []
    assert {"<b>", "&amp;", "]]>"} < set(texts(root))
    assert any(text.startswith("</text><script>alert(") for text in texts(root))


def test_a_long_name_comes_to_an_end() -> None:
    assert f"{'x' * 24}…" in texts(drawn(told(names=("x" * 5000, "", "", ""))))


def test_nothing_in_it_needs_styles_scripts_or_other_files() -> None:
    """The page's policy lets none of them through."""
    for node in drawn(told()).iter():
        assert node.tag.removeprefix(SVG) in {
            "svg", "title", "defs", "pattern", "rect", "path", "circle", "g", "text",
        }  # fmt: skip
        assert not {name for name in node.attrib if name in ("style", "href") or name[:2] == "on"}


@pytest.mark.parametrize("draw", [table_svg, table_png])
def test_a_damaged_game_is_not_drawn(draw: Any) -> None:  # noqa: ANN401 - either of two
    with pytest.raises(DamagedGameError, match=r"^This game is damaged: line 3$"):
        draw(told(damaged="This game is damaged: line 3"))
    with pytest.raises(DamagedGameError, match=r"^no game was begun here$"):
        draw(told() | {"game": None})


# --- PNG ----------------------------------------------------------------------------------


def png(game: dict[str, Any]) -> Image.Image:
    return Image.open(BytesIO(table_png(game))).convert("RGB")


def test_the_picture_has_the_market_and_a_line_for_each_player() -> None:
    image = png(told())
    assert image.size == (SIDE, SIDE + 5 * ROW)
    assert (CELL, MARGIN) == (picture_of.CELL, picture_of.MARGIN)
    x, y = corner(parse_square("f5"))
    assert image.getpixel((x + 8, y + 8)) == (226, 170, 40)


def test_swatches_are_cut_from_the_market() -> None:
    """Ana's is red with its stripes; where a colour cannot be seen, there is only the colour."""
    swatch = png(told()).crop((72, SIDE + 12, 120, SIDE + 60))
    colours = swatch.getcolors(48 * 48)
    assert colours is not None
    assert max(colours)[1] == (178, 42, 38)
    assert len(colours) > 2
    bare = png(told(written())).crop((72, SIDE + 12, 120, SIDE + 60))
    assert bare.getcolors() == [(48 * 48, (178, 42, 38))]


def test_a_simulated_game_is_marked_on_the_picture_too() -> None:
    mark = (SIDE - 200, SIDE + 4 * ROW, SIDE, SIDE + 5 * ROW)
    assert (255, 180, 84) in {c for _, c in png(told(simulated=True)).crop(mark).getcolors(9999)}  # type: ignore[union-attr]
    assert png(told()).crop(mark).getcolors() == [(200 * ROW, (58, 46, 38))]


def test_any_name_can_be_drawn() -> None:
    assert png(told(names=(EVIL, "محمد", "李", "😀"))).size == (SIDE, SIDE + 5 * ROW)


def test_letters_that_the_font_lacks_are_drawn_without_their_marks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where the machine has no font of its own: better Zoe than a box."""

    monkeypatch.setattr(picture_of, "FONT", "nowhere.ttf")
    font = picture_of._font()
    assert picture_of._legible("Zoë Dvořák 李", font) == "Zoe Dvorak ?"
    assert png(told(names=("Zoë", "", "", ""))).width == SIDE
