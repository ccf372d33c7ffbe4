"""`WritableMachine`: atomic changes below a root, and commands that must succeed."""

from __future__ import annotations

import errno
import os
import stat
import sys
from pathlib import Path

import pytest

from companion.errors import CompanionError
from companion.machine.commands import CommandError
from companion.machine.writable_machine import WritableMachine

FILE, LINK, LOCK = Path("/etc/some/file"), Path("/opt/some/link"), Path("/run/some.lock")


@pytest.fixture
def machine(tmp_path: Path) -> WritableMachine:
    return WritableMachine(tmp_path)


# --- Files --------------------------------------------------------------------------------


def test_file_is_written_with_its_folders_and_readable_for_all(
    machine: WritableMachine, tmp_path: Path
) -> None:
    mask = os.umask(0o077)
    try:
        machine.write(FILE, b"one")
    finally:
        os.umask(mask)
    assert (tmp_path / "etc/some/file").read_bytes() == b"one"
    assert stat.S_IMODE((tmp_path / "etc/some/file").stat().st_mode) == 0o644
    machine.write(FILE, b"two")
    assert machine.contents(FILE) == b"two"
    assert machine.names_in(FILE.parent) == ["file"]


def test_failed_write_leaves_the_old_file(
    machine: WritableMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(file: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    machine.write(FILE, b"old")
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="Input/output error"):
        machine.write(FILE, b"new")
    assert machine.contents(FILE) == b"old"


def test_link_is_replaced_atomically(
    machine: WritableMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new link is created under another name and then renamed."""
    renamed: list[tuple[str, Path]] = []
    replace = Path.replace

    def record(self: Path, target: Path) -> Path:
        renamed.append((str(self.readlink()), target.readlink()))
        return replace(self, target)

    machine.link(LINK, Path("/opt/one"))
    monkeypatch.setattr(Path, "replace", record)
    machine.link(LINK, Path("/opt/two"))
    assert renamed == [("/opt/two", Path("/opt/one"))]
    assert machine.link_target(LINK) == Path("/opt/two")
    assert machine.names_in(LINK.parent) == ["link"]


def test_leftover_of_an_interrupted_link_is_replaced(
    machine: WritableMachine, tmp_path: Path
) -> None:
    (tmp_path / "opt/some").mkdir(parents=True)
    (tmp_path / "opt/some/.link.new").symlink_to("/nowhere")
    machine.link(LINK, Path("/opt/two"))
    assert machine.names_in(LINK.parent) == ["link"]


def test_broken_link_exists_and_can_be_removed(machine: WritableMachine) -> None:
    machine.link(LINK, Path("/nowhere"))
    assert machine.exists(LINK)
    machine.remove(LINK)
    assert not machine.exists(LINK)


def test_removing_a_link_keeps_its_target(machine: WritableMachine, tmp_path: Path) -> None:
    machine.write(FILE, b"kept")
    machine.link(LINK, tmp_path / "etc/some")
    machine.remove(LINK)
    assert machine.contents(FILE) == b"kept"
    machine.remove(FILE.parent)
    assert machine.names_in(Path("/etc")) == []
    machine.remove(FILE)  # idempotent


# --- Commands -----------------------------------------------------------------------------

PRINTS = """\
import sys, os
print(os.environ["LC_ALL"], sys.stdin.read(), flush=True)
print("e", file=sys.stderr)
print("f")
"""


def test_output_and_errors_of_a_command_are_kept_in_order(machine: WritableMachine) -> None:
    assert machine.run(sys.executable, "-c", PRINTS).splitlines() == ["C.UTF-8 ", "e", "f"]


def test_failed_command_is_an_error_with_its_last_lines(machine: WritableMachine) -> None:
    with pytest.raises(
        CommandError, match=r"^'.* -c print\(1\); exit\(3\)' ended with code 3$"
    ) as error:
        machine.run(sys.executable, "-c", "print(1); exit(3)")
    assert error.value.lines == ["1"]


def test_missing_program_is_an_error(machine: WritableMachine) -> None:
    with pytest.raises(CommandError, match=r"^'/no/such/program' ended with code 127$") as error:
        machine.run("/no/such/program")
    assert error.value.lines == ["/no/such/program: No such file or directory"]


def test_command_has_its_folder_and_its_environment(
    machine: WritableMachine, tmp_path: Path
) -> None:
    machine.make_folder(Path("/build"))
    printed = machine.run(
        *(sys.executable, "-c", "import os; print(os.getcwd(), os.environ['A_B'])"),
        environ={"A_B": "c"},
        folder=Path("/build"),
    )
    assert printed == f"{tmp_path / 'build'} c\n"


# --- The lock -----------------------------------------------------------------------------


def test_lock_is_held_by_one_process_at_a_time(machine: WritableMachine) -> None:
    with (
        machine.exclusive(LOCK),
        pytest.raises(CompanionError, match=r"^another installation of the companion is running"),
        machine.exclusive(LOCK),
    ):
        pass
    with machine.exclusive(LOCK):
        pass
