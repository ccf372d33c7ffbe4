"""The final picture: what is drawn where, and that names are harmless in it."""

from __future__ import annotations

from functools import partial
from io import BytesIO
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from helpers.rules.sample_positions import EMPTY, TEN_TURNS, written
from PIL import Image, ImageDraw, ImageFont

from companion.control.snapshot import game_snapshot
from companion.drawing import lettering
from companion.drawing.lettering import fonts
from companion.drawing.market_layout import CELL, MARGIN, corner
from companion.games.marrakech import Facing, parse_position, parse_square
from companion.i18n.catalogue_loader import RendererLoader
from companion.i18n.renderer import TextRenderer
from companion.table.conversation import Conversation, Playing, Preferences
from companion.table.entries import Beginning
from companion.table.game import Game, Moment
from companion.web.views.final_picture import ROW, SIDE, drawable_renderer, table_png, table_svg
from companion.web.views.history import DamagedGameError

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("Ana", "Bo", "Cleo", "Dan")
ALI_REZA = "علی\u200cرضا"
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
EVIL = '</text><script>alert("1")</script>&\'\x00\x1b\ud83d\ufffe'


def game_data(
    position: str = TEN_TURNS,
    names: tuple[str, ...] = NAMES,
    facing: Facing | None = None,
    **more: Any,  # noqa: ANN401 - any member
) -> dict[str, Any]:
    """A game as `ArchiveView.game` returns it."""
    state = parse_position(position)
    beginning = Beginning(state.setup, names=names)
    game = Game(beginning, Moment(state, state.facing if facing is None else facing))
    table = game_snapshot(Conversation(Preferences(), Playing(), game), TextRenderer())
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


def svg_of(game: dict[str, Any]) -> ET.Element:
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


def test_players_are_listed_by_rank_with_their_sums() -> None:
    assert texts(svg_of(game_data())) == [
        "1.", "Ana", "38 + 2 = 40",
        "2.", "Dan", "30 + 2 = 32",
        "3.", "Bo", "27 + 5 = 32",
        "4.", "Cleo", "25 + 3 = 28",
        "2026-03-01", "",
    ]  # fmt: skip


def test_a_rug_is_one_piece_and_a_half_covered_rug_is_a_half() -> None:
    found = rugs(svg_of(game_data()))
    assert ("yellow", "571", "475", "178", "82") in found  # f5-g5
    assert ("brown", "475", "379", "82", "178") in found  # e4-e5
    assert ("blue", "187", "475", "82", "82") in found  # b5, its other half is covered
    assert len(found) == 7


def test_each_colour_has_its_own_pattern() -> None:
    patterns = [list(node)[1] for node in svg_of(game_data()).iter(f"{SVG}pattern")]
    shapes = [(node.tag, node.get("d")) for node in patterns]
    assert len(set(shapes)) == 4


def test_every_swatch_has_its_players_pattern() -> None:
    svg = svg_of(game_data())
    swatches = [
        node.get("fill")
        for node in svg.iter(f"{SVG}rect")
        if node.get("fill", "").startswith("url(") and float(node.get("y", "0")) > SIDE
    ]
    assert swatches == ["url(#red)", "url(#brown)", "url(#yellow)", "url(#blue)"]


def test_two_colours_of_a_player_are_two_swatches() -> None:
    position = f"{EMPTY} d4s orient RY RY:30:12+12,BN:30:12+12 -"
    svg = table_svg(game_data(position, ()))
    assert svg.count('<rect x="72" y="852" width="48"') == 1
    assert svg.count('<rect x="144" y="852" width="48"') == 1


@pytest.mark.parametrize(("facing", "turned"), [(Facing.NORTH, 0), (Facing.WEST, 270)])
def test_assam_has_his_square_and_facing(facing: Facing, turned: int) -> None:
    """Also if he was turned and the die is not rolled yet."""
    svg = table_svg(game_data(facing=facing))
    assert f'transform="translate(516 516) rotate({turned})"' in svg


