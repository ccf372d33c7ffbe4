"""Exact frames over time."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from helpers.profiles import examples
from helpers.rules.strategies import arranged_position, seeds
from helpers.table.table_driver import changes, frames_of, parse_frames
from hypothesis import given, settings

from companion.games.marrakech import (
    Facing,
    Lay,
    Orient,
    Pay,
    Phase,
    Rolled,
    State,
    Tribute,
    Walked,
    apply,
    legal_actions,
    parse_position,
)
from companion.light.frame import (
    DARK,
    frame_text,
    has_still_frame,
    lit_bits,
    next_change,
    render_frame,
    still_frame,
)
from companion.table.scenes.scene import Ink, Mark, Meaning, Scene, Shot
from companion.table.scenes.turn_scenes import (
    code_scene,
    count_scene,
    lay_scene,
    loops_scene,
    orient_scene,
    pay_scene,
    turn_rail,
    walk_scene,
)

MARKET = ".R1R1..../.R2Y1..../.R2Y1..../..R3..../..R3..../......./......."
START = parse_position(f"{MARKET} b5n orient Y R:30:9,Y:30:11 two_player=one-colour")


def rolled(pips: int) -> tuple[State, Walked, Tribute | None]:
    state, _ = apply(START, Orient(Facing.NORTH))
    state, events = apply(state, Rolled(pips))
    walked, *rest = events
    assert isinstance(walked, Walked)
    tribute = rest[0] if rest else None
    assert tribute is None or isinstance(tribute, Tribute)
    return state, walked, tribute


def test_the_preview_grows_outward_in_the_colour_of_the_owner() -> None:
    """The mover's colour on the empty square, red where a step would cost tribute."""
    assert frames_of(orient_scene(START), 0, 160, 300, 750, 1600) == parse_frames("""
        .......W .......W .......W .R.....W .......W
        ........ ........ ........ .R...... ........
        ........ ........ .R...... .R...... ........
        .Y...... .Y...... .Y...... .Y...... ........
        .W...... ........ .W...... ........ ........
        ........ ........ ........ ........ ........
        ........ ........ ........ ........ ........
        .Y...... .Y...... .Y...... .Y...... .Y......
    """)


def test_the_preview_follows_the_edge_loops_in_the_order_of_the_path() -> None:
    state = START._replace(assam=3, facing=Facing.NORTH)
    assert frames_of(orient_scene(state), 0, 250, 500, 750) == parse_frames("""
        ..RW...W ..R....W ..R....W ..R....W
        ........ ..Y..... ..Y..... ..Y.....
        ........ ........ ..Y..... ..Y.....
        ........ ........ ........ ..R.....
        ........ ........ ........ ........
        ........ ........ ........ ........
        ........ ........ ........ ........
        .Y...... .Y...... .Y...... .Y......
    """)


def test_tribute_shows_the_path_the_count_the_amount_and_then_blinks() -> None:
    state, walked, tribute = rolled(2)
    assert tribute is not None
    scene = pay_scene(state, walked.path, tribute)
    assert changes(scene, 5600) == [
        0, 250,  # the path
        1100, 1300, 1500, 1700,  # the region, square by square
        2500,  # the amount
        4100, 4250, 4400, 4550, 4600, 5100, 5600,  # blinking, and Assam in it
    ]  # fmt: skip
    assert frames_of(scene, 0, 250, 1100, 1300, 1500, 1700) == parse_frames("""
        ........ ........ ........ ........ .R...... .RR.....
        ........ ........ ........ .R...... .R...... .R......
        .......W .Y.....W .R.....W .R.....W .R.....W .R.....W
        .Y...... .Y...... ........ ........ ........ ........
        ........ ........ ........ ........ ........ ........
        ........ ........ ........ ........ ........ ........
        ........ ........ ........ ........ ........ ........
        .Y...... .Y...... .Y...... .Y...... .Y...... .Y......
    """)
    assert frames_of(scene, 2500, 4100, 4250, 4600) == parse_frames("""
        ........ .RR..... .RR..... ........
        ..R.R... .R...... .R...... ........
        ..R.R..W .W.....W .......W .......W
        ..RRR... ........ ........ ........
        ....R... ........ ........ ........
        ....R... ........ ........ ........
        ........ ........ ........ ........
        .Y...... .Y...... .Y...... .Y......
    """)


def test_a_path_without_tribute_stays_lit() -> None:
    state, walked, tribute = rolled(1)
    assert tribute is None
    scene = walk_scene(state, walked.path)
    assert frames_of(scene, 0, 200, 60_300) == parse_frames("""
        ........ ........ ........
        ........ ........ ........
        ........ ........ ........
        .W...... ........ .W......
        .......W .......W .......W
        ........ ........ ........
        ........ ........ ........
        .Y...... .Y...... .Y......
    """)


