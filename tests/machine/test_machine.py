"""`Machine`: reading this machine."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from companion.machine.commands import NOT_FOUND, TIMED_OUT, CommandResult
from companion.machine.machine import MAX_FILE_BYTES, Machine


@pytest.fixture
def machine() -> Machine:
    return Machine()


# --- Files --------------------------------------------------------------------------------


def test_files_and_folders_are_read(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "b").write_bytes(b"one\xff")
    (tmp_path / "a").mkdir()
    assert machine.read_text(tmp_path / "b") == "one\ufffd"
    assert machine.contents(tmp_path / "b") == b"one\xff"
    assert machine.names_in(tmp_path) == ["a", "b"]


def test_missing_files_and_folders(machine: Machine, tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    with pytest.raises(FileNotFoundError):
        machine.read_text(missing)
    assert machine.contents(missing) is None
    assert machine.contents(tmp_path) is None
    assert machine.link_target(missing) is None
    assert machine.names_in(missing) == []
    assert not machine.exists(missing)


def test_paths_are_below_the_root(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/hostname").write_text("pi\n")
    machine = Machine(tmp_path)
    assert machine.read_text("/etc/hostname") == "pi\n"
    assert machine.names_in("/etc") == ["hostname"]
    assert machine.exists(Path("/etc"))


def test_endless_device_and_silent_pipe_are_read_without_blocking(
    machine: Machine, tmp_path: Path
) -> None:
    assert len(machine.read_text("/dev/zero")) == MAX_FILE_BYTES
    os.mkfifo(tmp_path / "pipe")
    assert machine.read_text(tmp_path / "pipe") == ""


def test_free_space_is_that_of_the_file_system(machine: Machine, tmp_path: Path) -> None:
    space = machine.free_space(tmp_path)
    assert space.free_bytes > 0
    assert not space.is_readonly
    assert machine.is_writable(tmp_path)
    assert not machine.is_writable(tmp_path / "missing")


# --- Commands -----------------------------------------------------------------------------


def test_query_has_no_standard_input_and_english_messages(machine: Machine) -> None:
    result = machine.query("sh", "-c", "cat; echo $LC_ALL; echo no >&2; exit 3")
    assert result == CommandResult(3, "C.UTF-8\n", "no\n")
    assert result.has_run
    assert not result.is_ok


def test_missing_program_is_a_result(machine: Machine) -> None:
    result = machine.query("/no/such/program")
    assert result == CommandResult(NOT_FOUND, "", "/no/such/program: No such file or directory")
    assert not result.has_run


def test_query_is_killed_after_its_timeout() -> None:
    result = Machine(query_timeout_s=0.05).query("sleep", "1000")
    assert result == CommandResult(TIMED_OUT, "", "sleep: no answer within 0.05 s")
    assert not result.has_run


def test_last_lines_are_not_blank() -> None:
    assert CommandResult(1, "a\n\nb\n  \nc\n").last_lines(2) == ["b", "c"]
    assert CommandResult(1, "a\n", "b\n").last_lines() == ["a", "b"]


# --- Python and users ---------------------------------------------------------------------


def test_module_is_imported_by_another_python_in_a_temporary_folder(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """lgpio creates a pipe in the folder where it is imported."""
    module = tmp_path / "leaves_a_pipe.py"
    module.write_text("import pathlib; pathlib.Path('.lgd-nfy0').touch()\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert machine.import_error("leaves_a_pipe") == ""
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
    assert "leaves_a_pipe" not in sys.modules
    error = machine.import_error("no_such_module")
    assert error == "ModuleNotFoundError: No module named 'no_such_module'"


def test_package_versions(machine: Machine) -> None:
    assert machine.package_version("pytest") == pytest.__version__
    assert machine.package_version("no-such-package") is None
    assert machine.python == sys.version_info[:3]


def test_users_and_groups_are_those_of_the_system(machine: Machine) -> None:
    assert machine.groups_of(machine.user) <= {*machine.groups_of(machine.user), "x"}
    assert machine.groups_of("no-such-user") == set()
    assert machine.has_group("root" if sys.platform == "linux" else "wheel")
    assert not machine.has_group("no-such-group")
    assert machine.process_groups()
    assert machine.is_root == (os.geteuid() == 0)