@pytest.mark.parametrize(
    ("options", "large"),
    [("-", ["708 84", "84 708"]), ("loops=nw-se", ["84 132", "708 756"])],
)
def test_every_loop_of_the_board_is_drawn_once(options: str, large: list[str]) -> None:
    """Three small loops along each edge, and a large one at two corners."""
    svg = svg_of(game_data(written(options=options)))
    (path,) = (node.get("d", "") for node in svg.iter(f"{SVG}path") if "A48" in node.get("d", ""))
    arcs = [arc.split("A48 48 0 ") for arc in path.split("M")[1:]]
    assert len(arcs) == len({start for start, _ in arcs}) == 14
    assert [start for start, arc in arcs if arc.startswith("1 ")] == large


def test_loops_lie_outside_the_market() -> None:
    svg = table_svg(game_data(written()))
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
    assert texts(svg_of(game_data(simulated=True)))[-1] == "Simulated"


def test_a_game_without_a_start_time_has_no_date() -> None:
    assert texts(svg_of(game_data(begun=None)))[-2:] == ["", ""]


def test_a_player_who_is_out_has_a_sentence() -> None:
    position = TEN_TURNS.replace("Y:27:9", "Y:out")
    assert texts(svg_of(game_data(position)))[9:12] == ["4.", "Bo: out, no score", ""]


def test_a_name_is_escaped() -> None:
    svg = table_svg(game_data(names=(EVIL, "<b>", "&amp;", "]]>")))
    root = ET.fromstring(svg.encode())
    assert [*root.iter(f"{SVG}script")] == []
    assert {"<b>", "&amp;", "]]>"} < set(texts(root))
    assert any(text.startswith("</text><script>alert(") for text in texts(root))


def test_a_long_name_is_cut_off() -> None:
    assert texts(svg_of(game_data(names=("x" * 5000, "", "", ""))))[1] == f"{'x' * 19}…"
    title = svg_of(game_data(names=("x" * 5000, "", "", ""))).findtext(f"{SVG}title", "")
    assert title.startswith(f"{'x' * 200}… / Brown: out")


@pytest.mark.parametrize("name", ["W" * 20, "m" * 20, "花" * 20, "Ж" * 20, "س" * 20])
@pytest.mark.parametrize("position", [TEN_TURNS, TEN_TURNS.replace("R:38:9", "R:out")])
def test_a_wide_name_is_cut_off_before_the_sum(name: str, position: str) -> None:
    svg = svg_of(game_data(position, (name, "", "", "")))
    nodes = [*svg.iter(f"{SVG}text")]
    (index,) = (n for n, node in enumerate(nodes) if name[:3] in (node.text or ""))
    node, after = nodes[index : index + 2]
    font = next(fonts(int(node.get("font-size", "0"))))
    end = 212 + font.getlength(node.text or "")
    assert "…" in (node.text or "")
    assert end <= 816 - next(fonts(28)).getlength(after.text or "")


@pytest.mark.parametrize("name", [ALI_REZA, FAMILY, "Ana", "山田 花子"])
def test_names_in_other_scripts_are_drawn(name: str) -> None:
    svg = svg_of(game_data(names=(name, "", "", "")))
    assert texts(svg)[1] == name
    title = svg.findtext(f"{SVG}title", "")
    assert name in title
    assert "\\" not in title


def test_the_title_keeps_directional_isolates() -> None:
    """Isolates around a name are kept in pairs; a cut text has none."""
    game = game_data(names=(ALI_REZA, "", "", ""))
    game["count"][0]["words"] = f"\u2068{ALI_REZA}\u2069: 38\u202e"
    game["count"][1]["words"] = f"\u2068{'x' * 300}\u2069: 30"
    title = svg_of(game).findtext(f"{SVG}title", "")
    assert title.startswith(f"\u2068{ALI_REZA}\u2069: 38 / {'x' * 200}… / ")


def test_directional_overrides_are_removed_from_names() -> None:
    svg = svg_of(game_data(names=("Amina\u202e\u2069", "\u200f\u2067", "", "")))
    assert texts(svg)[1] == "Amina"
    assert texts(svg)[7] == "Yellow"


