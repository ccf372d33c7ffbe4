"""Installs the table in a booted Debian container, and tests it under a real systemd.

Needs root, and a Linux that lets root create namespaces. MARRAKECH_KEPT_ROOT names a folder for a
copy of the Debian root, which saves a minute from the second run on.
"""

from __future__ import annotations

import os
import shutil
from functools import partial
from pathlib import Path

import pytest
from helpers.requirements import forbidden_here
from system.container import Container
from system.errors import ForbiddenError, StepFailedError
from system.host import find_mirror, find_package_access
from system.installed_table import UNIT, InstalledTable
from system.root import RELEASE, Root
from system.service_steps import STEPS
from system.workspace import (
    StepLog,
    check_machine,
    copy_tree,
    interrupt_on_signals,
    temporary_folder,
)


@pytest.mark.system
def test_installed_service_survives_crashes_power_cuts_and_upgrades() -> None:
    kept = os.environ.get("MARRAKECH_KEPT_ROOT")
    try:
        check_machine()
        with interrupt_on_signals(), temporary_folder() as work:
            run_steps(work, Path(kept) if kept else None)
    except ForbiddenError as error:
        forbidden_here(str(error))


def run_steps(work: Path, kept: Path | None) -> None:
    log = StepLog()
    tree = copy_tree(work / "tree")
    access = find_package_access(os.environ)
    root = Root(work / "root", access)
    log.run("root", lambda: make_root(root, work / "root.log", kept))
    container = Container(
        root, find_nspawn(root, work), work / "console.log", folders=access.folders
    )
    try:
        log.run("boot", lambda: boot(container))
        run_service_steps(InstalledTable(container, tree), log)
    finally:
        container.close()
        log.print_table()


def make_root(root: Root, log: Path, kept: Path | None) -> str:
    root.make_or_copy(kept, lambda: root.make(find_mirror(os.environ, RELEASE), log))
    return f"a {RELEASE} root with systemd and Python"


def find_nspawn(root: Root, work: Path) -> list[str]:
    on_path = shutil.which("systemd-nspawn")
    return [on_path] if on_path else root.unpack_nspawn(work / "tools", work / "root.log")


def boot(container: Container) -> str:
    """Nothing of the companion is in it yet: a failure is the machine's fault."""
    try:
        container.boot()
    except (StepFailedError, OSError) as error:
        raise ForbiddenError(f"systemd-nspawn cannot boot a root: {error}") from error
    return "systemd is running, without failed units"


def run_service_steps(table: InstalledTable, log: StepLog) -> None:
    """Stops at the first failed step: later steps depend on it."""
    for name, step in STEPS.items():
        try:
            log.run(name, partial(step, table))
        except Exception as error:
            print(f"\n=== FAILED: {name} ===\n{type(error).__name__}: {error}")
            print("\n=== log of the service ===")
            print(table.container.journal("--unit", UNIT, "--lines=100"))
            print("\n=== log of the container ===")
            print(table.container.journal("--lines=30"), flush=True)
            raise StepFailedError(name) from error
