"""`upgrade`: built side by side, switched atomically, rolled back if it does not start."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.system.fake_pi import (
    CRASHES,
    FLAPS,
    HANGS,
    UNIT_TEXT,
    FakePi,
    Transcript,
    make_checkout,
)

from companion.install.checkout import Checkout
from companion.install.installation import go_back, install, upgrade
from companion.install.paths import DROP_IN, RULES, SETTINGS, UNIT, VERSIONS
from companion.install.steps import InstallError
from companion.install.versions import Versions

OLD_UNIT, NEW_UNIT = UNIT_TEXT.encode(), f"# new\n{UNIT_TEXT}".encode()


@pytest.fixture
def machine(tmp_path: Path) -> FakePi:
    """Version 1 is installed and running."""
    machine = FakePi(tmp_path / "root")
    install(machine, make_checkout(tmp_path / "one"), Transcript().runner, is_virtual=False)
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


def test_new_version_is_in_use_and_the_old_one_is_kept(machine: FakePi, newer: Checkout) -> None:
    machine.place(SETTINGS, "mine")
    transcript = Transcript()
    assert upgrade(machine, newer, transcript.runner) == 0
    assert links(machine) == ("2.0.0", "1.0.0")
    assert machine.running == Versions(machine).current
    assert machine.contents(UNIT) == NEW_UNIT
    assert machine.contents(RULES) == b"# of 2.0.0\n"
    assert machine.contents(SETTINGS) == b"mine"
    done = [step for step, result in transcript.results().items() if result == "done"]
    assert done == ["version", "switch", "udev", "unit", "avahi", "service"]


def test_only_the_previous_version_is_kept(
    machine: FakePi, newer: Checkout, tmp_path: Path
) -> None:
    assert upgrade(machine, newer, Transcript().runner) == 0
    assert upgrade(machine, make_checkout(tmp_path / "three", "3.0.0"), Transcript().runner) == 0
    assert links(machine) == ("3.0.0", "2.0.0")
    assert [name.split("+")[0] for name in machine.names_in(VERSIONS)] == ["2.0.0", "3.0.0"]


def test_second_upgrade_has_nothing_to_do(machine: FakePi, newer: Checkout, tmp_path: Path) -> None:
    upgrade(machine, newer, Transcript().runner)
    machine.commands.clear()
    transcript = Transcript()
    assert (
        upgrade(
            machine, make_checkout(tmp_path / "2", "2.0.0", NEW_UNIT.decode()), transcript.runner
        )
        == 0
    )
    assert set(transcript.results().values()) == {"already done"}
    assert machine.commands == []
    assert links(machine) == ("2.0.0", "1.0.0")


def test_changed_files_make_a_new_version(machine: FakePi, tmp_path: Path) -> None:
    """Developers upgrade without a new version number."""
    changed = make_checkout(tmp_path / "one")
    (changed.folder / "companion/games/rules.py").write_text("RULES = 2\n")
    before = Versions(machine).current
    assert upgrade(machine, changed, Transcript().runner) == 0
    assert links(machine) == ("1.0.0", "1.0.0")
    assert Versions(machine).previous == before != Versions(machine).current


def test_new_python_rebuilds_the_version(machine: FakePi, tmp_path: Path) -> None:
    """After an upgrade of Debian an old virtual environment does not work."""
    machine.python_output = "3 13 64"
    assert upgrade(machine, make_checkout(tmp_path / "one"), Transcript().runner) == 0
    assert links(machine) == ("1.0.0", "1.0.0")


def test_simulated_table_stays_simulated(machine: FakePi, newer: Checkout, tmp_path: Path) -> None:
    install(machine, make_checkout(tmp_path / "one"), Transcript().runner, is_virtual=True)
    assert upgrade(machine, newer, Transcript().runner) == 0
    assert machine.exists(DROP_IN)
    assert "--virtual" in machine.loaded_unit


def test_upgrade_without_an_installation_is_refused(tmp_path: Path, newer: Checkout) -> None:
    with pytest.raises(InstallError, match=r"^nothing is installed yet$"):
        upgrade(FakePi(tmp_path / "other"), newer, Transcript().runner)


# --- A version that does not start --------------------------------------------------------


@pytest.mark.parametrize("behaviour", [CRASHES, FLAPS, HANGS])
def test_version_that_does_not_stay_up_is_rolled_back(
    machine: FakePi, newer: Checkout, behaviour: str
) -> None:
    """The old version runs again with its unit and rules, and the reason is printed."""
    machine.place(SETTINGS, "mine")
    name = newer.version_name("3.11")
    machine.behaviour[name] = behaviour
    transcript = Transcript()
    assert upgrade(machine, newer, transcript.runner) == 1
    assert links(machine) == ("1.0.0", None)
    old = Versions(machine).current
    assert machine.running == old
    assert machine.loaded_unit == OLD_UNIT.decode()
    assert (machine.contents(UNIT), machine.contents(RULES)) == (OLD_UNIT, b"# of 1.0.0\n")
    assert machine.contents(SETTINGS) == b"mine"
    assert f"  | the pins are gone\nGOING BACK to {old}\n" in transcript.text
    assert transcript.text.endswith(f"marrakech: {name} did not start; {old} is in use again\n")


@pytest.mark.parametrize("is_virtual", [True, False])
def test_simulated_table_is_simulated_again_after_a_rollback(
    machine: FakePi, newer: Checkout, tmp_path: Path, is_virtual: bool
) -> None:
    """Even if the new version was installed for real hardware."""
    install(machine, make_checkout(tmp_path / "one"), Transcript().runner, is_virtual=True)
    machine.behaviour[newer.version_name("3.11")] = HANGS
    assert install(machine, newer, Transcript().runner, is_virtual=is_virtual) == 1
    assert "--virtual" in machine.loaded_unit


def test_rollback_keeps_the_previous_version(
    machine: FakePi, newer: Checkout, tmp_path: Path
) -> None:
    upgrade(machine, newer, Transcript().runner)
    third = make_checkout(tmp_path / "three", "3.0.0")
    machine.behaviour[third.version_name("3.11")] = CRASHES
    assert upgrade(machine, third, Transcript().runner) == 1
    assert links(machine) == ("2.0.0", "1.0.0")


def test_version_that_was_rolled_back_can_be_tried_again(machine: FakePi, newer: Checkout) -> None:
    """It is not built again."""
    name = newer.version_name("3.11")
    machine.behaviour[name] = CRASHES
    upgrade(machine, newer, Transcript().runner)
    machine.behaviour.clear()
    transcript = Transcript()
    assert upgrade(machine, newer, transcript.runner) == 0
    assert transcript.results()["version"] == "already done"
    assert links(machine) == ("2.0.0", "1.0.0")


def test_upgrade_interrupted_after_the_switch_is_rolled_back_too(
    machine: FakePi, newer: Checkout
) -> None:
    """The last version that worked is on the disk."""
    name = newer.version_name("3.11")
    machine.behaviour[name] = CRASHES
    old = Versions(machine).current
    Versions(machine).build(name, newer, [])
    Versions(machine).switch_to(name)
    machine.reboot()
    assert upgrade(machine, newer, Transcript().runner) == 1
    assert Versions(machine).current == machine.running == old


def test_rollback_to_a_version_that_does_not_start_is_an_error(
    machine: FakePi, newer: Checkout
) -> None:
    old = Versions(machine).current
    assert old is not None
    machine.behaviour |= {old: CRASHES, newer.version_name("3.11"): CRASHES}
    with pytest.raises(InstallError, match="the step 'service' failed"):
        upgrade(machine, newer, Transcript().runner)
    assert Versions(machine).current == old


# --- upgrade --back -----------------------------------------------------------------------


def test_going_back_and_back_again(machine: FakePi, newer: Checkout) -> None:
    upgrade(machine, newer, Transcript().runner)
    assert go_back(machine, Transcript().runner) == 0
    assert links(machine) == ("1.0.0", "2.0.0")
    assert machine.loaded_unit == OLD_UNIT.decode()
    assert machine.contents(RULES) == b"# of 1.0.0\n"
    assert machine.running == Versions(machine).current
    assert go_back(machine, Transcript().runner) == 0
    assert links(machine) == ("2.0.0", "1.0.0")
    assert machine.loaded_unit == NEW_UNIT.decode()


def test_going_back_needs_no_network(machine: FakePi, newer: Checkout) -> None:
    upgrade(machine, newer, Transcript().runner)
    machine.commands.clear()
    go_back(machine, Transcript().runner)
    assert not any("apt-get" in line or "pip" in line for line in machine.commands)


def test_going_back_without_a_previous_version_is_refused(machine: FakePi) -> None:
    with pytest.raises(InstallError, match=r"^there is no previous version to go back to$"):
        go_back(machine, Transcript().runner)


def test_going_back_that_fails_restores_the_current_version(
    machine: FakePi, newer: Checkout
) -> None:
    old = Versions(machine).current
    assert old is not None
    upgrade(machine, newer, Transcript().runner)
    machine.behaviour[old] = HANGS
    assert go_back(machine, Transcript().runner) == 1
    assert links(machine) == ("2.0.0", "1.0.0")
    assert machine.loaded_unit == NEW_UNIT.decode()


def test_dry_run_of_going_back_changes_nothing(machine: FakePi, newer: Checkout) -> None:
    upgrade(machine, newer, Transcript().runner)
    before, transcript = machine.state(), Transcript(is_dry=True)
    assert go_back(machine, transcript.runner) == 0
    assert transcript.results()["switch"] == "would be done"
    assert machine.state() == before
