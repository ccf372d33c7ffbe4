"""`refused_at`: by it, phones announce each refusal once, also if the same one comes again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from helpers.page.page_server import ServedPage, serve_test_page
from helpers.table.control_harness import direct_keys, open_control

from companion.json_types import JsonObject
from companion.web.server import PageSettings, serve_page


async def table_when(page: ServedPage, condition: Callable[[JsonObject], bool]) -> JsonObject:
    await page.wait_until(condition)
    table: JsonObject = (await page.get("/api/table")).json["table"]
    return table


async def table_at(page: ServedPage, sequence: int) -> JsonObject:
    return await table_when(page, lambda table: table["sequence"] == sequence)


def test_a_repeated_refusal_has_a_new_refused_at(tmp_path: Path) -> None:
    """With a real table, whose snapshot also changes when a button goes down and up."""

    async def scenario() -> None:
        async with open_control(tmp_path / "games", make_keys=direct_keys) as harness:
            await (await harness.connect()).press("ok ok ok ok")
            settings = PageSettings(harness.path, tmp_path / "games", port=0)
            async with serve_test_page(tmp_path) as page, serve_page(settings) as server:
                page.server = server
                await page.wait_for_table()
                code = harness.virtual_table.table.controller.show_code()
                assert (await page.post("/api/pair", {"code": code})).status == 204
                seen, changes = [], harness.control._sequence
                for _ in range(3):
                    answer = (await page.post("/api/press", {"button": "north"})).json
                    last = harness.control._sequence
                    snapshot = await table_at(page, last)
                    assert snapshot["refused"] == answer["error"]
                    assert snapshot["refused_at"] == answer["refused_at"]
                    seen.append(snapshot["refused_at"])
                assert len(set(seen)) == 3
                assert last > changes + 3, "there were other changes in between"
                await page.post("/api/press", {"button": "east"})
                snapshot = await table_when(page, lambda table: table["refused"] is None)
                assert snapshot["refused_at"] is None

    asyncio.run(scenario())


def test_refused_at_stays_while_other_members_change(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serve_test_page(tmp_path) as page:
            table = page.table
            changes: list[tuple[JsonObject, int | None]] = [
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
                snapshot = await table_at(page, number)
                assert snapshot["refused_at"] == expected, (number, members)

    asyncio.run(scenario())
