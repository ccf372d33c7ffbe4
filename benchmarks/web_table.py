"""The table of `marrakech bench web`: a daemon on mocked hardware, with its page.

Each line of standard input is a number of presses, and is answered by a line of JSON.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from functools import partial
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

from benchmarks.child import PAUSE_S, TimedHardware, print_figures, rss_kb

TIMEOUT_S = 300.0
"""Long, because the page runs at low priority and starts slowly on a busy machine."""
PINS = {"ok": 26, "east": 6, "south": 13}
AHEAD = {"east": (4, 3), "south": (3, 4)}


def main(folder: Path) -> None:
    from companion.config.file import parse_config
    from companion.daemon.service import run_service

    config = parse_config(
        '[buttons]\ndebounce_ms = 0\n[table]\nrest_after_s = 0\n[web]\nhost = "127.0.0.1"\n',
        "bench",
    )
    os.environ.pop("XDG_RUNTIME_DIR", None)  # so that the socket is in the folder
    hardware = TimedHardware()
    opened: Queue[float] = Queue()
    ports: Queue[int] = Queue()
    player = Thread(target=_play_and_stop, args=(hardware, opened, ports), daemon=True)
    player.start()
    run_service(
        config,
        hardware,
        folder,
        on_opened=lambda _: opened.put(time.monotonic()),
        on_page_opened=ports.put,
    )


def _play_and_stop(hardware: TimedHardware, opened: Queue[float], ports: Queue[int]) -> None:
    """Play, and stop the table in any case, so that an error does not hang the benchmark."""
    try:
        _play(hardware, opened, ports)
    finally:
        os.kill(os.getpid(), signal.SIGTERM)


def _play(hardware: TimedHardware, opened: Queue[float], ports: Queue[int]) -> None:
    """Set up a game, then turn Assam east and south. Each press is written to the journal."""
    opened_at = opened.get(timeout=TIMEOUT_S)
    port = ports.get(timeout=TIMEOUT_S)
    page_ms = (time.monotonic() - opened_at) * 1000
    (page,) = (Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text()).split()
    pins = {name: hardware.factory.pin(number) for name, number in PINS.items()}
    for _ in range(4):
        pins["ok"].drive_low()
        time.sleep(0.1)
        pins["ok"].drive_high()
        time.sleep(0.2)
    print_figures(port=port, page_ms=page_ms)
    presses = 0
    for line in sys.stdin:
        times = []
        for _ in range(int(line)):
            times.append(_turn(hardware, pins, "south" if presses % 2 else "east"))
            presses += 1
        print_figures(ms=times, rss_kb=rss_kb(), page_rss_kb=rss_kb(page))


def _turn(hardware: TimedHardware, pins: dict[str, Any], name: str) -> float:
    time.sleep(PAUSE_S)
    x, y = AHEAD[name]
    spent = hardware.bus.measure(pins[name].drive_low, partial(hardware.bus.is_lit, x, y))
    pins[name].drive_high()
    return spent


if __name__ == "__main__":
    main(Path(sys.argv[1]))
