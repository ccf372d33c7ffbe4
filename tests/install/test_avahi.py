"""The house is told of the page where avahi is, at the port of the settings."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from helpers.system.fake_pi import DIES, Diary, FakePi, make_checkout

from companion.config.model import WebConfig
from companion.install.avahi import with_port
from companion.install.installation import go_back, install, upgrade
from companion.install.places import ANNOUNCEMENT, SETTINGS, SHARED_ANNOUNCEMENT, VERSIONS
from companion.install.versions import Versions

OURS = (Path(__file__).parents[2] / "systemd/avahi" / ANNOUNCEMENT.name).read_bytes()
ONE, TWO = b"<!-- 1.0.0 --><port>8080</port>\n", b"<!-- 2.0.0 --><port>8080</port>\n"


@pytest.fixture
def machine(tmp_path: Path) -> FakePi:
    return FakePi(tmp_path / "root")


def put_in(machine: FakePi, folder: Path, *, is_dry: bool = False) -> Diary:
    diary = Diary(is_dry=is_dry)
    assert install(machine, make_checkout(folder / "one"), diary.workman, is_virtual=False) == 0
    return diary


def test_avahi_is_given_the_port_of_the_settings(machine: FakePi, tmp_path: Path) -> None:
    machine.place(SETTINGS, "[web]\nport = 9000\n")
    diary = put_in(machine, tmp_path)
    assert machine.read(ANNOUNCEMENT) == ONE.replace(b"8080", b"9000")
    assert (
        "avahi: /etc/avahi/services/marrakech.service tells the house of the page, at port 9000 "
        "... done\n"
    ) in diary.text


def test_another_port_is_told_by_the_next_installation(machine: FakePi, tmp_path: Path) -> None:
    put_in(machine, tmp_path)
    assert machine.read(ANNOUNCEMENT) == ONE
    machine.place(SETTINGS, "[web]\nport = 9000\n")
    results = put_in(machine, tmp_path).results()
    assert [step for step, result in results.items() if result == "done"] == ["avahi"]
    assert machine.read(ANNOUNCEMENT) == ONE.replace(b"8080", b"9000")


@pytest.mark.parametrize("settings", ["enabled = false", 'host = "127.0.0.1"', 'host = "::1"'])
def test_page_that_nobody_can_reach_is_not_told_of(
    machine: FakePi, tmp_path: Path, settings: str
) -> None:
    put_in(machine, tmp_path)
    machine.place(SETTINGS, f"[web]\n{settings}\n")
    diary = put_in(machine, tmp_path)
    assert not machine.exists(ANNOUNCEMENT)
    assert "there is no page for the house ... done\n" in diary.text


@pytest.mark.parametrize("is_dry", [True, False])
def test_without_avahi_it_says_what_names_need(
    machine: FakePi, tmp_path: Path, is_dry: bool
) -> None:
    """And nothing else happens: a folder of avahi's is not made."""
    machine.at(ANNOUNCEMENT.parent).rmdir()
    diary = put_in(machine, tmp_path, is_dry=is_dry)
    (line,) = (line for line in diary.text.splitlines() if line.startswith("avahi"))
    assert "'sudo apt install avahi-daemon'" in line
    assert not machine.exists(ANNOUNCEMENT.parent)


def test_where_avahi_is_nothing_is_said_of_its_package(machine: FakePi, tmp_path: Path) -> None:
    assert "avahi-daemon" not in put_in(machine, tmp_path).text


def test_avahi_that_came_later_is_told_next_time(machine: FakePi, tmp_path: Path) -> None:
    machine.at(ANNOUNCEMENT.parent).rmdir()
    put_in(machine, tmp_path)
    machine.at(ANNOUNCEMENT.parent).mkdir()
    put_in(machine, tmp_path)
    assert machine.read(ANNOUNCEMENT) == ONE


def test_version_brings_its_own_and_takes_it_back(machine: FakePi, tmp_path: Path) -> None:
    put_in(machine, tmp_path)
    newer = make_checkout(tmp_path / "two", "2.0.0")
    machine.manners[newer.version_name("3.11")] = DIES
    assert upgrade(machine, newer, Diary().workman) == 1
    assert machine.read(ANNOUNCEMENT) == ONE
    machine.manners.clear()
    assert upgrade(machine, newer, Diary().workman) == 0
    assert machine.read(ANNOUNCEMENT) == TWO
    assert go_back(machine, Diary().workman) == 0
    assert machine.read(ANNOUNCEMENT) == ONE


def test_going_back_to_a_version_without_a_page_ends_the_telling(
    machine: FakePi, tmp_path: Path
) -> None:
    put_in(machine, tmp_path)
    old = Versions(machine).current
    assert old is not None
    machine.at(VERSIONS / old / SHARED_ANNOUNCEMENT).unlink()
    upgrade(machine, make_checkout(tmp_path / "two", "2.0.0"), Diary().workman)
    assert go_back(machine, Diary().workman) == 0
    assert not machine.exists(ANNOUNCEMENT)


# --- The file itself ----------------------------------------------------------------------


def test_ours_is_what_avahi_reads_with_the_usual_port() -> None:
    service = ET.fromstring(OURS).find("service")
    assert service is not None
    assert service.findtext("type") == "_http._tcp"
    assert service.findtext("port") == str(WebConfig().port)


def test_ours_takes_another_port() -> None:
    told = with_port(OURS, b"[web]\nport = 9000\n")
    assert told is not None
    assert ET.fromstring(told).findtext("service/port") == "9000"


@pytest.mark.parametrize(
    "settings", [None, b"", b"\xff", b"no toml", b"web = 5", b'[web]\nport = "x"\n', b"[game]\n"]
)
def test_settings_that_say_no_port_change_nothing(settings: bytes | None) -> None:
    assert with_port(OURS, settings) == OURS
