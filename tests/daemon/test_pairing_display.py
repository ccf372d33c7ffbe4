"""OK and BACK held together: the code for phones on the matrix, and a game that is not touched."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from helpers.table.virtual_table import DEBOUNCE_MS, HOLD_MS, VirtualTable, bits, sitting_config

from companion.daemon.pairing import SHOWN_S
from companion.i18n.message import message
from companion.light.frame import picture
from companion.table.inputs import Button, die_key
from companion.table.scenes.scene import RAIL
from companion.table.scenes.stage_scenes import HEARD, scene_of
from companion.table.scenes.turn_scenes import code_scene
from companion.testing.virtual_time import run

BEGIN = "ok ok ok ok"
PUT_AWAY, LONGER = message("pair.put_away"), message("no.both_longer")
MARKET = sum(1 << led for led in range(64) if led not in RAIL)
OK, BACK = Button.OK, Button.BACK


def lit(sitting: VirtualTable) -> int:
    """The market's LEDs."""
    return sitting.film.bits() & MARKET


def digits(code: str, ms: int = 0) -> int:
    return bits(picture(code_scene(code), ms))


def game_light(sitting: VirtualTable) -> int:
    return bits(picture(scene_of(sitting.conversation), 0)) & MARKET


async def hold_both(
    sitting: VirtualTable, first: Button = OK, second: Button = BACK, up: Button = OK
) -> None:
    (other,) = {OK, BACK} - {up}
    sitting.hands.press(first)
    await asyncio.sleep(0.2)
    sitting.hands.press(second)
    await asyncio.sleep((DEBOUNCE_MS + HOLD_MS) / 1000 + 0.001)
    sitting.hands.release(up)
    await asyncio.sleep(0.1)
    sitting.hands.release(other)
    await asyncio.sleep(0.1)


@pytest.mark.parametrize("up", [OK, BACK])
@pytest.mark.parametrize(("first", "second"), [(OK, BACK), (BACK, OK)])
def test_both_held_show_the_code_and_nothing_else_happens(
    tmp_path: Path, first: Button, second: Button, up: Button
) -> None:
    """Whichever goes down first and whichever comes up first: no tap, no hold, no entry."""

    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            await sitting.say(f"{BEGIN} 2")
            before, journal = sitting.conversation, sitting.journal
            await hold_both(sitting, first, second, up)
            assert lit(sitting) == digits("0417")
            assert sitting.view.shows_code
            assert sitting.conversation is before
            assert sitting.journal == journal
            assert sitting.view.refused is None

    run(scenario())


