"""pad_sim itself: what it is told and says, how it is built, and its licence."""

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


# --- What it is told and says ---------------------------------------------------------------


@dataclass(frozen=True)
class Play:
    """Plays a script as fast as it goes, to its end. In a file it is all there from the start:
    whatever is said is said at the same time of the pad, however busy the machine is."""

    program: Path
    image: Path
    script: Path

    def __call__(self, *lines: str, options: tuple[str, ...] = ()) -> list[str]:
        """All that is said, without the pty's name."""
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


def words(said: list[str]) -> list[str]:
    return [line.split(" t=")[0] for line in said]


def test_it_ends_where_the_script_ends(play: Play) -> None:
    assert words(play()) == ["pty", "reset power"]
    assert words(play("quit", "echo never")) == ["pty", "reset power"]


def test_a_wait_is_in_the_time_of_the_pad(play: Play) -> None:
    said = play("echo one", "wait 123.5", "echo two")
    assert words(said) == ["pty", "reset power", "echo one", "echo two"]
    one, two = (float(line.split(" t=")[1]) for line in said[2:])
    assert two - one == pytest.approx(123.5, abs=0.002)


def test_what_is_told_after_a_break_comes_after_it(play: Play) -> None:
    began = ["pty", "reset power"]
    assert words(play("reset", "echo after")) == [*began, "reset button", "echo after"]
    assert words(play("unplug", "plug", "echo after")) == [*began, *began, "echo after"]


def test_a_pad_without_its_cable_cannot_be_reset_and_the_script_goes_on(play: Play) -> None:
    began = ["pty", "reset power"]
    assert words(play("unplug", "reset", "hang loop", "plug", "echo after")) == [
        *began,
        *began,
        "echo after",
    ]


def test_a_script_longer_than_what_can_wait_is_played_to_its_end(play: Play) -> None:
    lines = ["wait 3000", *("echo " + "x" * 60 for _ in range(2000)), "echo end"]
    assert words(play(*lines))[-1] == "echo end"


def test_a_wait_outlasts_a_reset(play: Play) -> None:
    """A reset clears all that simavr was to wake us for."""
    said = play("echo one", "hang loop", "wait 1000", "echo two")
    assert words(said) == ["pty", "reset power", "echo one", "reset watchdog", "echo two"]
    one, reset, two = (float(line.split(" t=")[1]) for line in said[2:])
    assert reset - one == pytest.approx(500, abs=50)
    assert two - one == pytest.approx(1000, abs=0.002)


def test_keys_stay_as_they_are_through_a_reset(play: Play) -> None:
    """Without a host a key is refused with three flashes: once before the reset, once after it."""
    began, flashes = ["pty", "reset power"], ["led 1", "led 0"] * 3
    assert words(play("wait 600", "reset", "wait 600")) == [*began, "reset button"]
    said = words(play("key 1 down", "wait 600", "reset", "wait 600"))
    assert said == [*began, *flashes, "reset button", *flashes]


def test_the_noise_is_that_of_its_seed(play: Play, tmp_path: Path) -> None:
    """A new board makes its number of it, and keeps the number in the EEPROM."""
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
def test_a_line_that_makes_no_sense_ends_it(play: Play, line: str) -> None:
    ended = play.run(line, "echo never", options=("--fast", str(play.image)))
    assert (ended.returncode, ended.stderr) == (1, f"pad_sim: {line}: not understood\n")
    assert "never" not in ended.stdout


def test_without_an_image_it_says_how_it_is_started(play: Play) -> None:
    ended = play.run(options=("--fast",))
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("pad_sim: which image? pad_sim [--fast] ")


# --- How it is built, and its licence -------------------------------------------------------


def head(source: Path) -> str:
    """The comment that a file begins with, as one line."""
    comment = re.match(r"/\*\n(.*?)\*/", source.read_text(), re.DOTALL)
    assert comment is not None
    return " ".join(word for word in comment[1].split() if word != "*")


def is_built(build: Path, changed: Path | None = None) -> bool:
    """Whether make finds nothing to do, were this file changed."""
    what_if = [f"--what-if=simavr/{changed.name}"] if changed else []
    command = ["make", "-C", str(FIRMWARE), f"BUILD={build}", "--question", *what_if, "sim"]
    asked = subprocess.run(command, capture_output=True, text=True)
    assert asked.returncode in (0, 1), asked.stderr
    return asked.returncode == 0


def test_a_change_in_any_file_builds_the_simulator_anew(program: Path) -> None:
    """`play` and `bench` leave it to make whether the program is of today."""
    assert is_built(program.parent)
    assert [one.name for one in SOURCES if is_built(program.parent, one)] == []


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_what_is_linked_with_libsimavr_is_under_its_licence(source: Path) -> None:
    assert LICENCE in head(source)


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
