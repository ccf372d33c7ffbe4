"""How the system test finds the files that an installation has left."""

from __future__ import annotations

from pathlib import Path

import pytest
from system.host import PackageAccess
from system.root import Root
from system.workspace import StepLog, copy_tree


@pytest.fixture
def root(tmp_path: Path) -> Root:
    return Root(tmp_path, PackageAccess({}, {}, ()))


def put(root: Root, name: str, text: str = "") -> None:
    root.at(name).parent.mkdir(parents=True, exist_ok=True)
    root.at(name).write_text(text)


def test_contents_are_paths_and_for_etc_also_hashes(root: Root) -> None:
    put(root, "opt/a", "1")
    put(root, "etc/b", "1")
    root.at("etc/c").symlink_to("/nowhere")
    before = root.contents()
    assert before["opt"] == "folder"
    assert before["etc/c"] == "link to /nowhere"
    put(root, "opt/a", "2")
    assert root.contents() == before
    put(root, "etc/b", "2")
    assert {name for name, kind in root.contents().items() if before[name] != kind} == {"etc/b"}


@pytest.mark.parametrize("name", ["tmp/x", "run/x", "var/log/x", "usr/lib/__pycache__/x"])
def test_logs_and_caches_are_not_in_the_contents(root: Root, name: str) -> None:
    put(root, name)
    assert name not in root.contents()


def test_similar_paths_are_in_the_contents(root: Root) -> None:
    put(root, "opt/run/tmp")
    assert {"opt", "opt/run", "opt/run/tmp"} == set(root.contents())


def test_files_of_packages_are_known(root: Root) -> None:
    put(root, "var/lib/dpkg/info/python3-venv.list", "/.\n/usr\n/usr/bin/pyvenv\n")
    assert "usr/bin/pyvenv" in root.package_files()


def test_checkout_is_copied_without_ignored_files(tmp_path: Path) -> None:
    tree = copy_tree(tmp_path / "tree")
    assert (tree / "marrakech").stat().st_mode & 0o111
    assert (tree / "companion/__init__.py").is_file()
    for junk in (".git", ".venv", "build", "companion/__pycache__"):
        assert not (tree / junk).exists()


def test_step_log_shows_failed_steps_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    log = StepLog()
    log.run("one", lambda: "that it works")

    def fail() -> str:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        log.run("two", fail)
    log.print_table()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if line][:5] == ["one", "two", "step", "one", "two"]
    assert lines[-3].endswith("that it works")
    assert lines[-2].endswith("FAILED")
