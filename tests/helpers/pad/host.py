"""A serial pad host on virtual time, with pads and port errors behind sockets."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from companion.adapters.pad_health import PadHealth, PadState
from companion.adapters.serial_pad import SerialPad
from companion.i18n.renderer import TextRenderer
from companion.pad.virtual_pad import VirtualPadLogic
from companion.table.inputs import Input
from companion.testing.virtual_time import run


class SocketPad:
    """A pad behind a socket. With `boot_ms`, opening the port resets it."""

    def __init__(self, harness: PadHarness, *, version: int = 1, boot_ms: float = 0) -> None:
        self.loop = harness.loop
        self.logic = VirtualPadLogic(self.now_ms(), lambda: 3, version=version)
        self.boot_ms = boot_ms
        self.is_talking = True
        self.is_echo = False
        self.end: socket.socket | None = None
        self.timer: asyncio.TimerHandle | None = None

    def now_ms(self) -> float:
        return self.loop.time() * 1000

    def connect(self, end: socket.socket) -> None:
        end.setblocking(False)
        if self.boot_ms:
            self.is_talking = False
            self.loop.call_later(self.boot_ms / 1000, self.boot)
        self.end = end
        self.loop.add_reader(end, self.read)
        self.update()

    def boot(self) -> None:
        self.logic.reset(self.now_ms())
        self.is_talking = True
        self.update()

    def read(self) -> None:
        assert self.end is not None
        data = b""
        with suppress(ConnectionResetError):
            data = self.end.recv(4096)
        if not data:
            self.hang_up()
        elif self.is_echo:
            self.end.send(data)
        elif self.is_talking:
            self.logic.receive(data, self.now_ms())
        self.update()

    def update(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        if self.end is not None:
            self.logic.pass_time(self.now_ms())
            data = self.logic.data_to_send()
            if self.is_talking and data:
                self.end.send(data)
            # Slightly later, because the rounded time may be too early.
            self.timer = self.loop.call_at(self.logic.due_ms() / 1000 + 1e-6, self.update)

    def hang_up(self) -> None:
        if self.end is not None:
            self.loop.remove_reader(self.end)
            self.end.close()
            self.end = None

    def tap(self, key: int) -> None:
        self.logic.press(key, self.now_ms())
        self.update()
        self.loop.call_later(0.02, self.release, key)

    def release(self, key: int) -> None:
        self.logic.release(key, self.now_ms())
        self.update()


class PadHarness:
    """Ports with pads or errors behind them, a host, and what it delivered and reported."""

    def __init__(self, *, port: str = "", roll: str = "pad") -> None:
        self.loop = asyncio.get_running_loop()
        self.ports: dict[str, SocketPad | Exception] = {}
        self.opened: list[tuple[int, str]] = []
        self.searches = 0
        self.reports: list[PadHealth] = []
        self.inputs: list[Input] = []
        self.sessions = iter(range(100, 200))
        self.host = SerialPad(
            self.loop,
            self.inputs.append,
            self.reports.append,
            port=port,
            roll=roll,
            find_ports=self.find,
            open_port=self.open,
            new_session=lambda: next(self.sessions),
        )

    def find(self, wanted: str) -> list[str]:
        self.searches += 1
        return [wanted] if wanted else list(self.ports)

    def open(self, path: str) -> socket.socket:
        self.opened.append((round(self.loop.time() * 1000), path))
        pad = self.ports.get(path, FileNotFoundError(errno.ENOENT, "gone"))
        if isinstance(pad, Exception):
            raise pad
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        self.loop.call_soon_threadsafe(pad.connect, theirs)
        return ours

    def unplug(self, path: str) -> SocketPad:
        pad = self.ports.pop(path)
        assert isinstance(pad, SocketPad)
        pad.hang_up()
        return pad

    async def wait(self, ms: float) -> None:
        await asyncio.sleep(ms / 1000)

    def states(self) -> list[PadState]:
        return [health.state for health in self.reports]

    def message_text(self) -> str:
        message = self.host.health.message
        return TextRenderer().render(message) if message else ""


def run_pad_script(
    script: Callable[[PadHarness], Coroutine[Any, Any, None]], **options: str
) -> PadHarness:
    async def main() -> PadHarness:
        harness = PadHarness(**options)
        harness.loop.set_exception_handler(lambda _, context: errors.append(context))
        await script(harness)
        harness.host.close()
        harness.host.close()
        for pad in harness.ports.values():
            if isinstance(pad, SocketPad):
                pad.hang_up()
        await harness.wait(100)
        return harness

    errors: list[dict[str, Any]] = []
    harness = run(main())
    assert errors == []
    return harness


async def connect(harness: PadHarness, path: str = "/dev/a", **options: float) -> SocketPad:
    pad = SocketPad(harness, boot_ms=options.get("boot_ms", 0))
    harness.ports[path] = pad
    harness.host.start()
    await harness.wait(options.get("boot_ms", 0) + 300)
    assert harness.host.health.state is PadState.CONNECTED
    return pad
