"""Buttons on the screen, the help screen, and faults."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from helpers.table.simulator_user import open_simulator
from textual import events

from companion.simulator.buttons import ScreenButton
from companion.simulator.help import CLOSE, HelpScreen
from companion.table.conversation import Stage
from companion.table.inputs import Button


def run(check: Coroutine[Any, Any, None]) -> None:
    asyncio.run(check)


def test_holding_ok_with_the_mouse_opens_the_audit(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path) as user:
            await user.start_game()
            await user.pilot.mouse_down("#ok")
            await user.wait_until(lambda: user.stage is Stage.AUDIT_ASSAM, "the audit")
            assert user.app.hardware.contacts.is_down(Button.OK)
            assert user.app.query_one("#ok").has_class("-down")
            await user.pilot.mouse_up("#ok")
            await user.wait_until(
                lambda: not user.app.hardware.contacts.is_down(Button.OK), "let go"
            )
            await user.wait_for_text(
                "Compare with the cardboard Assam › rugs › dirhams Assam stands on d4."
            )
            assert not user.app.query_one("#ok").has_class("-down")

    run(check())


def test_mouse_click_is_a_tap(tmp_path: Path) -> None:
    """The hold time is long, because a loaded machine may delay the release."""

    async def check() -> None:
        async with open_simulator(tmp_path, hold_ms=600_000) as user:
            for button, stage in (("#ok", Stage.BOOKLET), ("#back", Stage.PLAYERS)):
                await user.pilot.mouse_down(button)
                await asyncio.sleep(0.05)
                await user.pilot.mouse_up(button)
                await user.wait_until(lambda s=stage: user.stage is s, f"{button}")  # type: ignore[misc]
            await user.pilot.mouse_down("#west")
            await asyncio.sleep(0.05)
            await user.pilot.mouse_up("#west")
            await user.wait_for_text("3 players.")

    run(check())


def test_button_is_released_when_the_terminal_loses_the_mouse(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path) as user:
            await user.pilot.mouse_down("#north")
            contacts = user.app.hardware.contacts
            await user.wait_until(lambda: contacts.is_down(Button.NORTH), "down")
            user.app.post_message(events.AppBlur())
            await user.wait_until(lambda: not contacts.is_down(Button.NORTH), "up")

    run(check())


def test_die_key_is_pressed_with_the_mouse(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path) as user:
            await user.go_to_setting()
            await user.pilot.mouse_down("#die-3")
            await user.wait_until(lambda: user.stage is Stage.LAY, "rolled")
            await user.pilot.mouse_up("#die-3")
            await user.wait_for_text("Red rolled 3")

    run(check())


# --- Faults -------------------------------------------------------------------------------


def test_stuck_button_is_marked_and_listed(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path) as user:
            await user.pilot.press("f4")
            await user.wait_for_text("⚡ stick: the next press")
            await user.pilot.press("left")
            await user.wait_for_text("⚡ west is stuck")
            await user.wait_until(lambda: user.app.query_one("#west").has_class("-stuck"), "red")
            await user.pilot.press("f4", "left")
            await user.wait_until(lambda: "stuck" not in user.panel_text(), "free")
            assert not any(button.has_class("-stuck") for button in user.app.query(ScreenButton))

    run(check())


def test_full_disk_is_reported_and_the_entry_is_saved_later(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path) as user:
            await user.start_game()
            await user.pilot.press("f6")
            await user.wait_for_text("⚡ disk full")
            await user.press("2", Stage.LAY)
            await user.wait_for_text("The disk is full")
            await user.pilot.press("f6")
            await user.wait_until(lambda: not user.table.controller.view.status.is_unsaved, "saved")
            await user.wait_until(lambda: "disk is full" not in user.panel_text(), "no trouble")
            assert '"pips":2' in (tmp_path / "game.jsonl").read_text()

    run(check())


def test_unplugged_matrix_keeps_its_last_frame_and_recovers(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path) as user:
            await user.wait_until(lambda: any(map(any, user.market.light)), "light")
            before = user.market.light
            await user.pilot.press("f5")
            await user.press("enter", Stage.BOOKLET)
            await user.wait_for_text("The matrix cannot be written to")
            assert user.market.light == before
            await user.pilot.press("f5")
            await user.wait_until(lambda: user.market.light != before, "light again")
            await user.wait_until(
                lambda: "cannot be written" not in user.panel_text(), "no trouble"
            )

    run(check())


def test_quitting_with_unsaved_entries_warns_once(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path) as user:
            await user.start_game()
            await user.pilot.press("f6")
            await user.press("2", Stage.LAY)
            await user.wait_for_text("The disk is full")
            await user.pilot.press("q")
            await user.wait_for_text(
                "NOT SAVED: what was told last is lost if you leave. q leaves."
            )
            assert user.app.is_running
            await user.pilot.press("q")
            await user.wait_until(lambda: not user.app.is_running, "the app has ended")

    run(check())


def test_closing_the_help_twice_closes_it_once(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path) as user:
            await user.pilot.press("question_mark")
            await user.wait_until(lambda: len(user.app.screen_stack) == 2, "the help")
            help_screen = user.app.screen
            assert isinstance(help_screen, HelpScreen)
            help_screen.action_choose(CLOSE)
            help_screen.action_choose(CLOSE)  # arrives before the first has closed the screen
            await user.wait_until(lambda: len(user.app.screen_stack) == 1, "the help is closed")
            assert user.app.faults.armed is None

    run(check())


@pytest.mark.parametrize("size", [(80, 24), (100, 32)])
def test_help_starts_with_the_keys_in_a_small_window_too(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path, size=size) as user:
            await user.pilot.press("question_mark")
            await user.wait_until(
                lambda: "north, east, south, west" in user.screen_text(), "the keys"
            )
            await user.pilot.press("enter")
            await user.wait_until(lambda: len(user.app.screen_stack) == 1, "the help is closed")
            assert user.stage is Stage.PLAYERS
            assert user.app.faults.armed is None

    run(check())


def test_fault_is_chosen_on_the_help_screen(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_simulator(tmp_path) as user:
            await user.pilot.press("f1")
            await user.wait_until(lambda: "○ F7  disk slow" in user.screen_text(), "the faults")
            assert "Games are kept in" in user.screen_text()
            assert "Settings: the defaults." in user.screen_text()
            await user.pilot.press("up", "up", "up", "enter")
            await user.wait_for_text("⚡ disk slow")
            assert user.app.filesystem.sync_delay_ms == 2000
            await user.pilot.press("question_mark")
            await user.wait_until(lambda: "● F7  disk slow" in user.screen_text(), "it is on")
            await user.pilot.press("f7")
            await user.wait_until(lambda: not user.app.filesystem.sync_delay_ms, "it is off")
            await user.pilot.press("f1", "escape")
            await user.wait_until(lambda: len(user.app.screen_stack) == 1, "the help is closed")
            assert user.stage is Stage.PLAYERS

    run(check())
