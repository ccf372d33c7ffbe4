"""Host and Origin of requests."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.web.http.http_error import HttpError
from companion.web.http.request_guard import SECURITY_HEADERS, RequestGuard, is_same_origin

GUARD = RequestGuard("kitchen-pi", ["Games.Lan"])


def status(method: str, *hosts: str, **headers: str) -> int:
    """The status of a refused request; 200 if it is allowed."""
    named: Mapping[str, str] = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        GUARD.check(method, named, list(hosts))
    except HttpError as refusal:
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
def test_own_names_and_private_addresses_are_accepted(host: str) -> None:
    assert GUARD.is_own_host(host)


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
def test_other_hosts_are_refused(host: str) -> None:
    """The owner of a public name can make it resolve to our address (DNS rebinding)."""
    assert not GUARD.is_own_host(host)
    assert status("GET", host) == 421


def test_a_qualified_hostname_is_also_accepted_in_its_short_forms() -> None:
    guard = RequestGuard("pi.home.example")
    for host in ("pi.home.example", "pi", "pi.local"):
        assert guard.is_own_host(host), host
    assert not guard.is_own_host("home.example")


def test_without_a_hostname_addresses_are_accepted() -> None:
    guard = RequestGuard("")
    assert guard.is_own_host("192.168.0.9:8080")
    assert not guard.is_own_host(".local")


def test_a_request_must_have_one_host() -> None:
    assert status("GET") == 400
    assert status("GET", "localhost", "localhost") == 400


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        ("http://localhost:8080", 200),
        ("HTTP://LocalHost:8080", 200),
        ("https://localhost:8080", 200),  # behind a proxy
        ("http://localhost", 403),
        ("http://localhost:9090", 403),
        ("http://localhost:8080.evil.example", 403),
        ("http://evil.example", 403),
        ("null", 403),
        ("", 403),
    ],
)
def test_other_origins_are_refused(origin: str, expected: int) -> None:
    for method in ("GET", "POST"):
        assert status(method, "localhost:8080", Origin=origin) == expected


@pytest.mark.parametrize(
    ("site", "expected"),
    [("same-origin", 200), ("none", 200), ("same-site", 403), ("cross-site", 403)],
)
def test_requests_that_change_something_must_come_from_our_page(site: str, expected: int) -> None:
    assert status("POST", "localhost", Sec_Fetch_Site=site) == expected


def test_a_link_on_another_website_may_lead_here() -> None:
    assert status("GET", "localhost", Sec_Fetch_Site="cross-site") == 200


def test_a_refused_host_is_named_with_what_to_do() -> None:
    with pytest.raises(HttpError) as refused:
        GUARD.check("GET", {}, ["evil.example\x1b[2J"])
    assert str(refused.value) == (
        "This page is not called evil.example\\x1b[2J: open it at the address that 'marrakech "
        "status' shows, or add the name to [web] hosts in the config."
    )


@given(st.text(max_size=80))
def test_any_host_text_can_be_checked(host: str) -> None:
    assert GUARD.is_own_host(host) in (True, False)


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_same_origin_ends_in_the_host(origin: str, host: str) -> None:
    if is_same_origin(origin, host):
        assert origin.lower().endswith(host.lower())


def test_the_content_security_policy_allows_only_our_own_files() -> None:
    policy = dict(
        part.strip().split(" ", 1)
        for part in SECURITY_HEADERS["Content-Security-Policy"].split(";")
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
