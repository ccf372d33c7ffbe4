"""Avahi announces the page, at the port from the settings."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from helpers.system.fake_pi import CRASHES, FakePi, Transcript, make_checkout

from companion.config.model import WebConfig
from companion.install.avahi import with_port
from companion.install.installation import go_back, install, upgrade
from companion.install.paths import ANNOUNCEMENT, SETTINGS, SHARED_ANNOUNCEMENT, VERSIONS
from companion.install.versions import Versions

SHIPPED = (Path(__file__).parents[2] / "systemd/avahi" / ANNOUNCEMENT.name).read_bytes()
ONE, TWO = b"<!-- 1.0.0 --><port>8080</port>\n", b"<!-- 2.0.0 --><port>8080</port>\n"


@pytest.fixture
def machine(tmp_path: Path) -> FakePi:
    return FakePi(tmp_path / "root")


def install_one(machine: FakePi, folder: Path, *, is_dry: bool = False) -> Transcript:
    transcript = Transcript(is_dry=is_dry)
    assert install(machine, make_checkout(folder / "one"), transcript.runner, is_virtual=False) == 0
    return transcript


def test_announcement_has_the_port_from_the_settings(machine: FakePi, tmp_path: Path) -> None:
    machine.place(SETTINGS, "[web]\nport = 9000\n")
    transcript = install_one(machine, tmp_path)
    assert machine.contents(ANNOUNCEMENT) == ONE.replace(b"8080", b"9000")
    assert (
        "avahi: /etc/avahi/services/marrakech.service announces the page, at port 9000 ... done\n"
    ) in transcript.text


def test_changed_port_is_announced_after_the_next_install(machine: FakePi, tmp_path: Path) -> None:
    install_one(machine, tmp_path)
    assert machine.contents(ANNOUNCEMENT) == ONE
    machine.place(SETTINGS, "[web]\nport = 9000\n")
    results = install_one(machine, tmp_path).results()
    assert [step for step, result in results.items() if result == "done"] == ["avahi"]
    assert machine.contents(ANNOUNCEMENT) == ONE.replace(b"8080", b"9000")


@pytest.mark.parametrize("settings", ["enabled = false", 'host = "127.0.0.1"', 'host = "::1"'])
def test_unreachable_page_is_not_announced(machine: FakePi, tmp_path: Path, settings: str) -> None:
    install_one(machine, tmp_path)
    machine.place(SETTINGS, f"[web]\n{settings}\n")
    transcript = install_one(machine, tmp_path)
    assert not machine.exists(ANNOUNCEMENT)
    assert "no page for other machines ... done\n" in transcript.text


@pytest.mark.parametrize("is_dry", [True, False])
def test_without_avahi_the_package_is_recommended(
    machine: FakePi, tmp_path: Path, is_dry: bool
) -> None:
    """Avahi's folder is not created."""
    machine.at(ANNOUNCEMENT.parent).rmdir()
    transcript = install_one(machine, tmp_path, is_dry=is_dry)
    (line,) = (line for line in transcript.text.splitlines() if line.startswith("avahi"))
    assert "'sudo apt install avahi-daemon'" in line
    assert not machine.exists(ANNOUNCEMENT.parent)


def test_with_avahi_the_package_is_not_mentioned(machine: FakePi, tmp_path: Path) -> None:
    assert "avahi-daemon" not in install_one(machine, tmp_path).text


def test_page_is_announced_once_avahi_is_installed(machine: FakePi, tmp_path: Path) -> None:
    machine.at(ANNOUNCEMENT.parent).rmdir()
    install_one(machine, tmp_path)
    machine.at(ANNOUNCEMENT.parent).mkdir()
    install_one(machine, tmp_path)
    assert machine.contents(ANNOUNCEMENT) == ONE


def test_each_version_has_its_own_announcement(machine: FakePi, tmp_path: Path) -> None:
    install_one(machine, tmp_path)
    newer = make_checkout(tmp_path / "two", "2.0.0")
    machine.behaviour[newer.version_name("3.11")] = CRASHES
    assert upgrade(machine, newer, Transcript().runner) == 1
    assert machine.contents(ANNOUNCEMENT) == ONE
    machine.behaviour.clear()
    assert upgrade(machine, newer, Transcript().runner) == 0
    assert machine.contents(ANNOUNCEMENT) == TWO
    assert go_back(machine, Transcript().runner) == 0
    assert machine.contents(ANNOUNCEMENT) == ONE


def test_going_back_to_a_version_without_a_page_removes_the_announcement(
    machine: FakePi, tmp_path: Path
) -> None:
    install_one(machine, tmp_path)
    old = Versions(machine).current
    assert old is not None
    machine.at(VERSIONS / old / SHARED_ANNOUNCEMENT).unlink()
    upgrade(machine, make_checkout(tmp_path / "two", "2.0.0"), Transcript().runner)
    assert go_back(machine, Transcript().runner) == 0
    assert not machine.exists(ANNOUNCEMENT)


# --- The file itself ----------------------------------------------------------------------


def test_shipped_announcement_has_the_default_port() -> None:
    service = ET.fromstring(SHIPPED).find("service")
    assert service is not None
    assert service.findtext("type") == "_http._tcp"
    assert service.findtext("port") == str(WebConfig().port)


def test_port_of_the_shipped_announcement_can_be_changed() -> None:
    changed = with_port(SHIPPED, b"[web]\nport = 9000\n")
    assert changed is not None
    assert ET.fromstring(changed).findtext("service/port") == "9000"


@pytest.mark.parametrize(
    "settings", [None, b"", b"\xff", b"no toml", b"web = 5", b'[web]\nport = "x"\n', b"[game]\n"]
)
def test_settings_without_a_valid_port_keep_the_default(settings: bytes | None) -> None:
    assert with_port(SHIPPED, settings) == SHIPPED
