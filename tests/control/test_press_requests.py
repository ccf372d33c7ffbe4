"""Presses over the control socket: a game is played by them, each answered when it is done."""

from __future__ import annotations

import asyncio
import errno
from pathlib import Path
from typing import Any

import pytest
from helpers.storage.faulty_filesystem import FaultyDisk
from helpers.table.control_caller import control_of, from_afar
from helpers.table.virtual_table import HOLD_MS

from companion.control.remote_input import ANSWER_S
from companion.control.remote_keys import DirectKeys
from companion.storage.journal_reader import read_journal
from companion.table.conversation import Stage
from companion.table.inputs import Button, Down, Up, die_key
from companion.testing.virtual_time import run

Way = dict[str, Any]


@pytest.fixture(params=["pins", "afar"])
def way(request: pytest.FixtureRequest) -> Way:
    """How presses are made: on mock pins, or by telling the daemon as on a real table."""
    return {"make_fingers": from_afar} if request.param == "afar" else {}


# --- A game -------------------------------------------------------------------------------


def test_a_game_is_set_up_and_played_through_the_socket(tmp_path: Path, way: Way) -> None:
    """Each answer comes when the table has answered, and what it says is on the disk."""

    async def scenario() -> None:
        async with control_of(tmp_path, **way) as desk:
            caller = await desk.call()
            assert (await caller.table())["stage"] == "players"
            answer = await caller.press("south south ok ok ok east ok")
            assert answer["table"]["game"]["position"].endswith(
                "d4e orient RY RY:30:12+12,BN:30:12+12 -"
            )
            told = desk.sitting.entries()
            assert told == 0
            for word in ("3", "west", "ok", "1", "east", "ok", "1", "ok", "west", "ok"):
                answer = await caller.press(word)
                assert (answer["ok"], answer["saved"]) == (True, True), (word, answer)
                told += 1
                assert desk.sitting.entries() == told, f"{word} is on the disk"
            assert answer["table"]["game"]["position"] == (
                "......./......R1/......R1/......./...R2R2N1./......./....... "
                "f5w orient BN RY:28:10+12,BN:32:12+11 -"
            )
            assert answer["table"]["game"]["turn"] == 4

    run(scenario())


def test_all_that_was_pressed_is_in_the_journal_as_any_other(tmp_path: Path, way: Way) -> None:
    async def scenario() -> None:
        async with control_of(tmp_path, rolls=[2], **way) as desk:
            caller = await desk.call()
            await caller.press("ok ok ok ok east 3 ok roll back")

    run(scenario())
    entries = read_journal(tmp_path / "game.jsonl").entries
    assert [{name: told for name, told in one.items() if name != "hash"} for one in entries] == [
        {"told": "face", "facing": "e"},
        {"told": "roll", "pips": 3, "by": "die"},
        {"told": "lay", "on": "g2-g3"},
        {"told": "roll", "pips": 2, "by": "companion"},
        {"told": "back"},
    ]


def test_buttons_can_be_held(tmp_path: Path, way: Way) -> None:
    async def scenario() -> None:
        async with control_of(tmp_path, **way) as desk:
            caller = await desk.call()
            await caller.press("ok ok ok ok")
            before = desk.sitting.loop.time()
            answer = await caller.press("audit")
            assert answer["table"]["stage"] == "audit_assam"
            assert desk.sitting.loop.time() - before >= HOLD_MS / 1000
            assert (await caller.press("ok"))["table"]["stage"] == "audit_facing"
            assert (await caller.press("audit pause"))["table"]["stage"] == "resume"

    run(scenario())


def test_a_hold_is_a_hold_whatever_is_pressed_meanwhile(tmp_path: Path, way: Way) -> None:
    """Somebody else is answered before it is due."""

    async def scenario() -> None:
        async with control_of(tmp_path, **way) as desk:
            caller = await desk.call()
            await caller.press("ok ok ok ok 3")
            desk.sitting.loop.call_later(0.3, desk.sitting.table.daemon.deliver, die_key(2))
            await caller.press("audit")
            assert desk.sitting.stage is Stage.AUDIT_ASSAM

    run(scenario())


def test_a_hold_is_a_hold_though_it_is_heard_late(tmp_path: Path) -> None:
    """The machine is busy when the finger comes down, and not any more when it is lifted."""

    class Late(DirectKeys):
        def press(self, key: Button | int) -> None:
            self._loop.call_later(0.5, super().press, key)

    async def scenario() -> None:
        async with control_of(
            tmp_path, make_fingers=lambda at: Late(at.loop, at.table.daemon)
        ) as desk:
            await desk.sitting.say("ok ok ok ok")
            answer = await (await desk.call()).press("audit")
            assert answer["table"]["stage"] == "audit_assam"

    run(scenario())


def test_the_same_button_twice_is_two_presses(tmp_path: Path, way: Way) -> None:
    """The contact has come to rest in between."""

    async def scenario() -> None:
        async with control_of(tmp_path, **way) as desk:
            answer = await (await desk.call()).press("south south")
            assert answer["table"]["setup"]["players"] == 2

    run(scenario())


