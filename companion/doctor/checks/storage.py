"""Checks of free space, of the card, of the saved games, and of the log beside them."""

from __future__ import annotations

import os
import re
import shlex
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

from companion.doctor.checks.service import UNIT
from companion.doctor.context import DoctorContext
from companion.doctor.finding import AS_ROOT, Finding, failed, good, note, unknown, warning
from companion.errors import CompanionError, counted, listed
from companion.machine.machine import FreeSpace, Machine
from companion.storage.archive import Archive
from companion.storage.game_store import replay
from companion.storage.games_folder import ARCHIVE_FOLDER, CURRENT_GAME_FILE, rescue_command
from companion.storage.journal_reader import (
    JournalDamagedError,
    JournalError,
    JournalUnreadableError,
    JournalVersionError,
    describe_torn_tail,
    read_journal,
)
from companion.storage.log_file import log_paths

FULL_MB, LOW_MB = 20, 200
FULL_FILES, LOW_FILES = 10, 1000
MEMORY_FILE_SYSTEMS = ("tmpfs", "ramfs", "overlay")
"""Lost at power-off. The overlay of Raspberry Pi OS is in memory."""
EXT4 = "/sys/fs/ext4"
CHANGE_CARD = "copy the games away (marrakech games export), then change the card"
_CARD_ERROR = re.compile(
    r"\bmmc\d+: .*(error|timeout|timed out)|\bmmcblk\d\w*: .*(error|timeout|timed out)"
    r"|I/O error, dev (mmcblk|sd|nvme)|Buffer I/O error on dev|EXT4-fs error|JBD2.*\berror"
    r"|Remounting filesystem read-only",
    re.IGNORECASE,
)


def check_disk(context: DoctorContext) -> Iterator[Finding]:
    if context.folder is None:
        yield unknown("the games folder is not known", "see the check 'config'")
        return
    machine, folder = context.machine, context.folder
    existing, space = _nearest_existing(machine, folder)
    free = f"{_size(space.free_bytes)} free"
    if space.free_files is not None and space.free_files < LOW_FILES:
        free += f", space for {counted(space.free_files, 'file')}"
    kind = _file_system(machine, existing)
    if space.is_readonly:
        yield failed(f"{existing} is read-only: worn-out cards become read-only", CHANGE_CARD)
    elif kind in MEMORY_FILE_SYSTEMS:
        advice = "sudo raspi-config: Performance, Overlay File System, off; or set [journal] folder"
        yield failed(f"{existing} is in memory ({kind}): games are lost at power-off", advice)
    elif _is_below(space, FULL_MB, FULL_FILES):
        yield failed(f"{free} in {existing}", "sudo apt clean; sudo journalctl --vacuum-size=50M")
    elif not context.service.is_installed and not machine.is_writable(str(existing)):
        advice = f"sudo chown -R {machine.user} {existing}, or choose another with --folder"
        yield failed(f"{machine.user} may not write to {existing}", advice)
    elif _is_below(space, LOW_MB, LOW_FILES):
        yield warning(f"{free} in {existing}", "sudo apt clean; sudo journalctl --vacuum-size=50M")
    else:
        yield good(f"{free} in {existing}")


def _size(count: int) -> str:
    return f"{count // 10**9} GB" if count >= 10**10 else f"{count // 10**6} MB"


def _nearest_existing(machine: Machine, folder: Path) -> tuple[PurePosixPath, FreeSpace]:
    """The folder, or its nearest parent that exists and may be accessed."""
    path = PurePosixPath(folder)
    while True:
        try:
            return path, machine.free_space(str(path))
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            if path == path.parent:
                raise
            path = path.parent


def _is_below(space: FreeSpace, megabytes: int, files: int) -> bool:
    has_files = space.free_files is None or space.free_files >= files
    return space.free_bytes < megabytes * 1_000_000 or not has_files


def _file_system(machine: Machine, path: PurePosixPath) -> str:
    """The type of the nearest mount above; later mounts hide earlier ones."""
    best, kind = "", ""
    with suppress(OSError):
        for line in machine.read_text("/proc/mounts").splitlines():
            words = line.split(" ")
            if len(words) > 2 and path.is_relative_to(words[1]) and len(words[1]) >= len(best):
                best, kind = words[1], words[2]
    return kind


# --- The card -----------------------------------------------------------------------------


