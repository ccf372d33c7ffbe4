"""The scene of every stage, frame by frame; stages differ even without colours."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from helpers.table.table_driver import (
    CORNERED,
    INPUTS,
    TableDriver,
    frames_of,
    game_at,
    parse_frames,
    random_driver,
    random_input,
    started_game,
)

from companion.light.digits import letter_leds, number_leds
from companion.light.frame import duration_ms, lit_bits, render_frame
from companion.table.conversation import Stage
from companion.table.scenes.scene import RAIL, Mark, Meaning, Scene
from companion.table.scenes.stage_scenes import (
    PENDING,
    SIMULATED,
    UNSAVED,
    RailStatus,
    scene_of,
    with_status,
)

EMPTY = "/".join(["." * 7] * 7)
RED3 = "......./......./......./...R1.../...R2R2../......./......."
YELLOW2 = RED3.replace(".......", "Y1Y1.....", 1)
TO_LAY = f"{RED3} e5e lay Y R:33:10,Y:27:11,B:30:12,N:30:12 -"
TO_PAY = f"{YELLOW2} e5e pay Y R:30:10,Y:{{}}:11,B:30:12,N:30:12 {{}}"
PIVOT_LAST = {"turn_order": "pivot-last"}

# --- Set-up -------------------------------------------------------------------------------


def test_scenes_of_the_set_up() -> None:
    """Players, booklet (a line below means pivot last), colours, and the board."""
    drivers = [
        TableDriver(players=3),
        TableDriver(players=3).press("ok west"),
        TableDriver(players=3).press("ok south"),
        TableDriver(players=3).press("ok ok east"),
        TableDriver(players=3).press("ok ok ok"),
    ]
    assert [driver.frames(0)[0] for driver in drivers] == parse_frames("""
        .......W ........ ........ ........ ......W.
        ..WWW... WWW.WWWW ...W...W ..Y.Y... ........
        ....W... ..W...W. ..WW.... ..Y.Y..W ........
        ..WWW... WWW.WWW. ...W.... ...Y.... ...W...W
        ....W... ..W...W. ...W.... ...Y.... ...R....
        ..WWW... WWW.WWW. ..WWW... ...Y.... ........
        ........ ........ WWWWWWW. ........ W.......
        WWW..... WWW..... WWW..... RYB..... RYB.....
    """)


def test_the_selected_seat_blinks() -> None:
    assert [rows[-8:] for rows in TableDriver().press("ok ok east").frames(0, 349, 350, 700)] == [
        "RYBN....",
        "RYBN....",
        "R.BN....",
        "RYBN....",
    ]


def test_two_colours_are_shown_as_two_letters() -> None:
    assert TableDriver(players=2).press("ok ok").frames(0) == parse_frames("""
        ........
        RR..Y.Y.
        R.R.Y.YW
        RR...Y..
        R.R..Y..
        R.R..Y..
        ........
        RB......
    """)


def test_the_setting_shows_the_loop_corners_and_assams_facing() -> None:
    driver = TableDriver(options={"loops": "nw-se"}, facing=INPUTS["west"].facing).press("ok ok ok")
    assert driver.frames(0, 250, 500, 1350) == parse_frames("""
        W....... W....... W....... W.......
        ........ ........ ........ ........
        ........ ........ ........ ........
        ..RW...W .RR....W RRR....W .......W
        ........ ........ ........ ........
        ........ ........ ........ ........
        ......W. ......W. ......W. ......W.
        RYBN.... RYBN.... RYBN.... RYBN....
    """)


# --- A turn -------------------------------------------------------------------------------


def test_after_a_roll_the_walk_is_shown_then_the_offered_rug() -> None:
    """Three steps of 250 ms and a short pause, then the rug blinks fast."""
    assert started_game("3").frames(0, 250, 500, 1350, 1475) == parse_frames("""
        ........ ........ ........ ........ ........
        ........ ........ ........ ........ ........
        ........ ........ ........ ........ ........
        ........ ........ ........ ........ ........
        ...R...W ...R...W ...R...W ...R...W ...R...W
        ........ ...R.... ...R.... ...R.... ...R....
        ...W.... ........ ........ .RRW.... ...W....
        R....... R....... R....... R....... R.......
    """)


def test_an_aim_moves_the_rug_without_showing_the_walk_again() -> None:
    assert started_game("3 east").frames(0) == parse_frames("""
        ........
        ........
        ........
        ........
        ...R...W
        ..RR....
        ..RW....
        R.......
    """)


def test_a_draw_shows_one_letter_on_each_side() -> None:
    assert started_game("3", players=2).frames(0, 1350) == parse_frames("""
        ........ ........
        ........ RR..Y.Y.
        ........ R.R.Y.Y.
        .......W RR...Y.W
        ...R.... R.R..Y..
        ........ R.R..Y..
        ...W.... ........
        R....... R.......
    """)


def test_a_rug_that_fits_nowhere_is_a_letter_with_a_blinking_phase() -> None:
    assert game_at(CORNERED).frames(0, 250) == parse_frames("""
        ........ ........
        ..Y.Y... ..Y.Y...
        ..Y.Y... ..Y.Y...
        ...Y.... ...Y....
        ...Y...! ...Y....
        ...Y.... ...Y....
        ........ ........
        .Y...... .Y......
    """)


def test_the_pivot_shows_where_the_next_player_would_go() -> None:
    assert started_game("3 ok east", options=PIVOT_LAST).frames(0, 500) == parse_frames("""
        ........ ........
        ........ ........
        ........ ........
        ........ ........
        ........ ........
        .......W .......W
        ...WY... ....YYY.
        R....... R.......
    """)


# --- Short of money -----------------------------------------------------------------------


def test_tribute_with_enough_money_shows_the_region_and_the_amount() -> None:
    """The region is counted, the amount follows, then the region blinks. The seat stays lit."""
    driver = game_at(TO_PAY.format(3, "-"))
    assert driver.frames(0, 400, 1200, 2800, 3300) == parse_frames("""
        ........ ........ ........ ........ ........
        ........ ........ ..RRR... ........ ........
        .......W .......W ....R..W .......W .......W
        ........ ...R.... ..RRR... ...R.... ........
        ....R... ...RR... ....R... ...RW... ........
        ........ ........ ..RRR... ........ ........
        ........ ........ ........ ........ ........
        .Y...... .Y...... .Y...... .Y...... .Y......
    """)


def test_tribute_without_enough_money_shows_the_purse_and_the_rugs_that_are_lost() -> None:
    driver = game_at(TO_PAY.format(2, "-"))
    assert driver.frames(0, 400, 1200, 2800, 4400, 4650, 5400, 5500) == parse_frames("""
        ........ ........ ........ ........ YY...... ........ ........ ........
        ........ ........ ..RRR... ..YYY... ........ ........ ........ ........
        .......W .......W ....R..W ....Y..W .......W .......W .......W .......W
        ........ ...R.... ..RRR... ..YYY... ........ ........ ...R.... ...R....
        ....R... ...RR... ....R... ..Y..... ........ ........ ...RW... ...RW...
        ........ ........ ..RRR... ..YYY... ........ ........ ........ ........
        ........ ........ ........ ........ ........ ........ ........ ........
        .Y...... ........ .Y...... ........ ........ .Y...... ........ .Y......
    """)


def test_no_rugs_are_lost_if_the_booklet_spares_the_player() -> None:
    driver = game_at(TO_PAY.format(0, "bankruptcy=spare"))
    assert driver.frames(2800, 4400) == parse_frames("""
        ........ ........
        ..YYY... ........
        ..Y.Y..W .......W
        ..Y.Y... ...R....
        ..Y.Y... ...RW...
        ..YYY... ........
        ........ ........
        ........ ........
    """)


def test_rugs_of_a_player_who_went_out_blink_once() -> None:
    assert game_at(TO_PAY.format(2, "-"), "ok").frames(0, 250, 1000) == parse_frames("""
        !!.....W .......W .......W
        ........ ........ ........
        ........ ........ ........
        ........ ........ ........
        ........ ........ ....WB..
        ........ ........ ........
        ........ ........ ........
        ..B..... ..B..... ..B.....
    """)


# --- Restoring ----------------------------------------------------------------------------


def test_an_undone_rug_flashes_and_then_shows_what_lay_under_it() -> None:
    position = f"{RED3} c5n lay Y R:30:10,Y:30:12,B:30:12,N:30:12 -"
    assert game_at(position, "east ok back").frames(0, 150, 600, 3000, 3150) == parse_frames("""
        ........ ........ ........ ........ ........
        ........ ........ ........ ........ ........
        ........ ........ ........ ........ ........
        ..YY.... ........ ..YY.... ...R.... ...R....
        ..W....! .......! .......! ..W....! .......!
        ........ ........ ........ ........ ........
        ........ ........ ........ ........ ........
        .Y...... .Y...... .Y...... .Y...... .Y......
    """)


def test_an_undone_walk_is_shown_backwards() -> None:
    assert started_game("3 back").frames(0, 250, 750, 1600) == parse_frames("""
        .......! ........ ........ .......!
        ........ ........ ........ ........
        ........ ........ ........ ........
        ........ ........ ...R.... ...W....
        ........ ........ ...R.... ...R....
        ........ ...R.... ...R.... ........
        ...R.... ...R.... ...R.... ........
        R....... R....... R....... R.......
    """)


def test_an_undone_payment_is_the_amount_in_the_ink_of_the_owner() -> None:
    assert game_at(TO_PAY.format(2, "-"), "ok back").frames(0, 250) == parse_frames("""
        ........ ........
        ..RRR... ..RRR...
        ....R..! ....R...
        ..RRR... ..RRR...
        ..R..... ..R.....
        ..RRR... ..RRR...
        ........ ........
        .Y...... .Y......
    """)


def test_an_undone_draw_is_the_letter_of_the_rug() -> None:
    assert started_game("3 east back", players=2).frames(0) == parse_frames("""
        ........
        ..Y.Y...
        ..Y.Y...
        ...Y...!
        ...Y....
        ...Y....
        ........
        R.......
    """)


@pytest.mark.parametrize("inputs", ["east back", "audit ok ok ok south ok audit back"])
def test_an_undone_turn_or_correction_shows_assam(inputs: str) -> None:
    assert started_game(inputs).frames(0, 250) == parse_frames("""
        .......! ........
        ........ ........
        ........ ........
        ...W.... ........
        ...R.... ...R....
        ........ ...R....
        ........ ........
        R....... R.......
    """)


# --- Pause, audit, end --------------------------------------------------------------------


def test_a_pause_shows_the_whole_market() -> None:
    assert game_at(TO_LAY, "pause").frames(0, 150) == parse_frames("""
        ........ ........
        ........ ........
        ........ ........
        ...R.... ...R....
        ...RW..W ...R...W
        ........ ........
        ........ ........
        .Y...... .Y......
    """)


def test_scenes_of_the_audit() -> None:
    """The phase column is lit throughout, and from the rugs on the player's seat."""
    inputs = ("audit", "audit ok", "audit ok ok", "audit ok ok ok", "audit ok ok east")
    assert [game_at(TO_LAY, one).frames(250)[0] for one in inputs] == parse_frames("""
        .......W .......W .......W .......W .......W
        .......W .......W .......W RRR.RRRW .......W
        .......W .......W .......W ..R...RW .......W
        .......W .......W ...R...W RRR.RRRW ...R...W
        .......W .....WWW ...R...W ..R...RW ...RW..W
        .......W .......W .......W RRR.RRRW .......W
        ........ ........ ........ ........ ........
        ........ ........ R....... R....... R.......
    """)


