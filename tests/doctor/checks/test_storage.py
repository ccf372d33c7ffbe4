"""Where games are kept: room, wear, and every line of every game."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from helpers.storage.game_folder import PUT_AWAY, at_once, damage, here, play, rewrite
from helpers.storage.stored_games import SET_UP
from helpers.system.fake_machine import FakeMachine, only, patient_of, told

from companion.doctor.checks.storage import check_card, check_disk, check_games, kernel_log
from companion.doctor.machine import Ran, Space

__all__ = ["at_once", "here"]  # fixtures

MB = 1_000_000
CLEAN = "sudo apt clean; sudo journalctl --vacuum-size=50M"
CARD = "copy the games away (marrakech games export), then change the card"


@pytest.fixture
def machine() -> FakeMachine:
    return FakeMachine()


# --- Room ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("space", "found"),
    [
        (Space(20_000 * MB, 900_000), ("good", "20 GB free in /", "")),
        (Space(200 * MB, 1000), ("good", "200 MB free in /", "")),
        (Space(200 * MB, None), ("good", "200 MB free in /", "")),
        (Space(200 * MB - 1, 1000), ("warning", "199 MB free in /", CLEAN)),
        (Space(200 * MB, 999), ("warning", "200 MB free, room for 999 files in /", CLEAN)),
        (Space(20 * MB - 1, 1000), ("failed", "19 MB free in /", CLEAN)),
        (Space(500 * MB, 1), ("failed", "500 MB free, room for 1 file in /", CLEAN)),
        (
            Space(500 * MB, 9000, is_readonly=True),
            ("failed", "/ is read-only: a card does that when it is worn out", CARD),
        ),
    ],
)
def test_room_is_counted_in_bytes_and_in_files(
    machine: FakeMachine, space: Space, found: tuple[str, str, str]
) -> None:
    machine.spaces = {"/": space}
    assert only(check_disk, patient_of(machine)) == found


def test_the_nearest_folder_there_is_counts(machine: FakeMachine) -> None:
    machine.spaces["/home/ana"] = Space(300 * MB, 5000)
    assert only(check_disk, patient_of(machine))[1] == "300 MB free in /home/ana"


def test_a_folder_that_is_closed_is_judged_by_the_one_above(machine: FakeMachine) -> None:
    """The service's games are its own; how full the card is may everybody know."""
    machine.install_service()
    machine.spaces["/var/lib/marrakech/games"] = PermissionError(errno.EACCES, "no")
    machine.spaces["/var/lib/marrakech"] = Space(300 * MB, 5000)
    patient = patient_of(machine, folder=Path("/var/lib/marrakech/games"))
    assert only(check_disk, patient) == ("good", "300 MB free in /var/lib/marrakech", "")


@pytest.mark.parametrize("kind", ["tmpfs", "overlay"])
def test_games_in_memory_would_be_gone_with_the_power(machine: FakeMachine, kind: str) -> None:
    machine.files["/proc/mounts"] = f"/dev/sda / ext4 rw 0 0\n{kind} /home {kind} rw 0 0\n"
    machine.spaces["/home/ana"] = Space(20_000 * MB, 5000)
    level, said, todo = only(check_disk, patient_of(machine))
    assert level == "failed"
    assert said == f"/home/ana is in memory ({kind}): games are gone with the power"
    assert todo.startswith("sudo raspi-config")


def test_a_folder_beside_memory_is_not_in_it(machine: FakeMachine) -> None:
    """The mount that counts is the nearest above it, in whichever order they are listed."""
    machine.spaces["/home/ana"] = Space(20_000 * MB, 5000)
    mounts = ["/dev/sdb /home ext4 rw 0 0", "tmpfs / tmpfs rw 0 0", "tmpfs /home/an tmpfs rw 0 0"]
    for order in (mounts, mounts[::-1]):
        machine.files["/proc/mounts"] = "\n".join(order)
        assert only(check_disk, patient_of(machine))[0] == "good"


def test_who_may_not_write_keeps_no_game(machine: FakeMachine) -> None:
    machine.closed = {"/"}
    assert only(check_disk, patient_of(machine)) == (
        "failed",
        "ana may not write in /",
        "sudo chown -R ana /, or give another with --folder",
    )


def test_the_service_writes_by_itself(machine: FakeMachine) -> None:
    machine.closed = {"/"}
    machine.install_service()
    assert only(check_disk, patient_of(machine))[0] == "good"


def test_without_a_folder_nothing_can_be_told(machine: FakeMachine) -> None:
    found = ("unknown", "no folder for games is known", "see what is said of the config")
    assert only(check_disk, patient_of(machine, folder=None)) == found
    assert only(check_games, patient_of(machine, folder=None)) == found


# --- Wear ---------------------------------------------------------------------------------

QUIET = [
    "[    1.0] EXT4-fs (mmcblk0p2): mounted filesystem r/w. Opts: errors=remount-ro",
    "[    2.1] mmc0: new ultra high speed SDR104 SDXC card at address aaaa",
    "[    3.0] brcmfmac mmc1:0001:1: Direct firmware load failed with error -2",
    "[    4.0] usb 1-1: device not accepting address 2, error -71",
]
TROUBLE = [
    "[    9.0] mmc0: Timeout waiting for hardware interrupt.",
    "[    9.1] mmcblk0: error -110 sending status command, aborting",
    "[    9.2] blk_update_request: I/O error, dev mmcblk0, sector 1234",
    "[    9.3] EXT4-fs error (device mmcblk0p2): ext4_find_entry:1455: inode #2",
    "[    9.4] Buffer I/O error on dev mmcblk0p2, logical block 5, lost sync page write",
    "[    9.5] EXT4-fs (mmcblk0p2): Remounting filesystem read-only",
]


