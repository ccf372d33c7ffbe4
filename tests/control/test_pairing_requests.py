"""Pairing and set-up over the control socket, as the phone page uses them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.table.control_harness import RawControlClient, direct_keys, let_loop_run, open_control

from companion.control.setup_schema import setup_choices
from companion.games.marrakech import BOOKLETS, OPTIONS
from companion.i18n.renderer import TextRenderer
from companion.light.frame import frame_text
from companion.storage.archive import Archive
from companion.storage.journal_reader import read_journal
from companion.table.inputs import HOLD_BACK, Button, ButtonDown, ButtonUp, die_key
from companion.testing.virtual_time import run

CODES = ["4817", "9923", "3046", "5555"]
OLD_JOURNAL = rb"""
{"crc":"4adab7a8","seq":0,"journal":1,"game":"marrakech","booklet":"en","options":{},"players":["R","Y","B","N"],"names":["Ana","Bo","",""],"facing":"s","piles":null,"begun":"2014-01-01T20:00:00+00:00","simulated":true}
{"crc":"8f5fcca0","seq":1,"told":"face","facing":"e","hash":"0b6f71c3"}
{"crc":"2da9ef75","seq":2,"told":"roll","pips":2,"by":"die","hash":"ee3f1372"}
{"crc":"23e698f2","seq":3,"told":"aim","on":"f3-g3","hash":"f684833c"}
{"crc":"d6151a73","seq":4,"told":"lay","on":"f3-g3","hash":"48308dc3"}
""".lstrip()

# --- Pairing ------------------------------------------------------------------------------


def test_a_code_is_shown_on_the_matrix_and_pairs(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_control(tmp_path, codes=CODES) as harness:
            client, phone = await harness.connect(), await harness.connect()
            assert await client.request("show_code") == {"ok": True, "code": "4817", "valid_s": 120}
            assert harness.virtual_table.view.shows_code
            assert await phone.request("pair", code="4817") == {"ok": True}

    run(scenario())


def test_a_failed_pairing_has_an_error_for_people_and_a_reason_for_programs(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_control(tmp_path, codes=CODES) as harness:
            phone = await harness.connect()
            answers = [await phone.request("pair", code="4817")]
            await phone.request("show_code")
            answers += [await phone.request("pair", code="0000") for _ in range(6)]
            assert {answer["ok"] for answer in answers} == {False}
            assert [answer["reason"] for answer in answers] == [
                "no_code", "wrong", "wrong", "wrong", "wrong", "void", "no_code",
            ]  # fmt: skip
            assert [answer["error"] for answer in answers[:2]] == [
                "No code is valid now: hold OK and BACK together, and read it on the matrix.",
                "That is not the code on the matrix: 4 tries are left.",
            ]
            assert answers[4]["error"] == "That is not the code on the matrix: 1 try is left."
            for _ in range(2):
                await phone.request("show_code")
                last = [await phone.request("pair", code="0000") for _ in range(5)]
            assert last[-1]["reason"] == "too_many"
            await asyncio.sleep(60)
            assert await phone.request("pair", code="3046") == {"ok": True}

    run(scenario())


def texts(value: object) -> Iterator[str]:
    """All texts and numbers in an answer."""
    match value:
        case dict():
            for member in value.values():
                yield from texts(member)
        case list():
            for member in value:
                yield from texts(member)
        case _:
            yield str(value)


def test_no_snapshot_contains_the_code_or_its_frame(tmp_path: Path) -> None:
    """Everybody may see the page, so neither `status` nor `watch` may reveal the code."""

    async def scenario() -> None:
        async with open_control(tmp_path, codes=CODES) as harness:
            watcher, client = await harness.connect(), await harness.connect()
            first = (await watcher.request("watch"))["table"]
            display, controller = (
                harness.virtual_table.table.display,
                harness.virtual_table.table.controller,
            )
            # A change just before the code, which is sent when the matrix shows the code already.
            controller.deliver(ButtonDown(Button.SOUTH))
            controller.deliver(ButtonUp(Button.SOUTH))
            controller.show_code()
            assert display.shown is not None
            first_code_frame = frame_text(display.shown).split("\n")
            snapshots = [await client.snapshot() for _ in range(3)]
            await asyncio.sleep(2.5)
            assert display.shown is not None
            second_code_frame = frame_text(display.shown).split("\n")
            snapshots.append(await client.snapshot())
            watched = [first]
            while watched[-1]["sequence"] < snapshots[-1]["sequence"]:
                watched.append((await watcher.read())["table"])
            for table in (*snapshots, *watched):
                assert table["light"]["frame"] not in (first_code_frame, second_code_frame)
                assert "4817" not in set(texts(table))
            assert [bool(table["pairing"]) for table in (first, *snapshots)] == [False, *[True] * 4]
            assert watched[-1]["pairing"] == snapshots[-1]["pairing"]
            await client.press("ok")
            after = await client.snapshot()
            assert (after["pairing"], after["light"]["frame"][7][6]) == (None, "W")

    run(scenario())


@pytest.mark.parametrize("way", ["pins", "direct"])
@pytest.mark.parametrize("word", ["ok", "north", "audit", "3"])
def test_a_remote_press_hides_the_code_and_is_answered_that_it_did_nothing_else(
    tmp_path: Path, word: str, way: str
) -> None:
    async def scenario() -> None:
        make_keys = direct_keys if way == "direct" else None
        async with open_control(tmp_path, codes=CODES, make_keys=make_keys) as harness:
            client = await harness.connect()
            await client.press("ok ok ok ok")
            await client.request("show_code")
            answer = await client.press(word)
            assert (answer["ok"], answer["refused"]) == (False, True)
            assert answer["error"] == "The code was put away, and nothing else was done."
            assert (await client.snapshot())["stage"] == "orient"
            assert harness.virtual_table.entry_count() == 0
            assert (await client.press("3"))["ok"]

    run(scenario())


# --- Set-up -------------------------------------------------------------------------------

WISHES = {
    "players": 2,
    "names": ["Amina", "<b>李</b>"],
    "colours": [["blue", "red"], ["yellow", "brown"]],
    "booklet": "es",
    "options": {"loops": "nw-se", "tie_break": "shared"},
}


def test_a_remote_set_up_is_in_the_snapshot_and_in_the_journal(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_control(tmp_path) as harness:
            client = await harness.connect()
            answer = await client.request("setup", **WISHES)
            assert (answer["ok"], answer["saved"]) == (True, True)
            setup = answer["table"]["setup"]
            assert (setup["players"], setup["names"]) == (2, ["Amina", "<b>李</b>"])
            assert setup["booklet"] == "es"
            assert (setup["options"]["loops"], setup["options"]["pivot"]) == ("nw-se", "may")
            assert [seat["colours"] for seat in setup["seats"]] == [
                ["red", "blue"], ["yellow", "brown"],
            ]  # fmt: skip
            assert answer["table"]["news"] == ["La preparación se ha cambiado desde un teléfono."]
            assert answer["table"]["language"] == "es"
            await harness.virtual_table.press("ok ok ok ok")
            players = (await client.snapshot())["game"]["players"]
            assert [player["name"] for player in players] == ["Amina", "<b>李</b>"]

    run(scenario())
    header = read_journal(tmp_path / "game.jsonl").header
    assert header is not None
    assert {name: header[name] for name in ("booklet", "options", "players", "names")} == {
        "booklet": "es",
        "options": {"tie_break": "shared", "loops": "nw-se"},
        "players": ["RB", "YN"],
        "names": ["Amina", "<b>李</b>"],
    }


def test_remote_names_are_kept_after_a_restart_and_in_the_archive(tmp_path: Path) -> None:
    async def begin() -> None:
        async with open_control(tmp_path) as harness:
            await (await harness.connect()).request("setup", names=["Amina", "Bruno"])
            await harness.virtual_table.press("ok ok ok 3")

    async def resume() -> None:
        async with open_control(tmp_path) as harness:
            assert (await (await harness.connect()).snapshot())["todo"][
                0
            ] == "Amina is to play. OK goes on."
            await harness.virtual_table.press("pause")

    run(begin())
    run(resume())
    archive = Archive(tmp_path / "archive")
    (number,) = archive.numbers()
    header = read_journal(archive.path_of(number)).header
    assert header is not None
    assert header["names"] == ["Amina", "Bruno", "", ""]


def test_a_journal_of_an_older_version_is_read(tmp_path: Path) -> None:
    """Byte for byte as a companion without a phone page wrote it."""
    path = tmp_path / "game.jsonl"
    path.write_bytes(OLD_JOURNAL)

    async def scenario() -> None:
        async with open_control(tmp_path) as harness:
            table = await (await harness.connect()).snapshot()
            assert (table["stage"], table["todo"][0]) == ("resume", "Bo is to play. OK goes on.")
            assert table["game"]["position"].endswith(
                "f4e orient Y R:30:11,Y:30:12,B:30:12,N:30:12 -"
            )

    run(scenario())
    assert path.read_bytes() == OLD_JOURNAL


def test_invalid_wishes_have_the_errors_of_the_config_and_change_nothing(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        async with open_control(tmp_path) as harness:
            client = await harness.connect()
            before = harness.virtual_table.conversation
            for wishes, error in (
                ({"players": 7}, "players = 7: use 2 to 4"),
                ({"players": 2, "names": ["A", "B", "C"]}, "3 names for 2 players"),
                ({"colours": ["red"]}, "1 player: Marrakech is for 2, 3 or 4; the nearest is 2"),
            ):
                assert await client.request("setup", **wishes) == {"ok": False, "error": error}
            assert harness.virtual_table.conversation is before
            assert (await client.request("setup", players=3))["ok"], "the next request works"

    run(scenario())


def test_a_set_up_during_a_game_is_refused_without_a_flash(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_control(tmp_path) as harness:
            client = await harness.connect()
            await client.press("ok ok ok ok")
            await asyncio.sleep(1)
            frames = len(harness.virtual_table.recorder.frames)
            answer = await client.request("setup", players=2)
            assert (answer["ok"], answer["refused"]) == (False, True)
            assert answer["error"] == (
                "There is a game already: set one up when it is over or put away."
            )
            assert len(harness.virtual_table.recorder.frames) == frames
            assert harness.virtual_table.view.refusal is None

    run(scenario())


def test_a_name_for_two_seats_is_refused_with_a_message(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_control(tmp_path) as harness:
            client = await harness.connect()
            before = harness.virtual_table.conversation
            answer = await client.request("setup", names=["Amina", "", "amina"])
            assert (answer["ok"], answer["refused"]) == (False, True)
            assert answer["error"] == "Two seats have the same name: amina. Change one of them."
            assert harness.virtual_table.conversation is before

    run(scenario())


def test_a_set_up_during_a_write_is_answered_once_it_is_shown(
    tmp_path: Path,
) -> None:
    """The game before is still being archived."""

    async def scenario() -> None:
        async with open_control(tmp_path) as harness:
            client = await harness.connect()
            await client.press("ok ok ok ok pause")
            harness.virtual_table.workers["writer"].takes_ms = 500
            began = harness.virtual_table.loop.time()
            archiving = asyncio.create_task(client.press("pause"))
            await asyncio.sleep(1.1)
            other = await harness.connect()
            answer = await other.request("setup", players=2)
            assert (await archiving)["ok"]
            assert answer["table"]["setup"]["players"] == 2
            assert harness.virtual_table.loop.time() - began > 1.5

    run(scenario())


def test_a_set_up_is_not_answered_with_the_outcome_of_earlier_inputs(tmp_path: Path) -> None:
    """A roll is being written, and then the end of that game."""

    async def scenario() -> None:
        async with open_control(tmp_path) as harness:
            client = await harness.connect()
            await client.press("ok ok ok ok")
            harness.virtual_table.workers["writer"].takes_ms = 2000
            for table_input in (die_key(3), HOLD_BACK, HOLD_BACK):
                harness.virtual_table.table.controller.deliver(table_input)
            answer = await client.request("setup", players=2)
            assert answer["table"]["stage"] == "players"
            assert answer["table"]["setup"]["players"] == 2

    run(scenario())


def test_set_ups_and_presses_of_many_clients_are_handled_one_after_the_other(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        async with open_control(tmp_path) as harness:
            clients: list[RawControlClient] = [await harness.connect() for _ in range(8)]
            requests = [
                client.request("setup", players=2) if n % 4 else client.press("ok back")
                for n, client in enumerate(clients)
            ]
            answers = await asyncio.gather(*requests)
            assert all(answer["ok"] for answer in answers)
            await let_loop_run()
            assert harness.virtual_table.stage.name == "PLAYERS"

    run(scenario())


# --- Choices ------------------------------------------------------------------------------


def test_choices_have_everything_that_a_form_needs(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_control(tmp_path) as harness:
            answer = await (await harness.connect()).request("choices")
            assert answer == {
                "ok": True,
                "choices": json.loads(json.dumps(setup_choices(TextRenderer()))),
            }

    run(scenario())
    found = setup_choices(TextRenderer())
    assert [booklet["id"] for booklet in found["booklets"]] == list(BOOKLETS)
    assert found["booklets"][7] == {
        "id": "cs",
        "title": "Čeština",
        "options": {"two_player": "alternating", "tie_break": "shared"},
    }
    assert [option["name"] for option in found["options"]] == list(OPTIONS)
    assert found["options"][5] == {
        "name": "purse",
        "title": "Dirhams at the start",
        "values": [
            {"value": "thirty", "meaning": "Everybody begins with 30 dirhams."},
            {
                "value": "share-120",
                "meaning": "The 120 dirhams of the box are shared out evenly.",
            },
        ],
    }
    assert found["colours"] == ["red", "yellow", "blue", "brown"]
    assert found["limits"] == {"players": {"least": 2, "most": 4}, "names": 4, "longest_name": 20}