def test_scenes_of_correcting_a_square() -> None:
    inputs = ("ok ok east", "ok ok east ok", "ok ok east ok west", "ok ok east ok ok")
    assert [game_at(TO_LAY, f"audit {one}").frames(0)[0] for one in inputs] == parse_frames("""
        .......W .......W .......W .......W
        .......W ..RR...W .......W .......W
        .......W ..R.R..W .......W .......W
        ...R...W ..RR...W ..WWW..W ....W..W
        ...RW..W ..R.R..W .......W ...WWW.W
        .......W ..R.R..W .......W ....W..W
        ........ ........ ........ ........
        R....... R....... R....... R.......
    """)


def test_the_end_shows_the_final_count() -> None:
    over = f"{RED3} a1n over N R:3:0,Y:2:0,B:out,N:out -"
    assert game_at(over).frames(0, 1600, 2800, 10**6) == parse_frames("""
        ........ ........ ........ ........
        ..YYY... ........ ..RRR... ..RRR...
        ....Y... ........ ..R..... ..R.....
        ..YYY... ...R.... ..RRR... ..RRR...
        ..Y..... ........ ..R.R... ..R.R...
        ..YYY... ........ ..RRR... ..RRR...
        ........ ........ ........ ........
        ........ ........ ........ ........
    """)


