"""The process of the phone page: started beside the table, and restarted when it ends.

The table never waits for it. When it ends, that is logged in one line, and it is started again
after one second, then two, then four, up to a minute. It ends with the table, also when the table
is killed: it asks the kernel for that itself (companion/web/process_limits.py).
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from companion import logs
from companion.config.model import WebConfig
from companion.errors import counted, one_line

FIRST_DELAY_S = 1.0
MAX_DELAY_S = 60.0
STABLE_S = 60.0
"""After running for so long, the next delay is the first again."""
MAX_LINES = 6
LIMIT_INTERVAL_S = 60.0
"""How many lines of the page are logged in how long."""
_MAX_TEXT_LENGTH = 300
_MAX_LINE_BYTES = 8192
_ENVIRON_OF_TABLE_ONLY = ("NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC")

logger = logging.getLogger(__name__)


class ChildProcess(Protocol):
    def lines(self) -> AsyncIterator[str]:
        """The lines of its standard output, until it ends."""

    async def end(self) -> str:
        """Wait for its end, and return the reason."""

    async def kill(self) -> None: ...


StartChild = Callable[[Callable[[int, str], None]], Awaitable[ChildProcess]]
"""Starts the process. The argument is called with the level and text of every line it logs."""


class WebProcess:
    """Keeps the page running: `async with` it. All on the loop."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        start_child: StartChild,
        on_opened: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._loop = loop
        self._start_child = start_child
        self._limiter = LogLimiter(loop)
        self._on_opened = on_opened
        self.port: int | None = None
        """The port of the page, while it runs."""
        self._last_reason: str | None = None
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> WebProcess:
        self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def start(self) -> None:
        self._task = self._loop.create_task(self._keep_running())

    async def close(self) -> None:
        """Idempotent."""
        task, self._task = self._task, None
        await cancel_and_wait(task)
        self._limiter.close()

    async def _keep_running(self) -> None:
        delay_s = FIRST_DELAY_S
        while True:
            started_at = self._loop.time()
            try:
                reason = await self._run()
            except Exception as error:  # the process limit, for instance: the table goes on
                reason = one_line(f"{type(error).__name__}: {error}", _MAX_TEXT_LENGTH)
            if self._loop.time() - started_at >= STABLE_S:
                delay_s, self._last_reason = FIRST_DELAY_S, None
            if reason != self._last_reason:  # the same reason is logged once
                logger.warning("the phone page has stopped and is started again: %s", reason)
                self._last_reason = reason
            await asyncio.sleep(delay_s)
            delay_s = min(2 * delay_s, MAX_DELAY_S)

    async def _run(self) -> str:
        """Run the process until it ends, and return the reason."""
        child = await self._start_child(self._limiter.log)
        try:
            async for line in child.lines():
                self._handle_line(line)
            return await child.end()
        finally:
            self.port = None
            await child.kill()

    def _handle_line(self, line: str) -> None:
        try:
            members = json.loads(line)
            port, note = members.get("port"), members.get("said")
        except (ValueError, AttributeError, RecursionError):
            port, note = None, line
        if isinstance(note, str) and note.strip():
            self._limiter.log(logging.WARNING, one_line(note.strip(), _MAX_TEXT_LENGTH))
        if isinstance(port, int):
            self.port = port
            self._on_opened(port)


class LogLimiter:
    """Logs a few lines of the page per minute: each one takes time of the table.

    A line that was logged recently is not repeated. The number of omitted lines is logged as well.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._recent: deque[str] = deque(maxlen=MAX_LINES)
        """Cleared after a minute in which nothing was omitted."""
        self._logged = 0
        self._omitted = 0
        self._timer: asyncio.TimerHandle | None = None

    def log(self, level: int, line: str) -> None:
        if line in self._recent or self._logged == MAX_LINES:
            self._omitted += 1
        else:
            self._recent.append(line)
            self._logged += 1
            logger.log(level, line)
        if self._timer is None:
            self._timer = self._loop.call_later(LIMIT_INTERVAL_S, self._start_interval)

    def close(self) -> None:
        """Idempotent."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._log_omitted()

    def _start_interval(self) -> None:
        self._timer = None
        if self._omitted:
            self._timer = self._loop.call_later(LIMIT_INTERVAL_S, self._start_interval)
        else:
            self._recent.clear()
        self._log_omitted()

    def _log_omitted(self) -> None:
        omitted, self._omitted, self._logged = self._omitted, 0, 0
        if omitted:
            logger.warning("the phone page: %s omitted", counted(omitted, "more line"))


