"""The simulator program of the pad: it fails, ends or hangs."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest
from helpers.pad.chip import write_program
from helpers.patience import PATIENCE_S

from companion.adapters.virtual import simavr_pad
from companion.adapters.virtual.simavr_pad import SimavrPad
from companion.errors import CompanionError

IMAGE = Path("image.hex")


def start(program: Path) -> SimavrPad:
    async def main() -> SimavrPad:
        return SimavrPad(asyncio.get_running_loop(), program, IMAGE)

    return asyncio.run(main())


async def until(condition: Callable[[], bool]) -> None:
    began = monotonic()
    while not condition():
        assert monotonic() < began + PATIENCE_S
        await asyncio.sleep(0.002)


def test_a_missing_program_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CompanionError, match=r"pad_sim does not start: No such file or directory$"):
        start(tmp_path / "pad_sim")


def test_a_program_that_fails_is_an_error_with_its_output(tmp_path: Path) -> None:
    program = write_program(tmp_path / "pad_sim", "echo 'pad_sim: image.hex: bad' >&2; exit 1")
    with pytest.raises(CompanionError) as error:
        start(program)
    assert str(error.value) == "the simulated die pad does not run: pad_sim: image.hex: bad"


def test_a_program_that_reports_no_port_times_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simavr_pad, "START_S", 0.05)
    program = write_program(tmp_path / "pad_sim", "exec sleep 60")
    with pytest.raises(CompanionError, match="did not report its port"):
        start(program)


def test_the_port_is_gone_when_the_program_ends(tmp_path: Path) -> None:
    program = write_program(tmp_path / "pad_sim", "echo other; echo pty /dev/x; read line; exit 1")

    async def main() -> None:
        pad = SimavrPad(asyncio.get_running_loop(), program, IMAGE)
        assert pad.ports() == ["/dev/x"]
        pad.press(1)
        await until(lambda: not pad.ports())
        pad.press(2)  # ignored
        pad.close()

    asyncio.run(main())


def test_the_arguments_and_commands_of_the_program(tmp_path: Path) -> None:
    log = tmp_path / "log"
    script = f'echo "$1 $2 $4" > {log}; echo pty /dev/x; echo led 1 t=1.5; cat >> {log}; exit'
    program = write_program(tmp_path / "pad_sim", script)

    async def main() -> None:
        pad = SimavrPad(asyncio.get_running_loop(), program, IMAGE)
        pad.press(1)
        pad.release(1)
        pad.bounce(5)
        pad.bounce(5, is_press=False)
        pad.glitch(2)
        pad.reset()
        await until(lambda: log.read_text().count("\n") == 7 and pad.is_led_on())
        pad.close()
        assert not pad.is_led_on()

    asyncio.run(main())
    assert log.read_text().splitlines() == [
        "--dtr --noise image.hex",
        "key 1 down",
        "key 1 up",
        "bounce 5 6 1000us down",
        "bounce 5 6 1000us up",
        "glitch 2 4000",
        "reset",
    ]


def test_a_program_that_ignores_sigterm_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simavr_pad, "END_S", 0.05)
    program = write_program(
        tmp_path / "pad_sim", "trap '' TERM; echo pty /dev/x; while :; do sleep 0.1; done"
    )
    pad = start(program)
    pid = pad._process.pid
    pad.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
