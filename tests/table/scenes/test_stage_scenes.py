"""The light of every stage, frame by frame, and that it can be told apart without colours."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from helpers.table.table_driver import (
    CORNERED,
    INPUTS,
    TableDriver,
    at,
    begun,
    frames,
    random_talk,
    random_word,
    shown,
)

from companion.light.digits import letter_leds, number_leds
from companion.light.frame import duration_ms, mono, picture
from companion.table.conversation import Stage
from companion.table.scenes.scene import RAIL, Mark, Meaning, Scene
from companion.table.scenes.stage_scenes import (
    HEARD,
    SIMULATED,
    UNSAVED,
    Status,
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


def test_the_pages_of_the_set_up() -> None:
    """How many, which booklet (a line under it: pivot last), whose colours, the board."""
    pages = [
        TableDriver(players=3),
        TableDriver(players=3).say("ok west"),
        TableDriver(players=3).say("ok south"),
        TableDriver(players=3).say("ok ok east"),
        TableDriver(players=3).say("ok ok ok"),
    ]
    assert [page.frames(0)[0] for page in pages] == frames("""
        .......W ........ ........ ........ ......W.
        ..WWW... WWW.WWWW ...W...W ..Y.Y... ........
        ....W... ..W...W. ..WW.... ..Y.Y..W ........
        ..WWW... WWW.WWW. ...W.... ...Y.... ...W...W
        ....W... ..W...W. ...W.... ...Y.... ...R....
        ..WWW... WWW.WWW. ..WWW... ...Y.... ........
        ........ ........ WWWWWWW. ........ W.......
        WWW..... WWW..... WWW..... RYB..... RYB.....
    """)


def test_the_seat_whose_colour_is_chosen_blinks() -> None:
    assert [rows[-8:] for rows in TableDriver().say("ok ok east").frames(0, 349, 350, 700)] == [
        "RYBN....",
        "RYBN....",
        "R.BN....",
        "RYBN....",
    ]


def test_two_colours_are_two_letters() -> None:
    assert TableDriver(players=2).say("ok ok").frames(0) == frames("""
        ........
        RR..Y.Y.
        R.R.Y.YW
        RR...Y..
        R.R..Y..
        R.R..Y..
        ........
        RB......
    """)


def test_the_setting_shows_the_corners_and_the_way_assam_faces() -> None:
    talk = TableDriver(options={"loops": "nw-se"}, facing=INPUTS["west"].facing).say("ok ok ok")
    assert talk.frames(0, 250, 500, 1350) == frames("""
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


def test_the_walk_then_the_offer_over_the_trail() -> None:
    """Three steps, a quarter of a second each, and a moment to look; then the rug blinks fast."""
    assert begun("3").frames(0, 250, 500, 1350, 1475) == frames("""
        ........ ........ ........ ........ ........
        ........ ........ ........ ........ ........
        ........ ........ ........ ........ ........
        ........ ........ ........ ........ ........
        ...R...W ...R...W ...R...W ...R...W ...R...W
        ........ ...R.... ...R.... ...R.... ...R....
        ...W.... ........ ........ .RRW.... ...W....
        R....... R....... R....... R....... R.......
    """)


def test_an_aim_moves_the_offer_without_another_walk() -> None:
    assert begun("3 east").frames(0) == frames("""
        ........
        ........
        ........
        ........
        ...R...W
        ..RR....
        ..RW....
        R.......
    """)


def test_a_draw_shows_both_letters_in_the_west_and_in_the_east() -> None:
    assert begun("3", players=2).frames(0, 1350) == frames("""
        ........ ........
        ........ RR..Y.Y.
        ........ R.R.Y.Y.
        .......W RR...Y.W
        ...R.... R.R..Y..
        ........ R.R..Y..
        ...W.... ........
        R....... R.......
    """)