def test_it_is_heard_at_once_and_shown_when_both_were_down_long_enough(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            sitting.hands.press(OK)
            sitting.hands.press(BACK)
            await asyncio.sleep(DEBOUNCE_MS / 1000 + 0.001)
            assert sitting.film.is_lit(HEARD)
            await asyncio.sleep(HOLD_MS / 1000 - 0.002)
            assert not sitting.view.shows_code
            await asyncio.sleep(0.001)
            await asyncio.sleep(0)
            assert sitting.view.shows_code

    run(scenario())


STAGES = {
    "": "PLAYERS",
    "ok": "BOOKLET",
    "ok ok": "COLOURS",
    "ok ok ok": "SETTING",
    BEGIN: "ORIENT",
    f"{BEGIN} 1 ok 1": "PAY",
    f"{BEGIN} 2": "LAY",
    f"{BEGIN} 2 back": "PUT_BACK",
    f"{BEGIN} 2 audit": "AUDIT_ASSAM",
    f"{BEGIN} 2 audit ok ok east": "SQUARE",
    f"{BEGIN} 2 pause": "RESUME",
}


@pytest.mark.parametrize("words", STAGES)
def test_it_works_at_every_stage(tmp_path: Path, words: str) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            await sitting.say(words)
            assert sitting.stage.name == STAGES[words]
            before = sitting.conversation
            await hold_both(sitting)
            assert lit(sitting) == digits("0417")
            await sitting.press("north")
            assert sitting.conversation is before
            assert not sitting.view.shows_code

    run(scenario())


# --- Putting it away ----------------------------------------------------------------------


@pytest.mark.parametrize("word", ["north", "east", "south", "west", "ok", "back", "audit", "pause"])
def test_any_button_puts_it_away_and_does_nothing_else(tmp_path: Path, word: str) -> None:
    """Also when it is held: the words say what became of it, and the game's light is back."""

    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            await sitting.say(f"{BEGIN} 2")
            await hold_both(sitting)
            before, journal = sitting.conversation, sitting.journal
            await sitting.press(word)
            assert (sitting.conversation, sitting.journal) == (before, journal)
            assert (sitting.view.shows_code, sitting.view.refused) == (False, PUT_AWAY)
            await sitting.press("east")
            assert sitting.conversation is not before, "the next press is one again"
            assert sitting.view.refused is None

    run(scenario())


def test_the_light_of_the_game_begins_when_the_button_goes_down(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            await sitting.say(f"{BEGIN} 2")
            await hold_both(sitting)
            sitting.hands.press(OK)
            await asyncio.sleep(DEBOUNCE_MS / 1000 + 0.001)
            assert lit(sitting) == game_light(sitting)

    run(scenario())


def test_a_key_of_the_die_puts_it_away_and_the_pad_is_told_that_it_did_not_count(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            answers: list[bool] = []
            sitting.table.daemon.when_die_is_answered = answers.append
            await sitting.say(BEGIN)
            await hold_both(sitting)
            before = sitting.conversation
            sitting.table.daemon.deliver(die_key(3))
            assert (answers, sitting.view.shows_code) == ([False], False)
            assert sitting.conversation is before
            sitting.table.daemon.deliver(die_key(3))
            await asyncio.sleep(0.01)
            assert answers == [False, True]

    run(scenario())


def test_after_a_minute_it_goes_by_itself(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            await sitting.say(BEGIN)
            sitting.table.daemon.show_code()
            await asyncio.sleep(SHOWN_S - 0.001)
            assert sitting.view.shows_code
            await asyncio.sleep(0.002)
            assert (sitting.view.shows_code, sitting.view.refused) == (False, None)
            assert lit(sitting) == game_light(sitting)

    run(scenario())


def test_held_again_they_show_another_code_for_a_minute_of_its_own(tmp_path: Path) -> None:
    """The first of the two puts the old one away, and is no press of its own."""

    async def scenario() -> None:
        with VirtualTable(tmp_path, codes=["0417", "9923"]) as sitting:
            await sitting.say(f"{BEGIN} 2")
            before = sitting.conversation
            await hold_both(sitting)
            await asyncio.sleep(SHOWN_S - 5)
            await hold_both(sitting)
            assert lit(sitting) == digits("9923")
            await asyncio.sleep(SHOWN_S - 2)
            assert sitting.view.shows_code
            assert sitting.conversation is before

    run(scenario())


def test_a_code_that_takes_the_place_of_another_has_its_whole_minute(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path, codes=["0417", "9923"]) as sitting:
            sitting.table.daemon.show_code()
            await asyncio.sleep(SHOWN_S / 2)
            sitting.table.daemon.show_code()
            await asyncio.sleep(SHOWN_S - 0.001)
            assert sitting.view.shows_code
            await asyncio.sleep(0.002)
            assert not sitting.view.shows_code

    run(scenario())


def test_a_button_that_was_down_before_the_code_came_puts_it_away(tmp_path: Path) -> None:
    """Somebody asks for a code from afar while another is about to press."""

    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            await sitting.say(f"{BEGIN} 2")
            before = sitting.conversation
            sitting.hands.press(OK)
            await asyncio.sleep(0.1)
            sitting.table.daemon.show_code()
            sitting.hands.release(OK)
            await asyncio.sleep(0.1)
            assert (sitting.conversation, sitting.view.shows_code) == (before, False)

    run(scenario())


def test_let_go_too_soon_is_refused_in_words_and_neither_button_acts(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            await sitting.say(f"{BEGIN} 2")
            before = sitting.conversation
            sitting.hands.press(OK)
            sitting.hands.press(BACK)
            await asyncio.sleep(0.6)
            sitting.hands.release(BACK)
            await asyncio.sleep(0.02)
            assert sitting.view.refused == LONGER
            sitting.hands.release(OK)
            await asyncio.sleep(1)
            assert sitting.conversation is before
            assert not sitting.view.shows_code

    run(scenario())


# --- Behind the code ----------------------------------------------------------------------


def test_a_slow_disk_neither_delays_the_code_nor_covers_it(tmp_path: Path) -> None:
    """What was told is written and confirmed behind it, and its light comes when it is put away."""

    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            await sitting.say(BEGIN)
            sitting.workers["scribe"].takes_ms = 3000
            sitting.workers["painter"].takes_ms = 20  # so that no light comes and goes unseen
            await sitting.say("2 east")
            await hold_both(sitting)
            assert sitting.stage.name == "ORIENT", "the disk is not done"
            begin = len(sitting.film.frames)
            assert lit(sitting) == digits("0417")
            await asyncio.sleep(6)
            assert (sitting.stage.name, sitting.entries()) == ("LAY", 2)
            assert sitting.view.shows_code
            seen = {light & MARKET for _, light in sitting.film.frames[begin:]}
            assert seen <= {digits("0417", ms) for ms in (0, 2000, 4000)}
            sitting.workers["painter"].takes_ms = 0
            await sitting.press("north")
            assert lit(sitting) == game_light(sitting)

    run(scenario())


def test_trouble_is_told_behind_the_code(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            await sitting.say(BEGIN)
            sitting.table.daemon.show_code()
            sitting.table.daemon.tell_trouble("pad", message("pad.lost"))
            await asyncio.sleep(0.001)
            assert sitting.view.trouble == (message("pad.lost"),)
            assert sitting.view.shows_code
            assert lit(sitting) == digits("0417")

    run(scenario())


def test_a_table_that_rests_early_still_shows_all_of_the_code(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path, config=sitting_config(rest_after_s=1)) as sitting:
            sitting.table.daemon.show_code()
            await asyncio.sleep(12.1)
            assert lit(sitting) == digits("0417", 2000)

    run(scenario())


def test_a_table_can_be_closed_while_it_shows_a_code(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            sitting.table.daemon.show_code()
            views = len(sitting.views)
        await asyncio.sleep(2 * SHOWN_S)
        assert len(sitting.views) == views

    run(scenario())


# --- Pairing ------------------------------------------------------------------------------


def test_a_code_that_was_read_is_put_away_and_still_pairs_others(tmp_path: Path) -> None:
    """Else the first press of the phone would only put it away."""

    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            daemon = sitting.table.daemon
            code = daemon.show_code()
            was_shown = sitting.view.shows_code
            assert daemon.pair(code) is None
            assert (was_shown, sitting.view.shows_code) == (True, False)
            assert daemon.pair(code) is None

    run(scenario())


def test_a_code_that_is_void_need_not_be_shown_any_longer(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as sitting:
            daemon = sitting.table.daemon
            daemon.show_code()
            answers = [daemon.pair("0000") for _ in range(5)]
            assert answers[-1] == message("pair.void")
            assert not sitting.view.shows_code

    run(scenario())
