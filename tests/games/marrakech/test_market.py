"""The market: paths, placements and regions."""

from __future__ import annotations

import pytest

from companion.errors import NotationError
from companion.games.marrakech.market import (
    ALL_SQUARES,
    BESIDE,
    BESIDE_BITS,
    CENTRE,
    DIE,
    NEIGHBOURS,
    PLACEMENTS,
    Facing,
    Step,
    bitboard,
    pairs,
    parse_facing,
    parse_placement,
    parse_square,
    paths,
    placement_on,
    region,
    square_at,
    square_name,
    squares_of,
    turn_quarter,
)

# The arrows printed on the cardboard, exit by exit: from, leaving, to, facing.
EXITS_NE_SW = """
    a1 n b1 s   b1 n a1 s   c1 n d1 s   d1 n c1 s   e1 n f1 s   f1 n e1 s   g1 n g1 w
    g1 e g1 s   g2 e g3 w   g3 e g2 w   g4 e g5 w   g5 e g4 w   g6 e g7 w   g7 e g6 w
    g7 s f7 n   f7 s g7 n   e7 s d7 n   d7 s e7 n   c7 s b7 n   b7 s c7 n   a7 s a7 e
    a7 w a7 n   a6 w a5 e   a5 w a6 e   a4 w a3 e   a3 w a4 e   a2 w a1 e   a1 w a2 e
"""
EXITS_NW_SE = """
    a1 n a1 e   b1 n c1 s   c1 n b1 s   d1 n e1 s   e1 n d1 s   f1 n g1 s   g1 n f1 s
    g1 e g2 w   g2 e g1 w   g3 e g4 w   g4 e g3 w   g5 e g6 w   g6 e g5 w   g7 e g7 n
    g7 s g7 w   f7 s e7 n   e7 s f7 n   d7 s c7 n   c7 s d7 n   b7 s a7 n   a7 s b7 n
    a7 w a6 e   a6 w a7 e   a5 w a4 e   a4 w a5 e   a3 w a2 e   a2 w a3 e   a1 w a1 s
"""


def exits(table: str) -> list[tuple[str, str, str, str]]:
    words = table.split()
    rows = [tuple(words[n : n + 4]) for n in range(0, len(words), 4)]
    return [(a, b, c, d) for a, b, c, d in rows]


@pytest.mark.parametrize(
    ("loops", "start", "leaving", "end", "facing"),
    [("ne-sw", *row) for row in exits(EXITS_NE_SW)]
    + [("nw-se", *row) for row in exits(EXITS_NW_SE)],
)
def test_exit_follows_the_arrows(
    loops: str, start: str, leaving: str, end: str, facing: str
) -> None:
    (step,) = paths(loops)[parse_square(start) * 4 + parse_facing(leaving)][1]
    assert step == Step(parse_square(end), parse_facing(facing))


def test_exit_tables_are_complete() -> None:
    for table in (EXITS_NE_SW, EXITS_NW_SE):
        assert len({row[:2] for row in exits(table)}) == 28


def test_a_loop_is_one_step_and_the_walk_continues() -> None:
    path = paths("ne-sw")[parse_square("d2") * 4 + Facing.NORTH][4]
    assert [(square_name(s), f.letter) for s, f in path] == [
        ("d1", "n"),
        ("c1", "s"),
        ("c2", "s"),
        ("c3", "s"),
    ]


def test_a_path_has_as_many_steps_as_the_roll() -> None:
    for loops in ("ne-sw", "nw-se"):
        for by_pips in paths(loops):
            assert [len(path) for path in by_pips] == [0, 1, 2, 3, 4]


def test_every_square_and_facing_has_exactly_one_predecessor() -> None:
    for loops in ("ne-sw", "nw-se"):
        assert len({by_pips[1][0] for by_pips in paths(loops)}) == 49 * 4


def test_the_die_has_the_six_faces_of_the_wooden_one() -> None:
    assert DIE == (1, 2, 2, 3, 3, 4)


def test_directions_turn() -> None:
    assert Facing.NORTH.left is Facing.WEST
    assert Facing.NORTH.right is Facing.EAST
    assert Facing.EAST.behind is Facing.WEST
    assert "".join(facing.letter for facing in Facing) == "nesw"


