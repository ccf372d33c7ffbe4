"""Which refusal stands: phones say each of them once, and in the same words if it comes again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from helpers.page.page_server import PageDesk, page_of
from helpers.table.control_caller import control_of, from_afar

from companion.web.server import PageSettings, serving

Plain = dict[str, Any]


async def table_when(desk: PageDesk, is_so: Callable[[Plain], bool]) -> Plain:
    await desk.until_told(is_so)
    table: Plain = (await desk.get("/api/table")).plain["table"]
    return table


async def table_at(desk: PageDesk, sequence: int) -> Plain:
    return await table_when(desk, lambda table: table["sequence"] == sequence)


def test_a_refusal_that_comes_again_is_another_one(tmp_path: Path) -> None:
    """With a real table: a button goes down and up with each press, and that changes it as well."""

    async def scenario() -> None:
        async with control_of(tmp_path / "games", make_fingers=from_afar) as at:
            await (await at.call()).press("ok ok ok ok")
            settings = PageSettings(at.path, tmp_path / "games", port=0)
            async with page_of(tmp_path) as desk, serving(settings) as page:
                desk.page = page
                await desk.is_met()
                code = at.sitting.table.daemon.show_code()
                assert (await desk.post("/api/pair", {"code": code})).status == 204
                seen, changes = [], at.control._sequence
                for _ in range(3):
                    no = (await desk.post("/api/press", {"button": "north"})).plain
                    last = at.control._sequence
                    told = await table_at(desk, last)
                    assert told["refused"] == no["error"]
                    assert told["refused_at"] == no["refused_at"]
                    seen.append(told["refused_at"])
                assert len(set(seen)) == 3
                assert last > changes + 3, "there were other changes among them"
                await desk.post("/api/press", {"button": "east"})
                told = await table_when(desk, lambda table: table["refused"] is None)
                assert told["refused_at"] is None

    asyncio.run(scenario())


def test_a_refusal_stands_while_other_things_change(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with page_of(tmp_path) as desk:
            table = desk.table
            changes: list[tuple[Plain, int | None]] = [
                ({"refused": "No.", "status": {"heard": False}}, 2),
                ({"status": {"heard": True}, "light": ["x"], "uptime_s": 3.5}, 2),
                ({"status": {"heard": False}, "light": ["y"]}, 2),
                ({"light": ["x"], "uptime_s": 4.0}, 5),
                ({"trouble": ["The disk is full."]}, 5),
                ({"refused": "Never."}, 7),
                ({"refused": None}, None),
                ({"refused": "Never."}, 9),
            ]
            for number, (members, expected) in enumerate(changes, start=2):
                table.change(**members)
                told = await table_at(desk, number)
                assert told["refused_at"] == expected, (number, members)

    asyncio.run(scenario())
