"""Runs arm64 programs on this machine with qemu."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from system.errors import CannotRunError

BINFMT = Path("/proc/sys/fs/binfmt_misc")
"""The kernel's registry of interpreters for foreign binaries."""
QEMU, PACKAGE = "qemu-aarch64-static", "qemu-user-static"
# The first bytes of an ELF program for 64-bit ARM. The mask ignores its ABI, and whether it is
# position independent.
_MAGIC = rb"\x7fELF\x02\x01\x01" + rb"\x00" * 9 + rb"\x02\x00\xb7\x00"
_MASK = rb"\xff" * 7 + rb"\x00" + rb"\xff" * 8 + rb"\xfe\xff\xff\xff"


@contextmanager
def arm64_programs(work: Path) -> Iterator[str]:
    """Inside this context, arm64 programs run. Yields the name of the emulator.

    With the flag F the kernel keeps qemu open, so it does not have to exist in the root.
    """
    if platform.machine() == "aarch64":
        yield "this machine's own processor"
        return
    qemu = _find_qemu(work)
    version = subprocess.run([qemu, "--version"], capture_output=True, text=True, check=True)
    with _binfmt_mounted():
        entry = BINFMT / f"marrakech-{os.getpid()}"
        rule = b":%b:M::%b:%b:%b:F" % (entry.name.encode(), _MAGIC, _MASK, os.fsencode(qemu))
        try:
            (BINFMT / "register").write_bytes(rule)
        except OSError as error:
            raise CannotRunError(
                f"{QEMU} cannot be registered for arm64 programs: {error}"
            ) from error
        try:
            yield version.stdout.split("\n")[0]
        finally:
            entry.write_text("-1")


def _find_qemu(work: Path) -> Path:
    """The installed qemu, or the program unpacked from the Debian package."""
    if found := shutil.which(QEMU):
        return Path(found)
    folder = work / "qemu"
    folder.mkdir()
    words = ["apt-get", "download", "-qq", "-o", "APT::Sandbox::User=root", PACKAGE]
    if subprocess.run(words, cwd=folder, check=False).returncode:
        raise CannotRunError(
            f"{PACKAGE} cannot be downloaded: 'apt update', or 'apt install {PACKAGE}'"
        )
    package = next(folder.glob("*.deb"))
    subprocess.run(["dpkg-deb", "--extract", package, folder], check=True)
    return folder / "usr/bin" / QEMU


@contextmanager
def _binfmt_mounted() -> Iterator[None]:
    if (BINFMT / "register").exists():
        yield
        return
    words = ["mount", "--types", "binfmt_misc", "binfmt_misc", str(BINFMT)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CannotRunError(f"binfmt_misc cannot be mounted: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", str(BINFMT)], check=True)
