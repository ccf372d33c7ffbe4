"""Presses over the control socket: each is answered once it is done."""

from __future__ import annotations

import asyncio
import errno
from pathlib import Path
from typing import Any

import pytest
from helpers.table.control_harness import direct_keys, open_control
from helpers.table.virtual_table import HOLD_MS

from companion.control.remote_input import ANSWER_TIMEOUT_S, DirectKeys
from companion.storage.journal_reader import read_journal
from companion.table.conversation import Stage
from companion.table.inputs import Button, ButtonDown, ButtonUp, die_key
from companion.testing.faulty_filesystem import FaultyFilesystem
from companion.testing.virtual_time import run

Way = dict[str, Any]


@pytest.fixture(params=["pins", "direct"])
def way(request: pytest.FixtureRequest) -> Way:
    """How presses are made: on mock pins, or delivered directly as on a real table."""
    return {"make_keys": direct_keys} if request.param == "direct" else {}


# --- A game -------------------------------------------------------------------------------


def test_a_game_is_set_up_and_played_through_the_socket(tmp_path: Path, way: Way) -> None:
    """Every press is on the disk when it is answered."""

    async def scenario() -> None:
        async with open_control(tmp_path, **way) as harness:
            client = await harness.connect()
            assert (await client.snapshot())["stage"] == "players"
            answer = await client.press("south south ok ok ok east ok")
            assert answer["table"]["game"]["position"].endswith(
                "d4e orient RY RY:30:12+12,BN:30:12+12 -"
            )
            expected = harness.virtual_table.entry_count()
            assert expected == 0
            for word in ("3", "west", "ok", "1", "east", "ok", "1", "ok", "west", "ok"):
                answer = await client.press(word)
                assert (answer["ok"], answer["saved"]) == (True, True), (word, answer)
                expected += 1
                assert harness.virtual_table.entry_count() == expected, f"{word} is on the disk"
            assert answer["table"]["game"]["position"] == (
                "......./......R1/......R1/......./...R2R2N1./......./....... "
                "f5w orient BN RY:28:10+12,BN:32:12+11 -"
            )
            assert answer["table"]["game"]["turn"] == 4

    run(scenario())


def test_remote_presses_are_in_the_journal_like_any_other(tmp_path: Path, way: Way) -> None:
    async def scenario() -> None:
        async with open_control(tmp_path, rolls=[2], **way) as harness:
            client = await harness.connect()
            await client.press("ok ok ok ok east 3 ok roll back")

    run(scenario())
    entries = read_journal(tmp_path / "game.jsonl").entries
    assert [{key: value for key, value in one.items() if key != "hash"} for one in entries] == [
        {"told": "face", "facing": "e"},
        {"told": "roll", "pips": 3, "by": "die"},
        {"told": "lay", "on": "g2-g3"},
        {"told": "roll", "pips": 2, "by": "companion"},
        {"told": "back"},
    ]


def test_buttons_can_be_held(tmp_path: Path, way: Way) -> None:
    async def scenario() -> None:
        async with open_control(tmp_path, **way) as harness:
            client = await harness.connect()
            await client.press("ok ok ok ok")
            before = harness.virtual_table.loop.time()
            answer = await client.press("audit")
            assert answer["table"]["stage"] == "audit_assam"
            assert harness.virtual_table.loop.time() - before >= HOLD_MS / 1000
            assert (await client.press("ok"))["table"]["stage"] == "audit_facing"
            assert (await client.press("audit pause"))["table"]["stage"] == "resume"

    run(scenario())


def test_a_hold_acts_even_if_another_input_is_answered_meanwhile(tmp_path: Path, way: Way) -> None:
    async def scenario() -> None:
        async with open_control(tmp_path, **way) as harness:
            client = await harness.connect()
            await client.press("ok ok ok ok 3")
            harness.virtual_table.loop.call_later(
                0.3, harness.virtual_table.table.controller.deliver, die_key(2)
            )
            await client.press("audit")
            assert harness.virtual_table.stage is Stage.AUDIT_ASSAM

    run(scenario())


def test_a_hold_acts_even_if_the_press_arrives_late(tmp_path: Path) -> None:
    """The machine is busy at the press, and not busy at the release."""

    class LateKeys(DirectKeys):
        def press(self, key: Button | int) -> None:
            self._loop.call_later(0.5, super().press, key)

    async def scenario() -> None:
        async with open_control(
            tmp_path, make_keys=lambda table: LateKeys(table.loop, table.table.controller)
        ) as harness:
            await harness.virtual_table.press("ok ok ok ok")
            answer = await (await harness.connect()).press("audit")
            assert answer["table"]["stage"] == "audit_assam"

    run(scenario())


def test_pressing_the_same_button_twice_is_two_presses(tmp_path: Path, way: Way) -> None:
    """The contact is open long enough in between."""

    async def scenario() -> None:
        async with open_control(tmp_path, **way) as harness:
            answer = await (await harness.connect()).press("south south")
            assert answer["table"]["setup"]["players"] == 2

    run(scenario())


