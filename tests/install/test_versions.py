"""Versions are complete or ignored, and the links point to complete ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.system.fake_pi import FakePi, Transcript, make_checkout

from companion.install.checkout import Checkout
from companion.install.installation import install, upgrade
from companion.install.paths import COMPLETE, CURRENT, VERSIONS
from companion.install.steps import InstallError
from companion.install.versions import Versions


@pytest.fixture
def machine(tmp_path: Path) -> FakePi:
    return FakePi(tmp_path / "root")


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return make_checkout(tmp_path / "one")


def test_incomplete_versions_are_removed_before_a_build(
    machine: FakePi, checkout: Checkout
) -> None:
    """Python would import modules that an earlier try has left."""
    name = checkout.version_name("3.11")
    machine.place(VERSIONS / name / "lib" / "half.py")
    machine.place(VERSIONS / "0.9.0+0123456789" / "bin" / "python")
    Versions(machine).build(name, checkout, [])
    assert machine.names_in(VERSIONS) == [name]
    assert machine.names_in(VERSIONS / name) == ["bin", str(COMPLETE), "share"]


def test_mark_of_a_version_is_removed_first(
    machine: FakePi, checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In case of a power cut in the middle."""
    versions = Versions(machine)
    versions.build("1.0.0+a", checkout, [])
    removed: list[Path] = []
    monkeypatch.setattr(machine, "remove", removed.append)
    versions.remove_unused()
    assert removed == [VERSIONS / "1.0.0+a" / COMPLETE, VERSIONS / "1.0.0+a"]


def test_broken_link_is_not_a_version(machine: FakePi, checkout: Checkout) -> None:
    """The folder was deleted by hand: it is built again."""
    install(machine, checkout, Transcript().runner, is_virtual=False)
    name = Versions(machine).current
    assert name is not None
    machine.remove(VERSIONS / name)
    assert machine.exists(CURRENT)
    assert Versions(machine).current is None
    with pytest.raises(InstallError, match=r"^nothing is installed yet$"):
        upgrade(machine, checkout, Transcript().runner)
    assert install(machine, checkout, Transcript().runner, is_virtual=False) == 0
    assert Versions(machine).current == name


def test_switching_to_the_current_version_changes_nothing(
    machine: FakePi, checkout: Checkout
) -> None:
    install(machine, checkout, Transcript().runner, is_virtual=False)
    before = machine.state()
    Versions(machine).switch_to(checkout.version_name("3.11"))
    assert machine.state() == before
