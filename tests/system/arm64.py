"""The companion on 64-bit ARM, as a Pi has it: installed without a compiler, and played with.

    python -P tests/system/arm64.py
    ... --root FOLDER                      with a copy of the root there, made if there is none

For the night, or by hand: a Debian for arm64 is made, and run by qemu. What it shows is that every
package the companion needs is there ready-made, and works. Exit code 77 where it cannot be done.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))  # -P leaves it out

from system.emulation import arm64_programs
from system.failure import SceneError, StageError, expect, expect_equal
from system.host import find_mirror, find_reach
from system.root import RELEASE, Root
from system.workshop import (
    FAILED,
    SKIPPED,
    Schedule,
    check_machine,
    copy_tree,
    parse_words,
    signals_interrupt,
    work_folder,
)

PACKAGES = ("ca-certificates", "python3", "python3-venv")
VENV = "/opt/table"
GAME = "tests/scenario/files/whole_game_with_one_out.txt"


def main(words: list[str]) -> int:
    args = parse_words(__doc__, words)
    try:
        check_machine()
        with signals_interrupt(), work_folder() as work, arm64_programs(work) as qemu:
            return play_scenes(work, qemu, args.root)
    except StageError as error:
        print(f"SKIPPED: {error}", flush=True)
        return SKIPPED


def play_scenes(work: Path, qemu: str, kept: Path | None) -> int:
    schedule = Schedule()
    visit = Visit(work, kept)
    scenes = {
        "wheel": visit.build_wheel,
        "root": lambda: visit.make_root(qemu),
        "install": visit.install,
        "doctor": visit.run_checks,
        "game": visit.play,
    }
    try:
        for name, scene in scenes.items():
            schedule.take(name, scene)
    except SceneError as error:
        print(f"\n=== FAILED ===\n{error}", flush=True)
        return FAILED
    finally:
        schedule.print_table()
    return 0


class Visit:
    def __init__(self, work: Path, kept: Path | None) -> None:
        self._work = work
        self._kept = kept
        self._log = work / "root.log"
        self._root = Root(work / "root", find_reach(os.environ))
        self._wheel = ""

    def build_wheel(self) -> str:
        """On this machine, as a release is."""
        tree = copy_tree(self._work / "tree")
        words = ["wheel", "--quiet", "--no-deps", "--wheel-dir", str(self._work), "."]
        environ = {**os.environ, "PIP_CONSTRAINT": "constraints.txt"}
        done = subprocess.run([sys.executable, "-m", "pip", *words], cwd=tree, env=environ)
        expect_equal(done.returncode, 0, "pip builds a wheel")
        wheel = next(self._work.glob("*.whl"))
        self._wheel = wheel.name
        expect(wheel.name.endswith("-py3-none-any.whl"), f"{wheel.name} is for every machine")
        return wheel.name

    def make_root(self, qemu: str) -> str:
        def make() -> None:
            mirror = find_mirror(os.environ, RELEASE)
            self._root.make(mirror, self._log, machine="arm64", packages=PACKAGES)

        self._root.make_or_copy(self._kept, make)
        for name in (self._wheel, "tree/constraints.txt", f"tree/{GAME}"):
            source = self._work / name
            self._root.at(source.name).write_bytes(source.read_bytes())
        machine = self._do("uname", "-m").strip()
        expect_equal(machine, "aarch64", "what the machine says it is")
        for compiler in ("cc", "gcc", "clang"):
            found = self._do("sh", "-c", f"command -v {compiler} || true").strip()
            expect_equal(found, "", "there is no compiler")
        return f"{RELEASE} for arm64, by {qemu}; no compiler in it"

    def install(self) -> str:
        self._do("python3", "-m", "venv", VENV)
        words = ("--quiet", "--only-binary", ":all:", "--constraint", "/constraints.txt")
        self._do(f"{VENV}/bin/python", "-m", "pip", "install", *words, f"/{self._wheel}")
        listed = self._do(f"{VENV}/bin/python", "-m", "pip", "list", "--format=freeze")
        return f"{len(listed.split())} packages, all ready-made"

    def run_checks(self) -> str:
        told = self._do(f"{VENV}/bin/marrakech", "doctor", "--virtual")
        expect("nothing failed" in told, f"the doctor finds nothing wrong\n{told}")
        line = next(line for line in told.splitlines() if " python " in line)
        return re.sub(r"\s+", " ", line.removeprefix("ok")).strip()

    def play(self) -> str:
        told = self._do(f"{VENV}/bin/marrakech", "play", "--script", f"/{Path(GAME).name}")
        return told.strip().splitlines()[-1]

    def _do(self, *command: str) -> str:
        done = self._root.run(*command)
        if done.returncode:
            raise SceneError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
        return done.stdout


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
