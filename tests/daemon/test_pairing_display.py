"""OK and BACK held together show the pairing code on the matrix, without touching the game."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from helpers.table.virtual_table import (
    DEBOUNCE_MS,
    HOLD_MS,
    VirtualTable,
    bits,
    virtual_table_config,
)

from companion.control.pairing import SHOWN_S
from companion.i18n.message import message
from companion.light.frame import render_frame
from companion.table.inputs import Button, die_key
from companion.table.scenes.scene import RAIL
from companion.table.scenes.stage_scenes import PENDING, scene_of
from companion.table.scenes.turn_scenes import code_scene
from companion.testing.virtual_time import run

BEGIN = "ok ok ok ok"
DISMISSED, HOLD_LONGER = message("pair.put_away"), message("no.both_longer")
MARKET = sum(1 << led for led in range(64) if led not in RAIL)
OK, BACK = Button.OK, Button.BACK


def market_bits(virtual_table: VirtualTable) -> int:
    """The LEDs of the market, without the rail."""
    return virtual_table.recorder.bits() & MARKET


def code_bits(code: str, ms: int = 0) -> int:
    return bits(render_frame(code_scene(code), ms))


def game_bits(virtual_table: VirtualTable) -> int:
    return bits(render_frame(scene_of(virtual_table.conversation), 0)) & MARKET


async def hold_both(
    virtual_table: VirtualTable, first: Button = OK, second: Button = BACK, first_up: Button = OK
) -> None:
    (other,) = {OK, BACK} - {first_up}
    virtual_table.contacts.press(first)
    await asyncio.sleep(0.2)
    virtual_table.contacts.press(second)
    await asyncio.sleep((DEBOUNCE_MS + HOLD_MS) / 1000 + 0.001)
    virtual_table.contacts.release(first_up)
    await asyncio.sleep(0.1)
    virtual_table.contacts.release(other)
    await asyncio.sleep(0.1)


@pytest.mark.parametrize("first_up", [OK, BACK])
@pytest.mark.parametrize(("first", "second"), [(OK, BACK), (BACK, OK)])
def test_holding_both_shows_the_code_and_does_nothing_else(
    tmp_path: Path, first: Button, second: Button, first_up: Button
) -> None:
    """In whatever order they go down and up: no tap, no hold, no entry."""

    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            await virtual_table.press(f"{BEGIN} 2")
            before, journal = virtual_table.conversation, virtual_table.journal
            await hold_both(virtual_table, first, second, first_up)
            assert market_bits(virtual_table) == code_bits("0417")
            assert virtual_table.view.shows_code
            assert virtual_table.conversation is before
            assert virtual_table.journal == journal
            assert virtual_table.view.refusal is None

    run(scenario())


def test_a_hold_lights_the_pending_led_at_once_and_shows_the_code_later(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            virtual_table.contacts.press(OK)
            virtual_table.contacts.press(BACK)
            await asyncio.sleep(DEBOUNCE_MS / 1000 + 0.001)
            assert virtual_table.recorder.is_lit(PENDING)
            await asyncio.sleep(HOLD_MS / 1000 - 0.002)
            assert not virtual_table.view.shows_code
            await asyncio.sleep(0.001)
            await asyncio.sleep(0)
            assert virtual_table.view.shows_code

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
def test_the_code_can_be_shown_at_every_stage(tmp_path: Path, words: str) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            await virtual_table.press(words)
            assert virtual_table.stage.name == STAGES[words]
            before = virtual_table.conversation
            await hold_both(virtual_table)
            assert market_bits(virtual_table) == code_bits("0417")
            await virtual_table.press("north")
            assert virtual_table.conversation is before
            assert not virtual_table.view.shows_code

    run(scenario())


# --- Hiding the code ----------------------------------------------------------------------


@pytest.mark.parametrize("word", ["north", "east", "south", "west", "ok", "back", "audit", "pause"])
def test_any_button_hides_the_code_and_does_nothing_else(tmp_path: Path, word: str) -> None:
    """Also when it is held. The message says so, and the game's scene is back."""

    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            await virtual_table.press(f"{BEGIN} 2")
            await hold_both(virtual_table)
            before, journal = virtual_table.conversation, virtual_table.journal
            await virtual_table.press(word)
            assert (virtual_table.conversation, virtual_table.journal) == (before, journal)
            assert (virtual_table.view.shows_code, virtual_table.view.refusal) == (False, DISMISSED)
            await virtual_table.press("east")
            assert virtual_table.conversation is not before, "the next press acts again"
            assert virtual_table.view.refusal is None

    run(scenario())


