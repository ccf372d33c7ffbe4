"""Installing, on a machine that is played: which steps, in which order, and that twice is once."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.system.fake_pi import FLAPS, HANGS, RASPI_CONFIG, SPIDEV, Diary, FakePi, make_checkout

from companion.install.checkout import Checkout
from companion.install.installation import install
from companion.install.places import (
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
    *("avahi", "hardware", "service", "clearing up"),
)


@pytest.fixture
def machine(tmp_path: Path) -> FakePi:
    return FakePi(tmp_path / "root")


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return make_checkout(tmp_path / "my games")


def put_in(machine: FakePi, checkout: Checkout, *, is_virtual: bool = False) -> Diary:
    diary = Diary()
    assert install(machine, checkout, diary.workman, is_virtual=is_virtual) == 0
    return diary


def refusal(machine: FakePi, checkout: Checkout, *, is_virtual: bool = False) -> str:
    with pytest.raises(InstallError) as told:
        install(machine, checkout, Diary().workman, is_virtual=is_virtual)
    return told.value.told()


# --- All of it ----------------------------------------------------------------------------


def test_everything_is_done_in_this_order_by_these_commands(
    machine: FakePi, checkout: Checkout
) -> None:
    put_in(machine, checkout)
    name = Versions(machine).current
    assert name is not None
    apt, version = "apt-get -o DPkg::Lock::Timeout=300", f"{VERSIONS}/{name}"
    assert machine.commands == [
        f"{apt} update -qq",
        f"{apt} install -qq --no-install-recommends python3-venv python3-lgpio python3-spidev",
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


def test_everything_is_in_its_place(machine: FakePi, checkout: Checkout) -> None:
    diary = put_in(machine, checkout)
    name = Versions(machine).current
    assert name is not None
    assert name.startswith("1.0.0+")
    assert machine.link_target(CURRENT) == VERSIONS / name
    assert machine.link_target(COMMAND) == CURRENT / "bin" / "marrakech"
    assert machine.read(UNIT) == (checkout.folder / "systemd/marrakech.service").read_bytes()
    assert machine.read(RULES) == b"# of 1.0.0\n"
    assert not machine.exists(DROP_IN)
    image = VERSIONS / name / "share/marrakech/firmware/release/pad-1.0.0.hex"
    assert machine.read(image) == b":00000001FF\n"
    assert not machine.exists(VERSIONS / name / "build")
    assert machine.running == name
    assert list(diary.results()) == list(STEPS)
    assert "'sudo marrakech status' shows it" in diary.text


def test_the_second_time_everything_is_already_so(machine: FakePi, checkout: Checkout) -> None:
    put_in(machine, checkout)
    before = machine.picture()
    machine.commands.clear()
    changes = machine.changes
    assert put_in(machine, checkout).results() == dict.fromkeys(STEPS, "already so")
    assert machine.commands == []
    assert machine.changes == changes
    assert machine.picture() == before


def test_dry_run_says_the_same_steps_and_changes_nothing(
    machine: FakePi, checkout: Checkout
) -> None:
    before, diary = machine.picture(), Diary(is_dry=True)
    assert install(machine, checkout, diary.workman, is_virtual=False) == 0
    expected = dict.fromkeys(STEPS, "would be done")
    # SPI is on and the hardware real, as on every Pi where somebody has wired the matrix.
    assert diary.results() == expected | dict.fromkeys(
        ("spi", "hardware", "clearing up"), "already so"
    )
    assert machine.picture() == before
    assert machine.changes == 0


def test_doctor_has_the_last_word(machine: FakePi, checkout: Checkout) -> None:
    assert "all is well \n" in put_in(machine, checkout).text
    assert "all is well --virtual\n" in put_in(machine, checkout, is_virtual=True).text


def test_the_address_of_the_page_is_said_if_there_is_one(
    machine: FakePi, checkout: Checkout
) -> None:
    assert "\nat home\nThe table runs: " in put_in(machine, checkout).text
    machine.has_no_page = True
    told = put_in(machine, checkout).text
    assert "no page" not in told
    assert "at home" not in told
    assert "The table runs: " in told


def test_nothing_is_written_into_the_checkout(machine: FakePi, checkout: Checkout) -> None:
    before = sorted(checkout.folder.rglob("*"))
    put_in(machine, checkout)
    assert sorted(checkout.folder.rglob("*")) == before


# --- Settings -----------------------------------------------------------------------------


def test_first_settings_say_where_the_service_keeps_games(
    machine: FakePi, checkout: Checkout
) -> None:
    put_in(machine, checkout)
    told = b'# the defaults\n[journal]\nfolder = "/var/lib/marrakech/games"\n'
    assert machine.read(SETTINGS) == told


def test_settings_that_are_there_are_kept(machine: FakePi, checkout: Checkout) -> None:
    machine.place(SETTINGS, "mine")
    put_in(machine, checkout)
    assert machine.read(SETTINGS) == b"mine"


def test_version_that_cannot_read_the_settings_is_not_switched_to(
    machine: FakePi, checkout: Checkout
) -> None:
    machine.place(SETTINGS, "mine")
    machine.unread_settings.add(checkout.version_name("3.11"))
    told = refusal(machine, checkout)
    assert told.splitlines()[1] == "  | marrakech: marrakech.toml: unknown key 'x'"
    assert "nothing was switched; mend /etc/marrakech/marrakech.toml" in told
    assert not machine.exists(CURRENT)


# --- Simulated ----------------------------------------------------------------------------


def test_virtual_is_said_aloud_and_runs_without_hardware(
    machine: FakePi, checkout: Checkout
) -> None:
    """Its games are kept apart from those that were played."""
    machine.at(Path("/dev/gpiochip0")).unlink()
    machine.at(SPIDEV).unlink()
    diary = put_in(machine, checkout, is_virtual=True)
    assert diary.text.splitlines()[0].startswith("SIMULATED: ")
    assert machine.packages == {"python3-venv"}
    assert not machine.exists(SPIDEV)
    assert machine.read(DROP_IN) == (
        b"[Unit]\nDescription=Marrakech companion: a SIMULATED table\n\n[Service]\nExecStart=\n"
        b"ExecStart=/opt/marrakech/current/bin/marrakech serve --folder %S/games/simulated "
        b"--virtual\n"
    )
    assert "--virtual" in machine.loaded


def test_real_hardware_ends_a_simulation(machine: FakePi, checkout: Checkout) -> None:
    put_in(machine, checkout, is_virtual=True)
    results = put_in(machine, checkout).results()
    assert (results["hardware"], results["service"], results["version"]) == (
        *("done", "done"),
        "already so",
    )
    assert not machine.exists(DROP_IN.parent)
    assert "--virtual" not in machine.loaded


def test_drop_ins_of_others_stay(machine: FakePi, checkout: Checkout) -> None:
    put_in(machine, checkout, is_virtual=True)
    machine.place(DROP_IN.with_name("override.conf"), "[Service]\n")
    put_in(machine, checkout)
    assert machine.names_in(DROP_IN.parent) == ["override.conf"]


# --- SPI, and a boot that must come first -------------------------------------------------


def test_spi_is_switched_on_and_nothing_started_before_the_reboot(
    machine: FakePi, checkout: Checkout
) -> None:
    """Where the bus appears only then, as with an older raspi-config."""
    machine.at(SPIDEV).unlink()
    switch_on = machine.run

    def later(*command: str | Path, **rest: object) -> str:
        told = switch_on(*command, **rest)  # type: ignore[arg-type]
        if command[0] == RASPI_CONFIG:
            machine.at(SPIDEV).unlink()
        return told

    machine.run = later  # type: ignore[method-assign]
    diary = put_in(machine, checkout)
    assert "/usr/bin/raspi-config nonint do_spi 0" in machine.commands
    assert diary.text.endswith(
        "REBOOT now ('sudo reboot'): then the SPI bus is there, and the table starts\n"
    )
    assert machine.running is None
    machine.reboot()
    assert machine.running == Versions(machine).current


def test_bus_that_appears_at_once_needs_no_reboot(machine: FakePi, checkout: Checkout) -> None:
    machine.at(SPIDEV).unlink()
    assert "REBOOT" not in put_in(machine, checkout).text
    assert machine.running is not None


def test_without_raspi_config_it_says_how_to_switch_spi_on(
    machine: FakePi, checkout: Checkout
) -> None:
    machine.at(SPIDEV).unlink()
    machine.at(RASPI_CONFIG).unlink()
    assert "'dtparam=spi=on' to the config.txt" in refusal(machine, checkout)


def test_where_systemd_does_not_run_it_starts_with_the_next_boot(
    machine: FakePi, checkout: Checkout
) -> None:
    """As when an image of a card is made."""
    machine.at(Path("/run/systemd/system")).rmdir()
    machine.at(Path("/run/udev/control")).unlink()
    diary = put_in(machine, checkout)
    systemd = [line for line in machine.commands if line.startswith(("systemctl", "udevadm"))]
    assert systemd == ["systemctl --quiet enable marrakech.service"]
    assert "the table starts with the next boot" in diary.text
    again = put_in(machine, checkout).results()
    assert set(again.values()) == {"already so"}


# --- lgpio --------------------------------------------------------------------------------


def test_where_debian_has_no_lgpio_a_wheel_is_taken(machine: FakePi, checkout: Checkout) -> None:
    """Debian itself has none, Raspberry Pi OS has."""
    machine.candidates.remove("python3-lgpio")
    put_in(machine, checkout)
    assert machine.packages == {"python3-venv", "python3-spidev"}
    assert any(line.endswith(" . 'lgpio>=0.2.2'") for line in machine.commands)
    assert set(put_in(machine, checkout).results().values()) == {"already so"}


def test_without_a_wheel_either_it_says_who_has_lgpio(machine: FakePi, checkout: Checkout) -> None:
    machine.candidates.remove("python3-lgpio")
    machine.has_wheel = False
    told = refusal(machine, checkout)
    assert "  | ERROR: No matching distribution for lgpio" in told.splitlines()
    assert "Debian itself has no python3-lgpio: Raspberry Pi OS does" in told


# --- What cannot work is refused before anything is changed -------------------------------


@pytest.mark.parametrize(
    ("python", "says"),
    [
        ("3 10 64", "/usr/bin/python3 must be Python 3.11 or newer"),
        ("3 11 32", "this is a 32-bit system"),
        ("no such file", "/usr/bin/python3 must be Python 3.11 or newer"),
    ],
)
def test_old_or_small_system_is_refused(
    machine: FakePi, checkout: Checkout, python: str, says: str
) -> None:
    machine.python = python
    assert refusal(machine, checkout).startswith(says)
    assert machine.changes == 0


@pytest.mark.parametrize("tool", ["apt-get", "systemctl"])
def test_another_kind_of_linux_is_refused(machine: FakePi, checkout: Checkout, tool: str) -> None:
    machine.at(Path("/usr/bin") / tool).unlink()
    assert refusal(machine, checkout).startswith(f"this system has no {tool}")
    assert machine.changes == 0


def test_laptop_is_refused_and_told_what_to_do(machine: FakePi, checkout: Checkout) -> None:
    machine.at(Path("/dev/gpiochip0")).unlink()
    assert "on a laptop './marrakech play' is the whole table" in refusal(machine, checkout)
    assert machine.changes == 0


def test_somebody_who_is_called_marrakech_is_left_alone(
    machine: FakePi, checkout: Checkout
) -> None:
    machine.user_home = "/home/marrakech"
    assert refusal(machine, checkout).startswith(
        "there is a user 'marrakech' already, with the home /home/marrakech"
    )
    assert machine.changes == 0


def test_command_of_somebody_else_is_left_alone(machine: FakePi, checkout: Checkout) -> None:
    machine.place(COMMAND, "another")
    told = refusal(machine, checkout)
    assert "is not the companion's" in told
    assert "move /usr/local/bin/marrakech away" in told
    assert machine.read(COMMAND) == b"another"


# --- A table that does not come up --------------------------------------------------------


@pytest.mark.parametrize("manner", [HANGS, FLAPS])
def test_first_version_that_does_not_come_up_is_told_with_its_last_words(
    machine: FakePi, checkout: Checkout, manner: str
) -> None:
    """There is nothing to go back to: it stays, and is mended by hand."""
    name = checkout.version_name("3.11")
    machine.manners[name] = manner
    told = refusal(machine, checkout).splitlines()
    assert told[0] == (
        "the step 'service' failed: marrakech.service does not come up, or does not stay up; "
        "its last words:"
    )
    assert told[1:3] == ["  | line one", "  | the pins are gone"]
    assert Versions(machine).current == name
    assert not machine.exists(PREVIOUS)
    del machine.manners[name]
    results = put_in(machine, checkout).results()
    assert [step for step, result in results.items() if result == "done"] == ["service"]


def test_games_folder_is_left_to_systemd(machine: FakePi, checkout: Checkout) -> None:
    """Its owner and mode are the unit's (StateDirectory=)."""
    machine.at(Path("/run/systemd/system")).rmdir()
    put_in(machine, checkout)
    assert not machine.exists(GAMES)