def test_square_names_count_from_the_north_west() -> None:
    assert square_name(CENTRE) == "d4"
    assert [square_name(square) for square in (0, 6, 42, 48)] == ["a1", "g1", "a7", "g7"]
    assert all(parse_square(square_name(square)) == square for square in range(49))
    assert square_at(2, 4) == parse_square("c5")


@pytest.mark.parametrize("text", ["", "d", "d8", "d0", "h1", "D4", "44", "d44"])
def test_invalid_squares_are_refused(text: str) -> None:
    with pytest.raises(NotationError, match=f"^'{text}' is not a square: use a letter a-g"):
        parse_square(text)


@pytest.mark.parametrize("text", ["", "x", "ne", " "])
def test_invalid_directions_are_refused(text: str) -> None:
    with pytest.raises(NotationError, match=f"^'{text}' is not a direction: use n, e, s or w$"):
        parse_facing(text)


def test_directions_are_read_in_either_case() -> None:
    assert [parse_facing(letter) for letter in "nEsW"] == list(Facing)


def test_bitboards_convert_to_squares_and_back() -> None:
    assert list(squares_of(bitboard([48, 0, 24]))) == [0, 24, 48]
    assert bitboard(range(49)) == ALL_SQUARES


def test_a_quarter_turn_takes_the_north_edge_to_the_east_edge() -> None:
    assert [square_name(turn_quarter(square)) for square in range(7)] == [
        f"g{row}" for row in range(1, 8)
    ]


def test_neighbours_share_a_side() -> None:
    assert [square_name(s) for s in squares_of(NEIGHBOURS[CENTRE])] == ["d3", "c4", "e4", "d5"]
    assert [square_name(s) for s in squares_of(NEIGHBOURS[0])] == ["b1", "a2"]


def test_a_region_is_counted_outward_and_not_across_corners() -> None:
    squares = bitboard(map(parse_square, ["c3", "d3", "e3", "e4", "f5", "a1"]))
    counted = region(parse_square("d3"), squares)
    assert [square_name(square) for square in counted] == ["d3", "c3", "e3", "e4"]


def test_there_are_84_placements_and_12_beside_the_centre() -> None:
    assert len(PLACEMENTS) == len({p.bit for p in PLACEMENTS}) == len(set(PLACEMENTS)) == 84
    assert len(BESIDE[CENTRE]) == 12
    assert " ".join(map(str, BESIDE[0])) == "b1-c1 b1-b2 a2-b2 a2-a3"


def test_placements_beside_assam_are_never_under_him() -> None:
    for square, places in enumerate(BESIDE):
        assert all(not p.squares & 1 << square for p in places)
        assert all(p.squares & NEIGHBOURS[square] for p in places)
        assert BESIDE_BITS[square] == sum(p.bit for p in places)


def test_touching_placements_share_a_square() -> None:
    for one in PLACEMENTS:
        touching = {other.bit for other in PLACEMENTS if one.squares & other.squares}
        assert one.touching == sum(touching)


def test_pairs_are_the_placements_with_both_squares_in_a_set() -> None:
    some = bitboard(map(parse_square, ["a1", "b1", "g1", "a2", "g7", "f7", "d4"]))
    inside = [str(p) for p in PLACEMENTS if p.bit & pairs(some)]
    assert inside == ["a1-b1", "a1-a2", "f7-g7"]


def test_a_placement_is_named_by_its_squares_in_either_order() -> None:
    assert parse_placement("d4-d3") is parse_placement("d3-d4")
    assert str(placement_on(parse_square("e3"), parse_square("d3"))) == "d3-e3"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("d3", "'d3' is not a place for a rug: name its two squares, like d3-d4"),
        ("d3-e4", "a rug cannot lie on d3 and e4: they do not share a side"),
        ("g1-a2", "a rug cannot lie on g1 and a2: they do not share a side"),
        ("d3-d3", "a rug cannot lie on d3 and d3: they do not share a side"),
        ("d3-x", "'x' is not a square: use a letter a-g and a number 1-7, like d4"),
    ],
)
def test_invalid_placements_are_refused(text: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_placement(text)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("one", "other", "names"), [(-1, 0, "square -1 and a1"), (48, 49, "g7 and square 49")]
)
def test_squares_off_the_market_are_not_a_placement(one: int, other: int, names: str) -> None:
    with pytest.raises(NotationError) as error:
        placement_on(one, other)
    assert str(error.value) == f"a rug cannot lie on {names}: they do not share a side"
