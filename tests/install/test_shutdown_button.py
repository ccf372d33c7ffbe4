"""`install --shutdown-button` adds a line to config.txt, and leaves all others as they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.system.fake_pi import FakePi, Transcript, make_checkout

from companion.install.installation import install
from companion.install.removal import uninstall
from companion.install.shutdown_button import HAS_POWER_BUTTON, LINES, REBOOT
from companion.install.steps import InstallError
from companion.machine.boot_config import BOOT_CONFIG, shutdown_pin

CONFIG = Path(BOOT_CONFIG)
CONFIG_TEXT = "dtparam=spi=on\n[cm5]\ndtoverlay=dwc2\n"


@pytest.fixture
def machine(tmp_path: Path) -> FakePi:
    machine = FakePi(tmp_path / "root")
    machine.place(CONFIG, CONFIG_TEXT)
    return machine


def set_button(machine: FakePi, *, is_wanted: bool | None = True) -> Transcript:
    transcript, checkout = Transcript(), make_checkout(machine.at("/").with_name("checkout"))
    code = install(
        machine, checkout, transcript.runner, is_virtual=False, has_shutdown_button=is_wanted
    )
    assert code == 0
    return transcript


def config(machine: FakePi) -> str:
    return machine.at(CONFIG).read_text()


def test_line_is_added_for_all_models(machine: FakePi) -> None:
    """The file may end with lines for one model."""
    transcript = set_button(machine)
    assert config(machine).startswith(CONFIG_TEXT)
    assert config(machine).endswith("\n[all]\ndtoverlay=gpio-shutdown\n")
    assert transcript.text.endswith(f"{REBOOT}\n")


def test_second_install_has_nothing_to_do(machine: FakePi) -> None:
    set_button(machine)
    before = config(machine)
    again = set_button(machine)
    assert again.results()["button"] == "already done"
    assert REBOOT not in again.text
    assert config(machine) == before


@pytest.mark.parametrize("text", [CONFIG_TEXT, "", "dtparam=spi=on\r\n[cm5]\r\notg_mode=1\r\n"])
def test_removal_restores_the_file(machine: FakePi, text: str) -> None:
    machine.at(CONFIG).write_bytes(text.encode())
    set_button(machine)
    set_button(machine, is_wanted=False)
    assert machine.contents(CONFIG) == text.encode()
    assert set_button(machine, is_wanted=False).results()["button"] == "already done"


def test_missing_last_line_end_is_added(machine: FakePi) -> None:
    machine.place(CONFIG, "dtparam=spi=on")
    set_button(machine)
    assert config(machine).splitlines()[0] == "dtparam=spi=on"


def test_lines_that_were_added_later_stay_for_all_models(machine: FakePi) -> None:
    set_button(machine)
    machine.place(CONFIG, f"{config(machine)}gpu_mem=16\n")
    set_button(machine, is_wanted=False)
    assert config(machine) == f"{CONFIG_TEXT}[all]\ngpu_mem=16\n"


def test_uninstall_removes_it(machine: FakePi) -> None:
    set_button(machine)
    uninstall(machine, Transcript().runner, without_games=False, without_settings=False)
    assert config(machine) == CONFIG_TEXT


def test_line_of_the_owner_is_used_and_stays(machine: FakePi) -> None:
    own = f"{CONFIG_TEXT}dtoverlay=gpio-shutdown,gpio_pin=21,debounce=1000\ndtparam=i2c_arm=on\n"
    machine.place(CONFIG, own)
    assert set_button(machine).results()["button"] == "already done"
    uninstall(machine, Transcript().runner, without_games=True, without_settings=True)
    assert config(machine) == own


def test_without_the_option_nothing_is_changed(machine: FakePi) -> None:
    assert "button" not in set_button(machine, is_wanted=None).results()
    assert config(machine) == CONFIG_TEXT


def test_pi_5_is_started_by_its_power_button(machine: FakePi) -> None:
    assert HAS_POWER_BUTTON not in set_button(machine).text
    machine.place("/proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0")
    assert HAS_POWER_BUTTON in set_button(machine).text


def test_lines_are_short_enough_for_the_firmware() -> None:
    """It reads 98 characters of a line."""
    assert max(map(len, LINES.splitlines())) <= 98
    assert shutdown_pin(LINES.decode()) == 3


# --- Refusals -----------------------------------------------------------------------------


def refusal(machine: FakePi) -> str:
    with pytest.raises(InstallError) as error:
        set_button(machine)
    assert machine.changes == 0
    return error.value.report()


def test_system_without_config_txt_is_refused(machine: FakePi) -> None:
    machine.delete(CONFIG)
    assert refusal(machine).startswith(
        "there is no /boot/firmware/config.txt: the shutdown button needs Raspberry Pi OS"
    )


def test_pin_of_the_i2c_bus_is_refused(machine: FakePi) -> None:
    machine.place(CONFIG, "dtparam=i2c_arm=on\n")
    report = refusal(machine)
    assert report.startswith("the I2C bus uses pin 5, where the shutdown button would be")
    assert "'sudo raspi-config nonint do_i2c 1'" in report
