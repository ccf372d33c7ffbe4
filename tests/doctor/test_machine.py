"""The machine this runs on, as the doctor's port shows it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from companion.doctor import machine as machine_module
from companion.doctor.machine import LARGEST, Machine, Ran, ThisMachine


@pytest.fixture
def machine() -> Machine:
    return ThisMachine()


def test_files_and_folders_are_read(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "b").write_bytes(b"one\xff")
    (tmp_path / "a").mkdir()
    assert machine.read(str(tmp_path / "b")) == "one\ufffd"
    assert machine.list(str(tmp_path)) == ["a", "b"]
    with pytest.raises(FileNotFoundError):
        machine.read(str(tmp_path / "c"))
    with pytest.raises(FileNotFoundError):
        machine.list(str(tmp_path / "c"))


def test_a_device_that_never_ends_and_a_pipe_that_never_begins_are_read_all_the_same(
    machine: Machine, tmp_path: Path
) -> None:
    assert len(machine.read("/dev/zero")) == LARGEST
    os.mkfifo(tmp_path / "pipe")
    assert machine.read(str(tmp_path / "pipe")) == ""


def test_a_program_is_run_without_a_keyboard_and_in_plain_english(machine: Machine) -> None:
    assert machine.run("sh", "-c", "cat; echo $LC_ALL; echo no >&2; exit 3") == Ran(
        3, "C\n", "no\n"
    )
    with pytest.raises(FileNotFoundError):
        machine.run("no-such-program-anywhere")


def test_a_program_that_does_not_answer_is_ended(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine_module, "RUN_S", 0.05)
    with pytest.raises(TimeoutError, match="sleep does not answer"):
        machine.run("sleep", "1000")


def test_a_module_is_tried_by_another_python_in_a_folder_of_its_own(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """lgpio leaves a pipe in the folder where it is imported."""
    module = tmp_path / "leaves_a_pipe.py"
    module.write_text("import pathlib; pathlib.Path('.lgd-nfy0').touch()\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert machine.import_fault("leaves_a_pipe") == ""
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
    assert "leaves_a_pipe" not in sys.modules
    fault = machine.import_fault("no_such_module")
    assert fault == "ModuleNotFoundError: No module named 'no_such_module'"


def test_users_and_groups_are_those_of_the_system(machine: Machine) -> None:
    assert machine.groups_of(machine.user) <= {*machine.groups_of(machine.user), "x"}
    assert machine.groups_of("nobody-is-called-so") == set()
    assert machine.has_group("root" if sys.platform == "linux" else "wheel")
    assert not machine.has_group("no-such-group")
    assert machine.groups()
    assert machine.is_root == (os.geteuid() == 0)


def test_space_is_what_the_file_system_says(machine: Machine, tmp_path: Path) -> None:
    space = machine.space(str(tmp_path))
    assert space.free_bytes > 0
    assert not space.is_readonly
    assert machine.may_write(str(tmp_path))
    assert not machine.may_write(str(tmp_path / "nowhere"))


def test_packages_are_told_by_their_versions(machine: Machine) -> None:
    assert machine.package_version("pytest") == pytest.__version__
    assert machine.package_version("no-such-package") is None
    assert machine.python == sys.version_info[:3]
