"""Where games are kept: room, wear, and whether what was written can still be read."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

from companion.doctor.checks.service import UNIT
from companion.doctor.context import DoctorContext
from companion.doctor.finding import AS_ROOT, Finding, failed, good, note, unknown, warning
from companion.doctor.machine import Machine, Space
from companion.errors import CompanionError, counted, listed
from companion.storage.archive import ARCHIVE_FOLDER, Archive
from companion.storage.game_store import CURRENT, replay
from companion.storage.journal_reader import (
    JournalDamagedError,
    JournalError,
    JournalUnreadableError,
    JournalVersionError,
    read_journal,
    torn_text,
)

FULL_MB, LOW_MB = 20, 200
FULL_FILES, LOW_FILES = 10, 1000
MEMORY = ("tmpfs", "ramfs", "overlay")
"""File systems that are gone with the power; a Pi's overlay writes into memory."""
EXT4 = "/sys/fs/ext4"
CHANGE_CARD = "copy the games away (marrakech games export), then change the card"
_TROUBLE = re.compile(
    r"\bmmc\d+: .*(error|timeout|timed out)|\bmmcblk\d\w*: .*(error|timeout|timed out)"
    r"|I/O error, dev (mmcblk|sd|nvme)|Buffer I/O error on dev|EXT4-fs error|JBD2.*\berror"
    r"|Remounting filesystem read-only",
    re.IGNORECASE,
)


def check_disk(patient: DoctorContext) -> Iterator[Finding]:
    if patient.folder is None:
        yield unknown("no folder for games is known", "see what is said of the config")
        return
    machine, folder = patient.machine, patient.folder
    there, space = _nearest(machine, folder)
    free = f"{_size(space.free_bytes)} free"
    if space.free_files is not None and space.free_files < LOW_FILES:
        free += f", room for {counted(space.free_files, 'file')}"
    kind = _file_system(machine, there)
    if space.is_readonly:
        yield failed(f"{there} is read-only: a card does that when it is worn out", CHANGE_CARD)
    elif kind in MEMORY:
        todo = "sudo raspi-config: Performance, Overlay File System, off; or set [journal] folder"
        yield failed(f"{there} is in memory ({kind}): games are gone with the power", todo)
    elif _is_below(space, FULL_MB, FULL_FILES):
        yield failed(f"{free} in {there}", "sudo apt clean; sudo journalctl --vacuum-size=50M")
    elif not patient.service.is_installed and not machine.may_write(str(there)):
        todo = f"sudo chown -R {machine.user} {there}, or give another with --folder"
        yield failed(f"{machine.user} may not write in {there}", todo)
    elif _is_below(space, LOW_MB, LOW_FILES):
        yield warning(f"{free} in {there}", "sudo apt clean; sudo journalctl --vacuum-size=50M")
    else:
        yield good(f"{free} in {there}")


def _size(count: int) -> str:
    return f"{count // 10**9} GB" if count >= 10**10 else f"{count // 10**6} MB"


def _nearest(machine: Machine, folder: Path) -> tuple[PurePosixPath, Space]:
    """The folder, or what is there of it and may be looked at."""
    path = PurePosixPath(folder)
    while True:
        try:
            return path, machine.space(str(path))
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            if path == path.parent:
                raise
            path = path.parent


def _is_below(space: Space, megabytes: int, files: int) -> bool:
    has_files = space.free_files is None or space.free_files >= files
    return space.free_bytes < megabytes * 1_000_000 or not has_files


def _file_system(machine: Machine, path: PurePosixPath) -> str:
    """Of the mount that is nearest; the last one of a place hides the others."""
    best, kind = "", ""
    with suppress(OSError):
        for line in machine.read("/proc/mounts").splitlines():
            words = line.split(" ")
            if len(words) > 2 and path.is_relative_to(words[1]) and len(words[1]) >= len(best):
                best, kind = words[1], words[2]
    return kind


