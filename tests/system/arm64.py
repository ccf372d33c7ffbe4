"""Installs the companion on 64-bit ARM without a compiler, and plays a game.

    python -P tests/system/arm64.py
    ... --root FOLDER                      use a copy of this root; create it if it is missing

Creates a Debian for arm64 and runs it with qemu. Tests that all dependencies have wheels for it,
and that they work. Exit code 77 if this machine cannot run it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))  # -P leaves it out

from system.emulation import arm64_programs
from system.errors import CannotRunError, StepFailedError, expect, expect_equal
from system.host import find_mirror, find_package_access
from system.root import RELEASE, Root
from system.workspace import (
    FAILED,
    SKIPPED,
    StepLog,
    check_machine,
    copy_tree,
    interrupt_on_signals,
    parse_arguments,
    temporary_folder,
)

PACKAGES = ("ca-certificates", "python3", "python3-venv")
VENV = "/opt/table"
GAME = "tests/scenario/files/whole_game_with_one_out.txt"


def main(words: list[str]) -> int:
    args = parse_arguments(__doc__, words)
    try:
        check_machine()
        with interrupt_on_signals(), temporary_folder() as work, arm64_programs(work) as qemu:
            return run_steps(work, qemu, args.root)
    except CannotRunError as error:
        print(f"SKIPPED: {error}", flush=True)
        return SKIPPED


def run_steps(work: Path, qemu: str, kept: Path | None) -> int:
    log = StepLog()
    table = Arm64Table(work, kept)
    steps = {
        "wheel": table.build_wheel,
        "root": lambda: table.make_root(qemu),
        "install": table.install,
        "doctor": table.run_checks,
        "game": table.play,
    }
    try:
        for name, step in steps.items():
            log.run(name, step)
    except StepFailedError as error:
        print(f"\n=== FAILED ===\n{error}", flush=True)
        return FAILED
    finally:
        log.print_table()
    return 0


class Arm64Table:
    def __init__(self, work: Path, kept: Path | None) -> None:
        self._work = work
        self._kept = kept
        self._log = work / "root.log"
        self._root = Root(work / "root", find_package_access(os.environ))
        self._wheel = ""

    def build_wheel(self) -> str:
        """On this machine, like a release."""
        tree = copy_tree(self._work / "tree")
        words = ["wheel", "--quiet", "--no-deps", "--wheel-dir", str(self._work), "."]
        environ = {**os.environ, "PIP_CONSTRAINT": "constraints.txt"}
        done = subprocess.run([sys.executable, "-m", "pip", *words], cwd=tree, env=environ)
        expect_equal(done.returncode, 0, "pip builds a wheel")
        wheel = next(self._work.glob("*.whl"))
        self._wheel = wheel.name
        expect(wheel.name.endswith("-py3-none-any.whl"), f"{wheel.name} is platform independent")
        return wheel.name

    def make_root(self, qemu: str) -> str:
        def make() -> None:
            mirror = find_mirror(os.environ, RELEASE)
            self._root.make(mirror, self._log, machine="arm64", packages=PACKAGES)

        self._root.make_or_copy(self._kept, make)
        for name in (self._wheel, "tree/constraints.txt", f"tree/{GAME}"):
            source = self._work / name
            self._root.at(source.name).write_bytes(source.read_bytes())
        machine = self._check_run("uname", "-m").strip()
        expect_equal(machine, "aarch64", "the architecture")
        for compiler in ("cc", "gcc", "clang"):
            found = self._check_run("sh", "-c", f"command -v {compiler} || true").strip()
            expect_equal(found, "", "there is no compiler")
        return f"{RELEASE} for arm64, with {qemu}; without a compiler"

    def install(self) -> str:
        self._check_run("python3", "-m", "venv", VENV)
        words = ("--quiet", "--only-binary", ":all:", "--constraint", "/constraints.txt")
        self._check_run(f"{VENV}/bin/python", "-m", "pip", "install", *words, f"/{self._wheel}")
        listed = self._check_run(f"{VENV}/bin/python", "-m", "pip", "list", "--format=freeze")
        return f"{len(listed.split())} packages, all from wheels"

    def run_checks(self) -> str:
        report = self._check_run(f"{VENV}/bin/marrakech", "doctor", "--virtual")
        expect("nothing failed" in report, f"the doctor finds no failure\n{report}")
        line = next(line for line in report.splitlines() if " python " in line)
        return re.sub(r"\s+", " ", line.removeprefix("ok")).strip()

    def play(self) -> str:
        printed = self._check_run(
            f"{VENV}/bin/marrakech", "play", "--script", f"/{Path(GAME).name}"
        )
        return printed.strip().splitlines()[-1]

    def _check_run(self, *command: str) -> str:
        done = self._root.run(*command)
        if done.returncode:
            raise StepFailedError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
        return done.stdout


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
