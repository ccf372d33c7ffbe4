"""Tests buttons, the die pad and the service on a real Linux kernel, without hardware.

    python -P tests/kernel/run_in_kernel.py
    ... --kernel FOLDER                    use the kernel in this folder; build it if it is missing
    ... tests/kernel/inside/test_usb_pad.py -k unplug     arguments of pytest

Builds a User-Mode Linux from Debian's kernel source and boots it on the files of this machine. It
has the device tree of a Raspberry Pi 5 with simulated GPIO chips, and a USB port with a simulated
device. Any user may run it. Exit code 77 if this machine cannot.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))  # -P leaves it out

from kernel.guest import Guest
from kernel.kernel_build import Kernel, build, cache_folder, cached_kernel, find_source_package
from kernel.libraries import install_libraries, unpack_udev
from system.errors import CannotRunError, StepFailedError
from system.workspace import (
    FAILED,
    MIN_FREE_BYTES,
    PARENT_FOLDER,
    SKIPPED,
    StepLog,
    interrupt_on_signals,
    temporary_folder,
)


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kernel", type=Path, metavar="FOLDER", help="built there if missing")
    args, arguments = parser.parse_known_args(words)
    try:
        check_machine()
        with interrupt_on_signals(), temporary_folder() as work:
            return run_steps(work, args.kernel, arguments)
    except CannotRunError as error:
        print(f"SKIPPED: {error}", flush=True)
        return SKIPPED


def check_machine() -> None:
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        raise CannotRunError("User-Mode Linux runs only on a Linux for 64-bit PCs (x86-64)")
    if shutil.disk_usage(PARENT_FOLDER).free < MIN_FREE_BYTES:
        raise CannotRunError(f"{PARENT_FOLDER} is almost full: free some space")


def run_steps(work: Path, folder: Path | None, arguments: list[str]) -> int:
    log = StepLog()
    cache = cache_folder(os.environ)
    try:
        kernel = Kernel(folder.absolute()) if folder else None
        if kernel is None or not kernel.is_built:
            source = find_source_package()
            kernel = kernel or cached_kernel(cache, source)
            log.run("kernel", lambda: prepare_kernel(kernel, source, work))
        guest = Guest(kernel, work / "shared")
        log.run("libraries", lambda: install_libraries(guest.libraries))
        log.run("udev", lambda: unpack_udev(guest.tools))
        log.run("tests", lambda: guest.run_tests(arguments))
    except StepFailedError as error:
        print(f"\n=== FAILED ===\n{error}", flush=True)
        return FAILED
    finally:
        log.print_table()
    return 0


def prepare_kernel(kernel: Kernel, source: str, work: Path) -> str:
    if kernel.is_built:
        return f"{kernel.folder.name}, from the cache"
    folder = work / "kernel"
    folder.mkdir()
    build(kernel, source, folder, work / "kernel.log")
    shutil.rmtree(folder)  # 1.5 GB
    return f"{kernel.folder.name}, built"


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
