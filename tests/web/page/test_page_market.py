"""The market on the page: rugs, Assam, and what the LEDs show."""

from __future__ import annotations

from typing import Any

import pytest
from helpers.page.phone import Phone
from helpers.table.table_driver import TableDriver, game_at, started_game

from companion.games.marrakech.market import FACINGS, LOOPS, PIPS, SQUARES, paths
from companion.table.scenes.scene import LED_OF

# Yellow 1 is visible on d3-e3, red 1 only on a1.
RUGS = (
    "R1N1...../.N1...../...Y1Y1../......./......./......./....... "
    "d4s orient R R:30:11,Y:30:11,B:30:12,N:30:11 -"
)
# Red owes yellow 4 dirhams, and has more.
OWED = (
    "......./......./...Y1Y1../...Y2.../...Y2.../......./....... "
    "d4s pay R R:30:11,Y:30:10,B:30:12,N:30:12 -"
)
BOX = "node => ['x', 'y', 'width', 'height'].map(name => Number(node.getAttribute(name)))"


def boxes(phone: Phone, selector: str) -> list[list[int]]:
    """x, y, width and height of each rug, in squares."""
    rugs = phone.find(f"#market {selector} > rect:nth-of-type(1)")
    pixels = [rugs.nth(index).evaluate(BOX) for index in range(rugs.count())]
    return [[x // 100, y // 100, (w + 14) // 100, (h + 14) // 100] for x, y, w, h in pixels]


def badges(phone: Phone, kind: str) -> dict[tuple[int, int], str]:
    """The text of badges of a kind, by square."""
    found: list[Any] = phone.find(f"#market .badge.{kind}").evaluate_all(
        "nodes => nodes.map(node => [node.getAttribute('transform'), node.textContent])"
    )
    squares = {}
    for transform, text in found:
        x, y = transform.removeprefix("translate(").removesuffix(")").split()
        squares[int(float(x)) // 100, int(float(y)) // 100] = text
    return squares


def signs(phone: Phone) -> list[str]:
    return phone.find("#market .sign text").all_text_contents()


def test_a_rug_is_one_piece_and_a_half_covered_rug_is_a_half(
    phone: Phone,
) -> None:
    phone.open(game_at(RUGS))
    assert boxes(phone, ".rug.yellow") == [[3, 2, 2, 1]]
    assert boxes(phone, ".rug.red") == [[0, 0, 1, 1]]
    assert boxes(phone, ".rug.brown") == [[1, 0, 1, 2]]
    assert phone.find("#market .rug.blue").count() == 0
    assert phone.find("#market .fringe").count() == 2


def test_every_colour_has_its_own_pattern(phone: Phone) -> None:
    phone.open(game_at(RUGS))
    weaves = phone.find(".patterns pattern").evaluate_all(
        """nodes => nodes.map(node => {
            const thread = node.children[1];
            return [node.id, thread.tagName, thread.getAttribute("d")];
        })"""
    )
    assert [weave[0] for weave in weaves] == [
        "weave-red",
        "weave-yellow",
        "weave-blue",
        "weave-brown",
    ]
    assert len({tuple(weave[1:]) for weave in weaves}) == 4


def test_the_market_is_described_for_screen_readers(phone: Phone) -> None:
    phone.open(game_at(RUGS))
    market = phone.page.get_by_role("img")
    assert market.get_attribute("aria-label") == (
        "The market. Assam stands on d4 and faces south. "
        "1 half of a rug can be seen, red: a1. "
        "2 halves of rugs can be seen, brown: b1, b2. "
        "2 halves of rugs can be seen, yellow: d3, e3."
    )


def test_assam_has_his_square_and_facing(phone: Phone) -> None:
    phone.open(started_game("east"))
    assam = phone.find("#market .assam")
    assert assam.get_attribute("transform") == "translate(350 350) rotate(90)"


def test_in_an_audit_assam_stands_where_the_leds_show_him(phone: Phone) -> None:
    """He is being moved: in the game, he still stands elsewhere."""
    phone.open(started_game("audit east"))
    assam = phone.find("#market .assam")
    assert assam.get_attribute("transform") == "translate(450 350) rotate(180)"


def test_the_preview_matches_the_leds(phone: Phone) -> None:
    phone.open(started_game())
    assert badges(phone, "preview") == {(3, 4): "1", (3, 5): "2", (3, 6): "3", (4, 6): "4"}


def test_rolls_that_lead_to_one_square_share_a_badge(phone: Phone) -> None:
    empty = "/".join(["......."] * 7)
    phone.open(game_at(f"{empty} g1n orient R R:30:12,Y:30:12,B:30:12,N:30:12 -"))
    assert badges(phone, "preview") == {(6, 0): "1", (5, 0): "2", (4, 0): "3", (3, 0): "4"}
    phone.show(game_at(f"{empty} g2n orient R R:30:12,Y:30:12,B:30:12,N:30:12 -"))
    assert badges(phone, "preview") == {(6, 0): "1·2", (5, 0): "3", (4, 0): "4"}


def test_the_offered_rug_matches_the_leds(phone: Phone) -> None:
    driver = started_game("east 3")
    phone.open(driver)
    assert boxes(phone, ".rug.offered") == [[6, 1, 1, 2]]
    phone.show(driver.press("south"))
    aim = driver.game.aim
    assert aim is not None
    ((x, y, across, down),) = boxes(phone, ".rug.offered")
    squares = [LED_OF[aim.first], LED_OF[aim.second]]
    assert squares == [y * 8 + x, (y + down - 1) * 8 + x + across - 1]


def test_tribute_is_counted_square_by_square(phone: Phone) -> None:
    phone.open(game_at(OWED))
    assert badges(phone, "counted") == {(3, 3): "1", (3, 2): "2", (3, 4): "3", (4, 2): "4"}
    assert phone.find("#market .outline.owed .fill").count() == 4


def test_a_rug_to_lift_is_outlined(phone: Phone) -> None:
    phone.open(started_game("east 3 ok back"))
    places = phone.find("#market .outline.lift .fill").evaluate_all(
        "nodes => nodes.map(node => node.getAttribute('transform'))"
    )
    assert places == ["translate(600 100)", "translate(600 200)"]


def test_digits_and_letters_are_shown_on_an_empty_market(phone: Phone) -> None:
    driver = TableDriver()
    phone.open(driver)
    assert signs(phone) == ["4"]
    phone.show(driver.press("ok ok"))
    assert signs(phone) == ["R"]
    phone.show(driver.press("ok"))
    assert signs(phone) == []
    assert phone.find("#market .loop.lit").count() == 2


def test_the_final_count_numbers_every_half(phone: Phone) -> None:
    over = (
        "R1R1...../.....Y1./.....Y1./......./......./......./....... "
        "d4s over R R:30:0,Y:30:0,B:30:0,N:30:0 -"
    )
    phone.open(game_at(over))
    assert badges(phone, "counted") == {(0, 0): "1", (1, 0): "2", (5, 1): "1", (5, 2): "2"}


@pytest.mark.parametrize("loops", LOOPS)
def test_every_walk_can_be_drawn(phone: Phone, loops: str) -> None:
    """The line is computed backwards from Assam: it must begin where he stood."""
    phone.open(started_game())
    walks = []
    for square in range(SQUARES):
        for facing in FACINGS:
            for pips in PIPS:
                path = paths(loops)[square * 4 + facing][pips]
                squares = [[step.square % 7, step.square // 7] for step in path]
                start = [square % 7 * 100 + 50, square // 7 * 100 + 50]
                walks.append([squares, path[-1].facing.name.lower(), start])
    wrong = phone.page.evaluate(
        """async ([loops, walks]) => {
            const { walkedPath } = await import("/static/js/loops.js");
            return walks.filter(([squares, facing, [x, y]]) => {
                const d = walkedPath(loops, squares, facing);
                return !d || !d.startsWith(`M ${x} ${y} L`);
            });
        }""",
        [loops, walks],
    )
    assert wrong == []
    assert len(walks) == 49 * 4 * 4


def test_a_walk_through_a_loop_is_drawn_outside_the_market(phone: Phone) -> None:
    phone.open(started_game("4"))  # south from d4: d5, d6, d7, and round the loop to e7
    assert phone.find("#market .walk.ink-red").get_attribute("d") == (
        "M 350 350 L 350 450 L 350 550 L 350 650 L 350 700 A 50 50 0 0 0 450 700 L 450 650 "
    )