# --- The rail -----------------------------------------------------------------------------


def test_the_rail_shows_pending_unsaved_and_simulated() -> None:
    scene = scene_of(started_game().conversation)
    marked = with_status(scene, RailStatus(is_pending=True, is_unsaved=True, is_simulated=True))
    assert marked.shots == scene.shots
    assert [rows[-8:] for rows in frames_of(marked, 0, 250)] == ["R....!WW", "R.....WW"]
    assert (UNSAVED, SIMULATED, PENDING) == (61, 62, 63)
    assert with_status(scene, RailStatus()) == scene


def leds_of(mark: Mark) -> set[int]:
    match mark.meaning:
        case Meaning.NUMBER:
            return set(number_leds(mark.number))
        case Meaning.LETTERS:
            return {led for sign in letter_leds(mark.letters) for led in sign}
    return set(mark.leds)


def test_rail_marks_overlap_neither_each_other_nor_the_market() -> None:
    """At every stage: seat, phase, pending, unsaved and simulated are all visible."""
    everything = RailStatus(is_pending=True, is_unsaved=True, is_simulated=True)
    for seed in range(40):
        random, driver = Random(f"rail {seed}"), random_driver(seed)
        for _ in range(80):
            driver.handle(INPUTS[random_input(random, driver.stage)])
            scene = with_status(scene_of(driver.conversation), everything)
            marks = [leds_of(mark) for mark in scene.rail]
            assert sum(map(len, marks)) == len(set().union(*marks))
            assert set().union(*marks) <= RAIL
            for shot in scene.shots:
                assert not set().union(*map(leds_of, shot.marks)) & RAIL


