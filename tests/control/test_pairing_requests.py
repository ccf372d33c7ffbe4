"""Pairing and set-up over the control socket: what a page for phones asks of the table."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.table.control_caller import Caller, control_of, from_afar, turns

from companion.control.setup_schema import choices
from companion.games.marrakech import BOOKLETS, OPTIONS
from companion.i18n.renderer import TextRenderer
from companion.light.frame import picture_text
from companion.storage.archive import Archive
from companion.storage.journal_reader import read_journal
from companion.table.inputs import HOLD_BACK, Button, Down, Up, die_key
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
        async with control_of(tmp_path, codes=CODES) as desk:
            caller, phone = await desk.call(), await desk.call()
            assert await caller.ask("show_code") == {"ok": True, "code": "4817", "valid_s": 120}
            assert desk.sitting.view.shows_code
            assert await phone.ask("pair", code="4817") == {"ok": True}

    run(scenario())


def test_what_does_not_pair_says_why_to_people_and_to_programs(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with control_of(tmp_path, codes=CODES) as desk:
            phone = await desk.call()
            answers = [await phone.ask("pair", code="4817")]
            await phone.ask("show_code")
            answers += [await phone.ask("pair", code="0000") for _ in range(6)]
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
                await phone.ask("show_code")
                last = [await phone.ask("pair", code="0000") for _ in range(5)]
            assert last[-1]["reason"] == "too_many"
            await asyncio.sleep(60)
            assert await phone.ask("pair", code="3046") == {"ok": True}

    run(scenario())


def texts(plain: object) -> Iterator[str]:
    """All texts and numbers in an answer."""
    match plain:
        case dict():
            for value in plain.values():
                yield from texts(value)
        case list():
            for value in plain:
                yield from texts(value)
        case _:
            yield str(plain)


def test_no_account_has_the_code_in_it_nor_its_light(tmp_path: Path) -> None:
    """Whoever may look at the page may not pair by that: neither by what is asked, nor by what is
    watched, whenever that is told."""

    async def scenario() -> None:
        async with control_of(tmp_path, codes=CODES) as desk:
            watcher, caller = await desk.call(), await desk.call()
            first = (await watcher.ask("watch"))["table"]
            screen, daemon = desk.sitting.table.screen, desk.sitting.table.daemon
            # A change just before the code: it is told when the code is on the matrix already.
            daemon.deliver(Down(Button.SOUTH))
            daemon.deliver(Up(Button.SOUTH))
            daemon.show_code()
            assert screen.shown is not None
            secret = picture_text(screen.shown).split("\n")
            asked = [await caller.table() for _ in range(3)]
            await asyncio.sleep(2.5)
            assert screen.shown is not None
            also_secret = picture_text(screen.shown).split("\n")
            asked.append(await caller.table())
            watched = [first]
            while watched[-1]["sequence"] < asked[-1]["sequence"]:
                watched.append((await watcher.read())["table"])
            for table in (*asked, *watched):
                assert table["light"]["frame"] not in (secret, also_secret)
                assert "4817" not in set(texts(table))
            assert [bool(table["pairing"]) for table in (first, *asked)] == [False, *[True] * 4]
            assert watched[-1]["pairing"] == asked[-1]["pairing"]
            await caller.press("ok")
            after = await caller.table()
            assert (after["pairing"], after["light"]["frame"][7][6]) == (None, "W")

    run(scenario())


@pytest.mark.parametrize("way", ["pins", "afar"])
@pytest.mark.parametrize("word", ["ok", "north", "audit", "3"])
def test_a_press_from_afar_puts_the_code_away_and_is_told_that_it_did_nothing_else(
    tmp_path: Path, word: str, way: str
) -> None:
    async def scenario() -> None:
        fingers = from_afar if way == "afar" else None
        async with control_of(tmp_path, codes=CODES, make_fingers=fingers) as desk:
            caller = await desk.call()
            await caller.press("ok ok ok ok")
            await caller.ask("show_code")
            answer = await caller.press(word)
            assert (answer["ok"], answer["refused"]) == (False, True)
            assert answer["error"] == "The code was put away, and nothing else was done."
            assert (await caller.table())["stage"] == "orient"
            assert desk.sitting.entries() == 0
            assert (await caller.press("3"))["ok"]

    run(scenario())


# --- Set-up -------------------------------------------------------------------------------

WISHES = {
    "players": 2,
    "names": ["Amina", "<b>李</b>"],
    "colours": [["blue", "red"], ["yellow", "brown"]],
    "booklet": "es",
    "options": {"loops": "nw-se", "tie_break": "shared"},
}


def test_a_set_up_from_afar_is_on_the_table_and_in_the_journal(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with control_of(tmp_path) as desk:
            caller = await desk.call()
            answer = await caller.ask("setup", **WISHES)
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
            await desk.sitting.say("ok ok ok ok")
            players = (await caller.table())["game"]["players"]
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


def test_names_from_afar_are_there_after_a_start_and_in_the_archive(tmp_path: Path) -> None:
    async def begin() -> None:
        async with control_of(tmp_path) as desk:
            await (await desk.call()).ask("setup", names=["Amina", "Bruno"])
            await desk.sitting.say("ok ok ok 3")

    async def go_on() -> None:
        async with control_of(tmp_path) as desk:
            assert (await (await desk.call()).table())["todo"][0] == "Amina is to play. OK goes on."
            await desk.sitting.say("pause")

    run(begin())
    run(go_on())
    archive = Archive(tmp_path / "archive")
    (number,) = archive.numbers()
    header = read_journal(archive.path_of(number)).header
    assert header is not None
    assert header["names"] == ["Amina", "Bruno", "", ""]


def test_a_journal_from_before_there_were_phones_is_read(tmp_path: Path) -> None:
    """Byte for byte as the companion wrote it then."""
    path = tmp_path / "game.jsonl"
    path.write_bytes(OLD_JOURNAL)

    async def scenario() -> None:
        async with control_of(tmp_path) as desk:
            table = await (await desk.call()).table()
            assert (table["stage"], table["todo"][0]) == ("resume", "Bo is to play. OK goes on.")
            assert table["game"]["position"].endswith(
                "f4e orient Y R:30:11,Y:30:12,B:30:12,N:30:12 -"
            )

    run(scenario())
    assert path.read_bytes() == OLD_JOURNAL


def test_wrong_wishes_are_told_in_the_words_of_the_config_and_change_nothing(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        async with control_of(tmp_path) as desk:
            caller = await desk.call()
            before = desk.sitting.conversation
            for wishes, error in (
                ({"players": 7}, "players = 7: use 2 to 4"),
                ({"players": 2, "names": ["A", "B", "C"]}, "3 names for 2 players"),
                ({"colours": ["red"]}, "1 player: Marrakech is for 2, 3 or 4; the nearest is 2"),
            ):
                assert await caller.ask("setup", **wishes) == {"ok": False, "error": error}
            assert desk.sitting.conversation is before
            assert (await caller.ask("setup", players=3))["ok"], "and the next is heard"

    run(scenario())


def test_a_set_up_during_a_game_is_refused_and_the_table_does_not_flash(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with control_of(tmp_path) as desk:
            caller = await desk.call()
            await caller.press("ok ok ok ok")
            await asyncio.sleep(1)
            frames = len(desk.sitting.film.frames)
            answer = await caller.ask("setup", players=2)
            assert (answer["ok"], answer["refused"]) == (False, True)
            assert answer["error"] == (
                "There is a game already: set one up when it is over or put away."
            )
            assert len(desk.sitting.film.frames) == frames
            assert desk.sitting.view.refused is None

    run(scenario())


def test_a_name_for_two_seats_is_refused_in_words(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with control_of(tmp_path) as desk:
            caller = await desk.call()
            before = desk.sitting.conversation
            answer = await caller.ask("setup", names=["Amina", "", "amina"])
            assert (answer["ok"], answer["refused"]) == (False, True)
            assert answer["error"] == "Two seats have the same name: amina. Change one of them."
            assert desk.sitting.conversation is before

    run(scenario())


def test_a_set_up_while_the_disk_is_slow_is_answered_when_the_table_shows_it(
    tmp_path: Path,
) -> None:
    """The game before is still on its way into the archive."""

    async def scenario() -> None:
        async with control_of(tmp_path) as desk:
            caller = await desk.call()
            await caller.press("ok ok ok ok pause")
            desk.sitting.workers["scribe"].takes_ms = 500
            began = desk.sitting.loop.time()
            away = asyncio.create_task(caller.press("pause"))
            await asyncio.sleep(1.1)
            other = await desk.call()
            answer = await other.ask("setup", players=2)
            assert (await away)["ok"]
            assert answer["table"]["setup"]["players"] == 2
            assert desk.sitting.loop.time() - began > 1.5

    run(scenario())


def test_a_set_up_is_not_answered_by_what_the_table_told_before(tmp_path: Path) -> None:
    """A roll is on its way to the disk, and then the end of that game."""

    async def scenario() -> None:
        async with control_of(tmp_path) as desk:
            caller = await desk.call()
            await caller.press("ok ok ok ok")
            desk.sitting.workers["scribe"].takes_ms = 2000
            for told in (die_key(3), HOLD_BACK, HOLD_BACK):
                desk.sitting.table.daemon.deliver(told)
            answer = await caller.ask("setup", players=2)
            assert answer["table"]["stage"] == "players"
            assert answer["table"]["setup"]["players"] == 2

    run(scenario())


def test_set_ups_and_presses_of_many_come_one_after_the_other(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with control_of(tmp_path) as desk:
            callers: list[Caller] = [await desk.call() for _ in range(8)]
            asked = [
                caller.ask("setup", players=2) if n % 4 else caller.press("ok back")
                for n, caller in enumerate(callers)
            ]
            answers = await asyncio.gather(*asked)
            assert all(answer["ok"] for answer in answers)
            await turns()
            assert desk.sitting.stage.name == "PLAYERS"

    run(scenario())


# --- Choices ------------------------------------------------------------------------------


def test_choices_are_all_that_a_form_needs(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with control_of(tmp_path) as desk:
            answer = await (await desk.call()).ask("choices")
            assert answer == {
                "ok": True,
                "choices": json.loads(json.dumps(choices(TextRenderer()))),
            }

    run(scenario())
    found = choices(TextRenderer())
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