def laying() -> Scene:
    state, walked, _ = rolled(2)
    state, _ = apply(state, Pay())
    offer = legal_actions(state)[0]
    assert isinstance(offer, Lay)
    return lay_scene(state, walked.path, offer.placement)


def test_the_offered_rug_blinks_fast_over_the_path() -> None:
    assert frames_of(laying(), 0, 125, 200) == parse_frames("""
        .Y...... ........ ........
        .Y...... ........ ........
        .W...... .W...... ........
        .Y...... .Y...... .Y......
        .......W .......W .......W
        ........ ........ ........
        ........ ........ ........
        .Y...... .Y...... .Y......
    """)


def test_a_refusal_inverts_the_whole_frame_twice_with_a_red_edge() -> None:
    scene = laying()
    plain = render_frame(scene, 1000)
    inverted = render_frame(scene, 1000, refused_ms=0)
    assert [frame_text(plain), frame_text(inverted)] == parse_frames("""
        .Y...... W.WWWWW!
        .Y...... W.WWWWW!
        ........ WWWWWWW!
        .Y...... W.WWWWW!
        .......W WWWWWWW.
        ........ WWWWWWW!
        ........ WWWWWWW!
        .Y...... !.!!!!!!
    """)
    assert lit_bits(plain) ^ lit_bits(inverted) == (1 << 64) - 1
    for time, expected in ((79, inverted), (80, plain), (159, plain), (160, inverted),
                           (239, inverted), (240, plain), (10_000, plain)):  # fmt: skip
        assert render_frame(scene, 1000, refused_ms=time) == expected


def test_a_refusal_changes_the_frame_until_it_ends() -> None:
    loops = loops_scene("ne-sw")
    assert next_change(loops, 5000) is None
    assert [next_change(loops, 5000 + t, refused_ms=t) for t in (0, 80, 160, 240)] == [
        5080,
        5160,
        5240,
        None,
    ]


def test_the_final_count_shows_halves_and_scores_the_winner_last() -> None:
    over = parse_position(f"{MARKET} b5n over Y R:30:0,Y:71:0 two_player=one-colour")
    scene = count_scene(over)
    assert changes(scene, 10**6) == [0, 200, 400, 600, 800, 1000, 1800, 3400, 3600, 4400]
    assert frames_of(scene, 200, 1000, 1800, 3600, 4400, 10**6) == parse_frames("""
        .RR..... .RR..... ........ ........ ........ ........
        ........ .R...... RRR.RRR. ..Y..... YYY.YYY. YYY.YYY.
        ........ .R...... ..R.R... ..Y..... ..Y...Y. ..Y...Y.
        ........ ..R..... RRR.RRR. ........ ..Y.YYY. ..Y.YYY.
        ........ ..R..... ..R.R.R. ........ .Y....Y. .Y....Y.
        ........ ........ RRR.RRR. ........ .Y..YYY. .Y..YYY.
        ........ ........ ........ ........ ........ ........
        ........ ........ ........ ........ ........ ........
    """)


def test_players_who_are_out_are_not_counted_and_players_without_rugs_show_only_the_score() -> None:
    over = parse_position(f"{MARKET} b5n over Y R:out,Y:71:0,B:5:0 -")
    marks = [mark for shot in count_scene(over).shots for mark in shot.marks]
    assert [(mark.meaning, mark.number) for mark in marks] == [
        (Meaning.NUMBER, 5),
        (Meaning.COUNT, 0),
        (Meaning.NUMBER, 73),
    ]


@pytest.mark.parametrize(("loops", "leds"), [("ne-sw", {6, 6 * 8}), ("nw-se", {0, 6 * 8 + 6})])
def test_the_loop_corners_are_lit(loops: str, leds: set[int]) -> None:
    lit = render_frame(loops_scene(loops), 0)
    assert {led for led, ink in enumerate(lit) if ink} == leds


def test_later_marks_hide_earlier_ones_even_when_dark() -> None:
    under = Mark(Meaning.TRAIL, (3, 4), (Ink.RED,))
    over = Mark(Meaning.OFFER, (4, 5), (Ink.BLUE, Ink.YELLOW))
    scene = Scene((Shot((under, over)),))
    assert render_frame(scene, 0)[3:6] == (Ink.RED, Ink.BLUE, Ink.YELLOW)
    assert render_frame(scene, 130)[3:6] == (Ink.RED, None, None)


def test_the_rail_shows_mover_and_phase_until_the_game_is_over() -> None:
    seat, phase = turn_rail(START)
    assert (seat.leds, seat.inks) == ((7 * 8 + 1,), (Ink.YELLOW,))
    assert phase.leds == (7,)
    over = parse_position(f"{MARKET} b5n over Y R:30:0,Y:71:0 two_player=one-colour")
    assert turn_rail(over) == ()


