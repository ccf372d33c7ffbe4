"""The service: what systemd knows, and what follows for settings, buttons and pad."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.system.fake_machine import SHOW, FakeMachine, only, patient_of

from companion.doctor.checks.service import (
    Service,
    Word,
    check_buttons,
    check_service,
    read_service,
    word_of,
)
from companion.doctor.context import make_context
from companion.doctor.machine import Ran

LOG = "journalctl -u marrakech -n 50"


@pytest.fixture
def machine() -> FakeMachine:
    return FakeMachine()


def test_what_systemd_shows_is_read(machine: FakeMachine) -> None:
    machine.install_service(
        ExecStart="{ path=/opt/m ; argv[]=/opt/m serve --config /etc/m.toml --folder /var/lib/m/g"
        " ; ignore_errors=no ; status=0/0 }"
    )
    assert read_service(machine) == Service(
        is_installed=True,
        active="active",
        is_enabled=True,
        user="marrakech",
        groups=frozenset({"gpio", "spi", "dialout"}),
        environ={
            "GPIOZERO_PIN_FACTORY": "lgpio",
            "A": "b c",
            "STATE_DIRECTORY": "/var/lib/marrakech",
        },
        config=Path("/etc/m.toml"),
        folder=Path("/var/lib/m/g"),
        has_watchdog=True,
    )


@pytest.mark.parametrize(
    ("properties", "found"),
    [
        ({}, ("good", "running, and comes back after a reboot", "")),
        (
            {"UnitFileState": "disabled"},
            (
                "warning",
                "running, but it will not come back after a reboot",
                "sudo systemctl enable marrakech",
            ),
        ),
        (
            {"NRestarts": "3"},
            ("warning", "running, after 3 restarts since it was started by hand or at boot", LOG),
        ),
        (
            {"ActiveState": "activating", "SubState": "auto-restart", "NRestarts": "1"},
            ("failed", "it fails again and again (1 restart)", LOG),
        ),
        (
            {"ActiveState": "activating", "SubState": "start"},
            ("note", "starting", "ask again in a minute: marrakech doctor"),
        ),
        (
            {"ActiveState": "failed", "Result": "watchdog"},
            ("failed", "it has failed (watchdog)", LOG),
        ),
        ({"ActiveState": "inactive"}, ("warning", "stopped", "sudo systemctl start marrakech")),
        (
            {"ActiveState": "inactive", "UnitFileState": "disabled"},
            ("note", "installed, but stopped", "sudo systemctl enable --now marrakech"),
        ),
        (
            {"ExecStart": "{ argv[]=/opt/m serve --virtual ; }"},
            (
                "warning",
                "running SIMULATED: no button and no matrix is used",
                "sudo ./marrakech install, in the checkout",
            ),
        ),
        (
            {"LoadState": "not-found", "ActiveState": "inactive"},
            (
                "note",
                "not installed: the table runs while 'marrakech serve' does",
                "sudo ./marrakech install, in the checkout",
            ),
        ),
    ],
)
def test_each_state_is_told_with_its_command(
    machine: FakeMachine, properties: dict[str, str], found: tuple[str, str, str]
) -> None:
    machine.install_service(**properties)
    assert only(check_service, patient_of(machine)) == found


@pytest.mark.parametrize(
    ("ran", "said"),
    [
        (Ran(1, "", "System has not been booted with systemd\nno\n"), "System has not been booted"),
        (Ran(1), "systemctl fails"),
        (FileNotFoundError(2, "No such file"), "systemctl cannot be asked (No such file)"),
        (TimeoutError("systemctl does not answer"), "systemctl cannot be asked (systemctl does"),
    ],
)
def test_without_systemd_it_cannot_be_told(
    machine: FakeMachine, ran: Ran | OSError, said: str
) -> None:
    machine.runs[SHOW] = ran
    level, told, _ = only(check_service, patient_of(machine))
    assert level == "unknown"
    assert told.startswith(said)


# --- Whose settings -----------------------------------------------------------------------


def test_a_patient_with_a_service_has_the_services_settings_and_games(
    machine: FakeMachine, tmp_path: Path
) -> None:
    """What the user who asks has in his own folder is not what is played with."""
    (tmp_path / "marrakech.toml").write_text("[game]\nplayers = 2\n")
    config = tmp_path / "etc.toml"
    config.write_text("[game]\nplayers = 3\n")
    command = f"{{ argv[]=/opt/m serve --config {config} --folder /var/lib/m/games ; }}"
    machine.install_service(ExecStart=command)
    patient = make_context(machine, cwd=tmp_path)
    assert patient.config.game.players == 3
    assert patient.folder == Path("/var/lib/m/games")
    machine.install_service()
    patient = make_context(machine, cwd=tmp_path)
    assert patient.config.game.players != 2
    assert patient.folder == Path("/var/lib/marrakech")


def test_what_is_given_counts_more(machine: FakeMachine, tmp_path: Path) -> None:
    machine.install_service()
    (tmp_path / "mine.toml").write_text("[game]\nplayers = 2\n")
    patient = make_context(machine, cwd=tmp_path, config=Path("mine.toml"), folder=tmp_path)
    assert patient.config.game.players == 2
    assert patient.folder == tmp_path


def test_without_a_service_it_is_whoever_asks(machine: FakeMachine, tmp_path: Path) -> None:
    machine.environ = {"HOME": str(tmp_path)}
    (tmp_path / "marrakech.toml").write_text("[game]\nplayers = 2\n")
    patient = make_context(machine, cwd=tmp_path)
    assert patient.config.game.players == 2
    assert patient.folder == tmp_path / ".local/state/marrakech"
    virtual = make_context(machine, cwd=tmp_path, is_virtual=True)
    assert virtual.folder == tmp_path / ".local/state/marrakech/simulated"


def test_a_virtual_patient_does_not_ask_systemd(machine: FakeMachine, tmp_path: Path) -> None:
    machine.install_service()
    assert not make_context(machine, cwd=tmp_path, is_virtual=True).service.is_installed
    assert machine.asked == []


def test_settings_with_faults_leave_the_defaults_and_the_faults(
    machine: FakeMachine, tmp_path: Path
) -> None:
    (tmp_path / "marrakech.toml").write_text("[game]\nplayers = 9\n[matrix]\nkind = 'oled'\n")
    patient = make_context(machine, cwd=tmp_path)
    assert len(patient.faults) == 2
    assert patient.config.game.players == 4
    assert patient.folder is None


# --- Its word -----------------------------------------------------------------------------


def test_the_word_of_the_service_counts_most(machine: FakeMachine) -> None:
    machine.install_service()
    patient = patient_of(machine, says=Word(hears_buttons=True))
    assert only(check_buttons, patient) == ("good", "the service hears them", "")
    assert only(check_buttons, patient_of(machine, says=Word(hears_buttons=False))) == (
        "failed",
        "the service has gone deaf: no button is heard",
        "sudo systemctl restart marrakech; the game goes on where it is",
    )


def test_a_watchdog_that_is_content_is_word_enough(machine: FakeMachine) -> None:
    machine.install_service()
    said = "the service hears them: its watchdog is content"
    assert only(check_buttons, patient_of(machine)) == ("good", said, "")
    machine.install_service(WatchdogUSec="0")
    assert only(check_buttons, patient_of(machine)) == (
        "unknown",
        "the service does not say whether it hears them",
        "press one, and look",
    )


def test_where_no_service_runs_the_walk_tells(machine: FakeMachine) -> None:
    walk = ("unknown", "no service is running that hears them", "marrakech doctor --walk")
    assert only(check_buttons, patient_of(machine)) == walk
    machine.install_service(ExecStart="{ argv[]=/opt/m serve --virtual ; }")
    assert only(check_buttons, patient_of(machine)) == walk


@pytest.mark.parametrize(
    ("pad", "word"),
    [
        (None, Word()),
        (
            {"state": "connected", "firmware": "1.2.3", "said": None},
            Word(pad="", firmware=(1, 2, 3)),
        ),
        ({"state": "lost", "firmware": None, "said": "It is gone."}, Word(pad="It is gone.")),
        ({"state": "quiet", "firmware": "1.0.0", "said": None}, Word(pad="it is quiet")),
    ],
)
def test_the_account_of_a_table_is_read_as_its_word(
    pad: dict[str, str | None] | None, word: Word
) -> None:
    assert word_of({"pad": pad}) == word