def check_card(context: DoctorContext) -> Iterator[Finding]:
    machine = context.machine
    if errors := _ext4_errors(machine):
        devices = listed(
            [f"{device} ({counted(count, 'error')})" for device, count in errors], "and"
        )
        yield warning(f"the file system has recorded errors on {devices}", CHANGE_CARD)
    log = kernel_log(machine)
    if log is None:
        if not errors:
            yield unknown("no permission to read the kernel's log", AS_ROOT)
        return
    lines = [line for line in log.splitlines() if _CARD_ERROR.search(line)]
    if lines:
        count = counted(len(lines), "card error")
        yield warning(f"{count} in the kernel's log: {lines[-1]}", CHANGE_CARD)
    elif not errors:
        yield good("no errors since boot")


def _ext4_errors(machine: Machine) -> list[tuple[str, int]]:
    found = []
    with suppress(OSError):
        for device in machine.names_in(EXT4):
            with suppress(OSError, ValueError):
                if count := int(machine.read_text(f"{EXT4}/{device}/errors_count")):
                    found.append((device, count))
    return found


def kernel_log(machine: Machine) -> str | None:
    """Since boot; None without permission to read it."""
    for command in (("dmesg",), ("journalctl", "--dmesg", "--boot", "--quiet", "--no-pager")):
        result = machine.query(*command)
        if result.is_ok and result.output.strip():
            return result.output
    return None


# --- Games --------------------------------------------------------------------------------


def check_games(context: DoctorContext) -> Iterator[Finding]:
    """Verify the checksums of all games, and replay the one in progress."""
    if context.folder is None:
        yield unknown("the games folder is not known", "see the check 'config'")
        return
    try:
        context.folder.stat()
        archive = Archive(context.folder / ARCHIVE_FOLDER)
        paths = [archive.path_of(number) for number in archive.numbers()]
    except FileNotFoundError:
        yield good("none yet")
        return
    except (OSError, CompanionError) as error:
        yield unknown(f"they cannot be read ({_reason(error)})", AS_ROOT)
        return
    readable, problems = 0, 0
    for path in [context.folder / CURRENT_GAME_FILE, *paths]:
        problem, has_game = _check_journal(path, _rescue_command(context, path))
        readable += has_game
        if problem is not None:
            problems += 1
            yield problem
    if readable:
        yield good(f"{counted(readable, 'game')} intact")
    elif not problems:
        yield good("none yet")


def _rescue_command(context: DoctorContext, path: Path) -> str:
    """Run as the owner of the games: the service could not write to a file of root."""
    command = rescue_command(path)
    if not context.service.is_installed:
        return command
    return f"sudo systemctl stop {UNIT}; sudo -u {context.service.user} {command}"


def _check_journal(path: Path, rescue: str) -> tuple[Finding | None, bool]:
    """What is wrong with a journal, and whether it has a readable game."""
    try:
        content = read_journal(path)
        if content.header is not None and path.name == CURRENT_GAME_FILE:
            replay(content, path)
    except JournalDamagedError as error:
        return failed(f"{path} is damaged in line {error.line}", rescue), False
    except JournalVersionError as error:
        return warning(str(error), "git pull, or move the file away"), False
    except JournalUnreadableError as error:
        return unknown(f"{path} cannot be read ({_reason(error)})", AS_ROOT), False
    except JournalError as error:
        return failed(str(error), f"marrakech games show {path}"), False
    has_game = content.header is not None
    if content.torn_bytes:
        text = f"{path.name}: {describe_torn_tail(content.torn_bytes, is_removed=False)}"
        return note(text, "nothing to do: it was never confirmed to players"), has_game
    return None, has_game


def _reason(error: Exception) -> str:
    cause = error.__cause__ if isinstance(error, CompanionError) else error
    return getattr(cause, "strerror", None) or str(error)


# --- The log ------------------------------------------------------------------------------


def check_log(context: DoctorContext) -> Iterator[Finding]:
    """The log that survives a power cut: see companion.storage.log_file."""
    if context.folder is None:
        yield unknown("the games folder is not known", "see the check 'config'")
        return
    found: dict[Path, os.stat_result] = {}
    try:
        for path in log_paths(context.folder):
            with suppress(FileNotFoundError):
                found[path] = path.lstat()
        owner = context.folder.stat().st_uid if found else 0
    except OSError as error:
        yield unknown(f"it cannot be read ({_reason(error)})", AS_ROOT)
        return
    for path, status in found.items():
        name = shlex.quote(str(path))
        if not stat.S_ISREG(status.st_mode):
            yield warning(f"{path} is not a file: the log is not written", f"sudo rm -r {name}")
            return
        if status.st_uid != owner:  # `sudo marrakech serve` wrote it
            text = f"{path} belongs to another user than the games: the log is not written"
            yield warning(text, f"sudo chown --reference={shlex.quote(str(path.parent))} {name}")
            return
    if found:
        size = sum(status.st_size for status in found.values())
        yield good(f"{-(-size // 1000)} kB in {log_paths(context.folder)[-1]}")
    else:
        yield good("none yet")
