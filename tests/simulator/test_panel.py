"""The panel beside the market: players, phases and colours."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from companion.adapters.die import SystemRandomSource
from companion.games.marrakech import COLOURS, PIPS, Facing, Phase, State, parse_position
from companion.i18n.renderer import TextRenderer
from companion.simulator.board_view.board import cardboard_of, draw_board
from companion.simulator.board_view.layout import BoardLayout
from companion.simulator.panel import colour_of, phases
from companion.simulator.players import players_table
from companion.table.conversation import (
    Conversation,
    Playing,
    Preferences,
    SettingUp,
    Stage,
    new_conversation,
)
from companion.table.entries import Beginning
from companion.table.game import Game, Moment
from companion.table.inputs import BACK, HOLD_BACK, HOLD_OK, OK, die_key, direction
from companion.table.transitions import handle_input

FOUR = parse_position(
    "R1R1...../Y1....../Y1....../......./......./......./....... "
    "d4s orient B R:7:11,Y:13:11,B:100:12,N:0:12 -"
)
TWO = parse_position(
    "R1R1...../......./......./......./......./......./....... "
    "d4s orient RB RB:25:11+12,YN:35:12+9 -"
)
# OK is more frequent, so that games make progress.
INPUTS = [*map(direction, Facing), *map(die_key, PIPS), BACK, HOLD_OK, HOLD_BACK, *[OK] * 8]


def conversation_for(state: State, *names: str) -> Conversation:
    game = Game(Beginning(state.setup, names=names), Moment(state, Facing.SOUTH))
    return Conversation(Preferences(), Playing(), game)


def lines(conversation: Conversation, width: int) -> list[str]:
    return players_table(conversation, TextRenderer(), width).plain.splitlines()


def test_table_has_a_line_per_player_and_an_arrow_at_the_mover() -> None:
    assert lines(conversation_for(FOUR), 40) == [
        "               dirhams halves score rugs",
        " ≡≡ Red              7      2     9   11",
        " ∙∙ Yellow          13      2    15   11",
        "▶◆◆ Blue           100      0   100   12",
        " ✕✕ Brown            0      0     0   12",
    ]


def test_narrow_table_cuts_names_and_keeps_numbers() -> None:
    assert lines(conversation_for(FOUR, "Amina", "Bartholomew", "", "Di"), 26) == [
        "             dh  ½ sum rug",
        " ≡≡ Amina     7  2   9  11",
        " ∙∙ Bartho…  13  2  15  11",
        "▶◆◆ Blue    100  0 100  12",
        " ✕✕ Di        0  0   0  12",
    ]


def test_player_who_is_out_has_no_score_and_no_rugs() -> None:
    assert lines(conversation_for(FOUR._replace(out=frozenset({3}))), 40)[4] == (
        " ✕✕ Brown            0      0   out    –"
    )


def test_rugs_of_two_colours_are_counted_by_colour() -> None:
    assert lines(conversation_for(TWO), 36) == [
        "                     dh  ½ sum   rug",
        "▶≡◆ Red & Blue       25  2  27 11+12",
        " ∙✕ Yellow & Brown   35  0  35  12+9",
    ]


def test_no_arrow_after_the_end() -> None:
    assert "▶" not in "".join(lines(conversation_for(FOUR._replace(phase=Phase.OVER)), 40))


def test_seats_show_colours_from_the_colours_stage_on() -> None:
    conversation = new_conversation(Preferences(players=2))
    activity = conversation.activity
    assert isinstance(activity, SettingUp)
    assert lines(conversation, 40) == ["  seat 1  ", "  seat 2  "]
    seated = replace(activity, stage=Stage.COLOURS, seats=TWO.setup.players)
    assert lines(replace(conversation, activity=seated), 40) == [
        "  seat 1  ≡◆ Red & Blue",
        "  seat 2  ∙✕ Yellow & Brown",
    ]
    # Back at the number of players, colours chosen for another number are not shown.
    assert lines(
        replace(conversation, activity=replace(seated, stage=Stage.PLAYERS, players=3)), 40
    ) == [
        "  seat 1  ",
        "  seat 2  ",
        "  seat 3  ",
    ]


def test_every_stage_can_be_shown() -> None:
    """Random inputs at random tables reach every stage, and each can be drawn."""
    seen: set[Stage] = set()
    for seed in range(12):
        rng = Random(seed)
        order = {"turn_order": "pivot-last"} if seed % 3 == 0 else {}
        conversation = new_conversation(
            Preferences(players=2 + seed % 3, options=order, ok_rolls=bool(seed % 2))
        )
        for _ in range(250):
            conversation = handle_input(
                conversation, rng.choice(INPUTS), SystemRandomSource(rng)
            ).conversation
            seen.add(conversation.stage)
            assert phases(conversation, TextRenderer()).plain or conversation.stage in (
                Stage.RESUME,
                Stage.PUT_BACK,
                Stage.OVER,
            )
            assert colour_of(conversation) in (None, *COLOURS)
            assert lines(conversation, 37)
            assert (
                draw_board(BoardLayout(4), cardboard_of(conversation)).strip(0).cell_length
                == BoardLayout(4).width
            )
    assert seen >= set(Stage) - {Stage.OVER, Stage.RETURN}
