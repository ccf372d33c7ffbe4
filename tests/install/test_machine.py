"""The real machine, in a folder: files that are whole or not there, and commands."""

from __future__ import annotations

import errno
import os
import stat
import sys
from pathlib import Path

import pytest

from companion.errors import CompanionError
from companion.install.machine import NOT_FOUND, CommandError, Outcome, System

FILE, LINK = Path("/etc/some/file"), Path("/opt/some/link")


@pytest.fixture
def system(tmp_path: Path) -> System:
    return System(tmp_path)


# --- Files --------------------------------------------------------------------------------


def test_file_is_written_with_its_folders_for_all_to_read(system: System, tmp_path: Path) -> None:
    mask = os.umask(0o077)
    try:
        system.write(FILE, b"one")
    finally:
        os.umask(mask)
    assert (tmp_path / "etc/some/file").read_bytes() == b"one"
    assert stat.S_IMODE((tmp_path / "etc/some/file").stat().st_mode) == 0o644
    system.write(FILE, b"two")
    assert system.read(FILE) == b"two"
    assert system.names_in(FILE.parent) == ["file"]


def test_write_that_fails_leaves_the_old_file(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(file: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    system.write(FILE, b"old")
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="Input/output error"):
        system.write(FILE, b"new")
    assert system.read(FILE) == b"old"


def test_link_is_switched_without_a_moment_between(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new one is made beside, and takes the old one's name."""
    renamed: list[tuple[str, Path]] = []
    replace = Path.replace

    def watch(self: Path, target: Path) -> Path:
        renamed.append((str(self.readlink()), target.readlink()))
        return replace(self, target)

    system.link(LINK, Path("/opt/one"))
    monkeypatch.setattr(Path, "replace", watch)
    system.link(LINK, Path("/opt/two"))
    assert renamed == [("/opt/two", Path("/opt/one"))]
    assert system.link_target(LINK) == Path("/opt/two")
    assert system.names_in(LINK.parent) == ["link"]


def test_link_that_was_left_half_made_is_no_trouble(system: System, tmp_path: Path) -> None:
    (tmp_path / "opt/some").mkdir(parents=True)
    (tmp_path / "opt/some/.link.new").symlink_to("/nowhere")
    system.link(LINK, Path("/opt/two"))
    assert system.names_in(LINK.parent) == ["link"]


def test_link_counts_even_if_it_leads_nowhere(system: System) -> None:
    system.link(LINK, Path("/nowhere"))
    assert system.exists(LINK)
    system.remove(LINK)
    assert not system.exists(LINK)


def test_removing_a_link_leaves_what_it_leads_to(system: System, tmp_path: Path) -> None:
    system.write(FILE, b"kept")
    system.link(LINK, tmp_path / "etc/some")
    system.remove(LINK)
    assert system.read(FILE) == b"kept"
    system.remove(FILE.parent)
    assert system.names_in(Path("/etc")) == []
    system.remove(FILE)  # there is nothing left, and that is well


def test_what_is_not_there_is_nothing(system: System) -> None:
    assert system.read(FILE) is None
    assert system.read(Path("/")) is None
    assert system.link_target(FILE) is None
    assert system.names_in(FILE) == []


# --- Commands -----------------------------------------------------------------------------

SAYS = """\
import sys, os
print(os.environ["LC_ALL"], sys.stdin.read(), flush=True)
print("e", file=sys.stderr)
"""


def test_commands_speak_english_to_nobody_and_all_they_say_is_kept(system: System) -> None:
    told = system.query(sys.executable, "-c", SAYS)
    assert (told.code, told.text.splitlines()) == (0, ["C.UTF-8 ", "e"])


def test_command_that_must_work_says_how_it_failed(system: System) -> None:
    with pytest.raises(
        CommandError, match=r"^'.* -c print\(1\); exit\(3\)' ended with code 3$"
    ) as e:
        system.run(sys.executable, "-c", "print(1); exit(3)")
    assert e.value.lines == ["1"]


def test_command_has_its_folder_and_its_environment(system: System, tmp_path: Path) -> None:
    system.make_folder(Path("/build"))
    told = system.run(
        *(sys.executable, "-c", "import os; print(os.getcwd(), os.environ['A_B'])"),
        environment={"A_B": "c"},
        folder=Path("/build"),
    )
    assert told == f"{tmp_path / 'build'} c\n"


def test_command_that_is_not_there_is_an_outcome(system: System) -> None:
    told = system.query("/no/such/program")
    assert told == Outcome(NOT_FOUND, "/no/such/program: No such file or directory")


def test_last_lines_are_those_with_something_in_them() -> None:
    assert Outcome(1, "a\n\nb\n  \nc\n").last_lines(2) == ["b", "c"]


# --- Others -------------------------------------------------------------------------------


def test_two_do_not_install_at_once(system: System) -> None:
    with (
        system.alone(),
        pytest.raises(CompanionError, match=r"^the companion is being installed already"),
        system.alone(),
    ):
        pass
    with system.alone():
        pass
