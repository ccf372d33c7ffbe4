"""pad_sim itself: its script language, its build and its licence."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from helpers.pad.tools import FIRMWARE
from helpers.patience import PATIENCE_S

SOURCES = sorted((FIRMWARE / "simavr").glob("*.[ch]"))
LICENCE = (
    "Copyright (C) the authors of Marrakech companion The files of this folder are linked with "
    "libsimavr, which is under the GNU General Public License, and so are they: you can "
    "redistribute them and/or modify them under the terms of the GNU General Public License as "
    "published by the Free Software Foundation, either version 3 of the License, or (at your "
    "option) any later version. They are distributed in the hope that they will be useful, but "
    "WITHOUT ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or FITNESS FOR A "
    "PARTICULAR PURPOSE. See <https://www.gnu.org/licenses/>."
)


# --- Scripts and output ---------------------------------------------------------------------


@dataclass(frozen=True)
class Play:
    """Runs a script as fast as possible, to its end. The script is read from a file, so that the
    output has the same times of the pad on a busy machine."""

    program: Path
    image: Path
    script: Path

    def __call__(self, *lines: str, options: tuple[str, ...] = ()) -> list[str]:
        """The output, without the name of the pty."""
        ended = self.run(*lines, options=("--fast", *options, str(self.image)))
        assert (ended.returncode, ended.stderr) == (0, "")
        return [re.sub(r"^pty .*", "pty", line) for line in ended.stdout.splitlines()]

    def run(self, *lines: str, options: tuple[str, ...]) -> CompletedProcess[str]:
        self.script.write_text("".join(f"{line}\n" for line in lines))
        command = [str(self.program), *options]
        with self.script.open() as script:
            return subprocess.run(
                command, stdin=script, capture_output=True, text=True, timeout=PATIENCE_S
            )


@pytest.fixture
def play(program: Path, image: Path, tmp_path: Path) -> Play:
    return Play(program, image, tmp_path / "script")


def words(output: list[str]) -> list[str]:
    return [line.split(" t=")[0] for line in output]


def test_pad_sim_ends_with_the_script(play: Play) -> None:
    assert words(play()) == ["pty", "reset power"]
    assert words(play("quit", "echo never")) == ["pty", "reset power"]


def test_a_wait_is_in_the_pads_time(play: Play) -> None:
    output = play("echo one", "wait 123.5", "echo two")
    assert words(output) == ["pty", "reset power", "echo one", "echo two"]
    one, two = (float(line.split(" t=")[1]) for line in output[2:])
    assert two - one == pytest.approx(123.5, abs=0.002)


def test_lines_after_a_reset_are_run_after_it(play: Play) -> None:
    start = ["pty", "reset power"]
    assert words(play("reset", "echo after")) == [*start, "reset button", "echo after"]
    assert words(play("unplug", "plug", "echo after")) == [*start, *start, "echo after"]


def test_an_unplugged_pad_cannot_be_reset_and_the_script_continues(play: Play) -> None:
    start = ["pty", "reset power"]
    assert words(play("unplug", "reset", "hang loop", "plug", "echo after")) == [
        *start,
        *start,
        "echo after",
    ]


def test_a_script_longer_than_the_buffer_is_run_to_its_end(play: Play) -> None:
    lines = ["wait 3000", *("echo " + "x" * 60 for _ in range(2000)), "echo end"]
    assert words(play(*lines))[-1] == "echo end"


def test_a_wait_continues_after_a_reset(play: Play) -> None:
    """A reset clears the timers of simavr."""
    output = play("echo one", "hang loop", "wait 1000", "echo two")
    assert words(output) == ["pty", "reset power", "echo one", "reset watchdog", "echo two"]
    one, reset, two = (float(line.split(" t=")[1]) for line in output[2:])
    assert reset - one == pytest.approx(500, abs=50)
    assert two - one == pytest.approx(1000, abs=0.002)


def test_keys_stay_down_through_a_reset(play: Play) -> None:
    """Without a host a key is refused with three flashes: before and after the reset."""
    start, flashes = ["pty", "reset power"], ["led 1", "led 0"] * 3
    assert words(play("wait 600", "reset", "wait 600")) == [*start, "reset button"]
    output = words(play("key 1 down", "wait 600", "reset", "wait 600"))
    assert output == [*start, *flashes, "reset button", *flashes]


def test_the_noise_depends_on_the_seed(play: Play, tmp_path: Path) -> None:
    """A new board derives its number from noise, and stores it in the EEPROM."""
    kept = []
    for index, seed in enumerate(("7", "7", "8")):
        eeprom = tmp_path / f"eeprom-{index}"
        play("wait 100", options=("--noise", seed, "--eeprom", str(eeprom)))
        kept.append(eeprom.read_bytes())
    assert [len(one) for one in kept] == [1024] * 3
    assert kept[0] == kept[1] != kept[2]


@pytest.mark.parametrize(
    "line", ["key 6 down", "bounce 0 6 1000us", "glitch 1", "level D7 0", "level B2 0", "dance"]
)
def test_an_invalid_line_ends_pad_sim_with_an_error(play: Play, line: str) -> None:
    ended = play.run(line, "echo never", options=("--fast", str(play.image)))
    assert (ended.returncode, ended.stderr) == (1, f"pad_sim: {line}: not understood\n")
    assert "never" not in ended.stdout


def test_without_an_image_the_usage_is_printed(play: Play) -> None:
    ended = play.run(options=("--fast",))
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("pad_sim: which image? pad_sim [--fast] ")


# --- How it is built, and its licence -------------------------------------------------------


def first_comment(source: Path) -> str:
    """The first comment of a file, as one line."""
    comment = re.match(r"/\*\n(.*?)\*/", source.read_text(), re.DOTALL)
    assert comment is not None
    return " ".join(word for word in comment[1].split() if word != "*")


def is_built(build: Path, changed: Path | None = None) -> bool:
    """Whether make has nothing to do, assuming that this file has changed."""
    what_if = [f"--what-if=simavr/{changed.name}"] if changed else []
    command = ["make", "-C", str(FIRMWARE), f"BUILD={build}", "--question", *what_if, "sim"]
    checked = subprocess.run(command, capture_output=True, text=True)
    assert checked.returncode in (0, 1), checked.stderr
    return checked.returncode == 0


def test_a_change_in_any_file_rebuilds_the_simulator(program: Path) -> None:
    """`play` and `bench` rely on make to rebuild the program."""
    assert is_built(program.parent)
    assert [one.name for one in SOURCES if is_built(program.parent, one)] == []


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_files_linked_with_libsimavr_have_its_licence(source: Path) -> None:
    assert LICENCE in first_comment(source)


def test_nothing_else_is_linked_with_libsimavr() -> None:
    """The rest of the project is under the MIT licence."""
    others = [
        path.relative_to(FIRMWARE).as_posix()
        for pattern in ("*.c", "*.h")
        for path in FIRMWARE.rglob(pattern)
        if "simavr" in path.read_text() and path not in SOURCES
    ]
    assert others == []
    rules = (FIRMWARE / "Makefile").read_text()
    assert [line for line in rules.splitlines() if "-lsimavr" in line] == [
        "\t$(CC) $(SIM_FLAGS) -o $@ $(SIM) -lsimavr"
    ]