def test_the_rail_shows_the_colour_in_hand_of_a_player_with_two_colours() -> None:
    market = "/".join(["." * 7] * 7)
    state = parse_position(f"{market} d4s lay:N BN RY:30:12+12,BN:30:12+12 -")
    seat, phase = turn_rail(state)
    assert (seat.leds, seat.inks) == ((7 * 8 + 1,), (Ink.BROWN,))
    assert phase.leds == (4 * 8 + 7,)


def test_each_letter_has_its_own_ink() -> None:
    letters = Mark(Meaning.LETTERS, inks=(Ink.BLUE, Ink.BROWN), letters="BN")
    assert frames_of(Scene((Shot((letters,)),)), 0, 10**6) == parse_frames("""
        ........ ........
        BB..NNN. BB..NNN.
        B.B.N.N. B.B.N.N.
        BB..N.N. BB..N.N.
        B.B.N.N. B.B.N.N.
        BB..N.N. BB..N.N.
        ........ ........
        ........ ........
    """)


def test_letters_have_one_ink_or_one_each() -> None:
    dash = Mark(Meaning.LETTERS, inks=(Ink.WHITE,), letters="-")
    assert dash.ink(0) is Ink.WHITE
    with pytest.raises(ValueError, match=r"^3 inks for 0 LEDs$"):
        Mark(Meaning.LETTERS, inks=(Ink.RED, Ink.BLUE, Ink.RED), letters="RB")


def test_the_still_frame_shows_all_marks_of_the_last_shot() -> None:
    """Also those that blink: the region, Assam, and a warning on the rail."""
    state, walked, tribute = rolled(2)
    assert tribute is not None
    scene = pay_scene(state, walked.path, tribute)
    warned = Scene(scene.shots, (*scene.rail, Mark(Meaning.WARNING, (61,), (Ink.ALARM,))))
    assert [frame_text(still_frame(warned))] == parse_frames("""
        .RR.....
        .R......
        .W.....W
        ........
        ........
        ........
        ........
        .Y...!..
    """)


def test_numbers_and_letters_look_the_same_in_the_still_frame() -> None:
    for mark in (
        Mark(Meaning.NUMBER, number=42),
        Mark(Meaning.LETTERS, inks=(Ink.RED, Ink.BLUE), letters="RB"),
    ):
        scene = Scene((Shot((mark,)),))
        assert still_frame(scene) == render_frame(scene, 0)


def test_lit_bits_are_the_leds_with_ink() -> None:
    assert lit_bits(DARK) == 0
    assert lit_bits((Ink.RED, None, Ink.WHITE, *DARK[3:])) == 0b101


def test_invalid_marks_and_scenes_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^2 inks for 3 LEDs$"):
        Mark(Meaning.TRAIL, (1, 2, 3), (Ink.RED, Ink.BLUE))
    with pytest.raises(ValueError, match=r"^a scene needs a shot$"):
        Scene(())


def scenes_of(state: State) -> list[Scene]:
    scenes = [count_scene(state)] if any(s not in state.out for s in range(2)) else []
    if state.phase in (Phase.ORIENT, Phase.ROLL):
        scenes.append(orient_scene(state))
    if state.phase is Phase.PAY:
        tribute = state.tribute_at(state.assam)
        assert tribute is not None
        scenes.append(pay_scene(state, state.setup.paths[0][3], tribute))
    if state.phase is Phase.LAY:
        offers = [action for action in legal_actions(state) if isinstance(action, Lay)]
        scenes += [lay_scene(state, (), offer.placement) for offer in offers]
    return scenes


@given(seeds)
@settings(max_examples=examples(60))
def test_frames_change_only_at_the_announced_times(seed: int) -> None:
    """Between two changes all frames are the same, so the display can sleep."""
    rng = Random(seed)
    for scene in scenes_of(arranged_position(rng)):
        for time, following in pairwise(changes(scene, 7000)):
            held = render_frame(scene, time)
            for moment in {time + 1, (time + following) // 2, following - 1} - {following}:
                assert render_frame(scene, moment) == held


def test_a_pairing_code_repeats_after_a_dark_pause() -> None:
    scene = code_scene("0417")
    assert changes(scene, 10_000) == [0, 2000, 4000, 5000, 7000, 9000, 10_000]
    assert frames_of(scene, 0, 1999, 2000, 4000, 5000) == parse_frames("""
        ...W.... ...W.... ..W.W... ........ ...W....
        ........ ........ ........ ........ ........
        WWW.W.W. WWW.W.W. .W..WWW. ........ WWW.W.W.
        W.W.W.W. W.W.W.W. WW....W. ........ W.W.W.W.
        W.W.WWW. W.W.WWW. .W....W. ........ W.W.WWW.
        W.W...W. W.W...W. .W...W.. ........ W.W...W.
        WWW...W. WWW...W. WWW..W.. ........ WWW...W.
        ........ ........ ........ ........ ........
    """)


def test_only_a_code_has_no_still_frame() -> None:
    assert has_still_frame(orient_scene(START))
    assert not has_still_frame(code_scene("0417"))
