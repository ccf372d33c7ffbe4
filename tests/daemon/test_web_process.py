"""The process of the phone page: started, restarted, logged in one line, ended with the table."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from helpers.captured_log import captured_log
from helpers.patience import PATIENCE_S

from companion.config.model import WebConfig
from companion.daemon.web_process import (
    LIMIT_INTERVAL_S,
    MAX_DELAY_S,
    MAX_LINES,
    STABLE_S,
    LogLimiter,
    PageProcess,
    WebProcess,
    page_beside,
    page_command,
)
from companion.testing.virtual_time import run

Log = Callable[[int, str], None]
RESTARTED = "the phone page has stopped and is started again: "


class FakeChild:
    """Prints its lines, runs for a while, and ends for a reason."""

    def __init__(self, lines: list[str], runs_s: float, reason: str) -> None:
        self._lines = lines
        self._runs_s = runs_s
        self._reason = reason
        self.kills = 0

    async def lines(self) -> AsyncIterator[str]:
        for line in self._lines:
            yield line

    async def end(self) -> str:
        await asyncio.sleep(self._runs_s)
        return self._reason

    async def kill(self) -> None:
        self.kills += 1


class FakeChildren:
    """Starts fake processes, and records when."""

    def __init__(
        self, *lines: str, runs_s: float = 0.0, reason: str = "it ended with code 1"
    ) -> None:
        self.lines = list(lines)
        self.runs_s = runs_s
        self.reason = reason
        self.started: list[float] = []
        self.children: list[FakeChild] = []
        self.ports: list[int] = []

    async def start(self, _: Log) -> FakeChild:
        self.started.append(asyncio.get_running_loop().time())
        self.children.append(FakeChild(self.lines, self.runs_s, self.reason))
        return self.children[-1]

    def page(self) -> WebProcess:
        return WebProcess(asyncio.get_running_loop(), self.start, self.ports.append)


def run_page(
    seconds: float, children: FakeChildren, then: Callable[[WebProcess], None] | None = None
) -> list[str]:
    """Keep a page running for so long, on virtual time, and return what is logged."""

    async def scenario() -> None:
        async with children.page() as page:
            await asyncio.sleep(seconds)
            if then is not None:
                then(page)

    with captured_log() as lines:
        run(scenario())
    return lines


# --- Starting -----------------------------------------------------------------------------


def test_a_failing_page_is_restarted_with_growing_delays() -> None:
    children = FakeChildren()
    run_page(300, children)
    assert children.started == [0, 1, 3, 7, 15, 31, 63, 123, 183, 243]
    assert MAX_DELAY_S == 60


def test_the_same_reason_is_logged_once() -> None:
    assert run_page(300, FakeChildren(reason="port 8080 is taken")) == [
        f"{RESTARTED}port 8080 is taken"
    ]


def test_another_reason_is_logged() -> None:
    children = FakeChildren(reason="one")

    async def scenario() -> None:
        async with children.page():
            await asyncio.sleep(2)
            children.reason = "two"
            await asyncio.sleep(60)

    with captured_log() as lines:
        run(scenario())
    assert lines == [f"{RESTARTED}one", f"{RESTARTED}two"]


def test_a_page_that_ran_for_a_minute_is_restarted_after_a_second() -> None:
    children = FakeChildren(runs_s=STABLE_S)
    lines = run_page(200, children)
    assert children.started == [0, 61, 122, 183]
    assert lines == [f"{RESTARTED}it ended with code 1"] * 3, "the reason is logged each time"


def test_a_page_that_cannot_be_started_does_not_stop_the_table() -> None:
    async def fail(_: Log) -> FakeChild:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    async def scenario() -> None:
        async with WebProcess(asyncio.get_running_loop(), fail):
            await asyncio.sleep(10)

    with captured_log() as lines:
        run(scenario())
    assert lines == [f"{RESTARTED}BlockingIOError: [Errno 11] Resource temporarily unavailable"]


# --- Output -------------------------------------------------------------------------------


def test_the_port_is_known_while_the_page_runs() -> None:
    children = FakeChildren('{"port": 8081, "said": "port 8080 is taken"}', runs_s=10)
    ports: list[int | None] = []

    async def scenario() -> None:
        async with children.page() as page:
            ports.append(page.port)
            await asyncio.sleep(5)
            ports.append(page.port)
            await asyncio.sleep(5.5)
            ports.append(page.port)

    with captured_log() as lines:
        run(scenario())
    assert ports == [None, 8081, None]
    assert children.ports == [8081]
    assert lines[0] == "port 8080 is taken"


def test_any_other_output_is_logged_in_one_short_line_or_not_at_all() -> None:
    children = FakeChildren(
        "what\x1b[2J", "[1, 2]", '{"port": "x", "said": 3}', "[" * 9999, runs_s=99
    )
    lines = run_page(1, children)
    assert lines[:2] == ["what\\x1b[2J", "[1, 2]"]
    assert len(lines) == 3
    assert len(lines[2]) <= 301
    assert children.ports == []


def test_a_repeated_line_is_logged_once() -> None:
    children = FakeChildren(*['{"said": "a fault"}'] * 5000, runs_s=1e6)
    log = logging.getLogger("companion.test")
    assert run_page(LIMIT_INTERVAL_S - 1, children, lambda _: log.info("it goes on")) == [
        "a fault",
        "it goes on",
        "the phone page: 4999 more lines omitted",
    ]


def test_only_a_few_lines_per_minute_are_logged() -> None:
    children = FakeChildren(*(f"line {n}" for n in range(100)), runs_s=1e6)
    assert run_page(10 * LIMIT_INTERVAL_S, children) == [
        *(f"line {n}" for n in range(MAX_LINES)),
        f"the phone page: {100 - MAX_LINES} more lines omitted",
    ]


def test_a_line_is_logged_again_after_a_minute_without_omissions() -> None:
    async def scenario() -> None:
        limiter = LogLimiter(asyncio.get_running_loop())
        for wait_s in (0, 30, 50, 130, 130):
            await asyncio.sleep(wait_s)
            limiter.log(logging.WARNING, "a fault")
        limiter.close()
        limiter.close()
        await asyncio.sleep(1000)

    with captured_log() as lines:
        run(scenario())
    omitted = "the phone page: 1 more line omitted"
    assert lines == ["a fault", omitted, omitted, "a fault", "a fault"]


def test_the_memory_of_recent_lines_is_limited() -> None:
    async def scenario() -> None:
        limiter = LogLimiter(asyncio.get_running_loop())
        for n in range(1000):
            limiter.log(logging.WARNING, f"line {n}")
            await asyncio.sleep(1)
        assert len(limiter._recent) == MAX_LINES
        limiter.close()

    with captured_log() as lines:
        run(scenario())
    assert len(lines) <= (1000 / LIMIT_INTERVAL_S + 1) * (MAX_LINES + 1)


# --- Ending -------------------------------------------------------------------------------


def test_the_page_ends_with_the_table() -> None:
    children = FakeChildren(runs_s=1e6)
    run_page(5, children)
    assert [child.kills for child in children.children] == [1]


def test_closing_is_idempotent_and_possible_before_the_start() -> None:
    children = FakeChildren(runs_s=1e6)

    async def scenario() -> None:
        page = children.page()
        await page.close()
        page.start()
        await asyncio.sleep(1)
        await page.close()
        await page.close()

    run(scenario())
    assert [child.kills for child in children.children] == [1]


def test_the_command_line_has_all_settings() -> None:
    config = WebConfig(host="127.0.0.1", port=9000, odds=False, hosts=("pi.lan", "games"))
    words = page_command(config, Path("/run/m/control.sock"), Path("/games"))
    assert words[:5] == [sys.executable, "-P", "-m", "companion", "web"]
    assert " ".join(words[5:]) == (
        f"--parent {os.getpid()} --socket /run/m/control.sock --folder /games --host 127.0.0.1 "
        "--port 9000 --name pi.lan --name games --no-odds"
    )


# --- Real processes -----------------------------------------------------------------------


async def start_python(body: str, log: Log = lambda *_: None) -> PageProcess:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", body, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    return PageProcess(process, log)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("raise SystemExit(3)", "it ended with code 3"),
        ("import os; os.kill(os.getpid(), 9)", "it was ended by signal 9"),
        ("1/0", "ZeroDivisionError: division by zero"),
        ("import sys; sys.exit('marrakech: ports 1 to 2 are taken')", "ports 1 to 2 are taken"),
        ("import sys; sys.stderr.write('x' * 1000000); sys.exit(1)", "x" * 300 + "…"),
    ],
)
def test_the_last_line_of_standard_error_is_the_reason_of_the_end(body: str, reason: str) -> None:
    async def scenario() -> None:
        process = await start_python(body)
        assert [line async for line in process.lines()] == []
        assert await process.end() == reason
        await process.kill()

    asyncio.run(scenario())


def test_output_is_read_line_by_line_whatever_its_length() -> None:
    async def scenario() -> None:
        process = await start_python("print('one'); print('y' * 20000); print('end', end='')")
        lines = [line async for line in process.lines()]
        await process.kill()
        assert (lines[0], lines[-1]) == ("one", "end")
        assert "".join(lines[1:-1]) == "y" * 20000
        assert max(map(len, lines)) < 20000

    asyncio.run(scenario())


def test_log_lines_are_passed_on_with_their_level() -> None:
    async def scenario() -> None:
        logged: list[tuple[int, str]] = []
        body = "import sys; sys.stderr.write('<4>slow\\nmarrakech: port taken\\n<3>broken\\n')"
        process = await start_python(body, lambda *line: logged.append(line))
        assert await process.end() == "port taken"
        assert logged == [(logging.WARNING, "slow"), (logging.ERROR, "broken")]
        await process.kill()

    asyncio.run(scenario())


def test_a_real_page_starts_before_its_table_and_has_lower_priority(tmp_path: Path) -> None:
    async def scenario() -> None:
        opened: asyncio.Queue[int] = asyncio.Queue()
        page = page_beside(
            asyncio.get_running_loop(),
            WebConfig(host="127.0.0.1", port=20_000 + os.getpid() % 20_000),
            tmp_path / "control.sock",
            tmp_path,
            on_opened=opened.put_nowait,
        )
        with captured_log() as lines:
            await check(page, opened)
        assert [line for line in lines if not line.startswith("the page for phones: port")] == []

    async def check(page: WebProcess, opened: asyncio.Queue[int]) -> None:
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
            assert os.getpgid(child) == child, "Ctrl-C does not reach it"
            assert os.getsid(child) == os.getsid(0), "otherwise autogroup gives it more time"
            assert Path(f"/proc/{child}/oom_score_adj").read_text().strip() == "500"
            limits = Path(f"/proc/{child}/limits").read_text()
            assert f"Max data size             {192 << 20}" in limits
            assert "VmRSS" in status
        assert not Path(f"/proc/{child}").exists()
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", port)

    asyncio.run(scenario())


def test_the_page_ends_when_its_table_is_killed(tmp_path: Path) -> None:
    table = subprocess.Popen(
        [sys.executable, "-P", "-m", "companion", "serve", "--virtual", "--folder", str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert table.stdout is not None
    lines = [table.stdout.readline() for _ in range(3)]
    assert lines[2].startswith("the page for phones is ready on port ")
    (child,) = _children(table.pid, "web")
    table.send_signal(signal.SIGKILL)
    table.communicate(timeout=PATIENCE_S)
    end = time.monotonic() + 60
    while (is_running := Path(f"/proc/{child}/exe").exists()) and time.monotonic() < end:
        time.sleep(0.01)
    if is_running:
        os.kill(child, signal.SIGKILL)
    assert not is_running


def _children(parent: int, command: str) -> list[int]:
    """Processes that this one has started, and that run a command of `marrakech`."""
    found: list[int] = []
    for task in Path(f"/proc/{parent}/task").iterdir():
        found += map(int, (task / "children").read_text().split())
    words = f"\0companion\0{command}\0"
    return [pid for pid in found if words in Path(f"/proc/{pid}/cmdline").read_text()]
