"""`install` on a fake Pi: steps, commands, files, and that it is idempotent."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.system.fake_pi import (
    FLAPS,
    HANGS,
    RASPI_CONFIG,
    SPIDEV,
    FakePi,
    Transcript,
    make_checkout,
)

from companion.install.checkout import Checkout
from companion.install.installation import install
from companion.install.paths import (
    COMMAND,
    CURRENT,
    DROP_IN,
    GAMES,
    PREVIOUS,
    RULES,
    SETTINGS,
    UNIT,
    VERSIONS,
)
from companion.install.steps import InstallError
from companion.install.versions import Versions

STEPS = (
    *("packages", "spi", "user", "version", "settings", "switch", "command", "udev", "unit"),
    *("avahi", "hardware", "service", "cleanup"),
)


@pytest.fixture
def machine(tmp_path: Path) -> FakePi:
    return FakePi(tmp_path / "root")


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return make_checkout(tmp_path / "my games")


def install_one(machine: FakePi, checkout: Checkout, *, is_virtual: bool = False) -> Transcript:
    transcript = Transcript()
    assert install(machine, checkout, transcript.runner, is_virtual=is_virtual) == 0
    return transcript


def refusal(machine: FakePi, checkout: Checkout, *, is_virtual: bool = False) -> str:
    with pytest.raises(InstallError) as error:
        install(machine, checkout, Transcript().runner, is_virtual=is_virtual)
    return error.value.report()


# --- The whole installation ---------------------------------------------------------------


def test_commands_run_in_this_order(machine: FakePi, checkout: Checkout) -> None:
    install_one(machine, checkout)
    name = Versions(machine).current
    assert name is not None
    apt, version = "apt-get -o DPkg::Lock::Timeout=300", f"{VERSIONS}/{name}"
    assert machine.commands == [
        f"{apt} update -qq",
        f"{apt} install -qq --no-install-recommends python3-venv python3-lgpio python3-spidev "
        "avrdude",
        "groupadd --system gpio",
        "groupadd --system spi",
        "useradd --system --user-group --home-dir /var/lib/marrakech --no-create-home "
        "--shell /usr/sbin/nologin marrakech",
        "usermod --append --groups gpio,spi,dialout marrakech",
        f"/usr/bin/python3 -m venv --system-site-packages {version}",
        f"{version}/bin/python -m pip install --quiet --disable-pip-version-check "
        "--only-binary :all: --constraint constraints.txt .",
        f"{version}/bin/marrakech config --default",
        "udevadm control --reload",
        "udevadm trigger --subsystem-match=gpio --subsystem-match=spidev --subsystem-match=tty "
        "--subsystem-match=usb",
        "systemctl --quiet enable marrakech.service",
        "systemctl daemon-reload",
        "systemctl reset-failed marrakech.service",
        "systemctl --no-block restart marrakech.service",
    ]


def test_files_and_links_are_in_place(machine: FakePi, checkout: Checkout) -> None:
    transcript = install_one(machine, checkout)
    name = Versions(machine).current
    assert name is not None
    assert name.startswith("1.0.0+")
    assert machine.link_target(CURRENT) == VERSIONS / name
    assert machine.link_target(COMMAND) == CURRENT / "bin" / "marrakech"
    assert machine.contents(UNIT) == (checkout.folder / "systemd/marrakech.service").read_bytes()
    assert machine.contents(RULES) == b"# of 1.0.0\n"
    assert not machine.exists(DROP_IN)
    image = VERSIONS / name / "share/marrakech/firmware/release/pad-1.0.0.hex"
    assert machine.contents(image) == b":00000001FF\n"
    assert not machine.exists(VERSIONS / name / "build")
    assert machine.running == name
    assert list(transcript.results()) == list(STEPS)
    assert "'sudo marrakech status' shows it" in transcript.text


def test_second_install_has_nothing_to_do(machine: FakePi, checkout: Checkout) -> None:
    install_one(machine, checkout)
    before = machine.state()
    machine.commands.clear()
    changes = machine.changes
    assert install_one(machine, checkout).results() == dict.fromkeys(STEPS, "already done")
    assert machine.commands == []
    assert machine.changes == changes
    assert machine.state() == before


def test_dry_run_prints_the_same_steps_and_changes_nothing(
    machine: FakePi, checkout: Checkout
) -> None:
    before, transcript = machine.state(), Transcript(is_dry=True)
    assert install(machine, checkout, transcript.runner, is_virtual=False) == 0
    expected = dict.fromkeys(STEPS, "would be done")
    # SPI is on and the hardware real from the start.
    assert transcript.results() == expected | dict.fromkeys(
        ("spi", "hardware", "cleanup"), "already done"
    )
    assert machine.state() == before
    assert machine.changes == 0


def test_doctors_report_is_printed(machine: FakePi, checkout: Checkout) -> None:
    assert "all is well \n" in install_one(machine, checkout).text
    assert "all is well --virtual\n" in install_one(machine, checkout, is_virtual=True).text


def test_address_of_the_page_is_printed_if_there_is_one(
    machine: FakePi, checkout: Checkout
) -> None:
    assert "\nat home\nThe table is running: " in install_one(machine, checkout).text
    machine.has_page = False
    printed = install_one(machine, checkout).text
    assert "none" not in printed
    assert "at home" not in printed
    assert "The table is running: " in printed


def test_nothing_is_written_into_the_checkout(machine: FakePi, checkout: Checkout) -> None:
    before = sorted(checkout.folder.rglob("*"))
    install_one(machine, checkout)
    assert sorted(checkout.folder.rglob("*")) == before


# --- Settings -----------------------------------------------------------------------------


def test_first_settings_name_the_games_folder(machine: FakePi, checkout: Checkout) -> None:
    install_one(machine, checkout)
    expected = b'# the defaults\n[journal]\nfolder = "/var/lib/marrakech/games"\n'
    assert machine.contents(SETTINGS) == expected


def test_existing_settings_are_kept(machine: FakePi, checkout: Checkout) -> None:
    machine.place(SETTINGS, "mine")
    install_one(machine, checkout)
    assert machine.contents(SETTINGS) == b"mine"


def test_version_that_cannot_read_the_settings_is_not_switched_to(
    machine: FakePi, checkout: Checkout
) -> None:
    machine.place(SETTINGS, "mine")
    machine.rejects_settings.add(checkout.version_name("3.11"))
    report = refusal(machine, checkout)
    assert report.splitlines()[1] == "  | marrakech: marrakech.toml: unknown key 'x'"
    assert "the version in use is unchanged; correct /etc/marrakech/marrakech.toml" in report
    assert not machine.exists(CURRENT)


# --- Simulated ----------------------------------------------------------------------------


def test_virtual_install_is_marked_and_needs_no_hardware(
    machine: FakePi, checkout: Checkout
) -> None:
    """Its games are in a folder of their own."""
    machine.at(Path("/dev/gpiochip0")).unlink()
    machine.at(SPIDEV).unlink()
    transcript = install_one(machine, checkout, is_virtual=True)
    assert transcript.text.splitlines()[0].startswith("SIMULATED: ")
    assert machine.apt_packages == {"python3-venv"}
    assert not machine.exists(SPIDEV)
    assert machine.contents(DROP_IN) == (
        b"[Unit]\nDescription=Marrakech companion: a SIMULATED table\n\n[Service]\nExecStart=\n"
        b"ExecStart=/opt/marrakech/current/bin/marrakech serve --folder %S/games/simulated "
        b"--virtual\n"
    )
    assert "--virtual" in machine.loaded_unit


def test_install_without_virtual_ends_the_simulation(machine: FakePi, checkout: Checkout) -> None:
    install_one(machine, checkout, is_virtual=True)
    results = install_one(machine, checkout).results()
    assert (results["hardware"], results["service"], results["version"]) == (
        *("done", "done"),
        "already done",
    )
    assert not machine.exists(DROP_IN.parent)
    assert "--virtual" not in machine.loaded_unit


def test_other_drop_ins_are_kept(machine: FakePi, checkout: Checkout) -> None:
    install_one(machine, checkout, is_virtual=True)
    machine.place(DROP_IN.with_name("override.conf"), "[Service]\n")
    install_one(machine, checkout)
    assert machine.names_in(DROP_IN.parent) == ["override.conf"]


# --- SPI and reboots ----------------------------------------------------------------------


def test_service_is_not_started_before_the_reboot_that_enables_spi(
    machine: FakePi, checkout: Checkout
) -> None:
    """An older raspi-config needs a reboot before the bus appears."""
    machine.at(SPIDEV).unlink()
    run = machine.run

    def run_without_device(*command: str | Path, **rest: object) -> str:
        printed = run(*command, **rest)  # type: ignore[arg-type]
        if command[0] == RASPI_CONFIG:
            machine.at(SPIDEV).unlink()
        return printed

    machine.run = run_without_device  # type: ignore[method-assign]
    transcript = install_one(machine, checkout)
    assert "/usr/bin/raspi-config nonint do_spi 0" in machine.commands
    assert transcript.text.endswith(
        "REBOOT now ('sudo reboot'): it enables the SPI bus, and starts the table\n"
    )
    assert machine.running is None
    machine.reboot()
    assert machine.running == Versions(machine).current


def test_no_reboot_is_needed_if_the_bus_appears_at_once(
    machine: FakePi, checkout: Checkout
) -> None:
    machine.at(SPIDEV).unlink()
    assert "REBOOT" not in install_one(machine, checkout).text
    assert machine.running is not None


def test_without_raspi_config_the_advice_is_to_edit_config_txt(
    machine: FakePi, checkout: Checkout
) -> None:
    machine.at(SPIDEV).unlink()
    machine.at(RASPI_CONFIG).unlink()
    assert "'dtparam=spi=on' to config.txt" in refusal(machine, checkout)


def test_without_a_running_systemd_the_table_starts_at_the_next_boot(
    machine: FakePi, checkout: Checkout
) -> None:
    """This is how a card image is built."""
    machine.at(Path("/run/systemd/system")).rmdir()
    machine.at(Path("/run/udev/control")).unlink()
    transcript = install_one(machine, checkout)
    systemd = [line for line in machine.commands if line.startswith(("systemctl", "udevadm"))]
    assert systemd == ["systemctl --quiet enable marrakech.service"]
    assert "the table starts at the next boot" in transcript.text
    again = install_one(machine, checkout).results()
    assert set(again.values()) == {"already done"}


# --- lgpio --------------------------------------------------------------------------------


def test_lgpio_is_installed_from_a_wheel_if_debian_has_none(
    machine: FakePi, checkout: Checkout
) -> None:
    machine.apt_candidates.remove("python3-lgpio")
    install_one(machine, checkout)
    assert machine.apt_packages == {"python3-venv", "python3-spidev", "avrdude"}
    assert any(line.endswith(" . 'lgpio>=0.2.2'") for line in machine.commands)
    assert set(install_one(machine, checkout).results().values()) == {"already done"}


def test_without_an_lgpio_wheel_raspberry_pi_os_is_recommended(
    machine: FakePi, checkout: Checkout
) -> None:
    machine.apt_candidates.remove("python3-lgpio")
    machine.has_lgpio_wheel = False
    report = refusal(machine, checkout)
    assert "  | ERROR: No matching distribution for lgpio" in report.splitlines()
    assert "Debian has no python3-lgpio, Raspberry Pi OS has it" in report


@pytest.mark.parametrize("python", ["3 13 64", "3 14 64"])
@pytest.mark.parametrize("has_lists", [True, False])
def test_debian_13_is_refused_before_anything_is_installed(
    machine: FakePi, checkout: Checkout, python: str, has_lists: bool
) -> None:
    """It has neither the package nor a wheel. A new card must first download package lists."""
    machine.apt_candidates.remove("python3-lgpio")
    machine.python_output, machine.has_package_lists = python, has_lists
    before = machine.state()
    report = refusal(machine, checkout)
    assert "this system has no python3-lgpio, which reads the pins, and there is none for its " in (
        report
    )
    assert (
        "write 64-bit Raspberry Pi OS 12 (bookworm) or 13 (trixie), or 64-bit Debian 12 to the card"
    ) in report
    assert machine.commands == (
        [] if has_lists else ["apt-get -o DPkg::Lock::Timeout=300 update -qq"]
    )
    assert machine.state() == before


def test_raspberry_pi_os_13_is_supported_on_a_new_card(machine: FakePi, checkout: Checkout) -> None:
    machine.python_output, machine.has_package_lists = "3 13 64", False
    install_one(machine, checkout)
    assert "python3-lgpio" in machine.apt_packages


def test_debian_13_can_have_a_simulated_table(machine: FakePi, checkout: Checkout) -> None:
    machine.apt_candidates.remove("python3-lgpio")
    machine.python_output = "3 13 64"
    install_one(machine, checkout, is_virtual=True)


# --- Unsuitable machines are refused before anything is changed ---------------------------


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("3 10 64", "/usr/bin/python3 must be Python 3.11 or newer"),
        ("3 11 32", "this is a 32-bit system"),
        ("no such file", "/usr/bin/python3 must be Python 3.11 or newer"),
    ],
)
def test_old_python_and_32_bit_systems_are_refused(
    machine: FakePi, checkout: Checkout, output: str, message: str
) -> None:
    machine.python_output = output
    assert refusal(machine, checkout).startswith(message)
    assert machine.changes == 0


@pytest.mark.parametrize("tool", ["apt-get", "systemctl"])
def test_linux_without_apt_or_systemd_is_refused(
    machine: FakePi, checkout: Checkout, tool: str
) -> None:
    machine.at(Path("/usr/bin") / tool).unlink()
    assert refusal(machine, checkout).startswith(f"this system has no {tool}")
    assert machine.changes == 0


def test_laptop_is_refused_with_advice(machine: FakePi, checkout: Checkout) -> None:
    machine.at(Path("/dev/gpiochip0")).unlink()
    assert "on a laptop, './marrakech play' runs the whole table" in refusal(machine, checkout)
    assert machine.changes == 0


def test_existing_user_marrakech_is_not_changed(machine: FakePi, checkout: Checkout) -> None:
    machine.user_home = "/home/marrakech"
    assert refusal(machine, checkout).startswith(
        "there is already a user 'marrakech' with the home /home/marrakech"
    )
    assert machine.changes == 0


def test_foreign_command_marrakech_is_not_replaced(machine: FakePi, checkout: Checkout) -> None:
    machine.place(COMMAND, "another")
    report = refusal(machine, checkout)
    assert "does not belong to the companion" in report
    assert "move /usr/local/bin/marrakech away" in report
    assert machine.contents(COMMAND) == b"another"


# --- A service that does not start --------------------------------------------------------


@pytest.mark.parametrize("behaviour", [HANGS, FLAPS])
def test_first_version_that_does_not_start_is_reported_with_its_log(
    machine: FakePi, checkout: Checkout, behaviour: str
) -> None:
    """There is no version to go back to, so it stays."""
    name = checkout.version_name("3.11")
    machine.behaviour[name] = behaviour
    lines = refusal(machine, checkout).splitlines()
    assert lines[0] == (
        "the step 'service' failed: marrakech.service does not start, or does not stay up; "
        "its last log lines:"
    )
    assert lines[1:3] == ["  | line one", "  | the pins are gone"]
    assert Versions(machine).current == name
    assert not machine.exists(PREVIOUS)
    del machine.behaviour[name]
    results = install_one(machine, checkout).results()
    assert [step for step, result in results.items() if result == "done"] == ["service"]


def test_games_folder_is_created_by_systemd(machine: FakePi, checkout: Checkout) -> None:
    """The unit sets its owner and mode (StateDirectory=)."""
    machine.at(Path("/run/systemd/system")).rmdir()
    install_one(machine, checkout)
    assert not machine.exists(GAMES)
