"""Check of the phone page's address."""

from __future__ import annotations

import pytest
from helpers.system.healthy_pi import HealthyPi, as_tuples, context_for, single_finding

from companion.doctor.checks.page import ANNOUNCEMENT, check_page


def test_address_with_the_host_name_is_reported(machine: HealthyPi) -> None:
    assert single_finding(check_page, context_for(machine)) == (
        "good",
        "http://kitchen-pi.local:8080/",
        "",
    )


def test_without_avahi_the_package_is_recommended(machine: HealthyPi) -> None:
    machine.delete("/run/avahi-daemon/pid")
    assert single_finding(check_page, context_for(machine)) == (
        "note",
        "phones need the IP address (marrakech status --page): avahi is not running",
        "sudo apt install avahi-daemon, then sudo ./marrakech install, in the checkout",
    )


def test_outdated_announced_port_is_a_warning(machine: HealthyPi) -> None:
    """The settings were changed after the installation."""
    assert as_tuples(check_page(context_for(machine, "[web]\nport = 9000\n"))) == [
        ("good", "http://kitchen-pi.local:9000/", ""),
        (
            "warning",
            "avahi announces port 8080, but [web] port is 9000",
            "sudo ./marrakech install, in the checkout",
        ),
    ]


def test_missing_announcement_is_good(machine: HealthyPi) -> None:
    """As before an installation: avahi publishes the host name anyway."""
    machine.delete(ANNOUNCEMENT)
    assert single_finding(check_page, context_for(machine, "[web]\nport = 9000\n"))[0] == "good"


@pytest.mark.parametrize(
    ("settings", "level", "text"),
    [
        ("enabled = false", "note", "there is none: [web] enabled is false"),
        ('host = "127.0.0.1"', "note", "only this machine can open it: [web] host is 127.0.0.1"),
        ('host = "192.168.1.17"', "good", "at 192.168.1.17, port 8080"),
    ],
)
def test_page_that_is_disabled_or_on_one_address(
    machine: HealthyPi, settings: str, level: str, text: str
) -> None:
    assert single_finding(check_page, context_for(machine, f"[web]\n{settings}\n"))[:2] == (
        level,
        text,
    )
