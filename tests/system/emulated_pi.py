"""Installs the companion on a card for a Raspberry Pi 3B, and boots it in QEMU.

    python -P tests/system/emulated_pi.py
    ... --root FOLDER            use copies of the Debian roots in this folder; create them first

The kernel, its drivers for pins, SPI and card, systemd and the service's unit are the real ones.
QEMU emulates processor, SPI controller, card and pins. Its pins have levels, but no interrupts, so
nothing can press a button: inputs come through the control socket. Exit code 77 if this machine
cannot run it.
"""

from __future__ import annotations

import os
import shutil
import sys
from functools import partial
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))  # -P leaves it out

from system.emulated_pi_steps import STEPS, PiTable
from system.emulation import arm64_programs
from system.errors import CannotRunError, StepFailedError
from system.host import find_package_access
from system.installed_table import CHECKOUT, UNIT
from system.pi_card import PiCard
from system.pi_machine import EmulatedPi
from system.root import Root
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

MIN_FREE_BYTES = 6_000_000_000


def main(words: list[str]) -> int:
    args = parse_arguments(__doc__, words)
    try:
        check_machine()
        with interrupt_on_signals(), temporary_folder() as work:
            return run_steps(work, args.root)
    except CannotRunError as error:
        print(f"SKIPPED: {error}", flush=True)
        return SKIPPED


def run_steps(work: Path, kept: Path | None) -> int:
    if shutil.which("mke2fs") is None:
        raise CannotRunError("mke2fs is missing: 'apt install e2fsprogs'")
    if shutil.disk_usage(work).free < MIN_FREE_BYTES:
        raise CannotRunError(f"less than {MIN_FREE_BYTES // 10**9} GB are free in {work.parent}")
    if kept is not None:
        kept.mkdir(exist_ok=True)
    access = find_package_access(os.environ)
    card = PiCard(Root(work / "card", access), Root(work / "tools", access), work / "root.log")
    pi = EmulatedPi(card.tools, card.folder)
    table = PiTable(pi, card.root, copy_tree(work / "tree"))
    log = StepLog()
    try:
        log.run("qemu", lambda: card.make_tools(kept and kept / "tools"))
        with arm64_programs(work):
            log.run("root", lambda: card.make_root(kept and kept / "card"))
            table.put_checkout()
            log.run("install", lambda: card.install(CHECKOUT))
            log.run("card", card.write_image)
        for name, step in STEPS.items():
            log.run(name, partial(step, table))
    except StepFailedError as error:
        print(f"\n=== FAILED ===\n{error}", flush=True)
        print_logs(pi)
        return FAILED
    finally:
        pi.close()
        log.print_table()
    return 0


def print_logs(pi: EmulatedPi) -> None:
    print(f"\n=== console ===\n{pi.console_log()}", flush=True)
    if pi.is_on:
        try:
            print(f"\n=== log of the service ===\n{pi.journal('--unit', UNIT, '--lines=60')}")
        except StepFailedError as error:
            print(f"the Pi does not answer: {error}", flush=True)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