def test_right_to_left_text_stands_in_the_same_place() -> None:
    """Its end is on the left, both at the name and at the end of the row."""
    out = TEN_TURNS.replace("Y:27:9", "Y:out")
    svg = ET.fromstring(
        table_svg(
            game_data(out, (ALI_REZA, "Bo", "", ""), simulated=True), RendererLoader().load("ar")
        )
    )
    directions = {
        node.get("x"): (node.get("direction"), node.get("text-anchor"))
        for node in svg.iter(f"{SVG}text")
    }
    rows = [node for node in svg.iter(f"{SVG}text") if node.get("x") == "212"]
    assert {(node.get("direction"), node.get("text-anchor")) for node in rows} == {("rtl", "end")}
    assert (rows[-1].text or "").startswith("\u2068Bo\u2069: ")
    assert directions["816"] == ("rtl", None)
    assert directions["24"] == (None, None)


def test_a_sentence_has_the_direction_of_its_language() -> None:
    svg = svg_of(game_data(TEN_TURNS.replace("Y:27:9", "Y:out"), ("", ALI_REZA, "", "")))
    (node,) = (node for node in svg.iter(f"{SVG}text") if "out" in (node.text or ""))
    assert node.text == f"\u2068{ALI_REZA}\u2069: out, no score"
    assert (node.get("direction"), node.get("text-anchor")) == (None, None)


def test_the_svg_has_no_styles_scripts_or_external_files() -> None:
    """The page's content security policy allows none of them."""
    for node in svg_of(game_data()).iter():
        assert node.tag.removeprefix(SVG) in {
            "svg", "title", "defs", "pattern", "rect", "path", "circle", "g", "text",
        }  # fmt: skip
        assert not {name for name in node.attrib if name in ("style", "href") or name[:2] == "on"}


@pytest.mark.parametrize("draw", [table_svg, table_png])
def test_a_damaged_game_is_not_drawn(draw: Any) -> None:  # noqa: ANN401 - one of the two functions
    with pytest.raises(DamagedGameError, match=r"^This game is damaged: line 3$"):
        draw(game_data(damaged="This game is damaged: line 3"))
    with pytest.raises(DamagedGameError, match=r"^no game was begun here$"):
        draw(game_data() | {"game": None})


# --- PNG ----------------------------------------------------------------------------------


def png(game: dict[str, Any]) -> Image.Image:
    return Image.open(BytesIO(table_png(game))).convert("RGB")


def test_the_png_has_the_market_and_a_row_for_each_player() -> None:
    image = png(game_data())
    assert image.size == (SIDE, SIDE + 5 * ROW)
    assert SIDE == 2 * MARGIN + 7 * CELL
    x, y = corner(parse_square("f5"))
    assert image.getpixel((x + 8, y + 8)) == (226, 170, 40)


def test_swatches_are_cut_from_the_market() -> None:
    """Ana's is red with stripes; without a visible rug, it is the plain colour."""
    swatch = png(game_data()).crop((72, SIDE + 12, 120, SIDE + 60))
    colours = swatch.getcolors(48 * 48)
    assert colours is not None
    assert max(colours)[1] == (178, 42, 38)
    assert len(colours) > 2
    plain = png(game_data(written())).crop((72, SIDE + 12, 120, SIDE + 60))
    assert plain.getcolors() == [(48 * 48, (178, 42, 38))]


def test_a_simulated_game_is_marked_in_the_png() -> None:
    mark = (SIDE - 200, SIDE + 4 * ROW, SIDE, SIDE + 5 * ROW)
    colours = png(game_data(simulated=True)).crop(mark).getcolors(9999)
    assert colours is not None
    assert (255, 180, 84) in {colour for _, colour in colours}
    assert png(game_data()).crop(mark).getcolors() == [(200 * ROW, (58, 46, 38))]


def test_any_name_can_be_drawn() -> None:
    assert png(game_data(names=(EVIL, "محمد", "李", "😀"))).size == (SIDE, SIDE + 5 * ROW)


