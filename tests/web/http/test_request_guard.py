"""Who may ask: names of this house, and requests of our own page."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.web.http.refusal import Refusal
from companion.web.http.request_guard import HEADERS, Guard, is_same_origin

GUARD = Guard("kitchen-pi", ["Games.Lan"])


def status(method: str, *hosts: str, **headers: str) -> int:
    """Of what a request gets: 200 if it may pass."""
    named: Mapping[str, str] = {name.replace("_", "-"): said for name, said in headers.items()}
    try:
        GUARD.check(method, named, list(hosts))
    except Refusal as refusal:
        return refusal.status
    return 200


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1:8080",
        "192.168.1.17",
        "10.255.255.255:1",
        "172.16.0.1:8080",
        "172.31.255.255",
        "169.254.3.4:8080",
        "[::1]:8080",
        "[fe80::1]",
        "[fe80::1%25wlan0]:8080",
        "[fd12:3456::1]:8080",
        "[::ffff:192.168.1.17]:8080",
        "localhost:8080",
        "LOCALHOST",
        "marrakech.local:8080",
        "marrakech.local.:8080",
        "kitchen-pi:8080",
        "Kitchen-Pi.local:8080",
        "kitchen-pi-2.local:8080",
        "games.lan",
    ],
)
def test_names_and_addresses_of_the_house_are_ours(host: str) -> None:
    assert GUARD.is_ours(host)


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "evil.example:8080",
        "localhost.evil.example",
        "kitchen-pi.evil.example",
        "kitchen-pi-2.evil.example",
        "kitchen-pi-.local",
        "kitchen-pi-2xlocal",
        "kitchen-pi-two.local",
        "other-2.local",
        "127.0.0.1.evil.example",
        "127.0.0.1@evil.example",
        "evil.example#localhost",
        "localhost evil.example",
        "localhost:8080:8080",
        "localhost:",
        "8.8.8.8",
        "0.0.0.0:8080",
        "172.32.0.1",
        "192.169.0.1",
        "0177.0.0.1",
        "2130706433",
        "0x7f.1",
        "[2001:db8::1]",
        "[::ffff:8.8.8.8]",
        "[::]",
        "[localhost]",
        "[::1",
        "::1",
        "１２７.0.0.1",
        "localhost\n",
        "x" * 300,
    ],
)
def test_whatever_else_is_not(host: str) -> None:
    """A name of the world's may lead to our address, by whoever owns the name."""
    assert not GUARD.is_ours(host)
    assert status("GET", host) == 421


def test_a_machine_with_a_long_name_also_has_a_short_one() -> None:
    guard = Guard("pi.home.example")
    for host in ("pi.home.example", "pi", "pi.local"):
        assert guard.is_ours(host), host
    assert not guard.is_ours("home.example")


def test_a_machine_without_a_name_answers_to_its_addresses() -> None:
    guard = Guard("")
    assert guard.is_ours("192.168.0.9:8080")
    assert not guard.is_ours(".local")


def test_a_request_names_one_host() -> None:
    assert status("GET") == 400
    assert status("GET", "localhost", "localhost") == 400


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        ("http://localhost:8080", 200),
        ("HTTP://LocalHost:8080", 200),
        ("https://localhost:8080", 200),  # by way of a proxy
        ("http://localhost", 403),
        ("http://localhost:9090", 403),
        ("http://localhost:8080.evil.example", 403),
        ("http://evil.example", 403),
        ("null", 403),
        ("", 403),
    ],
)
def test_a_page_of_another_origin_may_neither_read_nor_change(origin: str, expected: int) -> None:
    for method in ("GET", "POST"):
        assert status(method, "localhost:8080", Origin=origin) == expected


@pytest.mark.parametrize(
    ("site", "expected"),
    [("same-origin", 200), ("none", 200), ("same-site", 403), ("cross-site", 403)],
)
def test_what_changes_something_comes_from_our_own_page(site: str, expected: int) -> None:
    assert status("POST", "localhost", Sec_Fetch_Site=site) == expected


def test_a_link_on_another_page_may_lead_here() -> None:
    assert status("GET", "localhost", Sec_Fetch_Site="cross-site") == 200


def test_a_refusal_tells_the_name_and_what_to_do() -> None:
    with pytest.raises(Refusal) as refused:
        GUARD.check("GET", {}, ["evil.example\x1b[2J"])
    assert str(refused.value) == (
        "This page is not called evil.example\\x1b[2J: open it at the address that 'marrakech "
        "status' shows, or add the name to [web] hosts in the config."
    )


@given(st.text(max_size=80))
def test_no_host_whatever_is_more_than_ours_or_not(host: str) -> None:
    assert GUARD.is_ours(host) in (True, False)


@given(st.text(max_size=40), st.text(max_size=40))
def test_an_origin_is_ours_only_if_it_ends_in_our_name(origin: str, host: str) -> None:
    if is_same_origin(origin, host):
        assert origin.lower().endswith(host.lower())


def test_scripts_come_from_files_of_ours_and_the_page_is_in_nobodys_frame() -> None:
    policy = dict(
        part.strip().split(" ", 1) for part in HEADERS["Content-Security-Policy"].split(";")
    )
    assert policy == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self'",
        "connect-src": "'self'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
        "form-action": "'none'",
    }