async def cancel_and_wait(task: asyncio.Task[None] | None) -> None:
    """Cancel a task and wait until it has cleaned up."""
    if task is not None:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


# --- The real process ---------------------------------------------------------------------


class PageProcess:
    """`marrakech web` as a child process."""

    def __init__(self, process: Process, log: Callable[[int, str], None]) -> None:
        self._process = process
        self._log = log
        self._last_line = ""
        assert process.stderr is not None
        self._reading_errors = asyncio.ensure_future(self._read_errors(process.stderr))

    async def lines(self) -> AsyncIterator[str]:
        assert self._process.stdout is not None
        async for line in _lines(self._process.stdout):
            yield line

    async def end(self) -> str:
        code = await self._process.wait()
        await self._reading_errors
        return self._last_line or _exit_text(code)

    async def kill(self) -> None:
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()
        self._reading_errors.cancel()

    async def _read_errors(self, stderr: asyncio.StreamReader) -> None:
        """Pass log lines on. The last of the other lines is the reason of its end: the error
        message of the command, or the last line of a traceback."""
        async for line in _lines(stderr):
            text = one_line(line.strip(), _MAX_TEXT_LENGTH)
            if logged := logs.parse_line(text):
                self._log(*logged)
            elif text:
                self._last_line = text.removeprefix("marrakech: ")


async def _lines(reader: asyncio.StreamReader) -> AsyncIterator[str]:
    """The lines of a stream; a line without an end is split."""
    rest = b""
    while piece := await reader.read(_MAX_LINE_BYTES):
        *whole, rest = (rest + piece).split(b"\n")
        if len(rest) >= _MAX_LINE_BYTES:
            whole, rest = [*whole, rest], b""
        for line in whole:
            yield line.decode(errors="replace")
    if rest:
        yield rest.decode(errors="replace")


def _exit_text(code: int) -> str:
    return f"it was ended by signal {-code}" if code < 0 else f"it ended with code {code}"


def page_command(config: WebConfig, socket: Path, folder: Path) -> list[str]:
    """The command line of the page's process. It has all settings and reads no config."""
    words = [sys.executable, "-P", "-m", "companion", "web"]
    words += ["--parent", str(os.getpid()), "--socket", str(socket), "--folder", str(folder)]
    words += ["--host", config.host, "--port", str(config.port)]
    words += [word for name in config.hosts for word in ("--name", name)]
    return words if config.odds else [*words, "--no-odds"]


def page_beside(
    loop: asyncio.AbstractEventLoop,
    config: WebConfig,
    socket: Path,
    folder: Path,
    *,
    on_opened: Callable[[int], None] = lambda _: None,
    environ: Mapping[str, str] = os.environ,
) -> WebProcess:
    """The page of a table with this control socket and games folder: `async with` it."""
    command = page_command(config, socket, folder.absolute())
    inherited = {
        name: value for name, value in environ.items() if name not in _ENVIRON_OF_TABLE_ONLY
    }

    async def start_child(log: Callable[[int, str], None]) -> PageProcess:
        # A process group of its own: Ctrl-C is for the table, which then ends the page. But not a
        # session of its own: Linux may divide the processor between sessions, and then the page
        # would get as much as the table, whatever its priority (autogroup, sched(7)).
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=PIPE,
            env=inherited,
            process_group=0,
            limit=_MAX_LINE_BYTES,
        )
        return PageProcess(process, log)

    return WebProcess(loop, start_child, on_opened)
