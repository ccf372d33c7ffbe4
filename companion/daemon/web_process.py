"""The page for phones, beside the table: a process that is started, and started again.

The table never waits for it. Whatever happens to it, the table hears of it in one line; it is
tried again after a second, then two, then four, up to a minute. It ends when the table does, also
if that is killed: it asks the kernel for that itself (companion/web/process_limits.py).
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from companion.config.model import WebConfig
from companion.errors import counted, one_line

FIRST_S = 1.0
LAST_S = 60.0
STEADY_S = 60.0
"""Who has run for so long is not in a hurry to fail: the next wait is the first again."""
MOST_LINES = 6
MINUTE_S = 60.0
"""How many lines of a page are told in how long."""
_LONGEST_SAID = 300
_LONGEST_LINE = 8192
_NOT_FOR_CHILDREN = ("NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC")
"""systemd's words to the table alone."""


class Child(Protocol):
    """A process of the page."""

    def lines(self) -> AsyncIterator[str]:
        """What it tells us, until it ends."""

    async def end(self) -> str:
        """Wait for its end, and say how that came."""

    async def kill(self) -> None: ...


StartChild = Callable[[], Awaitable[Child]]


class WebProcess:
    """Keeps a page running, as long as one is inside. All on the loop."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        start_child: StartChild,
        tell: Callable[[str], None],
        opened: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._loop = loop
        self._start_child = start_child
        self._tell = tell
        self._hearsay = Hearsay(loop, tell)
        self._opened = opened
        self.port: int | None = None
        """Where the page is, while it is."""
        self._told: str | None = None
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> WebProcess:
        self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def start(self) -> None:
        self._task = self._loop.create_task(self._keep())

    async def close(self) -> None:
        """Twice is no trouble."""
        task, self._task = self._task, None
        await end_task(task)
        self._hearsay.close()

    async def _keep(self) -> None:
        delay_s = FIRST_S
        while True:
            began = self._loop.time()
            try:
                why = await self._run()
            except Exception as error:  # no more processes, say: a page is not worth a table
                why = one_line(f"{type(error).__name__}: {error}", _LONGEST_SAID)
            if self._loop.time() - began >= STEADY_S:
                delay_s, self._told = FIRST_S, None
            if why != self._told:  # what is wrong for the tenth time was said before
                self._tell(f"the page for phones has stopped, and is tried again: {why}")
                self._told = why
            await asyncio.sleep(delay_s)
            delay_s = min(2 * delay_s, LAST_S)

    async def _run(self) -> str:
        """From its start to its end, and why it came to that."""
        child = await self._start_child()
        try:
            async for line in child.lines():
                self._hear(line)
            return await child.end()
        finally:
            self.port = None
            await child.kill()

    def _hear(self, line: str) -> None:
        try:
            told = json.loads(line)
            port, said = told.get("port"), told.get("said")
        except (ValueError, AttributeError, RecursionError):
            port, said = None, line
        if isinstance(said, str) and said.strip():
            self._hearsay.hear(one_line(said.strip(), _LONGEST_SAID))
        if isinstance(port, int):
            self.port = port
            self._opened(port)


class Hearsay:
    """What a page says, a few lines a minute: to print one, the table stops for a moment.

    What was told lately is not told again. How many lines were left out is a line as well.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, tell: Callable[[str], None]) -> None:
        self._loop = loop
        self._tell = tell
        self._known: deque[str] = deque(maxlen=MOST_LINES)
        """Forgotten after a minute in which nothing was left out."""
        self._told = 0
        self._left_out = 0
        self._timer: asyncio.TimerHandle | None = None

    def hear(self, line: str) -> None:
        if line in self._known or self._told == MOST_LINES:
            self._left_out += 1
        else:
            self._known.append(line)
            self._told += 1
            self._tell(line)
        if self._timer is None:
            self._timer = self._loop.call_later(MINUTE_S, self._begin_minute)

    def _begin_minute(self) -> None:
        self._timer = None
        if self._left_out:
            self._timer = self._loop.call_later(MINUTE_S, self._begin_minute)
        else:
            self._known.clear()
        self._sum_up()

    def _sum_up(self) -> None:
        left_out, self._left_out, self._told = self._left_out, 0, 0
        if left_out:
            self._tell(f"the page for phones: {counted(left_out, 'more line')} left out")

    def close(self) -> None:
        """Twice is no trouble."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._sum_up()


async def end_task(task: asyncio.Task[None] | None) -> None:
    """Cancel it, and wait until it has cleared away."""
    if task is not None:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


# --- The real one -------------------------------------------------------------------------


class PageProcess:
    """`marrakech web` as a process of its own."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._last_words = ""
        assert process.stderr is not None
        self._hearing = asyncio.ensure_future(self._hear(process.stderr))

    async def lines(self) -> AsyncIterator[str]:
        assert self._process.stdout is not None
        async for line in _lines(self._process.stdout):
            yield line

    async def end(self) -> str:
        code = await self._process.wait()
        await self._hearing
        return self._last_words or _ending(code)

    async def kill(self) -> None:
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()
        self._hearing.cancel()

    async def _hear(self, stderr: asyncio.StreamReader) -> None:
        """Of a traceback, too, the last line says what is wrong."""
        async for line in _lines(stderr):
            if line.strip():
                self._last_words = one_line(line.strip(), _LONGEST_SAID).removeprefix("marrakech: ")


async def _lines(reader: asyncio.StreamReader) -> AsyncIterator[str]:
    """Whatever comes; a line that does not end is cut into pieces."""
    rest = b""
    while piece := await reader.read(_LONGEST_LINE):
        *whole, rest = (rest + piece).split(b"\n")
        if len(rest) >= _LONGEST_LINE:
            whole, rest = [*whole, rest], b""
        for line in whole:
            yield line.decode(errors="replace")
    if rest:
        yield rest.decode(errors="replace")


def _ending(code: int) -> str:
    return f"it was ended by signal {-code}" if code < 0 else f"it ended with code {code}"


def page_command(config: WebConfig, socket: Path, folder: Path) -> list[str]:
    """How the page's process is called. It is told everything, and looks for no config."""
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
    tell: Callable[[str], None],
    opened: Callable[[int], None] = lambda _: None,
    environ: Mapping[str, str] = os.environ,
) -> WebProcess:
    """The page of a table whose control socket and games are there: `async with` it."""
    command = page_command(config, socket, folder.absolute())
    inherited = {name: said for name, said in environ.items() if name not in _NOT_FOR_CHILDREN}

    async def start_child() -> PageProcess:
        # A group of its own: Ctrl-C is for the table, which ends the page when it has heard it.
        # But no session: Linux may share the processor out by sessions, and one of its own would
        # have as much of it as the table, however nice it were (autogroup, sched(7)).
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=PIPE,
            env=inherited,
            process_group=0,
            limit=_LONGEST_LINE,
        )
        return PageProcess(process)

    return WebProcess(loop, start_child, tell, opened)
