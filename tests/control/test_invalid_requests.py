"""Too many clients, invalid requests and lost connections: the table is not affected."""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from helpers.profiles import examples
from helpers.table.control_harness import let_loop_run, open_control
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.control import server as server_module
from companion.control.server import MAX_CLIENTS
from companion.table.conversation import Stage
from companion.testing.virtual_time import run


def test_the_number_of_clients_is_limited(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_control(tmp_path) as harness:
            clients = [await harness.connect() for _ in range(MAX_CLIENTS)]
            for client in clients:
                assert (await client.request("version"))["ok"]
            late = await harness.connect()
            error = "16 clients are connected already: close one"
            assert await late.read() == {"ok": False, "error": error}
            assert await late.is_closed()
            clients[0].abort()
            await let_loop_run()
            assert (await (await harness.connect()).request("version"))["ok"], "there is room again"
            assert (await clients[1].request("version"))["ok"]

    run(scenario())


INVALID_LINES = b"\n\0\nstatus\n{\n[]\n\xff\xfe\n" + b"x" * 70_000 + b'\n{"do": "status", "x": 1}\n'
ERROR_COUNT = 8


@pytest.mark.parametrize("size", [1, 7, len(INVALID_LINES)])
def test_invalid_lines_are_answered_one_by_one_however_they_arrive(
    tmp_path: Path, size: int
) -> None:
    """Whole, in pieces, byte by byte. A valid request after them works."""

    async def scenario() -> None:
        async with open_control(tmp_path) as harness:
            client = await harness.connect()
            data = (
                INVALID_LINES if size > 1 else INVALID_LINES.replace(b"x" * 70_000, b"x" * 66_000)
            )
            for start in range(0, len(data), size):
                client.send(data[start : start + size])
                if start % 1000 == 0:
                    await asyncio.sleep(0)
            answers = [await client.read() for _ in range(ERROR_COUNT)]
            assert [sorted(answer) for answer in answers] == [["error", "ok"]] * ERROR_COUNT
            assert not any(answer["ok"] for answer in answers)
            assert answers[6]["error"] == "a request has at most 65536 bytes"
            assert answers[7]["error"] == "unknown member 'x': use do"
            assert (await client.snapshot())["sequence"] == 0, "the table has not changed"
            assert harness.log == []

    run(scenario())


def test_the_length_of_a_line_is_limited(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_control(tmp_path) as harness:
            client = await harness.connect()
            line = b'{"do": "version"}'
            client.send(line.ljust(65_536) + b"\n")
            assert (await client.read())["ok"]
            client.send(line.ljust(65_537) + b"\n")
            assert not (await client.read())["ok"]

    run(scenario())


def test_the_last_line_needs_no_newline(tmp_path: Path) -> None:
    """As with `printf '{"do": "version"}' | socat - UNIX-CONNECT:control.sock`."""

    async def scenario() -> None:
        async with open_control(tmp_path) as harness:
            for line, is_ok in ((b'{"do": "version"}', True), (b"x" * 70_000, False)):
                client = await harness.connect()
                client.send(line)
                client.writer.write_eof()
                assert (await client.read())["ok"] is is_ok
                assert await client.is_closed()

    run(scenario())


def test_a_client_that_disconnects_is_removed(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_control(tmp_path) as harness:
            for line in (b"", b'{"do": "wat', b'{"do": "watch"}\n', b'{"do": "status"}\n' * 50):
                client = await harness.connect()
                client.send(line)
                await asyncio.sleep(0)
                client.abort()
            await let_loop_run()
            await harness.virtual_table.press("ok")
            assert (harness.control._clients, harness.control._watchers) == ({}, {})
            assert harness.log == []

    run(scenario())


def test_a_client_that_does_not_read_does_not_block_others(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_control(tmp_path) as harness:
            greedy, other = await harness.connect(), await harness.connect()
            greedy.writer.transport.pause_reading()  # type: ignore[attr-defined]
            greedy.send(b'{"do": "status"}\n' * 1000)
            await asyncio.sleep(1)
            assert (await other.press("ok"))["ok"]
            (writer, *_) = harness.control._clients
            assert writer.transport.get_write_buffer_size() < 128 * 1024

    run(scenario())


def test_a_fault_in_the_server_is_logged_and_the_server_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with open_control(tmp_path) as harness:
            client, watcher = await harness.connect(), await harness.connect()
            await watcher.request("watch")

            def fail(*_: object, **__: object) -> None:
                raise LookupError("a fault")

            error = "a fault in the control socket: LookupError: a fault"
            with monkeypatch.context() as broken:
                broken.setattr(server_module, "snapshot_of", fail)
                assert await client.request("status") == {"ok": False, "error": error}
                await harness.virtual_table.press("ok")
            assert harness.virtual_table.stage is Stage.BOOKLET
            assert set(harness.log) == {error}
            assert (await client.snapshot())["stage"] == "booklet"

    run(scenario())


@settings(max_examples=examples(40))
@given(st.lists(st.binary(max_size=200), max_size=8))
def test_random_bytes_do_not_affect_the_table(pieces: list[bytes]) -> None:
    """Random bytes are never a valid request."""

    async def scenario() -> None:
        with TemporaryDirectory() as folder:
            async with open_control(Path(folder)) as harness:
                client = await harness.connect()
                for piece in pieces:
                    client.send(piece)
                    await asyncio.sleep(0)
                client.send(b"\n")
                data = b"".join(pieces) + b"\n"
                for _ in range(data.count(b"\n")):
                    assert (await client.read())["ok"] is False
                assert (await client.press("ok"))["ok"] is True
                assert harness.log == []

    run(scenario())
