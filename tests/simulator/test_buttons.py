"""Buttons on the screen, the help screen, and faults as players see them."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from helpers.table.simulator_user import looking_at
from textual import events

from companion.simulator.buttons import ScreenButton
from companion.simulator.help import CLOSE, HelpScreen
from companion.table.conversation import Stage
from companion.table.inputs import Button


def run(scene: Coroutine[Any, Any, None]) -> None:
    asyncio.run(scene)


def test_mouse_that_stays_down_on_ok_opens_the_audit(tmp_path: Path) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path) as guest:
            await guest.begin()
            await guest.pilot.mouse_down("#ok")
            await guest.until(lambda: guest.stage is Stage.AUDIT_ASSAM, "the audit")
            assert guest.app.hardware.hands.is_down(Button.OK)
            assert guest.app.query_one("#ok").has_class("-down")
            await guest.pilot.mouse_up("#ok")
            await guest.until(lambda: not guest.app.hardware.hands.is_down(Button.OK), "let go")
            await guest.read(
                "Compare with the cardboard Assam › rugs › dirhams Assam stands on d4."
            )
            assert not guest.app.query_one("#ok").has_class("-down")

    run(scene())


def test_mouse_click_is_a_tap(tmp_path: Path) -> None:
    """However long a busy machine takes from down to up: a hold would take longer."""

    async def scene() -> None:
        async with looking_at(tmp_path, hold_ms=600_000) as guest:
            for button, stage in (("#ok", Stage.BOOKLET), ("#back", Stage.PLAYERS)):
                await guest.pilot.mouse_down(button)
                await asyncio.sleep(0.05)
                await guest.pilot.mouse_up(button)
                await guest.until(lambda s=stage: guest.stage is s, f"{button}")  # type: ignore[misc]
            await guest.pilot.mouse_down("#west")
            await asyncio.sleep(0.05)
            await guest.pilot.mouse_up("#west")
            await guest.read("3 players.")

    run(scene())


def test_button_comes_up_when_the_terminal_loses_the_mouse(tmp_path: Path) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path) as guest:
            await guest.pilot.mouse_down("#north")
            hands = guest.app.hardware.hands
            await guest.until(lambda: hands.is_down(Button.NORTH), "down")
            guest.app.post_message(events.AppBlur())
            await guest.until(lambda: not hands.is_down(Button.NORTH), "up")

    run(scene())


def test_die_is_told_by_mouse(tmp_path: Path) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path) as guest:
            await guest.set_up()
            await guest.pilot.mouse_down("#die-3")
            await guest.until(lambda: guest.stage is Stage.LAY, "rolled")
            await guest.pilot.mouse_up("#die-3")
            await guest.read("Red rolled 3")

    run(scene())


# --- Faults -------------------------------------------------------------------------------


def test_stuck_button_is_marked_and_listed(tmp_path: Path) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path) as guest:
            await guest.pilot.press("f4")
            await guest.read("⚡ stick: the next press")
            await guest.pilot.press("left")
            await guest.read("⚡ west is stuck")
            await guest.until(lambda: guest.app.query_one("#west").has_class("-stuck"), "red")
            await guest.pilot.press("f4", "left")
            await guest.until(lambda: "stuck" not in guest.words(), "free")
            assert not any(button.has_class("-stuck") for button in guest.app.query(ScreenButton))

    run(scene())


def test_full_disk_is_told_and_what_was_told_is_saved_later(tmp_path: Path) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path) as guest:
            await guest.begin()
            await guest.pilot.press("f6")
            await guest.read("⚡ disk full")
            await guest.press("2", Stage.LAY)
            await guest.read("The disk is full")
            await guest.pilot.press("f6")
            await guest.until(lambda: not guest.table.daemon.view.status.is_unsaved, "saved")
            await guest.until(lambda: "disk is full" not in guest.words(), "no trouble")
            assert '"pips":2' in (tmp_path / "game.jsonl").read_text()

    run(scene())


def test_unplugged_matrix_keeps_its_last_light_and_comes_back(tmp_path: Path) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path) as guest:
            await guest.until(lambda: any(map(any, guest.market.light)), "light")
            before = guest.market.light
            await guest.pilot.press("f5")
            await guest.press("enter", Stage.BOOKLET)
            await guest.read("The matrix cannot be written to")
            assert guest.market.light == before
            await guest.pilot.press("f5")
            await guest.until(lambda: guest.market.light != before, "light again")
            await guest.until(lambda: "cannot be written" not in guest.words(), "no trouble")

    run(scene())


def test_leaving_with_something_unsaved_is_warned_of_once(tmp_path: Path) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path) as guest:
            await guest.begin()
            await guest.pilot.press("f6")
            await guest.press("2", Stage.LAY)
            await guest.read("The disk is full")
            await guest.pilot.press("q")
            await guest.read("NOT SAVED: what was told last is lost if you leave. q leaves.")
            assert guest.app.is_running
            await guest.pilot.press("q")
            await guest.until(lambda: not guest.app.is_running, "it has gone")

    run(scene())


def test_help_is_left_with_enter_however_often_it_is_pressed(tmp_path: Path) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path) as guest:
            await guest.pilot.press("question_mark")
            await guest.until(lambda: len(guest.app.screen_stack) == 2, "the help")
            help_screen = guest.app.screen
            assert isinstance(help_screen, HelpScreen)
            help_screen.action_choose(CLOSE)
            help_screen.action_choose(CLOSE)  # the second stroke came with the first
            await guest.until(lambda: len(guest.app.screen_stack) == 1, "the help is closed")
            assert guest.app.faults.armed is None

    run(scene())


@pytest.mark.parametrize("size", [(80, 24), (100, 32)])
def test_help_begins_with_the_keys_also_in_a_small_window(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path, size=size) as guest:
            await guest.pilot.press("question_mark")
            await guest.until(lambda: "north, east, south, west" in guest.screen(), "the keys")
            await guest.pilot.press("enter")
            await guest.until(lambda: len(guest.app.screen_stack) == 1, "the help is closed")
            assert guest.stage is Stage.PLAYERS
            assert guest.app.faults.armed is None

    run(scene())


def test_fault_is_chosen_on_the_help_screen(tmp_path: Path) -> None:
    async def scene() -> None:
        async with looking_at(tmp_path) as guest:
            await guest.pilot.press("f1")
            await guest.until(lambda: "○ F7  disk slow" in guest.screen(), "the faults")
            assert "Games are kept in" in guest.screen()
            assert "Settings: the defaults." in guest.screen()
            await guest.pilot.press("up", "up", "up", "enter")
            await guest.read("⚡ disk slow")
            assert guest.app.disk.takes_ms == 2000
            await guest.pilot.press("question_mark")
            await guest.until(lambda: "● F7  disk slow" in guest.screen(), "it is on")
            await guest.pilot.press("f7")
            await guest.until(lambda: not guest.app.disk.takes_ms, "it is off")
            await guest.pilot.press("f1", "escape")
            await guest.until(lambda: len(guest.app.screen_stack) == 1, "the help is closed")
            assert guest.stage is Stage.PLAYERS

    run(scene())