def test_a_rug_that_can_lie_nowhere_is_a_letter_and_a_blinking_phase() -> None:
    assert at(CORNERED).frames(0, 250) == frames("""
        ........ ........
        ..Y.Y... ..Y.Y...
        ..Y.Y... ..Y.Y...
        ...Y.... ...Y....
        ...Y...! ...Y....
        ...Y.... ...Y....
        ........ ........
        .Y...... .Y......
    """)


def test_the_pivot_shows_where_the_next_player_would_have_to_go() -> None:
    assert begun("3 ok east", options=PIVOT_LAST).frames(0, 500) == frames("""
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


def test_who_has_enough_is_asked_for_the_amount_and_nothing_else() -> None:
    """The region is counted, then the amount, then it blinks; the seat is lit all the while."""
    talk = at(TO_PAY.format(3, "-"))
    assert talk.frames(0, 400, 1200, 2800, 3300) == frames("""
        ........ ........ ........ ........ ........
        ........ ........ ..RRR... ........ ........
        .......W .......W ....R..W .......W .......W
        ........ ...R.... ..RRR... ...R.... ........
        ....R... ...RR... ....R... ...RW... ........
        ........ ........ ..RRR... ........ ........
        ........ ........ ........ ........ ........
        .Y...... .Y...... .Y...... .Y...... .Y......
    """)


def test_who_is_short_sees_what_he_has_his_seat_blink_and_the_rugs_he_loses() -> None:
    talk = at(TO_PAY.format(2, "-"))
    assert talk.frames(0, 400, 1200, 2800, 4400, 4650, 5400, 5500) == frames("""
        ........ ........ ........ ........ YY...... ........ ........ ........
        ........ ........ ..RRR... ..YYY... ........ ........ ........ ........
        .......W .......W ....R..W ....Y..W .......W .......W .......W .......W
        ........ ...R.... ..RRR... ..YYY... ........ ........ ...R.... ...R....
        ....R... ...RR... ....R... ..Y..... ........ ........ ...RW... ...RW...
        ........ ........ ..RRR... ..YYY... ........ ........ ........ ........
        ........ ........ ........ ........ ........ ........ ........ ........
        .Y...... ........ .Y...... ........ ........ .Y...... ........ .Y......
    """)


def test_by_a_booklet_that_spares_he_loses_no_rug() -> None:
    talk = at(TO_PAY.format(0, "bankruptcy=spare"))
    assert talk.frames(2800, 4400) == frames("""
        ........ ........
        ..YYY... ........
        ..Y.Y..W .......W
        ..Y.Y... ...R....
        ..Y.Y... ...RW...
        ..YYY... ........
        ........ ........
        ........ ........
    """)


def test_who_went_out_leaves_rugs_that_are_nobodys() -> None:
    assert at(TO_PAY.format(2, "-"), "ok").frames(0, 250, 1000) == frames("""
        !!.....W .......W .......W
        ........ ........ ........
        ........ ........ ........
        ........ ........ ........
        ........ ........ ....WB..
        ........ ........ ........
        ........ ........ ........
        ..B..... ..B..... ..B.....
    """)


# --- Putting back -------------------------------------------------------------------------


def test_a_rug_to_be_lifted_flashes_and_then_what_lay_under_it_is_seen() -> None:
    position = f"{RED3} c5n lay Y R:30:10,Y:30:12,B:30:12,N:30:12 -"
    assert at(position, "east ok back").frames(0, 150, 600, 3000, 3150) == frames("""
        ........ ........ ........ ........ ........
        ........ ........ ........ ........ ........
        ........ ........ ........ ........ ........
        ..YY.... ........ ..YY.... ...R.... ...R....
        ..W....! .......! .......! ..W....! .......!
        ........ ........ ........ ........ ........
        ........ ........ ........ ........ ........
        .Y...... .Y...... .Y...... .Y...... .Y......
    """)


def test_a_walk_is_walked_backwards_and_then_assam_stands_as_before() -> None:
    assert begun("3 back").frames(0, 250, 750, 1600) == frames("""
        .......! ........ ........ .......!
        ........ ........ ........ ........
        ........ ........ ........ ........
        ........ ........ ...R.... ...W....
        ........ ........ ...R.... ...R....
        ........ ...R.... ...R.... ........
        ...R.... ...R.... ...R.... ........
        R....... R....... R....... R.......
    """)


def test_coins_are_the_amount_in_the_ink_of_who_gives_them_back() -> None:
    assert at(TO_PAY.format(2, "-"), "ok back").frames(0, 250) == frames("""
        ........ ........
        ..RRR... ..RRR...
        ....R..! ....R...
        ..RRR... ..RRR...
        ..R..... ..R.....
        ..RRR... ..RRR...
        ........ ........
        .Y...... .Y......
    """)


def test_a_drawn_rug_is_its_letter() -> None:
    assert begun("3 east back", players=2).frames(0) == frames("""
        ........
        ..Y.Y...
        ..Y.Y...
        ...Y...!
        ...Y....
        ...Y....
        ........
        R.......
    """)


@pytest.mark.parametrize("words", ["east back", "audit ok ok ok south ok audit back"])
def test_a_turning_and_a_correction_show_assam_as_he_stands(words: str) -> None:
    assert begun(words).frames(0, 250) == frames("""
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


def test_a_pause_shows_the_market_as_it_lies() -> None:
    assert at(TO_LAY, "pause").frames(0, 150) == frames("""
        ........ ........
        ........ ........
        ........ ........
        ...R.... ...R....
        ...RW..W ...R...W
        ........ ........
        ........ ........
        .Y...... .Y......
    """)


def test_the_walk_of_the_audit() -> None:
    """The phase column is lit all along; from the rugs on, the seat of whose they are."""
    words = ("audit", "audit ok", "audit ok ok", "audit ok ok ok", "audit ok ok east")
    assert [at(TO_LAY, one).frames(250)[0] for one in words] == frames("""
        .......W .......W .......W .......W .......W
        .......W .......W .......W RRR.RRRW .......W
        .......W .......W .......W ..R...RW .......W
        .......W .......W ...R...W RRR.RRRW ...R...W
        .......W .....WWW ...R...W ..R...RW ...RW..W
        .......W .......W .......W RRR.RRRW .......W
        ........ ........ ........ ........ ........
        ........ ........ R....... R....... R.......
    """)


def test_a_square_its_top_and_where_its_other_half_may_be() -> None:
    words = ("ok ok east", "ok ok east ok", "ok ok east ok west", "ok ok east ok ok")
    assert [at(TO_LAY, f"audit {one}").frames(0)[0] for one in words] == frames("""
        .......W .......W .......W .......W
        .......W ..RR...W .......W .......W
        .......W ..R.R..W .......W .......W
        ...R...W ..RR...W ..WWW..W ....W..W
        ...RW..W ..R.R..W .......W ...WWW.W
        .......W ..R.R..W .......W ....W..W
        ........ ........ ........ ........
        R....... R....... R....... R.......
    """)


def test_the_end_is_the_count() -> None:
    over = f"{RED3} a1n over N R:3:0,Y:2:0,B:out,N:out -"
    assert at(over).frames(0, 1600, 2800, 10**6) == frames("""
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


def test_the_rail_says_heard_unsaved_and_simulated() -> None:
    scene = scene_of(begun().conversation)
    marked = with_status(scene, Status(is_heard=True, is_unsaved=True, is_simulated=True))
    assert marked.shots == scene.shots
    assert [rows[-8:] for rows in shown(marked, 0, 250)] == ["R....!WW", "R.....WW"]
    assert (UNSAVED, SIMULATED, HEARD) == (61, 62, 63)
    assert with_status(scene, Status()) == scene


def leds_of(mark: Mark) -> set[int]:
    match mark.meaning:
        case Meaning.NUMBER:
            return set(number_leds(mark.number))
        case Meaning.LETTERS:
            return {led for sign in letter_leds(mark.letters) for led in sign}
    return set(mark.leds)


def test_no_mark_of_the_rail_lies_over_another_and_the_market_stays_off_it() -> None:
    """Whatever the stage: whose turn, phase, heard, unsaved and simulated can all be seen."""
    everything = Status(is_heard=True, is_unsaved=True, is_simulated=True)
    for seed in range(40):
        chance, talk = Random(f"rail {seed}"), random_talk(seed)
        for _ in range(80):
            talk.hear(INPUTS[random_word(chance, talk.stage)])
            scene = with_status(scene_of(talk.conversation), everything)
            marks = [leds_of(mark) for mark in scene.rail]
            assert sum(map(len, marks)) == len(set().union(*marks))
            assert set().union(*marks) <= RAIL
            for shot in scene.shots:
                assert not set().union(*map(leds_of, shot.marks)) & RAIL


# --- Without colours ----------------------------------------------------------------------

CROSS = "......./......./....B1../...R1.Y1./....N1../......./......."
"""Rugs just where the other half of one on e4 could be."""


def stays(talk: TableDriver) -> tuple[int, ...]:
    """What a mono matrix goes on showing, over many periods of all that moves."""
    scene = scene_of(talk.conversation)
    last = Scene(scene.shots[-1:], scene.rail)
    return tuple(mono(picture(last, time)) for time in range(0, 15_000, 25))


def test_stages_are_told_apart_on_a_mono_matrix() -> None:
    """What stays lit, and how it moves, is never the same in two stages of one game."""
    audit = ["", " ok", " ok ok", " ok ok ok", " ok ok east", " ok ok east ok"]
    talks = [TableDriver().say("ok " * pages) for pages in range(4)]
    crossed = f"{CROSS} e4e {{}} Y R:30:9,Y:30:11,B:30:11,N:30:11 {{}}"
    for phase, options in (
        ("orient", "-"),
        ("lay", "-"),
        ("roll", "turn_order=pivot-last"),
        ("pivot", "turn_order=pivot-last"),
    ):
        position = crossed.format(phase, options)
        talks += [at(position), at(position, "pause")]
    talks += [at(crossed.format("lay", "-"), words) for words in ("ok back", "ok north back ok")]
    talks += [at(crossed.format("lay", "-"), f"audit{words}") for words in audit]
    talks += [at(crossed.format("lay", "-"), "audit ok ok east ok north ok")]
    talks += [at(TO_PAY.format(30, "-")), at(TO_PAY.format(30, "-"), "ok back")]
    talks += [at(CORNERED), at(CORNERED, "ok back"), begun("3", players=2)]
    talks += [
        begun("3 east back", players=2),
        at(f"{CROSS} e4e over Y R:30:0,Y:30:0,B:30:0,N:30:0 -"),
    ]
    assert {talk.stage for talk in talks} == set(Stage)
    lights = [(talk.stage, stays(talk)) for talk in talks]
    for (one, light), (other, other_light) in combinations(lights, 2):
        assert one is other or light != other_light, f"{one.name} looks like {other.name}"


def test_what_leads_up_to_what_stays_is_soon_over() -> None:
    """Nobody waits long for the light; only the final count takes its time."""
    for seed in range(20):
        chance, talk = Random(f"rest {seed}"), random_talk(seed)
        for _ in range(60):
            talk.hear(INPUTS[random_word(chance, talk.stage)])
            if talk.stage is not Stage.OVER:
                shots = scene_of(talk.conversation).shots
                assert sum(map(duration_ms, shots[:-1])) <= 15_000


def test_going_back_to_the_number_of_players_shows_as_many_seats() -> None:
    talk = TableDriver().say("ok ok back back west")
    assert [rows[-8:] for rows in talk.frames(0)] == ["WWW....."]