def test_the_scene_is_back_when_the_button_goes_down(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            await virtual_table.press(f"{BEGIN} 2")
            await hold_both(virtual_table)
            virtual_table.contacts.press(OK)
            await asyncio.sleep(DEBOUNCE_MS / 1000 + 0.001)
            assert market_bits(virtual_table) == game_bits(virtual_table)

    run(scenario())


def test_a_die_key_hides_the_code_and_counts_as_refused(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            results: list[bool] = []
            virtual_table.table.controller.on_die_result = results.append
            await virtual_table.press(BEGIN)
            await hold_both(virtual_table)
            before = virtual_table.conversation
            virtual_table.table.controller.deliver(die_key(3))
            assert (results, virtual_table.view.shows_code) == ([False], False)
            assert virtual_table.conversation is before
            virtual_table.table.controller.deliver(die_key(3))
            await asyncio.sleep(0.01)
            assert results == [False, True]

    run(scenario())


def test_the_code_is_hidden_after_a_minute(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            await virtual_table.press(BEGIN)
            virtual_table.table.controller.show_code()
            await asyncio.sleep(SHOWN_S - 0.001)
            assert virtual_table.view.shows_code
            await asyncio.sleep(0.002)
            assert (virtual_table.view.shows_code, virtual_table.view.refusal) == (False, None)
            assert market_bits(virtual_table) == game_bits(virtual_table)

    run(scenario())


def test_holding_both_again_shows_another_code_for_a_minute(tmp_path: Path) -> None:
    """The first button hides the old code and does nothing else."""

    async def scenario() -> None:
        with VirtualTable(tmp_path, codes=["0417", "9923"]) as virtual_table:
            await virtual_table.press(f"{BEGIN} 2")
            before = virtual_table.conversation
            await hold_both(virtual_table)
            await asyncio.sleep(SHOWN_S - 5)
            await hold_both(virtual_table)
            assert market_bits(virtual_table) == code_bits("9923")
            await asyncio.sleep(SHOWN_S - 2)
            assert virtual_table.view.shows_code
            assert virtual_table.conversation is before

    run(scenario())


def test_a_code_that_replaces_another_is_shown_for_a_whole_minute(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path, codes=["0417", "9923"]) as virtual_table:
            virtual_table.table.controller.show_code()
            await asyncio.sleep(SHOWN_S / 2)
            virtual_table.table.controller.show_code()
            await asyncio.sleep(SHOWN_S - 0.001)
            assert virtual_table.view.shows_code
            await asyncio.sleep(0.002)
            assert not virtual_table.view.shows_code

    run(scenario())


def test_a_button_that_was_down_before_the_code_hides_it_when_released(tmp_path: Path) -> None:
    """A remote client asks for a code while somebody presses a button."""

    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            await virtual_table.press(f"{BEGIN} 2")
            before = virtual_table.conversation
            virtual_table.contacts.press(OK)
            await asyncio.sleep(0.1)
            virtual_table.table.controller.show_code()
            virtual_table.contacts.release(OK)
            await asyncio.sleep(0.1)
            assert (virtual_table.conversation, virtual_table.view.shows_code) == (before, False)

    run(scenario())


def test_releasing_too_soon_is_refused_and_neither_button_acts(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            await virtual_table.press(f"{BEGIN} 2")
            before = virtual_table.conversation
            virtual_table.contacts.press(OK)
            virtual_table.contacts.press(BACK)
            await asyncio.sleep(0.6)
            virtual_table.contacts.release(BACK)
            await asyncio.sleep(0.02)
            assert virtual_table.view.refusal == HOLD_LONGER
            virtual_table.contacts.release(OK)
            await asyncio.sleep(1)
            assert virtual_table.conversation is before
            assert not virtual_table.view.shows_code

    run(scenario())


# --- Behind the code ----------------------------------------------------------------------


def test_a_slow_disk_neither_delays_nor_replaces_the_code(tmp_path: Path) -> None:
    """Inputs are written and confirmed behind it; their scene comes when it is hidden."""

    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            await virtual_table.press(BEGIN)
            virtual_table.workers["writer"].takes_ms = 3000
            virtual_table.workers["painter"].takes_ms = 20  # so that every frame is recorded
            await virtual_table.press("2 east")
            await hold_both(virtual_table)
            assert virtual_table.stage.name == "ORIENT", "it is not written yet"
            begin = len(virtual_table.recorder.frames)
            assert market_bits(virtual_table) == code_bits("0417")
            await asyncio.sleep(6)
            assert (virtual_table.stage.name, virtual_table.entry_count()) == ("LAY", 2)
            assert virtual_table.view.shows_code
            seen = {light & MARKET for _, light in virtual_table.recorder.frames[begin:]}
            assert seen <= {code_bits("0417", ms) for ms in (0, 2000, 4000)}
            virtual_table.workers["painter"].takes_ms = 0
            await virtual_table.press("north")
            assert market_bits(virtual_table) == game_bits(virtual_table)

    run(scenario())


def test_problems_are_reported_behind_the_code(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            await virtual_table.press(BEGIN)
            virtual_table.table.controller.show_code()
            virtual_table.table.controller.set_trouble("pad", message("pad.lost"))
            await asyncio.sleep(0.001)
            assert virtual_table.view.trouble == (message("pad.lost"),)
            assert virtual_table.view.shows_code
            assert market_bits(virtual_table) == code_bits("0417")

    run(scenario())


def test_a_table_that_rests_early_still_shows_the_whole_code(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path, config=virtual_table_config(rest_after_s=1)) as virtual_table:
            virtual_table.table.controller.show_code()
            await asyncio.sleep(12.1)
            assert market_bits(virtual_table) == code_bits("0417", 2000)

    run(scenario())


def test_a_table_can_be_closed_while_it_shows_a_code(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            virtual_table.table.controller.show_code()
            views = len(virtual_table.views)
        await asyncio.sleep(2 * SHOWN_S)
        assert len(virtual_table.views) == views

    run(scenario())


# --- Pairing ------------------------------------------------------------------------------


def test_a_used_code_is_hidden_and_still_pairs_others(tmp_path: Path) -> None:
    """Otherwise the phone's first press would only hide it."""

    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            controller = virtual_table.table.controller
            code = controller.show_code()
            was_shown = virtual_table.view.shows_code
            assert controller.pair(code) is None
            assert (was_shown, virtual_table.view.shows_code) == (True, False)
            assert controller.pair(code) is None

    run(scenario())


def test_a_void_code_is_hidden(tmp_path: Path) -> None:
    async def scenario() -> None:
        with VirtualTable(tmp_path) as virtual_table:
            controller = virtual_table.table.controller
            controller.show_code()
            results = [controller.pair("0000") for _ in range(5)]
            assert results[-1] == message("pair.void")
            assert not virtual_table.view.shows_code

    run(scenario())