def test_a_refused_press_is_answered_with_the_reason(tmp_path: Path, way: Way) -> None:
    async def scenario() -> None:
        async with open_control(tmp_path, **way) as harness:
            client = await harness.connect()
            for _ in range(2):  # the same refusal twice is answered twice
                answer = await client.request("press", die=3)
                table = answer.pop("table")
                assert answer == {
                    "ok": False,
                    "refused": True,
                    "error": "The game has not begun: agree on the set-up first.",
                }
                assert table["refused"] == answer["error"]
            assert (await client.press("ok"))["table"]["refused"] is None

    run(scenario())


# --- When a press is answered -------------------------------------------------------------


def test_a_press_is_answered_once_it_is_written(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_control(tmp_path, make_keys=direct_keys) as harness:
            client = await harness.connect()
            await client.press("ok ok ok ok")
            harness.virtual_table.workers["writer"].takes_ms = 300
            before = harness.virtual_table.loop.time()
            assert (await client.press("3"))["table"]["stage"] == "lay"
            assert harness.virtual_table.loop.time() - before == pytest.approx(0.3)

    run(scenario())


def test_a_remote_press_waits_for_earlier_inputs_at_the_table(tmp_path: Path) -> None:
    """Their outcome is not taken for its own."""

    async def scenario() -> None:
        async with open_control(tmp_path) as harness:
            client = await harness.connect()
            await client.press("ok ok ok ok")
            harness.virtual_table.workers["writer"].takes_ms = 300
            harness.virtual_table.table.controller.deliver(die_key(3))
            await asyncio.sleep(0.02)
            answer = await client.press("east")
            assert answer["table"]["game"]["told"] == 1
            assert harness.virtual_table.entry_count() == 2
            assert answer["table"]["todo"] == (await client.snapshot())["todo"]

    run(scenario())


def test_a_button_held_down_at_the_table_delays_remote_presses_only_shortly(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_control(tmp_path) as harness:
            harness.virtual_table.table.controller.deliver(ButtonDown(Button.WEST))
            answer = await (await harness.connect()).press("ok")
            assert answer["table"]["stage"] == "booklet"
            harness.virtual_table.table.controller.deliver(ButtonUp(Button.WEST))

    run(scenario())


def test_a_press_that_cannot_be_written_is_done_but_not_saved(tmp_path: Path) -> None:
    async def scenario() -> None:
        filesystem = FaultyFilesystem()
        async with open_control(tmp_path, filesystem=filesystem) as harness:
            client = await harness.connect()
            await client.press("ok ok ok ok")
            filesystem.fail_next(*[errno.ENOSPC] * 4)
            answer = await client.press("3")
            assert (answer["ok"], answer["saved"]) == (True, False)
            assert answer["table"]["status"]["unsaved"] is True
            assert answer["table"]["trouble"][0].startswith("The disk is full")

    run(scenario())


def test_a_press_without_an_outcome_is_an_error_after_a_timeout(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_control(tmp_path) as harness:
            harness.virtual_table.contacts.unplug(Button.OK)
            client = await harness.connect()
            before = harness.virtual_table.loop.time()
            assert await client.press("ok") == {
                "ok": False,
                "error": "the table did not answer within 10 s: check whether a button is stuck "
                "or the disk hangs",
            }
            assert harness.virtual_table.loop.time() - before == pytest.approx(
                ANSWER_TIMEOUT_S, abs=0.1
            )
            assert (await client.press("south"))["ok"], "the others work"

    run(scenario())


def test_presses_of_two_clients_are_handled_one_after_the_other(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_control(tmp_path) as harness:
            one, other = await harness.connect(), await harness.connect()
            answers = await asyncio.gather(one.press("ok ok"), other.press("ok ok"))
            stages = {answer["table"]["stage"] for answer in answers}
            assert stages == {"setting", "orient"}

    run(scenario())


def test_a_fault_of_the_program_is_the_answer(tmp_path: Path) -> None:
    """It reaches the loop's exception handler, as from a contact, so that the service stops."""

    async def scenario() -> None:
        faults: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))
        async with open_control(tmp_path, rolls=()) as harness:
            client = await harness.connect()
            for words in ("ok ok ok ok roll", "2"):  # there are no rolls
                answer = await client.press(words)
                assert answer["refused"] is True
                assert answer["error"].startswith("The companion has a fault")
            assert len(faults) == 1

    run(scenario())


def test_a_key_is_released_when_its_client_disconnects(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_control(tmp_path) as harness:
            client = await harness.connect()
            await client.press("ok ok ok ok")
            client.send(b'{"do": "press", "button": "ok", "hold": true}\n')
            await asyncio.sleep(0.1)
            assert harness.virtual_table.contacts.is_down(Button.OK)
            client.abort()
            await asyncio.sleep(2 * HOLD_MS / 1000)
            assert not harness.virtual_table.contacts.is_down(Button.OK)
            assert harness.virtual_table.stage is Stage.AUDIT_ASSAM, "the hold has acted"

    run(scenario())
