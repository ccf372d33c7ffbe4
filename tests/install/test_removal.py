"""Uninstalling: everything that was installed goes, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.system.fake_pi import DIES, Diary, FakePi, make_checkout

from companion.install.installation import install
from companion.install.places import (
    ANNOUNCEMENT,
    COMMAND,
    CURRENT,
    DROP_IN,
    GAMES,
    HOME,
    RULES,
    SETTINGS,
    UNIT,
    WANTED,
)
from companion.install.removal import uninstall
from companion.install.steps import InstallError

INSTALLED = (ANNOUNCEMENT, COMMAND, DROP_IN, HOME, RULES, UNIT, WANTED)
GAME = GAMES / "games" / "current.journal"


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, object]:
    """What a machine looks like where nothing was ever installed."""
    return FakePi(tmp_path / "bare").picture()


@pytest.fixture
def machine(tmp_path: Path) -> FakePi:
    machine = FakePi(tmp_path / "root")
    install(machine, make_checkout(tmp_path / "one"), Diary().workman, is_virtual=True)
    machine.place(GAME, "a game")
    machine.commands.clear()
    return machine


def take_out(
    machine: FakePi, *, games: bool = False, settings: bool = False, is_dry: bool = False
) -> Diary:
    diary = Diary(is_dry=is_dry)
    code = uninstall(machine, diary.workman, without_games=games, without_settings=settings)
    assert code == 0
    return diary


def test_games_and_settings_stay_and_so_does_their_owner(machine: FakePi) -> None:
    diary = take_out(machine)
    assert [path for path in INSTALLED if machine.exists(path)] == []
    assert machine.running is None
    assert machine.read(GAME) == b"a game"
    assert machine.exists(SETTINGS)
    assert machine.user_home == str(GAMES)
    assert machine.commands == [
        "systemctl stop marrakech.service",
        "systemctl --quiet disable marrakech.service",
        "systemctl daemon-reload",
        "udevadm control --reload",
        "udevadm trigger --subsystem-match=gpio --subsystem-match=spidev --subsystem-match=tty "
        "--subsystem-match=usb",
    ]
    assert "kept: /var/lib/marrakech and /etc/marrakech ('uninstall --purge'" in diary.text


def test_without_games_their_owner_goes_too(machine: FakePi) -> None:
    take_out(machine, games=True)
    assert not machine.exists(GAMES)
    assert machine.user_home is None
    assert machine.exists(SETTINGS)


def test_purge_leaves_nothing_but_packages_and_groups(
    machine: FakePi, bare: dict[str, object]
) -> None:
    take_out(machine, games=True, settings=True)
    left = machine.picture()
    assert {key: left[key] for key in left if key != "state"} == {
        key: bare[key] for key in bare if key != "state"
    }


def test_twice_is_once(machine: FakePi) -> None:
    take_out(machine, games=True, settings=True)
    changes = machine.changes
    again = take_out(machine, games=True, settings=True)
    assert set(again.results().values()) == {"already so"}
    assert machine.changes == changes


def test_where_nothing_was_installed_there_is_nothing_to_do(tmp_path: Path) -> None:
    machine = FakePi(tmp_path / "root")
    diary = take_out(machine, games=True, settings=True)
    assert set(diary.results().values()) == {"already so"}
    assert machine.changes == 0


def test_dry_run_names_all_and_changes_nothing(machine: FakePi) -> None:
    before = machine.picture()
    diary = take_out(machine, games=True, settings=True, is_dry=True)
    assert set(diary.results().values()) == {"would be done"}
    assert list(diary.results())[-1] == "user"
    assert machine.picture() == before


@pytest.mark.parametrize("missing", INSTALLED, ids=lambda path: path.name)
def test_it_works_when_something_is_missing(machine: FakePi, missing: Path) -> None:
    super(FakePi, machine).remove(missing)
    take_out(machine, games=True, settings=True)
    assert [path for path in INSTALLED if machine.exists(path)] == []
    assert machine.running is None
    assert machine.user_home is None


def test_service_that_dies_and_comes_again_is_stopped(machine: FakePi) -> None:
    """It is never quite active, and would go on for ever."""
    assert machine.running is not None
    machine.manners[machine.running] = DIES
    take_out(machine)
    assert machine.running is None


def test_what_is_not_ours_stays(machine: FakePi) -> None:
    machine.place(DROP_IN.with_name("override.conf"), "[Service]\n")
    super(FakePi, machine).remove(COMMAND)
    machine.place(COMMAND, "another")
    machine.user_home = "/home/marrakech"
    take_out(machine, games=True, settings=True)
    assert machine.names_in(DROP_IN.parent) == ["override.conf"]
    assert machine.read(COMMAND) == b"another"
    assert machine.user_home == "/home/marrakech"


def test_half_removed_is_told_and_goes_on(machine: FakePi) -> None:
    machine.fails_at = machine.changes + 3
    with pytest.raises(InstallError, match=r"^the step 'unit' failed: .*No space left on device$"):
        take_out(machine)
    take_out(machine)
    assert not machine.exists(CURRENT)
