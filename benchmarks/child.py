"""Child processes of `marrakech bench table`: the bare script, the daemon, resuming a game.

Each prints one line of JSON. Times are of the system's monotonic clock, which parent and child
share.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any

from companion.adapters.virtual.spi import Max7219Chip, VirtualSpi

PAUSE_S = 0.02
IDLE_S = 4.0


class TimedSpi(VirtualSpi):
    """A virtual bus that records when the chip first lights up, and when an expected LED is lit."""

    def __init__(self, chip: Max7219Chip) -> None:
        super().__init__(chip)
        self.max7219 = chip
        self.first_light: float | None = None
        self._is_expected: Callable[[], bool] | None = None
        self._lit = Event()
        self.lit_at = 0.0

    def writebytes(self, data: list[int]) -> None:
        super().writebytes(data)
        registers = self.max7219.registers
        if self.first_light is None and registers[Max7219Chip.SHUTDOWN] & 1 and any(registers[1:9]):
            self.first_light = time.monotonic()
        if self._is_expected is not None and self._is_expected():
            self.lit_at = time.monotonic()
            self._is_expected = None
            self._lit.set()

    def is_lit(self, x: int, y: int) -> bool:
        return bool(self.max7219.registers[x + 1] >> y & 1)

    def measure(self, act: Callable[[], None], is_expected: Callable[[], bool]) -> float:
        """Milliseconds from an action to the byte that lights the expected LED."""
        self._lit.clear()
        self._is_expected = is_expected
        start = time.monotonic()
        act()
        if not self._lit.wait(10):
            raise TimeoutError("the expected LED was not lit within 10 s")
        return (self.lit_at - start) * 1000


def rss_kb(process: str = "self") -> int:
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0


def wakeups() -> int:
    """The number of voluntary context switches of all threads."""
    total = 0
    for task in Path("/proc/self/task").iterdir():
        for line in (task / "status").read_text().splitlines():
            if line.startswith("voluntary_ctxt_switches:"):
                total += int(line.split()[1])
    return total


def print_figures(**figures: Any) -> None:  # noqa: ANN401 - any JSON value
    print(json.dumps(figures), flush=True)


# --- The bare script ----------------------------------------------------------------------


def bare(folder: Path, presses: int) -> None:
    from gpiozero.pins.mock import MockFactory

    from benchmarks.bare import run_bare

    bus, factory = TimedSpi(Max7219Chip()), MockFactory()
    buttons = run_bare(str(folder / "bare.jsonl"), bus, factory)
    pin = factory.pin(5)
    times = []
    for n in range(1, presses + 1):
        time.sleep(PAUSE_S)
        times.append(bus.measure(pin.drive_low, partial(bus.is_lit, n % 8, 3)))
        pin.drive_high()
    print_figures(first_light=bus.first_light, ms=times, rss_kb=rss_kb())
    for button in buttons:
        button.close()


# --- The daemon ---------------------------------------------------------------------------


def daemon(folder: Path, presses: int, debounce_ms: int, rest_s: int) -> None:
    """The daemon as `marrakech serve --virtual` runs it; a thread drives its pins."""
    from companion.cli import main as _whole_command_line  # noqa: F401 - part of the start-up time
    from companion.cli.commands import serve as _serve  # noqa: F401
    from companion.config.file import load_config, parse_config
    from companion.daemon.service import run_service

    load_config(None, environ={}, cwd=folder)
    text = f"[buttons]\ndebounce_ms = {debounce_ms}\n[table]\nrest_after_s = {rest_s}\n"
    config = parse_config(text, "bench")
    hardware = TimedHardware()
    player = Thread(target=_play, args=(hardware, presses, debounce_ms, rest_s), daemon=True)
    run_service(config, hardware, folder, on_opened=lambda _: player.start())


class TimedHardware:
    """Mock pins, created when they are opened: until then gpiozero is not imported."""

    is_simulated = True

    def __init__(self) -> None:
        self.bus = TimedSpi(Max7219Chip())
        self.factory: Any = None

    def open_spi(self, config: object) -> VirtualSpi:  # noqa: ARG002
        return self.bus

    def open_pad(self, *_: object) -> None:
        """No pad: the benchmark presses buttons."""

    def open_pins(self) -> Any:  # noqa: ANN401 - gpiozero has no types
        from companion.adapters.gpio.pin_factory import open_pin_factory

        self.factory = open_pin_factory("mock")
        return self.factory


def _play(hardware: TimedHardware, presses: int, debounce_ms: int, rest_s: int) -> None:
    """Set up a game, then turn Assam east and south. Each press is written to the journal."""
    import signal

    bus = hardware.bus
    pins = {name: hardware.factory.pin(n) for name, n in (("ok", 26), ("east", 6), ("south", 13))}
    for _ in range(4):
        pins["ok"].drive_low()
        time.sleep(0.1)
        pins["ok"].drive_high()
        time.sleep(0.2)
    started_rss = rss_kb()
    times = []
    ahead = {"east": (4, 3), "south": (3, 4)}
    for n in range(presses):
        time.sleep(PAUSE_S + debounce_ms / 1000)
        name = "south" if n % 2 else "east"
        x, y = ahead[name]
        times.append(bus.measure(pins[name].drive_low, partial(bus.is_lit, x, y)))
        time.sleep(debounce_ms / 1000)
        pins[name].drive_high()
    moving = _idle(IDLE_S)
    if rest_s:
        time.sleep(rest_s)
    resting = _idle(IDLE_S)
    print_figures(
        first_light=bus.first_light,
        ms=times,
        rss_kb=max(started_rss, rss_kb()),
        moving=moving,
        resting=resting,
    )
    os.kill(os.getpid(), signal.SIGTERM)


def _idle(seconds: float) -> dict[str, float]:
    """Wake-ups and CPU use of the idle process, without the wake-up of this thread."""
    time.sleep(0.2)
    wakeups_before, cpu_before = wakeups(), time.process_time()
    time.sleep(seconds)
    return {
        "wakeups_per_s": round((wakeups() - wakeups_before - 1) / seconds, 2),
        "cpu_percent": round((time.process_time() - cpu_before) / seconds * 100, 2),
    }


# --- Resuming -----------------------------------------------------------------------------


def resume(folder: Path) -> None:
    from companion.storage.game_store import GameStore

    store = GameStore(folder)
    start = time.monotonic()
    game, _ = store.load()
    spent = time.monotonic() - start
    store.close()
    assert game is not None
    print_figures(ms=spent * 1000)


if __name__ == "__main__":
    tasks: dict[str, Callable[..., None]] = {"bare": bare, "daemon": daemon, "resume": resume}
    task, folder, *numbers = sys.argv[1:]
    tasks[task](Path(folder), *map(int, numbers))
