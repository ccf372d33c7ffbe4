"""`marrakech firmware monitor`: prints key presses and the state of the link."""

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


class Harness:
    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.pad = VirtualPad(self.loop, lambda: 2)
        self.lines: list[str] = []
        self.monitor = PadMonitor(self.loop, self.lines.append, virtual_pad=self.pad)
        self.monitor.start()

    async def read(self, start: str) -> str:
        """Wait for a line that starts with `start`."""
        await self.until(lambda: any(line.startswith(start) for line in self.lines))
        return [line for line in self.lines if line.startswith(start)][-1]

    async def until(self, is_so: Callable[[], bool]) -> None:
        began = monotonic()
        while not is_so():
            assert monotonic() < began + PATIENCE_S, self.lines
            await asyncio.sleep(0.002)


def run_harness(check: Callable[[Harness], Coroutine[Any, Any, None]]) -> list[str]:
    async def main() -> list[str]:
        harness = Harness()
        try:
            await harness.read("connected")
            await check(harness)
        finally:
            harness.monitor.close()
            harness.pad.close()
        return harness.lines

    return asyncio.run(main())


def test_it_prints_the_pad_its_key_presses_and_the_link_statistics() -> None:
    async def check(harness: Harness) -> None:
        assert await harness.read("connected") == (
            f"connected on {harness.pad.path}: firmware 1.0.0, board 56504144, started 1 time; "
            "its LED blinks because the table waits for a number"
        )
        harness.pad.tap(3)
        await harness.read("key 3")
        harness.pad.tap(5)
        await harness.read("ROLL")

    lines = run_harness(check)
    assert lines[0] == "Looking for the die pad."
    assert lines[2:4] == [f"key 3{LIGHTS_UP}", f"ROLL: the pad rolled 2{LIGHTS_UP}"]
    assert lines[4].startswith("the link: ")
    assert lines[4].endswith(" frames received, 0 lost, 0 damaged, 0 not understood, 0 resets")
    assert len(lines) == 5


def test_the_led_blinks_and_flashes_as_printed() -> None:
    async def check(harness: Harness) -> None:
        await harness.until(harness.pad.is_led_on)
        harness.pad.tap(1)
        await harness.read("key 1")
        await harness.until(lambda: harness.pad.logic._flash == Flash.ACCEPTED)

    run_harness(check)


def test_it_prints_when_the_pad_is_lost_and_found_again() -> None:
    async def check(harness: Harness) -> None:
        harness.pad.unplug()
        await harness.read("The die pad does not answer: check its cable.")
        harness.lines.clear()
        harness.pad.plug_in()
        assert ", started 2 times; " in await harness.read("connected")

    run_harness(check)


def test_link_faults_are_printed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pad_monitor, "LINK_CHECK_INTERVAL_S", 0.02)

    async def check(harness: Harness) -> None:
        await asyncio.sleep(0.1)
        assert not any(line.startswith("the link") for line in harness.lines)
        os.write(harness.pad._pad_end, b"\x7e\xff")  # noise
        assert " 1 damaged, " in await harness.read("the link: ")
        await asyncio.sleep(0.1)
        assert sum(line.startswith("the link") for line in harness.lines) == 1

    run_harness(check)


def test_the_command_reads_the_keyboard_until_ctrl_c() -> None:
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
        lines = [process.stdout.readline() for _ in range(3)]
        assert lines[0] == f"{SIMULATED}\n"
        assert lines[2].startswith("connected on ")
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


def test_it_runs_without_a_keyboard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard input may be a file or closed."""
    lines: list[str] = []

    def print_line(line: str) -> None:
        lines.append(line)
        if line.startswith("connected"):
            os.kill(os.getpid(), signal.SIGINT)

    pad_monitor.run_monitor("", is_virtual=True, print_line=print_line)
    assert [line.split()[0] for line in lines] == ["SIMULATED:", "Looking", "connected", "the"]


def test_without_a_pad_it_prints_what_to_do() -> None:
    lines: list[str] = []

    def print_line(line: str) -> None:
        lines.append(line)
        if "no-such-port" in line:
            os.kill(os.getpid(), signal.SIGTERM)

    pad_monitor.run_monitor("/dev/no-such-port", is_virtual=False, print_line=print_line)
    assert lines[0] == "Press Ctrl-C to stop."
    assert lines[2].startswith("There is no port /dev/no-such-port: plug the die pad in")