@pytest.fixture
def without_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without fonts."""
    monkeypatch.setattr(lettering, "FONT", "nowhere.ttf")
    monkeypatch.setattr(lettering, "OTHER_FONTS", ())


def row_of(name: str, position: str = TEN_TURNS) -> bytes:
    """The best player's row, from the name to the end."""
    image = png(game_data(position, (name, "", "", "")))
    return image.crop((200, SIDE, SIDE, SIDE + ROW)).tobytes()


@pytest.mark.usefixtures("without_fonts")
def test_letters_that_the_font_lacks_are_drawn_without_accents() -> None:
    """Zoe rather than a box."""
    assert row_of("Zoẽ") == row_of("Zoe") != row_of("Zo")


@pytest.mark.usefixtures("without_fonts")
@pytest.mark.parametrize("name", ["花子", "민준", "สมชาย", FAMILY, "Ana 李"])
def test_a_name_that_no_font_has_is_replaced_by_the_colour(name: str) -> None:
    assert row_of(name) == row_of("Red") == row_of("")
    last = (200, SIDE + 3 * ROW, SIDE, SIDE + 4 * ROW)
    position = TEN_TURNS.replace("Y:27:9", "Y:out")
    assert (
        png(game_data(position, ("Ana", name, "", ""))).crop(last).tobytes()
        == png(game_data(position, ("Ana", "Yellow", "", ""))).crop(last).tobytes()
        != png(game_data(position, ("Ana", "Bo", "", ""))).crop(last).tobytes()
    )


def test_without_text_shaping_an_rtl_name_is_replaced_by_the_colour(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    basic = partial(ImageFont.truetype, layout_engine=ImageFont.Layout.BASIC)
    monkeypatch.setattr(ImageFont, "truetype", basic)
    assert row_of(ALI_REZA) == row_of("דנה") == row_of("Red") != row_of("Ana")


@pytest.mark.usefixtures("picture_fonts")
def test_a_zero_width_non_joiner_separates_letters() -> None:
    assert row_of(ALI_REZA) not in (row_of("Red"), row_of(ALI_REZA.replace("\u200c", "")))


@pytest.mark.usefixtures("picture_fonts")
def test_a_sentence_is_drawn_left_to_right_whatever_name_it_begins_with() -> None:
    sentence = f"{ALI_REZA}: out, no score"
    font = lettering.font_for(sentence, 22)
    assert font is not None
    image = png(game_data(TEN_TURNS.replace("Y:27:9", "Y:out"), ("Ana", ALI_REZA, "", "")))
    row = Image.new("RGB", (SIDE - 200, ROW), (58, 46, 38))
    ImageDraw.Draw(row).text((12, 46), sentence, "#f5ead6", font, "ls", direction="ltr")
    last = image.crop((200, SIDE + 3 * ROW, SIDE, SIDE + 4 * ROW))
    assert last.tobytes() == row.tobytes()


@pytest.mark.parametrize("name", ["W" * 20, "m" * 20, "Mm" * 2500])
def test_a_wide_name_is_not_drawn_over_the_sum(name: str) -> None:
    image = png(game_data(names=(name, "", "", "")))
    start = 816 - int(next(fonts(28)).getlength("38 + 2 = 40"))
    between = image.crop((start - 20, SIDE, start - 2, SIDE + ROW))
    assert between.getcolors() == [(18 * ROW, (58, 46, 38))]
    before = image.crop((start - 120, SIDE, start - 20, SIDE + ROW)).getcolors(9999)
    assert before is not None
    assert len(before) > 1  # as much of it as fits is drawn


@pytest.mark.usefixtures("without_fonts")
@pytest.mark.parametrize(
    ("asked", "drawn_in"), [("en", "en"), ("fr", "fr"), ("ja", "en"), ("ar", "en"), ("th", "en")]
)
def test_languages_without_a_font_are_drawn_in_english(asked: str, drawn_in: str) -> None:
    assert drawable_renderer(RendererLoader().load(asked)).language == drawn_in


@pytest.mark.parametrize("language", ["ar", "fa"])
def test_right_to_left_languages_are_drawn_in_english(language: str) -> None:
    assert drawable_renderer(RendererLoader().load(language)).language == "en"