# --- Wear ---------------------------------------------------------------------------------


def check_card(patient: DoctorContext) -> Iterator[Finding]:
    machine = patient.machine
    if errors := _ext4_errors(machine):
        told = listed([f"{device} ({counted(count, 'error')})" for device, count in errors], "and")
        yield warning(f"the file system has recorded errors on {told}", CHANGE_CARD)
    log = kernel_log(machine)
    if log is None:
        if not errors:
            yield unknown("the kernel's log may not be read", AS_ROOT)
        return
    trouble = [line for line in log.splitlines() if _TROUBLE.search(line)]
    if trouble:
        told = counted(len(trouble), "line")
        yield warning(f"{told} of card trouble in the kernel's log: {trouble[-1]}", CHANGE_CARD)
    elif not errors:
        yield good("no errors since the Pi was started")


def _ext4_errors(machine: Machine) -> list[tuple[str, int]]:
    found = []
    with suppress(OSError):
        for device in machine.list(EXT4):
            with suppress(OSError, ValueError):
                if count := int(machine.read(f"{EXT4}/{device}/errors_count")):
                    found.append((device, count))
    return found


def kernel_log(machine: Machine) -> str | None:
    """Since the start of the machine; None if it may not be read."""
    for words in (("dmesg",), ("journalctl", "--dmesg", "--boot", "--quiet", "--no-pager")):
        with suppress(OSError):
            ran = machine.run(*words)
            if ran.code == 0 and ran.out.strip():
                return ran.out
    return None


# --- Games --------------------------------------------------------------------------------


def check_games(patient: DoctorContext) -> Iterator[Finding]:
    """Every line of every game has its checksum; the one in progress is also played again."""
    if patient.folder is None:
        yield unknown("no folder for games is known", "see what is said of the config")
        return
    try:
        patient.folder.stat()
        archive = Archive(patient.folder / ARCHIVE_FOLDER)
        paths = [archive.path_of(number) for number in archive.numbers()]
    except FileNotFoundError:
        yield good("none yet")
        return
    except (OSError, CompanionError) as error:
        yield unknown(f"they may not be read ({_reason(error)})", AS_ROOT)
        return
    whole, troubles = 0, 0
    for path in [patient.folder / CURRENT, *paths]:
        trouble, is_game = _trouble_of(path, _rescue(patient, path))
        whole += is_game
        if trouble is not None:
            troubles += 1
            yield trouble
    if whole:
        yield good(f"{counted(whole, 'game')} whole")
    elif not troubles:
        yield good("none yet")


def _rescue(patient: DoctorContext, path: Path) -> str:
    """By the user whose games they are: what root has rescued, the service could not go on with."""
    command = f"marrakech games rescue {shlex.quote(str(path))}"
    if not patient.service.is_installed:
        return command
    return f"sudo systemctl stop {UNIT}; sudo -u {patient.service.user} {command}"


def _trouble_of(path: Path, rescue: str) -> tuple[Finding | None, bool]:
    """What is wrong with a journal, and whether there is a game in it that can be read."""
    try:
        reading = read_journal(path)
        if reading.header is not None and path.name == CURRENT:
            replay(reading, path)
    except JournalDamagedError as error:
        return failed(f"{path} is damaged in line {error.line}", rescue), False
    except JournalVersionError as error:
        return warning(str(error), "git pull, or move the file away"), False
    except JournalUnreadableError as error:
        return unknown(f"{path} may not be read ({_reason(error)})", AS_ROOT), False
    except JournalError as error:
        return failed(str(error), f"marrakech games show {path}"), False
    if reading.torn:
        told = f"{path.name}: {torn_text(reading.torn, is_cut=False)}"
        return note(told, "nothing: nobody was ever shown it"), reading.header is not None
    return None, reading.header is not None


def _reason(error: Exception) -> str:
    cause = error.__cause__ if isinstance(error, CompanionError) else error
    return getattr(cause, "strerror", None) or str(error)
