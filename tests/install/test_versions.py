"""The versions beside each other: complete or not there, and links that lead somewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.system.fake_pi import Diary, FakePi, make_checkout

from companion.install.checkout import Checkout
from companion.install.installation import install, upgrade
from companion.install.places import COMPLETE, CURRENT, VERSIONS
from companion.install.steps import InstallError
from companion.install.versions import Versions


@pytest.fixture
def machine(tmp_path: Path) -> FakePi:
    return FakePi(tmp_path / "root")


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return make_checkout(tmp_path / "one")


def test_half_a_version_is_removed_before_it_is_made_anew(
    machine: FakePi, checkout: Checkout
) -> None:
    """Whatever an earlier try has left would be found by Python."""
    name = checkout.version_name("3.11")
    machine.place(VERSIONS / name / "lib" / "half.py")
    machine.place(VERSIONS / "0.9.0+0123456789" / "bin" / "python")
    Versions(machine).make(name, checkout, [])
    assert machine.names_in(VERSIONS) == [name]
    assert machine.names_in(VERSIONS / name) == ["bin", str(COMPLETE), "share"]


def test_what_is_being_removed_is_no_version_any_more(
    machine: FakePi, checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Should the power go in the middle of it."""
    versions = Versions(machine)
    versions.make("1.0.0+a", checkout, [])
    removed: list[Path] = []
    monkeypatch.setattr(machine, "remove", removed.append)
    versions.remove_unused()
    assert removed == [VERSIONS / "1.0.0+a" / COMPLETE, VERSIONS / "1.0.0+a"]


def test_link_that_leads_nowhere_is_no_version(machine: FakePi, checkout: Checkout) -> None:
    """Somebody has removed it by hand: it is installed anew."""
    install(machine, checkout, Diary().workman, is_virtual=False)
    name = Versions(machine).current
    assert name is not None
    machine.remove(VERSIONS / name)
    assert machine.exists(CURRENT)
    assert Versions(machine).current is None
    with pytest.raises(InstallError, match=r"^nothing is installed yet$"):
        upgrade(machine, checkout, Diary().workman)
    assert install(machine, checkout, Diary().workman, is_virtual=False) == 0
    assert Versions(machine).current == name


def test_version_in_use_is_never_changed(machine: FakePi, checkout: Checkout) -> None:
    install(machine, checkout, Diary().workman, is_virtual=False)
    before = machine.picture()
    Versions(machine).switch_to(checkout.version_name("3.11"))
    assert machine.picture() == before
