"""Callers who come, go, and talk nonsense: the control answers all, and the table notices none."""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from helpers.profiles import examples
from helpers.table.control_caller import control_of, turns
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.control import server as control_module
from companion.control.server import MOST_CLIENTS
from companion.table.conversation import Stage
from companion.testing.virtual_time import run


def test_there_are_only_so_many_clients(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with control_of(tmp_path) as desk:
            callers = [await desk.call() for _ in range(MOST_CLIENTS)]
            for caller in callers:
                assert (await caller.ask("version"))["ok"]
            late = await desk.call()
            error = "16 clients are here already: close one"
            assert await late.read() == {"ok": False, "error": error}
            assert await late.has_ended()
            callers[0].hang_up()
            await turns()
            assert (await (await desk.call()).ask("version"))["ok"], "there is room again"
            assert (await callers[1].ask("version"))["ok"]

    run(scenario())


NONSENSE = b"\n\0\nstatus\n{\n[]\n\xff\xfe\n" + b"x" * 70_000 + b'\n{"do": "status", "x": 1}\n'
ERRORS = 8


@pytest.mark.parametrize("size", [1, 7, len(NONSENSE)])
def test_nonsense_is_answered_line_by_line_however_it_comes(tmp_path: Path, size: int) -> None:
    """Whole, in pieces, byte by byte: and then the next request is as good as any."""

    async def scenario() -> None:
        async with control_of(tmp_path) as desk:
            caller = await desk.call()
            data = NONSENSE if size > 1 else NONSENSE.replace(b"x" * 70_000, b"x" * 66_000)
            for start in range(0, len(data), size):
                caller.send(data[start : start + size])
                if start % 1000 == 0:
                    await asyncio.sleep(0)
            answers = [await caller.read() for _ in range(ERRORS)]
            assert [sorted(answer) for answer in answers] == [["error", "ok"]] * ERRORS
            assert not any(answer["ok"] for answer in answers)
            assert answers[6]["error"] == "a request has at most 65536 bytes"
            assert answers[7]["error"] == "unknown member 'x': use do"
            assert (await caller.table())["sequence"] == 0, "the table has noticed nothing"
            assert desk.told == []

    run(scenario())


def test_a_line_may_be_as_long_as_is_said_and_no_longer(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with control_of(tmp_path) as desk:
            caller = await desk.call()
            asked = b'{"do": "version"}'
            caller.send(asked.ljust(65_536) + b"\n")
            assert (await caller.read())["ok"]
            caller.send(asked.ljust(65_537) + b"\n")
            assert not (await caller.read())["ok"]

    run(scenario())


def test_the_last_line_need_not_end(tmp_path: Path) -> None:
    """As `printf '{"do": "version"}' | socat - UNIX-CONNECT:control.sock` has it."""

    async def scenario() -> None:
        async with control_of(tmp_path) as desk:
            for line, is_ok in ((b'{"do": "version"}', True), (b"x" * 70_000, False)):
                caller = await desk.call()
                caller.send(line)
                caller.writer.write_eof()
                assert (await caller.read())["ok"] is is_ok
                assert await caller.has_ended()

    run(scenario())


def test_who_vanishes_is_forgotten(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with control_of(tmp_path) as desk:
            for line in (b"", b'{"do": "wat', b'{"do": "watch"}\n', b'{"do": "status"}\n' * 50):
                caller = await desk.call()
                caller.send(line)
                await asyncio.sleep(0)
                caller.hang_up()
            await turns()
            await desk.sitting.say("ok")
            assert (desk.control._clients, desk.control._watchers) == ({}, {})
            assert desk.told == []

    run(scenario())


def test_who_asks_much_and_reads_nothing_waits_alone(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with control_of(tmp_path) as desk:
            greedy, other = await desk.call(), await desk.call()
            greedy.writer.transport.pause_reading()  # type: ignore[attr-defined]
            greedy.send(b'{"do": "status"}\n' * 1000)
            await asyncio.sleep(1)
            assert (await other.press("ok"))["ok"]
            (writer, *_) = desk.control._clients
            assert writer.transport.get_write_buffer_size() < 128 * 1024

    run(scenario())


def test_a_fault_in_the_control_is_told_and_goes_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with control_of(tmp_path) as desk:
            caller, watcher = await desk.call(), await desk.call()
            await watcher.ask("watch")

            def fail(*_: object, **__: object) -> None:
                raise LookupError("nobody knows")

            told = "a fault in the control socket: LookupError: nobody knows"
            with monkeypatch.context() as broken:
                broken.setattr(control_module, "snapshot_of", fail)
                assert await caller.ask("status") == {"ok": False, "error": told}
                await desk.sitting.say("ok")
            assert desk.sitting.stage is Stage.BOOKLET
            assert set(desk.told) == {told}
            assert (await caller.table())["stage"] == "booklet"

    run(scenario())


@settings(max_examples=examples(40))
@given(st.lists(st.binary(max_size=200), max_size=8))
def test_whatever_bytes_come_the_table_plays_on(pieces: list[bytes]) -> None:
    """Nothing but whole requests is understood, and chance does not write those."""

    async def scenario() -> None:
        with TemporaryDirectory() as folder:
            async with control_of(Path(folder)) as desk:
                caller = await desk.call()
                for piece in pieces:
                    caller.send(piece)
                    await asyncio.sleep(0)
                caller.send(b"\n")
                data = b"".join(pieces) + b"\n"
                for _ in range(data.count(b"\n")):
                    assert (await caller.read())["ok"] is False
                assert (await caller.press("ok"))["ok"] is True
                assert desk.told == []

    run(scenario())
