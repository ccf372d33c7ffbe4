"""What the panel beside the market says."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from companion.adapters.die import Chance as OwnChance
from companion.games.marrakech import COLOURS, PIPS, Facing, Phase, State, parse_position
from companion.i18n.renderer import TextRenderer
from companion.simulator.board import cardboard_of, draw_board
from companion.simulator.layout import BoardLayout
from companion.simulator.panel import colour_of, phases
from companion.simulator.players import players_table
from companion.table.conversation import Conversation, Playing, Preferences, SettingUp, Stage, fresh
from companion.table.entries import Beginning
from companion.table.game import Game, Moment
from companion.table.inputs import BACK, HOLD_BACK, HOLD_OK, OK, die_key, direction
from companion.table.transitions import hear

FOUR = parse_position(
    "R1R1...../Y1....../Y1....../......./......./......./....... "
    "d4s orient B R:7:11,Y:13:11,B:100:12,N:0:12 -"
)
TWO = parse_position(
    "R1R1...../......./......./......./......./......./....... "
    "d4s orient RB RB:25:11+12,YN:35:12+9 -"
)
# OK more often than the rest, so that games get on.
INPUTS = [*map(direction, Facing), *map(die_key, PIPS), BACK, HOLD_OK, HOLD_BACK, *[OK] * 8]


def talk(state: State, *names: str) -> Conversation:
    game = Game(Beginning(state.setup, names=names), Moment(state, Facing.SOUTH))
    return Conversation(Preferences(), Playing(), game)


def lines(told: Conversation, width: int) -> list[str]:
    return players_table(told, TextRenderer(), width).plain.splitlines()


def test_table_has_a_line_for_each_player_and_an_arrow_at_the_mover() -> None:
    assert lines(talk(FOUR), 40) == [
        "               dirhams halves score rugs",
        " ≡≡ Red              7      2     9   11",
        " ∙∙ Yellow          13      2    15   11",
        "▶◆◆ Blue           100      0   100   12",
        " ✕✕ Brown            0      0     0   12",
    ]


def test_narrow_table_keeps_its_numbers() -> None:
    assert lines(talk(FOUR, "Amina", "Bartholomew", "", "Di"), 26) == [
        "             dh  ½ sum rug",
        " ≡≡ Amina     7  2   9  11",
        " ∙∙ Bartho…  13  2  15  11",
        "▶◆◆ Blue    100  0 100  12",
        " ✕✕ Di        0  0   0  12",
    ]


def test_who_is_out_has_no_score_and_no_rugs() -> None:
    assert lines(talk(FOUR._replace(out=frozenset({3}))), 40)[4] == (
        " ✕✕ Brown            0      0   out    –"
    )


def test_rugs_of_two_colours_are_counted_by_colour() -> None:
    assert lines(talk(TWO), 36) == [
        "                     dh  ½ sum   rug",
        "▶≡◆ Red & Blue       25  2  27 11+12",
        " ∙✕ Yellow & Brown   35  0  35  12+9",
    ]


def test_after_the_end_nobody_moves() -> None:
    assert "▶" not in "".join(lines(talk(FOUR._replace(phase=Phase.OVER)), 40))


def test_seats_are_filled_when_their_colours_are_agreed_on() -> None:
    told = fresh(Preferences(players=2))
    page = told.page
    assert isinstance(page, SettingUp)
    assert lines(told, 40) == ["  seat 1  ", "  seat 2  "]
    seated = replace(page, stage=Stage.COLOURS, seats=TWO.setup.players)
    assert lines(replace(told, page=seated), 40) == [
        "  seat 1  ≡◆ Red & Blue",
        "  seat 2  ∙✕ Yellow & Brown",
    ]
    # Back on the first page, what was agreed on for another number of players does not count.
    assert lines(replace(told, page=replace(seated, stage=Stage.PLAYERS, players=3)), 40) == [
        "  seat 1  ",
        "  seat 2  ",
        "  seat 3  ",
    ]


def test_whatever_is_told_can_be_shown() -> None:
    """Random hands at random tables: every stage is seen, and none cannot be drawn."""
    seen: set[Stage] = set()
    for seed in range(12):
        chance = Random(seed)
        order = {"turn_order": "pivot-last"} if seed % 3 == 0 else {}
        told = fresh(Preferences(players=2 + seed % 3, options=order, ok_rolls=bool(seed % 2)))
        for _ in range(250):
            told = hear(told, chance.choice(INPUTS), OwnChance(chance)).conversation
            seen.add(told.stage)
            assert phases(told, TextRenderer()).plain or told.stage in (
                Stage.RESUME,
                Stage.PUT_BACK,
                Stage.OVER,
            )
            assert colour_of(told) in (None, *COLOURS)
            assert lines(told, 37)
            assert (
                draw_board(BoardLayout(4), cardboard_of(told)).strip(0).cell_length
                == BoardLayout(4).width
            )
    assert seen >= set(Stage) - {Stage.OVER, Stage.RETURN}
