"""The daemon and the die pad are polite: the LED asks and answers, the rail and the words tell."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, cast

import pytest
from helpers.table.virtual_table import VirtualTable

from companion.adapters.pad_health import PadHealth, PadState
from companion.adapters.serial_pad import SerialPad
from companion.daemon.pad_feedback import PadFeedback
from companion.i18n.message import message
from companion.pad.messages import Flash, Mode
from companion.table.conversation import Stage
from companion.table.inputs import die_key, pad_roll
from companion.table.scenes.stage_scenes import LINK, Link
from companion.testing.virtual_time import run

BEGIN = "ok ok ok ok"


class NotingPad:
    """What it was told to show last, and how every key was answered."""

    def __init__(self) -> None:
        self.mode: Mode | None = None
        self.flashes: list[Flash] = []

    def show(self, mode: Mode) -> None:
        self.mode = mode

    def flash(self, flash: Flash) -> None:
        self.flashes.append(flash)


class Party:
    """A sitting, a pad, and its manners."""

    def __init__(self, sitting: VirtualTable) -> None:
        self.sitting = sitting
        self.pad = NotingPad()
        self.manners = PadFeedback(sitting.table.daemon)
        self.manners.begin(cast("SerialPad", self.pad))
        self.deliver = sitting.table.daemon.deliver


def meet(folder: Path, scene: Callable[[Party], Coroutine[Any, Any, None]]) -> None:
    async def main() -> None:
        with VirtualTable(folder) as sitting:
            await scene(Party(sitting))

    run(main())


# --- The LED asks -------------------------------------------------------------------------


def test_led_asks_for_a_number_when_the_table_waits_for_one(tmp_path: Path) -> None:
    async def scene(party: Party) -> None:
        asked = {party.sitting.stage: party.pad.mode}
        for word in f"{BEGIN} 2 ok back audit ok".split():
            await party.sitting.press(word)
            asked[party.sitting.stage] = party.pad.mode
        assert asked == {
            Stage.PLAYERS: Mode.NOTHING,
            Stage.BOOKLET: Mode.NOTHING,
            Stage.COLOURS: Mode.NOTHING,
            Stage.SETTING: Mode.NUMBER,  # the first roll begins the game
            Stage.ORIENT: Mode.NUMBER,
            Stage.LAY: Mode.NOTHING,
            Stage.PUT_BACK: Mode.NOTHING,
            Stage.AUDIT_ASSAM: Mode.NOTHING,
            Stage.AUDIT_FACING: Mode.NOTHING,
        }

    meet(tmp_path, scene)


# --- The LED answers ----------------------------------------------------------------------


def test_number_that_is_taken_is_accepted_and_one_that_is_not_refused(tmp_path: Path) -> None:
    async def scene(party: Party) -> None:
        await party.sitting.say(BEGIN)
        for told in (die_key(2), die_key(2), pad_roll(3)):
            party.deliver(told)
            await asyncio.sleep(0.1)
        assert party.pad.flashes == [Flash.ACCEPTED, Flash.REFUSED, Flash.REFUSED]
        await party.sitting.press("ok")
        party.deliver(pad_roll(3))
        await asyncio.sleep(0.1)
        assert party.pad.flashes[3:] == [Flash.ACCEPTED]

    meet(tmp_path, scene)


def test_number_is_accepted_when_it_is_on_the_disk_and_not_before(tmp_path: Path) -> None:
    async def scene(party: Party) -> None:
        await party.sitting.say(BEGIN)
        party.sitting.workers["scribe"].takes_ms = 300
        party.deliver(die_key(2))
        await asyncio.sleep(0.29)
        assert (party.pad.flashes, party.pad.mode) == ([], Mode.NUMBER)
        await asyncio.sleep(0.02)
        assert (party.pad.flashes, party.pad.mode) == ([Flash.ACCEPTED], Mode.NOTHING)

    meet(tmp_path, scene)


def test_buttons_are_none_of_the_pads_business(tmp_path: Path) -> None:
    async def scene(party: Party) -> None:
        await party.sitting.say(f"{BEGIN} north east")  # one is refused, one is not
        assert party.sitting.view.refused is None
        assert party.pad.flashes == []

    meet(tmp_path, scene)


# --- The rail and the words ---------------------------------------------------------------

LOST = message("pad.lost")
DENIED = message("pad.denied", port="/dev/a")
OLD = message("pad.version_old", theirs=0, ours=1)


@pytest.mark.parametrize(
    ("health", "link", "trouble"),
    [
        (PadHealth(PadState.SEARCHING, said=message("pad.searching")), Link.NONE, ()),
        (PadHealth(PadState.SEARCHING, said=message("pad.absent")), Link.NONE, ()),
        (PadHealth(PadState.SEARCHING, said=message("pad.silent", port="a")), Link.NONE, ()),
        (PadHealth(PadState.SEARCHING, said=DENIED), Link.NONE, (DENIED,)),
        (PadHealth(PadState.CONNECTED), Link.UP, ()),
        (PadHealth(PadState.QUIET, said=LOST), Link.DOWN, (LOST,)),
        (PadHealth(PadState.LOST, said=LOST), Link.DOWN, (LOST,)),
        (PadHealth(PadState.WRONG_VERSION, said=OLD), Link.DOWN, (OLD,)),
    ],
)
def test_how_the_pad_is_stands_on_the_rail_and_in_words_if_it_is_trouble(
    tmp_path: Path, health: PadHealth, link: Link, trouble: tuple[object, ...]
) -> None:
    async def scene(party: Party) -> None:
        party.manners.tell(health)
        await asyncio.sleep(0)
        view = party.sitting.view
        assert (view.status.link, view.trouble) == (link, trouble)
        assert party.sitting.views[-1:] == ([view] if (link, trouble) != (Link.NONE, ()) else [])

    meet(tmp_path, scene)


def test_rail_is_lit_blinks_and_is_lit_again(tmp_path: Path) -> None:
    async def scene(party: Party) -> None:
        film = party.sitting.film

        async def seen() -> set[bool]:
            await asyncio.sleep(0.02)
            lit = set()
            for _ in range(40):
                lit.add(film.is_lit(LINK))
                await asyncio.sleep(0.05)
            return lit

        assert await seen() == {False}
        party.manners.tell(PadHealth(PadState.CONNECTED))
        assert await seen() == {True}
        party.manners.tell(PadHealth(PadState.LOST, said=LOST))
        assert await seen() == {True, False}
        party.manners.tell(PadHealth(PadState.CONNECTED))
        assert await seen() == {True}
        assert party.sitting.view.trouble == ()

    meet(tmp_path, scene)
