"""Checks of free space, of the card, of the saved games, and of the log beside them."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from helpers.storage.game_folder import ARCHIVE_WORDS, damage, here, no_fsync, play, rewrite
from helpers.storage.stored_games import SET_UP
from helpers.system.healthy_pi import HealthyPi, as_tuples, context_for, single_finding

from companion.doctor.checks.storage import (
    check_card,
    check_disk,
    check_games,
    check_log,
    kernel_log,
)
from companion.machine.commands import CommandResult
from companion.machine.machine import FreeSpace
from companion.storage.log_file import LOG_FILE

__all__ = ["here", "no_fsync"]  # fixtures

MB = 1_000_000
CLEAN = "sudo apt clean; sudo journalctl --vacuum-size=50M"
CARD = "copy the games away (marrakech games export), then change the card"


# --- Free space ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("space", "found"),
    [
        (FreeSpace(20_000 * MB, 900_000), ("good", "20 GB free in /", "")),
        (FreeSpace(200 * MB, 1000), ("good", "200 MB free in /", "")),
        (FreeSpace(200 * MB, None), ("good", "200 MB free in /", "")),
        (FreeSpace(200 * MB - 1, 1000), ("warning", "199 MB free in /", CLEAN)),
        (FreeSpace(200 * MB, 999), ("warning", "200 MB free, space for 999 files in /", CLEAN)),
        (FreeSpace(20 * MB - 1, 1000), ("failed", "19 MB free in /", CLEAN)),
        (FreeSpace(500 * MB, 1), ("failed", "500 MB free, space for 1 file in /", CLEAN)),
        (
            FreeSpace(500 * MB, 9000, is_readonly=True),
            ("failed", "/ is read-only: worn-out cards become read-only", CARD),
        ),
    ],
)
def test_free_space_is_checked_in_bytes_and_files(
    machine: HealthyPi, space: FreeSpace, found: tuple[str, str, str]
) -> None:
    machine.free_spaces = {"/": space}
    assert single_finding(check_disk, context_for(machine)) == found


def test_nearest_existing_folder_is_checked(machine: HealthyPi) -> None:
    machine.free_spaces["/home/ana"] = FreeSpace(300 * MB, 5000)
    assert single_finding(check_disk, context_for(machine))[1] == "300 MB free in /home/ana"


def test_parent_of_a_private_folder_is_checked(machine: HealthyPi) -> None:
    """Only the service may read its games, but everybody may see the free space."""
    machine.install_service()
    machine.free_spaces["/var/lib/marrakech/games"] = PermissionError(errno.EACCES, "no")
    machine.free_spaces["/var/lib/marrakech"] = FreeSpace(300 * MB, 5000)
    context = context_for(machine, folder=Path("/var/lib/marrakech/games"))
    assert single_finding(check_disk, context) == ("good", "300 MB free in /var/lib/marrakech", "")


@pytest.mark.parametrize("kind", ["tmpfs", "overlay"])
def test_games_folder_in_memory_fails(machine: HealthyPi, kind: str) -> None:
    machine.place("/proc/mounts", f"/dev/sda / ext4 rw 0 0\n{kind} /home {kind} rw 0 0\n")
    machine.free_spaces["/home/ana"] = FreeSpace(20_000 * MB, 5000)
    level, text, advice = single_finding(check_disk, context_for(machine))
    assert level == "failed"
    assert text == f"/home/ana is in memory ({kind}): games are lost at power-off"
    assert advice.startswith("sudo raspi-config")


def test_nearest_mount_decides_whether_a_folder_is_in_memory(machine: HealthyPi) -> None:
    """In any order of /proc/mounts."""
    machine.free_spaces["/home/ana"] = FreeSpace(20_000 * MB, 5000)
    mounts = ["/dev/sdb /home ext4 rw 0 0", "tmpfs / tmpfs rw 0 0", "tmpfs /home/an tmpfs rw 0 0"]
    for order in (mounts, mounts[::-1]):
        machine.place("/proc/mounts", "\n".join(order))
        assert single_finding(check_disk, context_for(machine))[0] == "good"


def test_unwritable_folder_fails(machine: HealthyPi) -> None:
    machine.unwritable = {"/"}
    assert single_finding(check_disk, context_for(machine)) == (
        "failed",
        "ana may not write to /",
        "sudo chown -R ana /, or choose another with --folder",
    )


def test_folder_of_the_service_need_not_be_writable(machine: HealthyPi) -> None:
    machine.unwritable = {"/"}
    machine.install_service()
    assert single_finding(check_disk, context_for(machine))[0] == "good"


def test_unknown_folder(machine: HealthyPi) -> None:
    found = ("unknown", "the games folder is not known", "see the check 'config'")
    assert single_finding(check_disk, context_for(machine, folder=None)) == found
    assert single_finding(check_games, context_for(machine, folder=None)) == found
    assert single_finding(check_log, context_for(machine, folder=None)) == found


# --- The card -----------------------------------------------------------------------------

HARMLESS = [
    "[    1.0] EXT4-fs (mmcblk0p2): mounted filesystem r/w. Opts: errors=remount-ro",
    "[    2.1] mmc0: new ultra high speed SDR104 SDXC card at address aaaa",
    "[    3.0] brcmfmac mmc1:0001:1: Direct firmware load failed with error -2",
    "[    4.0] usb 1-1: device not accepting address 2, error -71",
]
CARD_ERRORS = [
    "[    9.0] mmc0: Timeout waiting for hardware interrupt.",
    "[    9.1] mmcblk0: error -110 sending status command, aborting",
    "[    9.2] blk_update_request: I/O error, dev mmcblk0, sector 1234",
    "[    9.3] EXT4-fs error (device mmcblk0p2): ext4_find_entry:1455: inode #2",
    "[    9.4] Buffer I/O error on dev mmcblk0p2, logical block 5, lost sync page write",
    "[    9.5] EXT4-fs (mmcblk0p2): Remounting filesystem read-only",
]


@pytest.mark.parametrize("line", CARD_ERRORS)
def test_card_errors_in_the_kernels_log_are_a_warning(machine: HealthyPi, line: str) -> None:
    machine.answers["dmesg"] = CommandResult(0, "\n".join([*HARMLESS, line, *HARMLESS]))
    text = f"1 card error in the kernel's log: {line}"
    assert single_finding(check_card, context_for(machine)) == ("warning", text, CARD)


def test_harmless_lines_are_ignored(machine: HealthyPi) -> None:
    machine.answers["dmesg"] = CommandResult(0, "\n".join(HARMLESS))
    text = "no errors since boot"
    assert single_finding(check_card, context_for(machine)) == ("good", text, "")


def test_errors_recorded_by_the_file_system_are_a_warning(machine: HealthyPi) -> None:
    machine.place("/sys/fs/ext4/mmcblk0p2/errors_count", "2\n")
    machine.place("/sys/fs/ext4/features/lazy", "supported\n")
    text = "the file system has recorded errors on mmcblk0p2 (2 errors)"
    assert single_finding(check_card, context_for(machine)) == ("warning", text, CARD)


def test_unreadable_kernel_log_is_read_from_the_journal_or_unknown(
    machine: HealthyPi,
) -> None:
    machine.answers["dmesg"] = CommandResult(
        1, "", "dmesg: read kernel buffer failed: Operation not permitted"
    )
    machine.answers["journalctl --dmesg"] = CommandResult(0, "something\n")
    assert kernel_log(machine) == "something\n"
    del machine.answers["journalctl --dmesg"]
    found = ("unknown", "no permission to read the kernel's log", "sudo marrakech doctor")
    assert single_finding(check_card, context_for(machine)) == found


# --- Games --------------------------------------------------------------------------------


def test_intact_games_are_counted(machine: HealthyPi, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    assert single_finding(check_games, context_for(machine, folder=folder)) == (
        "good",
        "none yet",
        "",
    )
    play(folder, f"{SET_UP} 2 ok {ARCHIVE_WORDS}")
    play(folder, f"{SET_UP} 2")
    assert single_finding(check_games, context_for(machine, folder=folder)) == (
        "good",
        "2 games intact",
        "",
    )


def test_damaged_game_fails_with_its_line_and_the_rescue_command(
    machine: HealthyPi, tmp_path: Path
) -> None:
    play(tmp_path, f"{SET_UP} 2 ok {ARCHIVE_WORDS}")
    play(tmp_path, f"{SET_UP} 2 ok")
    path = tmp_path / "game.jsonl"
    damage(path, 2)
    rescue = f"marrakech games rescue --folder {tmp_path} now"
    assert as_tuples(check_games(context_for(machine, folder=tmp_path))) == [
        ("failed", f"{path} is damaged in line 2", rescue),
        ("good", "1 game intact", ""),
    ]
    machine.install_service()
    assert as_tuples(check_games(context_for(machine, folder=tmp_path)))[0][2] == (
        f"sudo systemctl stop marrakech; sudo -u marrakech {rescue}"
    ), "the service could not write to a file of root"


def test_game_in_progress_is_replayed(machine: HealthyPi, tmp_path: Path) -> None:
    """Checksums may be correct although the replay differs."""
    play(tmp_path, f"{SET_UP} 2 ok")
    path = tmp_path / "game.jsonl"
    rewrite(path, 2, hash="00000000")
    rewrite(path, 3, hash="00000000")
    assert single_finding(check_games, context_for(machine, folder=tmp_path))[:2] == (
        "failed",
        f"{path} is damaged in line 2",
    )


def test_unfinished_last_entry_is_a_note(machine: HealthyPi, tmp_path: Path) -> None:
    play(tmp_path, f"{SET_UP} 2")
    with (tmp_path / "game.jsonl").open("ab") as file:
        file.write(b'{"crc":"12')
    assert as_tuples(check_games(context_for(machine, folder=tmp_path))) == [
        (
            "note",
            "game.jsonl: the journal ends in 10 bytes of an unfinished entry: ignored",
            "nothing to do: it was never confirmed to players",
        ),
        ("good", "1 game intact", ""),
    ]


def test_unreadable_games_are_unknown(machine: HealthyPi, tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").mkdir()  # root may read everything, but not a folder as a file
    (found,) = as_tuples(check_games(context_for(machine, folder=tmp_path)))[:1]
    assert found == (
        "unknown",
        f"{tmp_path / 'game.jsonl'} cannot be read (Is a directory)",
        "sudo marrakech doctor",
    )


def test_check_changes_nothing(machine: HealthyPi, tmp_path: Path) -> None:
    play(tmp_path, f"{SET_UP} 2 ok {ARCHIVE_WORDS}")
    play(tmp_path, f"{SET_UP} 2")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    list(check_games(context_for(machine, folder=tmp_path)))
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


# --- The log ------------------------------------------------------------------------------


def test_size_of_the_log_is_shown(machine: HealthyPi, tmp_path: Path) -> None:
    assert single_finding(check_log, context_for(machine)) == ("good", "none yet", "")
    context = context_for(machine, folder=tmp_path)
    assert single_finding(check_log, context) == ("good", "none yet", "")
    (tmp_path / LOG_FILE).write_bytes(b"x" * 1500)
    (tmp_path / f"{LOG_FILE}.1").write_bytes(b"x" * 200_000)
    assert single_finding(check_log, context) == ("good", f"202 kB in {tmp_path / LOG_FILE}", "")


@pytest.mark.parametrize("name", [LOG_FILE, f"{LOG_FILE}.2"])
def test_folder_or_link_in_place_of_the_log_is_a_warning(
    machine: HealthyPi, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    path.mkdir()
    text = f"{path} is not a file: the log is not written"
    found = ("warning", text, f"sudo rm -r {path}")
    assert single_finding(check_log, context_for(machine, folder=tmp_path)) == found


def test_log_of_another_user_is_a_warning(
    machine: HealthyPi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After 'sudo marrakech serve', the service may not write it."""
    path = tmp_path / LOG_FILE
    path.touch()
    lstat = Path.lstat

    def lstat_of_root(self: Path) -> os.stat_result:
        fields = list(lstat(self))
        fields[4] = tmp_path.stat().st_uid + 1
        return os.stat_result(fields)

    monkeypatch.setattr(Path, "lstat", lstat_of_root)
    assert single_finding(check_log, context_for(machine, folder=tmp_path)) == (
        "warning",
        f"{path} belongs to another user than the games: the log is not written",
        f"sudo chown --reference={tmp_path} {path}",
    )


def test_log_that_may_not_be_read_is_unknown(
    machine: HealthyPi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the service may open its folder."""

    def refuse(_: Path) -> os.stat_result:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "lstat", refuse)
    assert single_finding(check_log, context_for(machine, folder=tmp_path)) == (
        "unknown",
        "it cannot be read (Permission denied)",
        "sudo marrakech doctor",
    )
