"""`marrakech firmware monitor`: what a pad does, in plain words."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine
from time import monotonic
from typing import Any

import pytest
from helpers.patience import PATIENCE_S

from companion.adapters.virtual.pad import VirtualPad
from companion.cli import pad_monitor
from companion.cli.pad_monitor import SIMULATED, PadMonitor
from companion.pad.messages import Flash

LIGHTS_UP = "; its LED lights up for a moment"


class Bench:
    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.pad = VirtualPad(self.loop, lambda: 2)
        self.said: list[str] = []
        self.monitor = PadMonitor(self.loop, self.said.append, twin=self.pad)
        self.monitor.start()

    async def read(self, start: str) -> str:
        """Wait for a line that begins so."""
        await self.until(lambda: any(line.startswith(start) for line in self.said))
        return [line for line in self.said if line.startswith(start)][-1]

    async def until(self, is_so: Callable[[], bool]) -> None:
        began = monotonic()
        while not is_so():
            assert monotonic() < began + PATIENCE_S, self.said
            await asyncio.sleep(0.002)


def play(scene: Callable[[Bench], Coroutine[Any, Any, None]]) -> list[str]:
    async def main() -> list[str]:
        bench = Bench()
        try:
            await bench.read("connected")
            await scene(bench)
        finally:
            bench.monitor.close()
            bench.pad.close()
        return bench.said

    return asyncio.run(main())


def test_it_says_who_is_there_what_is_pressed_and_how_the_link_was() -> None:
    async def scene(bench: Bench) -> None:
        assert await bench.read("connected") == (
            f"connected on {bench.pad.path}: firmware 1.0.0, board 56504144, started 1 time; "
            "its LED blinks, since a number is wanted"
        )
        bench.pad.tap(3)
        await bench.read("key 3")
        bench.pad.tap(5)
        await bench.read("ROLL")

    said = play(scene)
    assert said[0] == "Looking for the die pad."
    assert said[2:4] == [f"key 3{LIGHTS_UP}", f"ROLL: the pad rolled 2{LIGHTS_UP}"]
    assert said[4].startswith("the link: ")
    assert said[4].endswith(" frames heard, 0 lost, 0 damaged, 0 not understood, 0 resets")
    assert len(said) == 5


def test_the_led_does_what_is_said_of_it() -> None:
    async def scene(bench: Bench) -> None:
        await bench.until(bench.pad.led)
        bench.pad.tap(1)
        await bench.read("key 1")
        await bench.until(lambda: bench.pad.logic._flash == Flash.ACCEPTED)

    play(scene)


def test_lost_and_found_again_is_said() -> None:
    async def scene(bench: Bench) -> None:
        bench.pad.unplug()
        await bench.read("The die pad does not answer: check its cable.")
        bench.said.clear()
        bench.pad.plug_in()
        assert ", started 2 times; " in await bench.read("connected")

    play(scene)


def test_news_of_the_link_is_said_and_no_news_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pad_monitor, "HEALTH_S", 0.02)

    async def scene(bench: Bench) -> None:
        await asyncio.sleep(0.1)
        assert not any(line.startswith("the link") for line in bench.said)
        os.write(bench.pad._pad_end, b"\x7e\xff")  # noise
        assert " 1 damaged, " in await bench.read("the link: ")
        await asyncio.sleep(0.1)
        assert sum(line.startswith("the link") for line in bench.said) == 1

    play(scene)


def test_the_command_listens_to_the_keyboard_until_control_c() -> None:
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "companion", "firmware", "monitor", "--virtual"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        said = [process.stdout.readline() for _ in range(3)]
        assert said[0] == f"{SIMULATED}\n"
        assert said[2].startswith("connected on ")
        process.stdin.write("x2R\n")
        assert process.stdout.readline() == f"key 2{LIGHTS_UP}\n"
        assert process.stdout.readline().startswith("ROLL: the pad rolled ")
        process.stdin.close()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline().startswith("the link: ")
        assert process.wait(PATIENCE_S) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()


def test_without_a_keyboard_it_watches_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard input may be a file, or nothing at all."""
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        if line.startswith("connected"):
            os.kill(os.getpid(), signal.SIGINT)

    pad_monitor.watch_pad("", is_virtual=True, say=say)
    assert [line.split()[0] for line in said] == ["SIMULATED:", "Looking", "connected", "the"]


def test_without_a_pad_it_says_what_to_do() -> None:
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        if "no-such-port" in line:
            os.kill(os.getpid(), signal.SIGTERM)

    pad_monitor.watch_pad("/dev/no-such-port", is_virtual=False, say=say)
    assert said[0] == "Ctrl-C ends this."
    assert said[2].startswith("There is no port /dev/no-such-port: plug the die pad in")