def test_a_press_that_is_refused_says_why(tmp_path: Path, way: Way) -> None:
    async def scenario() -> None:
        async with control_of(tmp_path, **way) as desk:
            caller = await desk.call()
            for _ in range(2):  # the same refusal again is a refusal again
                answer = await caller.ask("press", die=3)
                table = answer.pop("table")
                assert answer == {
                    "ok": False,
                    "refused": True,
                    "error": "The game has not begun: agree on the set-up first.",
                }
                assert table["refused"] == answer["error"]
            assert (await caller.press("ok"))["table"]["refused"] is None

    run(scenario())


# --- When a press is answered -------------------------------------------------------------


def test_a_press_is_answered_when_the_disk_is_done(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with control_of(tmp_path, make_fingers=from_afar) as desk:
            caller = await desk.call()
            await caller.press("ok ok ok ok")
            desk.sitting.workers["scribe"].takes_ms = 300
            before = desk.sitting.loop.time()
            assert (await caller.press("3"))["table"]["stage"] == "lay"
            assert desk.sitting.loop.time() - before == pytest.approx(0.3)

    run(scenario())


def test_somebody_at_the_table_is_answered_first(tmp_path: Path) -> None:
    """What comes of his press is not taken for what comes of ours."""

    async def scenario() -> None:
        async with control_of(tmp_path) as desk:
            caller = await desk.call()
            await caller.press("ok ok ok ok")
            desk.sitting.workers["scribe"].takes_ms = 300
            desk.sitting.table.daemon.deliver(die_key(3))
            await asyncio.sleep(0.02)
            answer = await caller.press("east")
            assert answer["table"]["game"]["told"] == 1
            assert desk.sitting.entries() == 2
            assert answer["table"]["todo"] == (await caller.table())["todo"]

    run(scenario())


def test_a_button_that_somebody_leans_on_holds_up_nobody_for_long(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with control_of(tmp_path) as desk:
            desk.sitting.table.daemon.deliver(Down(Button.WEST))
            answer = await (await desk.call()).press("ok")
            assert answer["table"]["stage"] == "booklet"
            desk.sitting.table.daemon.deliver(Up(Button.WEST))

    run(scenario())


def test_what_the_disk_does_not_take_is_done_and_not_saved(tmp_path: Path) -> None:
    async def scenario() -> None:
        disk = FaultyDisk()
        async with control_of(tmp_path, disk=disk) as desk:
            caller = await desk.call()
            await caller.press("ok ok ok ok")
            disk.fail(*[errno.ENOSPC] * 4)
            answer = await caller.press("3")
            assert (answer["ok"], answer["saved"]) == (True, False)
            assert answer["table"]["status"]["unsaved"] is True
            assert answer["table"]["trouble"][0].startswith("The disk is full")

    run(scenario())


def test_a_contact_that_is_dead_is_told_after_a_while(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with control_of(tmp_path) as desk:
            desk.sitting.hands.unplug(Button.OK)
            caller = await desk.call()
            before = desk.sitting.loop.time()
            assert await caller.press("ok") == {
                "ok": False,
                "error": "the table has not answered for 10 s: look whether a button is stuck or "
                "the disk hangs",
            }
            assert desk.sitting.loop.time() - before == pytest.approx(ANSWER_S, abs=0.1)
            assert (await caller.press("south"))["ok"], "the others work"

    run(scenario())


def test_presses_of_two_callers_come_one_after_the_other(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with control_of(tmp_path) as desk:
            one, other = await desk.call(), await desk.call()
            answers = await asyncio.gather(one.press("ok ok"), other.press("ok ok"))
            stages = {answer["table"]["stage"] for answer in answers}
            assert stages == {"setting", "orient"}

    run(scenario())


def test_a_fault_of_the_companion_is_the_answer(tmp_path: Path) -> None:
    """It reaches the loop as one that comes from a contact does, so that the service stops."""

    async def scenario() -> None:
        faults: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))
        async with control_of(tmp_path, rolls=()) as desk:
            caller = await desk.call()
            for words in ("ok ok ok ok roll", "2"):  # nobody rolls
                answer = await caller.press(words)
                assert answer["refused"] is True
                assert answer["error"].startswith("The companion has a fault")
            assert len(faults) == 1

    run(scenario())


def test_a_caller_who_hangs_up_leaves_no_finger_behind(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with control_of(tmp_path) as desk:
            caller = await desk.call()
            await caller.press("ok ok ok ok")
            caller.send(b'{"do": "press", "button": "ok", "hold": true}\n')
            await asyncio.sleep(0.1)
            assert desk.sitting.hands.is_down(Button.OK)
            caller.hang_up()
            await asyncio.sleep(2 * HOLD_MS / 1000)
            assert not desk.sitting.hands.is_down(Button.OK)
            assert desk.sitting.stage is Stage.AUDIT_ASSAM, "the table has heard it"

    run(scenario())
