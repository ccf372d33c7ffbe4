"""`uninstall` removes everything that was installed, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.system.fake_pi import CRASHES, FakePi, Transcript, make_checkout

from companion.install.installation import install
from companion.install.paths import (
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
    """The state of a machine before the first install."""
    return FakePi(tmp_path / "bare").state()


@pytest.fixture
def machine(tmp_path: Path) -> FakePi:
    machine = FakePi(tmp_path / "root")
    install(
        machine,
        make_checkout(tmp_path / "one"),
        Transcript().runner,
        is_virtual=True,
        has_shutdown_button=True,
    )
    machine.place(GAME, "a game")
    machine.commands.clear()
    return machine


def uninstall_all(
    machine: FakePi, *, games: bool = False, settings: bool = False, is_dry: bool = False
) -> Transcript:
    transcript = Transcript(is_dry=is_dry)
    code = uninstall(machine, transcript.runner, without_games=games, without_settings=settings)
    assert code == 0
    return transcript


def test_games_settings_and_their_user_are_kept(machine: FakePi) -> None:
    transcript = uninstall_all(machine)
    assert [path for path in INSTALLED if machine.exists(path)] == []
    assert machine.running is None
    assert machine.contents(GAME) == b"a game"
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
    assert "kept: /var/lib/marrakech and /etc/marrakech ('uninstall --purge'" in transcript.text


def test_with_the_games_the_user_is_removed(machine: FakePi) -> None:
    uninstall_all(machine, games=True)
    assert not machine.exists(GAMES)
    assert machine.user_home is None
    assert machine.exists(SETTINGS)


def test_purge_leaves_nothing_but_packages_and_groups(
    machine: FakePi, bare: dict[str, object]
) -> None:
    uninstall_all(machine, games=True, settings=True)
    left = machine.state()
    assert {key: left[key] for key in left if key != "state"} == {
        key: bare[key] for key in bare if key != "state"
    }


def test_second_uninstall_has_nothing_to_do(machine: FakePi) -> None:
    uninstall_all(machine, games=True, settings=True)
    changes = machine.changes
    again = uninstall_all(machine, games=True, settings=True)
    assert set(again.results().values()) == {"already done"}
    assert machine.changes == changes


def test_without_an_installation_there_is_nothing_to_do(tmp_path: Path) -> None:
    machine = FakePi(tmp_path / "root")
    transcript = uninstall_all(machine, games=True, settings=True)
    assert set(transcript.results().values()) == {"already done"}
    assert machine.changes == 0


def test_dry_run_prints_all_steps_and_changes_nothing(machine: FakePi) -> None:
    before = machine.state()
    transcript = uninstall_all(machine, games=True, settings=True, is_dry=True)
    assert set(transcript.results().values()) == {"would be done"}
    assert list(transcript.results())[-1] == "user"
    assert machine.state() == before


@pytest.mark.parametrize("missing", INSTALLED, ids=lambda path: path.name)
def test_missing_files_are_tolerated(machine: FakePi, missing: Path) -> None:
    super(FakePi, machine).remove(missing)
    uninstall_all(machine, games=True, settings=True)
    assert [path for path in INSTALLED if machine.exists(path)] == []
    assert machine.running is None
    assert machine.user_home is None


def test_crashing_service_is_stopped(machine: FakePi) -> None:
    """It is never active, and systemd would restart it forever."""
    assert machine.running is not None
    machine.behaviour[machine.running] = CRASHES
    uninstall_all(machine)
    assert machine.running is None


def test_foreign_files_and_users_are_kept(machine: FakePi) -> None:
    machine.place(DROP_IN.with_name("override.conf"), "[Service]\n")
    super(FakePi, machine).remove(COMMAND)
    machine.place(COMMAND, "another")
    machine.user_home = "/home/marrakech"
    uninstall_all(machine, games=True, settings=True)
    assert machine.names_in(DROP_IN.parent) == ["override.conf"]
    assert machine.contents(COMMAND) == b"another"
    assert machine.user_home == "/home/marrakech"


def test_next_run_completes_after_a_failure(machine: FakePi) -> None:
    machine.fails_at = machine.changes + 3
    with pytest.raises(InstallError, match=r"^the step 'unit' failed: .*No space left on device$"):
        uninstall_all(machine)
    uninstall_all(machine)
    assert not machine.exists(CURRENT)
