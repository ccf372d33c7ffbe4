"""The installed table under a real systemd: a Debian of its own is made, booted, and lived in.

It takes root, and a Linux that lets root make namespaces. MARRAKECH_KEPT_ROOT names a folder with a
copy of the Debian root, made there if there is none: then it starts a minute earlier.
"""

from __future__ import annotations

import os
import shutil
from functools import partial
from pathlib import Path

import pytest
from helpers.requirements import forbidden_here
from system.container import Container
from system.failure import ForbiddenError, SceneError
from system.host import find_mirror, find_reach
from system.pi import UNIT, Pi
from system.root import RELEASE, Root
from system.scenes import SCENES
from system.workshop import (
    Schedule,
    check_machine,
    copy_tree,
    signals_interrupt,
    work_folder,
)


@pytest.mark.system
def test_the_installed_service_survives_whatever_happens_to_it() -> None:
    kept = os.environ.get("MARRAKECH_KEPT_ROOT")
    try:
        check_machine()
        with signals_interrupt(), work_folder() as work:
            play_scenes(work, Path(kept) if kept else None)
    except ForbiddenError as error:
        forbidden_here(str(error))


def play_scenes(work: Path, kept: Path | None) -> None:
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
    finally:
        container.close()
        schedule.print_table()


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
        raise ForbiddenError(f"systemd-nspawn cannot boot a root: {error}") from error
    return "its systemd runs, and nothing has failed"


def play_all(pi: Pi, schedule: Schedule) -> None:
    """The first scene that does not come out is the last: the others build on it."""
    for name, scene in SCENES.items():
        try:
            schedule.take(name, partial(scene, pi))
        except Exception as error:
            print(f"\n=== FAILED: {name} ===\n{type(error).__name__}: {error}")
            print("\n=== the log of the service ===")
            print(pi.container.journal("--unit", UNIT, "--lines=100"))
            print("\n=== the log of the machine ===")
            print(pi.container.journal("--lines=30"), flush=True)
            raise SceneError(name) from error
