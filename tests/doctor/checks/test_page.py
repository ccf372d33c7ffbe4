"""The page: which name phones type, and what is missing if there is none."""

from __future__ import annotations

import pytest
from helpers.system.fake_machine import FakeMachine, only, patient_of, told

from companion.doctor.checks.page import ANNOUNCEMENT, check_page


@pytest.fixture
def machine() -> FakeMachine:
    return FakeMachine()


def test_the_name_to_type_is_said(machine: FakeMachine) -> None:
    assert only(check_page, patient_of(machine)) == ("good", "http://kitchen-pi.local:8080/", "")


def test_without_avahi_it_is_said_what_names_need(machine: FakeMachine) -> None:
    del machine.files["/run/avahi-daemon/pid"]
    assert only(check_page, patient_of(machine)) == (
        "note",
        "phones must type numbers (marrakech status --page): no avahi to tell them a name",
        "sudo apt install avahi-daemon, then sudo ./marrakech install, in the checkout",
    )


def test_another_port_than_avahi_tells_of_is_found(machine: FakeMachine) -> None:
    """Who changes the settings later does not think of avahi."""
    assert told(check_page(patient_of(machine, "[web]\nport = 9000\n"))) == [
        ("good", "http://kitchen-pi.local:9000/", ""),
        (
            "warning",
            "avahi tells of port 8080, but [web] port is 9000",
            "sudo ./marrakech install, in the checkout",
        ),
    ]


def test_nothing_told_by_avahi_is_nothing_wrong(machine: FakeMachine) -> None:
    """As before an installation: the name alone is found all the same."""
    del machine.files[ANNOUNCEMENT]
    assert only(check_page, patient_of(machine, "[web]\nport = 9000\n"))[0] == "good"


@pytest.mark.parametrize(
    ("settings", "level", "said"),
    [
        ("enabled = false", "note", "there is none: [web] enabled is false"),
        ('host = "127.0.0.1"', "note", "only this machine can open it: [web] host is 127.0.0.1"),
        ('host = "192.168.1.17"', "good", "at 192.168.1.17, port 8080"),
    ],
)
def test_page_that_is_not_everywhere(
    machine: FakeMachine, settings: str, level: str, said: str
) -> None:
    assert only(check_page, patient_of(machine, f"[web]\n{settings}\n"))[:2] == (level, said)