@pytest.mark.parametrize("line", TROUBLE)
def test_card_trouble_is_seen_in_the_kernels_log(machine: FakeMachine, line: str) -> None:
    machine.runs["dmesg"] = Ran(0, "\n".join([*QUIET, line, *QUIET]))
    said = f"1 line of card trouble in the kernel's log: {line}"
    assert only(check_card, patient_of(machine)) == ("warning", said, CARD)


def test_what_sounds_like_it_is_no_card_trouble(machine: FakeMachine) -> None:
    machine.runs["dmesg"] = Ran(0, "\n".join(QUIET))
    said = "no errors since the Pi was started"
    assert only(check_card, patient_of(machine)) == ("good", said, "")


def test_errors_that_the_file_system_has_recorded_are_told(machine: FakeMachine) -> None:
    machine.files["/sys/fs/ext4/mmcblk0p2/errors_count"] = "2\n"
    machine.files["/sys/fs/ext4/features/lazy"] = "supported\n"
    said = "the file system has recorded errors on mmcblk0p2 (2 errors)"
    assert only(check_card, patient_of(machine)) == ("warning", said, CARD)


def test_a_log_that_is_closed_is_asked_for_elsewhere_and_then_of_root(
    machine: FakeMachine,
) -> None:
    machine.runs["dmesg"] = Ran(1, "", "dmesg: read kernel buffer failed: Operation not permitted")
    machine.runs["journalctl --dmesg"] = Ran(0, "something\n")
    assert kernel_log(machine) == "something\n"
    del machine.runs["journalctl --dmesg"]
    found = ("unknown", "the kernel's log may not be read", "sudo marrakech doctor")
    assert only(check_card, patient_of(machine)) == found


# --- Games --------------------------------------------------------------------------------


def test_games_that_are_whole_are_counted(machine: FakeMachine, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    assert only(check_games, patient_of(machine, folder=folder)) == ("good", "none yet", "")
    play(folder, f"{SET_UP} 2 ok {PUT_AWAY}")
    play(folder, f"{SET_UP} 2")
    assert only(check_games, patient_of(machine, folder=folder)) == ("good", "2 games whole", "")


def test_a_damaged_game_is_told_with_its_line_and_how_to_rescue_it(
    machine: FakeMachine, tmp_path: Path
) -> None:
    play(tmp_path, f"{SET_UP} 2 ok {PUT_AWAY}")
    play(tmp_path, f"{SET_UP} 2 ok")
    path = tmp_path / "game.jsonl"
    damage(path, 2)
    rescue = f"marrakech games rescue {path}"
    assert told(check_games(patient_of(machine, folder=tmp_path))) == [
        ("failed", f"{path} is damaged in line 2", rescue),
        ("good", "1 game whole", ""),
    ]
    machine.install_service()
    assert told(check_games(patient_of(machine, folder=tmp_path)))[0][2] == (
        f"sudo systemctl stop marrakech; sudo -u marrakech {rescue}"
    ), "root's copy could not be written to by the service"


def test_the_game_in_progress_is_also_played_again(machine: FakeMachine, tmp_path: Path) -> None:
    """Every line may have its checksum, and the game still come out otherwise."""
    play(tmp_path, f"{SET_UP} 2 ok")
    path = tmp_path / "game.jsonl"
    rewrite(path, 2, hash="00000000")
    rewrite(path, 3, hash="00000000")
    assert only(check_games, patient_of(machine, folder=tmp_path))[:2] == (
        "failed",
        f"{path} is damaged in line 2",
    )


def test_a_torn_tail_is_only_worth_a_note(machine: FakeMachine, tmp_path: Path) -> None:
    play(tmp_path, f"{SET_UP} 2")
    with (tmp_path / "game.jsonl").open("ab") as file:
        file.write(b'{"crc":"12')
    assert told(check_games(patient_of(machine, folder=tmp_path))) == [
        (
            "note",
            "game.jsonl: the journal ends in 10 bytes of an entry that was not finished: "
            "left out here",
            "nothing: nobody was ever shown it",
        ),
        ("good", "1 game whole", ""),
    ]


def test_games_that_may_not_be_read_cannot_be_told(machine: FakeMachine, tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").mkdir()  # root may read everything, but not a folder as a file
    (found,) = told(check_games(patient_of(machine, folder=tmp_path)))[:1]
    assert found == (
        "unknown",
        f"{tmp_path / 'game.jsonl'} may not be read (Is a directory)",
        "sudo marrakech doctor",
    )


def test_looking_changes_nothing(machine: FakeMachine, tmp_path: Path) -> None:
    play(tmp_path, f"{SET_UP} 2 ok {PUT_AWAY}")
    play(tmp_path, f"{SET_UP} 2")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    list(check_games(patient_of(machine, folder=tmp_path)))
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before
