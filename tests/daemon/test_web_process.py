"""The page beside the table: started, started again, told of in one line, and ended with it."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from helpers.patience import PATIENCE_S

from companion.config.model import WebConfig
from companion.daemon.web_process import (
    LAST_S,
    MINUTE_S,
    MOST_LINES,
    STEADY_S,
    Hearsay,
    PageProcess,
    WebProcess,
    page_beside,
    page_command,
)
from companion.testing.virtual_time import run

TRIED = "the page for phones has stopped, and is tried again: "


class FakeChild:
    """Says its lines, lives for a while, and ends for a reason."""

    def __init__(self, lines: list[str], lives_s: float, why: str) -> None:
        self._lines = lines
        self._lives_s = lives_s
        self._why = why
        self.kills = 0

    async def lines(self) -> AsyncIterator[str]:
        for line in self._lines:
            yield line

    async def end(self) -> str:
        await asyncio.sleep(self._lives_s)
        return self._why

    async def kill(self) -> None:
        self.kills += 1


class Nursery:
    """Starts children, and notes when."""

    def __init__(
        self, *lines: str, lives_s: float = 0.0, why: str = "it ended with code 1"
    ) -> None:
        self.lines = list(lines)
        self.lives_s = lives_s
        self.why = why
        self.started: list[float] = []
        self.children: list[FakeChild] = []
        self.told: list[str] = []
        self.ports: list[int] = []

    async def start(self) -> FakeChild:
        self.started.append(asyncio.get_running_loop().time())
        self.children.append(FakeChild(self.lines, self.lives_s, self.why))
        return self.children[-1]

    def page(self) -> WebProcess:
        loop = asyncio.get_running_loop()
        return WebProcess(loop, self.start, self.told.append, self.ports.append)


def in_time(
    seconds: float, nursery: Nursery, then: Callable[[WebProcess], None] | None = None
) -> None:
    """Let a page be kept for so long, on virtual time."""

    async def scenario() -> None:
        async with nursery.page() as page:
            await asyncio.sleep(seconds)
            if then is not None:
                then(page)

    run(scenario())


# --- When it is started -------------------------------------------------------------------


def test_a_page_that_fails_is_started_again_later_and_later() -> None:
    nursery = Nursery()
    in_time(300, nursery)
    assert nursery.started == [0, 1, 3, 7, 15, 31, 63, 123, 183, 243]
    assert LAST_S == 60


def test_what_is_wrong_is_said_once() -> None:
    nursery = Nursery(why="port 8080 is taken")
    in_time(300, nursery)
    assert nursery.told == [f"{TRIED}port 8080 is taken"]


def test_what_is_wrong_now_is_said_when_it_was_something_else_before() -> None:
    nursery = Nursery(why="one")

    async def scenario() -> None:
        async with nursery.page():
            await asyncio.sleep(2)
            nursery.why = "two"
            await asyncio.sleep(60)

    run(scenario())
    assert nursery.told == [f"{TRIED}one", f"{TRIED}two"]


def test_a_page_that_had_run_for_long_is_back_after_a_second() -> None:
    nursery = Nursery(lives_s=STEADY_S)
    in_time(200, nursery)
    assert nursery.started == [0, 61, 122, 183]
    assert nursery.told == [f"{TRIED}it ended with code 1"] * 3, "each time it is news"


def test_a_page_that_cannot_even_be_started_is_no_trouble_to_the_table() -> None:
    told: list[str] = []

    async def fail() -> FakeChild:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    async def scenario() -> None:
        async with WebProcess(asyncio.get_running_loop(), fail, told.append):
            await asyncio.sleep(10)

    run(scenario())
    assert told == [f"{TRIED}BlockingIOError: [Errno 11] Resource temporarily unavailable"]


# --- What it says -------------------------------------------------------------------------


def test_the_port_is_known_while_the_page_is_there() -> None:
    nursery = Nursery('{"port": 8081, "said": "port 8080 is taken"}', lives_s=10)
    ports: list[int | None] = []

    async def scenario() -> None:
        async with nursery.page() as page:
            ports.append(page.port)
            await asyncio.sleep(5)
            ports.append(page.port)
            await asyncio.sleep(5.5)
            ports.append(page.port)

    run(scenario())
    assert ports == [None, 8081, None]
    assert nursery.ports == [8081]
    assert nursery.told[0] == "port 8080 is taken"


def test_whatever_else_it_says_is_told_in_one_line_or_not_at_all() -> None:
    nursery = Nursery("what\x1b[2J", "[1, 2]", '{"port": "x", "said": 3}', "[" * 9999, lives_s=99)
    in_time(1, nursery)
    assert nursery.told[:2] == ["what\\x1b[2J", "[1, 2]"]
    assert len(nursery.told) == 3
    assert len(nursery.told[2]) <= 301
    assert nursery.ports == []


def test_a_page_that_says_the_same_again_and_again_is_heard_once() -> None:
    nursery = Nursery(*['{"said": "a fault"}'] * 5000, lives_s=1e6)
    in_time(MINUTE_S - 1, nursery, lambda _: nursery.told.append("it goes on"))
    assert nursery.told == [
        "a fault",
        "it goes on",
        "the page for phones: 4999 more lines left out",
    ]


def test_a_page_that_says_very_much_is_told_a_few_lines_a_minute() -> None:
    nursery = Nursery(*(f"line {n}" for n in range(100)), lives_s=1e6)
    in_time(10 * MINUTE_S, nursery)
    assert nursery.told == [
        *(f"line {n}" for n in range(MOST_LINES)),
        f"the page for phones: {100 - MOST_LINES} more lines left out",
    ]


def test_what_was_said_is_news_again_after_a_quiet_minute() -> None:
    told: list[str] = []

    async def scenario() -> None:
        hearsay = Hearsay(asyncio.get_running_loop(), told.append)
        for wait_s in (0, 30, 50, 130, 130):
            await asyncio.sleep(wait_s)
            hearsay.hear("a fault")
        hearsay.close()
        hearsay.close()
        await asyncio.sleep(1000)

    run(scenario())
    left_out = "the page for phones: 1 more line left out"
    assert told == ["a fault", left_out, left_out, "a fault", "a fault"]


def test_what_was_said_lately_is_not_kept_for_ever() -> None:
    told: list[str] = []

    async def scenario() -> None:
        hearsay = Hearsay(asyncio.get_running_loop(), told.append)
        for n in range(1000):
            hearsay.hear(f"line {n}")
            await asyncio.sleep(1)
        assert len(hearsay._known) == MOST_LINES
        hearsay.close()

    run(scenario())
    assert len(told) <= (1000 / MINUTE_S + 1) * (MOST_LINES + 1)


# --- How it ends --------------------------------------------------------------------------


def test_it_ends_with_the_table() -> None:
    nursery = Nursery(lives_s=1e6)
    in_time(5, nursery)
    assert [child.kills for child in nursery.children] == [1]


def test_closing_twice_or_before_the_start_is_no_trouble() -> None:
    nursery = Nursery(lives_s=1e6)

    async def scenario() -> None:
        page = nursery.page()
        await page.close()
        page.start()
        await asyncio.sleep(1)
        await page.close()
        await page.close()

    run(scenario())
    assert [child.kills for child in nursery.children] == [1]


def test_the_command_says_everything() -> None:
    config = WebConfig(host="127.0.0.1", port=9000, odds=False, hosts=("pi.lan", "games"))
    words = page_command(config, Path("/run/m/control.sock"), Path("/games"))
    assert words[:5] == [sys.executable, "-P", "-m", "companion", "web"]
    assert " ".join(words[5:]) == (
        f"--parent {os.getpid()} --socket /run/m/control.sock --folder /games --host 127.0.0.1 "
        "--port 9000 --name pi.lan --name games --no-odds"
    )


# --- Real processes -----------------------------------------------------------------------


async def _python(body: str) -> PageProcess:
    return PageProcess(
        await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            body,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    )


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("raise SystemExit(3)", "it ended with code 3"),
        ("import os; os.kill(os.getpid(), 9)", "it was ended by signal 9"),
        ("1/0", "ZeroDivisionError: division by zero"),
        ("import sys; sys.exit('marrakech: ports 1 to 2 are taken')", "ports 1 to 2 are taken"),
        ("import sys; sys.stderr.write('x' * 1000000); sys.exit(1)", "x" * 300 + "…"),
    ],
)
def test_why_a_process_ended_is_in_its_last_words(body: str, why: str) -> None:
    async def scenario() -> None:
        process = await _python(body)
        assert [line async for line in process.lines()] == []
        assert await process.end() == why
        await process.kill()

    asyncio.run(scenario())


def test_what_a_process_prints_comes_line_by_line_however_long() -> None:
    async def scenario() -> None:
        process = await _python("print('one'); print('y' * 20000); print('end', end='')")
        lines = [line async for line in process.lines()]
        await process.kill()
        assert (lines[0], lines[-1]) == ("one", "end")
        assert "".join(lines[1:-1]) == "y" * 20000
        assert max(map(len, lines)) < 20000

    asyncio.run(scenario())


def test_a_real_page_comes_up_at_a_table_that_is_not_there_yet(tmp_path: Path) -> None:
    """And it comes after the table in everything."""

    async def scenario() -> None:
        told: list[str] = []
        opened: asyncio.Queue[int] = asyncio.Queue()
        page = page_beside(
            asyncio.get_running_loop(),
            WebConfig(host="127.0.0.1", port=20_000 + os.getpid() % 20_000),
            tmp_path / "control.sock",
            tmp_path,
            tell=told.append,
            opened=opened.put_nowait,
        )
        async with page, asyncio.timeout(PATIENCE_S):
            port = await opened.get()
            assert page.port == port
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET /api/table HTTP/1.0\r\nHost: localhost\r\n\r\n")
            assert (await reader.read()).startswith(b"HTTP/1.0 503 ")
            writer.close()
            (child,) = _children(os.getpid(), "web")
            status = Path(f"/proc/{child}/status").read_text()
            assert os.getpriority(os.PRIO_PROCESS, child) >= 10
            assert os.sched_getscheduler(child) == os.SCHED_IDLE
            assert os.getpgid(child) == child, "Ctrl-C is not for it"
            assert os.getsid(child) == os.getsid(0), "else the kernel gives it as much as us"
            assert Path(f"/proc/{child}/oom_score_adj").read_text().strip() == "500"
            limits = Path(f"/proc/{child}/limits").read_text()
            assert f"Max data size             {192 << 20}" in limits
            assert "VmRSS" in status
        assert not Path(f"/proc/{child}").exists()
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", port)
        assert [one for one in told if not one.startswith("the page for phones: port")] == []

    asyncio.run(scenario())


def test_a_page_does_not_outlive_a_table_that_is_killed(tmp_path: Path) -> None:
    table = subprocess.Popen(
        [sys.executable, "-P", "-m", "companion", "serve", "--virtual", "--folder", str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert table.stdout is not None
    said = [table.stdout.readline() for _ in range(3)]
    assert said[2].startswith("the page for phones is ready, at port ")
    (child,) = _children(table.pid, "web")
    table.send_signal(signal.SIGKILL)
    table.communicate(timeout=PATIENCE_S)
    end = time.monotonic() + 60
    while (outlives := Path(f"/proc/{child}/exe").exists()) and time.monotonic() < end:
        time.sleep(0.01)
    if outlives:
        os.kill(child, signal.SIGKILL)
    assert not outlives


def _children(parent: int, command: str) -> list[int]:
    """Processes that this one has started, and that run a command of `marrakech`."""
    found: list[int] = []
    for task in Path(f"/proc/{parent}/task").iterdir():
        found += map(int, (task / "children").read_text().split())
    words = f"\0companion\0{command}\0"
    return [pid for pid in found if words in Path(f"/proc/{pid}/cmdline").read_text()]
