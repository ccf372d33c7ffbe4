"""Checks of the service and its buttons, and whose settings are used."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.system.healthy_pi import SYSTEMCTL_SHOW, HealthyPi, context_for, single_finding

from companion.doctor.checks.service import (
    ServiceReply,
    ServiceState,
    check_buttons,
    check_service,
    parse_service_reply,
    read_service,
)
from companion.doctor.context import make_context
from companion.machine.commands import NOT_FOUND, TIMED_OUT, CommandResult

LOG = "journalctl -u marrakech -n 50"


def test_output_of_systemctl_show_is_parsed(machine: HealthyPi) -> None:
    machine.install_service(
        ExecStart="{ path=/opt/m ; argv[]=/opt/m serve --config /etc/m.toml --folder /var/lib/m/g"
        " ; ignore_errors=no ; status=0/0 }"
    )
    assert read_service(machine) == ServiceState(
        is_installed=True,
        active_state="active",
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
        ({}, ("good", "running, and starts at boot", "")),
        (
            {"UnitFileState": "disabled"},
            (
                "warning",
                "running, but it does not start at boot",
                "sudo systemctl enable marrakech",
            ),
        ),
        (
            {"NRestarts": "3"},
            ("warning", "running, after 3 restarts since its last manual start or boot", LOG),
        ),
        (
            {"ActiveState": "activating", "SubState": "auto-restart", "NRestarts": "1"},
            ("failed", "it keeps failing (1 restart)", LOG),
        ),
        (
            {"ActiveState": "activating", "SubState": "start"},
            ("note", "starting", "run this again in a minute: marrakech doctor"),
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
                "running SIMULATED: buttons and matrix are not used",
                "sudo ./marrakech install, in the checkout",
            ),
        ),
        (
            {"LoadState": "not-found", "ActiveState": "inactive"},
            (
                "note",
                "not installed: the table runs only while 'marrakech serve' runs",
                "sudo ./marrakech install, in the checkout",
            ),
        ),
    ],
)
def test_each_state_of_the_service_is_reported_with_advice(
    machine: HealthyPi, properties: dict[str, str], found: tuple[str, str, str]
) -> None:
    machine.install_service(**properties)
    assert single_finding(check_service, context_for(machine)) == found


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (
            CommandResult(1, "", "System has not been booted with systemd\nno\n"),
            "System has not been booted",
        ),
        (CommandResult(1), "systemctl fails"),
        (CommandResult(NOT_FOUND, "", "systemctl: No such file"), "systemctl: No such file"),
        (CommandResult(TIMED_OUT, "", "systemctl: no answer"), "systemctl: no answer"),
    ],
)
def test_service_is_unknown_if_systemctl_fails(
    machine: HealthyPi, result: CommandResult, text: str
) -> None:
    machine.answers[SYSTEMCTL_SHOW] = result
    level, found, _ = single_finding(check_service, context_for(machine))
    assert level == "unknown"
    assert found.startswith(text)


# --- Settings and games -------------------------------------------------------------------


def test_settings_and_games_are_those_of_the_service(machine: HealthyPi, tmp_path: Path) -> None:
    """A marrakech.toml in the current folder is not used."""
    (tmp_path / "marrakech.toml").write_text("[game]\nplayers = 2\n")
    config = tmp_path / "etc.toml"
    config.write_text("[game]\nplayers = 3\n")
    command = f"{{ argv[]=/opt/m serve --config {config} --folder /var/lib/m/games ; }}"
    machine.install_service(ExecStart=command)
    context = make_context(machine, cwd=tmp_path)
    assert context.config.game.players == 3
    assert context.folder == Path("/var/lib/m/games")
    machine.install_service()
    context = make_context(machine, cwd=tmp_path)
    assert context.config.game.players != 2
    assert context.folder == Path("/var/lib/marrakech")


def test_options_override_the_service(machine: HealthyPi, tmp_path: Path) -> None:
    machine.install_service()
    (tmp_path / "mine.toml").write_text("[game]\nplayers = 2\n")
    context = make_context(machine, cwd=tmp_path, config=Path("mine.toml"), folder=tmp_path)
    assert context.config.game.players == 2
    assert context.folder == tmp_path


def test_without_a_service_the_users_settings_are_used(machine: HealthyPi, tmp_path: Path) -> None:
    machine.environ = {"HOME": str(tmp_path)}
    (tmp_path / "marrakech.toml").write_text("[game]\nplayers = 2\n")
    context = make_context(machine, cwd=tmp_path)
    assert context.config.game.players == 2
    assert context.folder == tmp_path / ".local/state/marrakech"
    virtual = make_context(machine, cwd=tmp_path, is_virtual=True)
    assert virtual.folder == tmp_path / ".local/state/marrakech/simulated"


def test_virtual_context_does_not_query_systemd(machine: HealthyPi, tmp_path: Path) -> None:
    machine.install_service()
    assert not make_context(machine, cwd=tmp_path, is_virtual=True).service.is_installed
    assert machine.queries == []


def test_invalid_settings_are_kept_as_errors_and_defaults_are_used(
    machine: HealthyPi, tmp_path: Path
) -> None:
    (tmp_path / "marrakech.toml").write_text("[game]\nplayers = 9\n[matrix]\nkind = 'oled'\n")
    context = make_context(machine, cwd=tmp_path)
    assert len(context.faults) == 2
    assert context.config.game.players == 4
    assert context.folder is None


# --- The reply of the service -------------------------------------------------------------


def test_buttons_are_good_or_failed_as_the_service_reports(machine: HealthyPi) -> None:
    machine.install_service()
    context = context_for(machine, reply=ServiceReply(is_gpio_alive=True))
    assert single_finding(check_buttons, context) == ("good", "the service reads them", "")
    assert single_finding(
        check_buttons, context_for(machine, reply=ServiceReply(is_gpio_alive=False))
    ) == (
        "failed",
        "the service no longer reads them: its GPIO thread has died",
        "sudo systemctl restart marrakech; the game continues",
    )


def test_buttons_are_good_while_the_watchdog_is_satisfied(machine: HealthyPi) -> None:
    machine.install_service()
    text = "the service reads them: its watchdog is satisfied"
    assert single_finding(check_buttons, context_for(machine)) == ("good", text, "")
    machine.install_service(WatchdogUSec="0")
    assert single_finding(check_buttons, context_for(machine)) == (
        "unknown",
        "the service does not report whether it reads them",
        "press one and look at the matrix",
    )


def test_buttons_are_unknown_without_a_running_service(machine: HealthyPi) -> None:
    walk = ("unknown", "no running service uses them", "marrakech doctor --walk")
    assert single_finding(check_buttons, context_for(machine)) == walk
    machine.install_service(ExecStart="{ argv[]=/opt/m serve --virtual ; }")
    assert single_finding(check_buttons, context_for(machine)) == walk


@pytest.mark.parametrize(
    ("pad", "reply"),
    [
        (None, ServiceReply()),
        (
            {"state": "connected", "firmware": "1.2.3", "said": None},
            ServiceReply(pad_message="", pad_firmware=(1, 2, 3)),
        ),
        (
            {"state": "lost", "firmware": None, "said": "It is gone."},
            ServiceReply(pad_message="It is gone."),
        ),
        (
            {"state": "quiet", "firmware": "1.0.0", "said": None},
            ServiceReply(pad_message="it is quiet"),
        ),
    ],
)
def test_reply_is_parsed_from_the_snapshot(
    pad: dict[str, str | None] | None, reply: ServiceReply
) -> None:
    assert parse_service_reply({"pad": pad}) == reply
