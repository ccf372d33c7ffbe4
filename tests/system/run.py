"""The installed table under a real systemd: a Debian of its own is made, booted, and lived in.

    python -P tests/system/run.py              as a stage of ./marrakech test
    ... --root FOLDER                          with a copy of the root there, made if there is none

Root's business, and Linux's. Where it cannot be done the exit code is 77, and a line says why.
"""

from __future__ import annotations

import os
import shutil
import sys
from functools import partial
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))  # -P leaves it out

from system.container import Container
from system.failure import SceneError, StageError
from system.host import find_mirror, find_reach
from system.pi import UNIT, Pi
from system.root import RELEASE, Root
from system.scenes import SCENES
from system.workshop import (
    FAILED,
    SKIPPED,
    Schedule,
    check_machine,
    copy_tree,
    heed_signals,
    parse_words,
    work_folder,
)


def main(words: list[str]) -> int:
    args = parse_words(__doc__, words)
    heed_signals()
    try:
        check_machine()
        with work_folder() as work:
            return play_scenes(work, args.root)
    except StageError as error:
        print(f"SKIPPED: {error}", flush=True)
        return SKIPPED


def play_scenes(work: Path, kept: Path | None) -> int:
    schedule = Schedule()
    tree = copy_tree(work / "tree")
    reach = find_reach(os.environ)
    root = Root(work / "root", reach)
    schedule.take("root", lambda: make_root(root, work / "root.log", kept))
    container = Container(
        root, find_nspawn(root, work), work / "console.log", folders=reach.folders
    )
    try:
        schedule.take("boot", lambda: boot(container))
        play_all(Pi(container, tree), schedule)
    except SceneError:
        return FAILED
    finally:
        container.close()
        schedule.print_table()
    return 0


def make_root(root: Root, log: Path, kept: Path | None) -> str:
    root.make_or_copy(kept, lambda: root.make(find_mirror(os.environ, RELEASE), log))
    return f"a {RELEASE} of its own, with systemd and Python"


def find_nspawn(root: Root, work: Path) -> list[str]:
    on_path = shutil.which("systemd-nspawn")
    return [on_path] if on_path else root.unpack_nspawn(work / "tools", work / "root.log")


def boot(container: Container) -> str:
    """There is nothing of ours in it yet: if it does not boot, it is the machine's fault."""
    try:
        container.boot()
    except (SceneError, OSError) as error:
        raise StageError(f"systemd-nspawn cannot boot a root here: {error}") from error
    return "its systemd runs, and nothing has failed"


def play_all(pi: Pi, schedule: Schedule) -> None:
    """The first scene that does not come out is the last: the others build on it."""
    for name, scene in SCENES.items():
        try:
            schedule.take(name, partial(scene, pi))
        except Exception as error:
            print(f"\n=== FAILED: {name} ===\n{type(error).__name__}: {error}")
            print("\n=== what the service said ===")
            print(pi.container.journal("--unit", UNIT, "--lines=100"))
            print("\n=== what else was said ===")
            print(pi.container.journal("--lines=30"), flush=True)
            raise SceneError(name) from error


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
