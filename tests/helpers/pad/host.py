"""A host for die pads on virtual time, with pads and troubles behind ports that are sockets."""

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
from companion.pad.padside import VirtualPadLogic
from companion.table.inputs import Input
from companion.testing.virtual_time import run


class SocketPad:
    """A pad behind a socket. Opening it is a reset, if it is such a pad, and takes its time."""

    def __init__(self, desk: Desk, *, version: int = 1, boot_ms: float = 0) -> None:
        self.loop = desk.loop
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
        self.go_on()

    def boot(self) -> None:
        self.logic.reset(self.now_ms())
        self.is_talking = True
        self.go_on()

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
        self.go_on()

    def go_on(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        if self.end is not None:
            self.logic.pass_time(self.now_ms())
            data = self.logic.to_send()
            if self.is_talking and data:
                self.end.send(data)
            # A hair after it: what is due by a number that was rounded is not due before.
            self.timer = self.loop.call_at(self.logic.due_ms() / 1000 + 1e-6, self.go_on)

    def hang_up(self) -> None:
        if self.end is not None:
            self.loop.remove_reader(self.end)
            self.end.close()
            self.end = None

    def tap(self, key: int) -> None:
        self.logic.press(key, self.now_ms())
        self.go_on()
        self.loop.call_later(0.02, self.let_go, key)

    def let_go(self, key: int) -> None:
        self.logic.release(key, self.now_ms())
        self.go_on()


class Desk:
    """Ports with pads or troubles behind them, a host, and what it delivered and told."""

    def __init__(self, *, port: str = "", roll: str = "pad") -> None:
        self.loop = asyncio.get_running_loop()
        self.ports: dict[str, SocketPad | Exception] = {}
        self.opened: list[tuple[int, str]] = []
        self.searches = 0
        self.told: list[PadHealth] = []
        self.inputs: list[Input] = []
        self.sessions = iter(range(100, 200))
        self.host = SerialPad(
            self.loop,
            self.inputs.append,
            self.told.append,
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
        return [told.state for told in self.told]

    def said(self) -> str:
        said = self.host.health.said
        return TextRenderer().say(said) if said else ""


def play(script: Callable[[Desk], Coroutine[Any, Any, None]], **told: str) -> Desk:
    async def main() -> Desk:
        desk = Desk(**told)
        desk.loop.set_exception_handler(lambda _, about: faults.append(about))
        await script(desk)
        desk.host.close()
        desk.host.close()
        for pad in desk.ports.values():
            if isinstance(pad, SocketPad):
                pad.hang_up()
        await desk.wait(100)
        return desk

    faults: list[dict[str, Any]] = []
    desk = run(main())
    assert faults == []
    return desk


async def connect(desk: Desk, path: str = "/dev/a", **about: float) -> SocketPad:
    pad = SocketPad(desk, boot_ms=about.get("boot_ms", 0))
    desk.ports[path] = pad
    desk.host.start()
    await desk.wait(about.get("boot_ms", 0) + 300)
    assert desk.host.health.state is PadState.CONNECTED
    return pad