# --- Without colours ----------------------------------------------------------------------

CROSS = "......./......./....B1../...R1.Y1./....N1../......./......."
"""Rugs on all squares where the other half of a rug on e4 could be."""


def steady_frames(driver: TableDriver) -> tuple[int, ...]:
    """The last shot on a mono matrix, over many periods of all animations."""
    scene = scene_of(driver.conversation)
    last = Scene(scene.shots[-1:], scene.rail)
    return tuple(lit_bits(render_frame(last, time)) for time in range(0, 15_000, 25))


def test_stages_look_different_on_a_mono_matrix() -> None:
    """The last shots of two stages always differ, in what is lit or how it moves."""
    audit = ["", " ok", " ok ok", " ok ok ok", " ok ok east", " ok ok east ok"]
    drivers = [TableDriver().press("ok " * drivers) for drivers in range(4)]
    crossed = f"{CROSS} e4e {{}} Y R:30:9,Y:30:11,B:30:11,N:30:11 {{}}"
    for phase, options in (
        ("orient", "-"),
        ("lay", "-"),
        ("roll", "turn_order=pivot-last"),
        ("pivot", "turn_order=pivot-last"),
    ):
        position = crossed.format(phase, options)
        drivers += [game_at(position), game_at(position, "pause")]
    drivers += [
        game_at(crossed.format("lay", "-"), inputs) for inputs in ("ok back", "ok north back ok")
    ]
    drivers += [game_at(crossed.format("lay", "-"), f"audit{inputs}") for inputs in audit]
    drivers += [game_at(crossed.format("lay", "-"), "audit ok ok east ok north ok")]
    drivers += [game_at(TO_PAY.format(30, "-")), game_at(TO_PAY.format(30, "-"), "ok back")]
    drivers += [game_at(CORNERED), game_at(CORNERED, "ok back"), started_game("3", players=2)]
    drivers += [
        started_game("3 east back", players=2),
        game_at(f"{CROSS} e4e over Y R:30:0,Y:30:0,B:30:0,N:30:0 -"),
    ]
    assert {driver.stage for driver in drivers} == set(Stage)
    lights = [(driver.stage, steady_frames(driver)) for driver in drivers]
    for (one, light), (other, other_light) in combinations(lights, 2):
        assert one is other or light != other_light, f"{one.name} looks like {other.name}"


def test_the_last_shot_is_reached_within_15_s() -> None:
    """Except for the final count."""
    for seed in range(20):
        random, driver = Random(f"rest {seed}"), random_driver(seed)
        for _ in range(60):
            driver.handle(INPUTS[random_input(random, driver.stage)])
            if driver.stage is not Stage.OVER:
                shots = scene_of(driver.conversation).shots
                assert sum(map(duration_ms, shots[:-1])) <= 15_000


def test_going_back_to_stage_players_shows_that_many_seats() -> None:
    driver = TableDriver().press("ok ok back back west")
    assert [rows[-8:] for rows in driver.frames(0)] == ["WWW....."]
