"""Upgrading: built beside, switched at once, watched, and taken back if it does not come up."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.system.fake_pi import (
    DIES,
    FLAPS,
    HANGS,
    UNIT_TEXT,
    Diary,
    FakePi,
    make_checkout,
)

from companion.install.checkout import Checkout
from companion.install.installation import go_back, install, upgrade
from companion.install.places import DROP_IN, RULES, SETTINGS, UNIT, VERSIONS
from companion.install.steps import InstallError
from companion.install.versions import Versions

OLD_UNIT, NEW_UNIT = UNIT_TEXT.encode(), f"# new\n{UNIT_TEXT}".encode()


@pytest.fixture
def machine(tmp_path: Path) -> FakePi:
    """Version 1 is installed and runs."""
    machine = FakePi(tmp_path / "root")
    install(machine, make_checkout(tmp_path / "one"), Diary().workman, is_virtual=False)
    machine.commands.clear()
    return machine


@pytest.fixture
def newer(tmp_path: Path) -> Checkout:
    return make_checkout(tmp_path / "two", "2.0.0", NEW_UNIT.decode())


def links(machine: FakePi) -> tuple[str | None, str | None]:
    versions = Versions(machine)
    return tuple(  # type: ignore[return-value]
        name and name.split("+")[0] for name in (versions.current, versions.previous)
    )


def test_new_version_is_in_use_and_the_old_one_kept(machine: FakePi, newer: Checkout) -> None:
    machine.place(SETTINGS, "mine")
    diary = Diary()
    assert upgrade(machine, newer, diary.workman) == 0
    assert links(machine) == ("2.0.0", "1.0.0")
    assert machine.running == Versions(machine).current
    assert machine.read(UNIT) == NEW_UNIT
    assert machine.read(RULES) == b"# of 2.0.0\n"
    assert machine.read(SETTINGS) == b"mine"
    done = [step for step, result in diary.results().items() if result == "done"]
    assert done == ["version", "switch", "udev", "unit", "avahi", "service"]


def test_only_the_version_before_is_kept(machine: FakePi, newer: Checkout, tmp_path: Path) -> None:
    assert upgrade(machine, newer, Diary().workman) == 0
    assert upgrade(machine, make_checkout(tmp_path / "three", "3.0.0"), Diary().workman) == 0
    assert links(machine) == ("3.0.0", "2.0.0")
    assert [name.split("+")[0] for name in machine.names_in(VERSIONS)] == ["2.0.0", "3.0.0"]


def test_same_version_again_has_nothing_to_do(
    machine: FakePi, newer: Checkout, tmp_path: Path
) -> None:
    upgrade(machine, newer, Diary().workman)
    machine.commands.clear()
    diary = Diary()
    assert (
        upgrade(machine, make_checkout(tmp_path / "2", "2.0.0", NEW_UNIT.decode()), diary.workman)
        == 0
    )
    assert set(diary.results().values()) == {"already so"}
    assert machine.commands == []
    assert links(machine) == ("2.0.0", "1.0.0")


def test_changed_files_are_a_version_of_their_own(machine: FakePi, tmp_path: Path) -> None:
    """Whoever works on the companion upgrades without a new number."""
    changed = make_checkout(tmp_path / "one")
    (changed.folder / "companion/games/rules.py").write_text("RULES = 2\n")
    before = Versions(machine).current
    assert upgrade(machine, changed, Diary().workman) == 0
    assert links(machine) == ("1.0.0", "1.0.0")
    assert Versions(machine).previous == before != Versions(machine).current


def test_new_python_makes_the_version_anew(machine: FakePi, tmp_path: Path) -> None:
    """After an upgrade of Debian an old virtual environment is an empty shell."""
    machine.python = "3 13 64"
    assert upgrade(machine, make_checkout(tmp_path / "one"), Diary().workman) == 0
    assert links(machine) == ("1.0.0", "1.0.0")


def test_simulated_table_stays_one(machine: FakePi, newer: Checkout, tmp_path: Path) -> None:
    install(machine, make_checkout(tmp_path / "one"), Diary().workman, is_virtual=True)
    assert upgrade(machine, newer, Diary().workman) == 0
    assert machine.exists(DROP_IN)
    assert "--virtual" in machine.loaded


def test_nothing_to_upgrade_is_said(tmp_path: Path, newer: Checkout) -> None:
    with pytest.raises(InstallError, match=r"^nothing is installed yet$"):
        upgrade(FakePi(tmp_path / "other"), newer, Diary().workman)


# --- A version that does not come up ------------------------------------------------------


@pytest.mark.parametrize("manner", [DIES, FLAPS, HANGS])
def test_version_that_does_not_stay_up_is_taken_back(
    machine: FakePi, newer: Checkout, manner: str
) -> None:
    """With the unit and the rules of the old one, which runs again, and with the reason."""
    machine.place(SETTINGS, "mine")
    name = newer.version_name("3.11")
    machine.manners[name] = manner
    diary = Diary()
    assert upgrade(machine, newer, diary.workman) == 1
    assert links(machine) == ("1.0.0", None)
    old = Versions(machine).current
    assert machine.running == old
    assert machine.loaded == OLD_UNIT.decode()
    assert (machine.read(UNIT), machine.read(RULES)) == (OLD_UNIT, b"# of 1.0.0\n")
    assert machine.read(SETTINGS) == b"mine"
    assert f"  | the pins are gone\nGOING BACK to {old}\n" in diary.text
    assert diary.text.endswith(f"marrakech: {name} did not come up; {old} is in use again\n")


@pytest.mark.parametrize("is_virtual", [True, False])
def test_simulated_table_is_one_again_after_taking_back(
    machine: FakePi, newer: Checkout, tmp_path: Path, is_virtual: bool
) -> None:
    """Even if the new version was to be wired."""
    install(machine, make_checkout(tmp_path / "one"), Diary().workman, is_virtual=True)
    machine.manners[newer.version_name("3.11")] = HANGS
    assert install(machine, newer, Diary().workman, is_virtual=is_virtual) == 1
    assert "--virtual" in machine.loaded


def test_taking_back_keeps_what_one_could_go_back_to_before(
    machine: FakePi, newer: Checkout, tmp_path: Path
) -> None:
    upgrade(machine, newer, Diary().workman)
    third = make_checkout(tmp_path / "three", "3.0.0")
    machine.manners[third.version_name("3.11")] = DIES
    assert upgrade(machine, third, Diary().workman) == 1
    assert links(machine) == ("2.0.0", "1.0.0")


def test_version_that_was_taken_back_can_be_tried_again(machine: FakePi, newer: Checkout) -> None:
    """It is still there: nothing is built twice."""
    name = newer.version_name("3.11")
    machine.manners[name] = DIES
    upgrade(machine, newer, Diary().workman)
    machine.manners.clear()
    diary = Diary()
    assert upgrade(machine, newer, diary.workman) == 0
    assert diary.results()["version"] == "already so"
    assert links(machine) == ("2.0.0", "1.0.0")


def test_try_that_was_cut_short_after_the_switch_goes_back_too(
    machine: FakePi, newer: Checkout
) -> None:
    """What came up last is known from before the power went."""
    name = newer.version_name("3.11")
    machine.manners[name] = DIES
    old = Versions(machine).current
    Versions(machine).make(name, newer, [])
    Versions(machine).switch_to(name)
    machine.reboot()
    assert upgrade(machine, newer, Diary().workman) == 1
    assert Versions(machine).current == machine.running == old


def test_old_version_that_does_not_come_up_either_is_an_error(
    machine: FakePi, newer: Checkout
) -> None:
    old = Versions(machine).current
    assert old is not None
    machine.manners |= {old: DIES, newer.version_name("3.11"): DIES}
    with pytest.raises(InstallError, match="the step 'service' failed"):
        upgrade(machine, newer, Diary().workman)
    assert Versions(machine).current == old


# --- Going back by hand -------------------------------------------------------------------


def test_going_back_and_back_again(machine: FakePi, newer: Checkout) -> None:
    upgrade(machine, newer, Diary().workman)
    assert go_back(machine, Diary().workman) == 0
    assert links(machine) == ("1.0.0", "2.0.0")
    assert machine.loaded == OLD_UNIT.decode()
    assert machine.read(RULES) == b"# of 1.0.0\n"
    assert machine.running == Versions(machine).current
    assert go_back(machine, Diary().workman) == 0
    assert links(machine) == ("2.0.0", "1.0.0")
    assert machine.loaded == NEW_UNIT.decode()


def test_going_back_needs_no_network(machine: FakePi, newer: Checkout) -> None:
    upgrade(machine, newer, Diary().workman)
    machine.commands.clear()
    go_back(machine, Diary().workman)
    assert not any("apt-get" in line or "pip" in line for line in machine.commands)


def test_without_a_version_before_there_is_no_way_back(machine: FakePi) -> None:
    with pytest.raises(InstallError, match=r"^there is no previous version to go back to$"):
        go_back(machine, Diary().workman)


def test_way_back_that_fails_leads_forward_again(machine: FakePi, newer: Checkout) -> None:
    old = Versions(machine).current
    assert old is not None
    upgrade(machine, newer, Diary().workman)
    machine.manners[old] = HANGS
    assert go_back(machine, Diary().workman) == 1
    assert links(machine) == ("2.0.0", "1.0.0")
    assert machine.loaded == NEW_UNIT.decode()


def test_dry_run_of_going_back_changes_nothing(machine: FakePi, newer: Checkout) -> None:
    upgrade(machine, newer, Diary().workman)
    before, diary = machine.picture(), Diary(is_dry=True)
    assert go_back(machine, diary.workman) == 0
    assert diary.results()["switch"] == "would be done"
    assert machine.picture() == before
