"""Checks the Host and Origin of requests, against attacks by other websites. No I/O.

A foreign website can make a phone's browser send requests to us in two ways:

- DNS rebinding: its name resolves to our address, so the browser lets it read our answers. So we
  accept only Host headers with our own names or with addresses of private networks.
- Cross-site requests: it sends a form or a request to our address. So requests that change
  something must come from our own page by `Origin` and `Sec-Fetch-Site`, which no page can forge.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from ipaddress import IPv6Address, ip_address, ip_network

from companion.errors import one_line
from companion.i18n.message import message
from companion.web.http.http_error import HttpError

OWN_NAMES = ("localhost", "marrakech.local")
HOME_NETWORKS = tuple(
    map(
        ip_network,
        (
            "10.0.0.0/8",
            "172.16.0.0/12",
            "192.168.0.0/16",
            "127.0.0.0/8",
            "169.254.0.0/16",
            "::1/128",
            "fc00::/7",
            "fe80::/10",
        ),
    )
)
"""Private, loopback and link-local networks."""

SECURITY_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "frame-ancestors 'none'; form-action 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Server": "marrakech",
}
"""Headers of every response."""

_AUTHORITY = re.compile(
    r"(?:\[(?P<six>[0-9a-f:.]{2,45})(?:%25[\w.~-]{1,40})?\]|(?P<name>[a-z0-9._-]{1,253}))"
    r"(?::\d{1,5})?",
    re.ASCII | re.IGNORECASE,
)
_MAX_SHOWN_LENGTH = 60
_OWN_FETCH_SITES = (None, "same-origin", "none")


class RequestGuard:
    """Knows this machine's names."""

    def __init__(self, hostname: str, names: Iterable[str] = ()) -> None:
        own = hostname.partition(".")[0]
        known = (*OWN_NAMES, *((hostname, own, f"{own}.local") if own else ()), *names)
        self._names = frozenset(map(_normalized, known))
        # If another machine has the name already, avahi adds a number: kitchen-pi-2.local.
        self._numbered = re.compile(
            rf"{re.escape(_normalized(own or 'marrakech'))}-\d{{1,3}}\.local"
        )

    def check(self, method: str, headers: Mapping[str, str], hosts: list[str]) -> None:
        """Raise `HttpError` if the request is not allowed. `hosts` are all its Host headers."""
        if len(hosts) != 1:
            raise HttpError(400, message("page.one_host"))
        (host,) = hosts
        if not self.is_own_host(host):
            raise HttpError(421, message("page.host", host=one_line(host, _MAX_SHOWN_LENGTH)))
        origin = headers.get("Origin")
        if origin is not None and not is_same_origin(origin, host):
            raise HttpError(403, message("page.origin"))
        if method not in ("GET", "HEAD") and headers.get("Sec-Fetch-Site") not in _OWN_FETCH_SITES:
            raise HttpError(403, message("page.origin"))

    def is_own_host(self, host: str) -> bool:
        """Whether a Host header has a name of this machine or an address of a private network."""
        found = _AUTHORITY.fullmatch(host)
        if found is None:
            return False
        name = found["six"] or found["name"]
        try:
            address = ip_address(name)
        except ValueError:
            return found["name"] is not None and self._is_own_name(_normalized(name))
        if isinstance(address, IPv6Address):
            address = address.ipv4_mapped or address
        return _normalized(name) in self._names or any(
            address in network for network in HOME_NETWORKS
        )

    def _is_own_name(self, name: str) -> bool:
        return name in self._names or self._numbered.fullmatch(name) is not None


def is_same_origin(origin: str, host: str) -> bool:
    """Whether this origin is our page; a proxy in front of us may use TLS."""
    return origin.lower() in (f"http://{host.lower()}", f"https://{host.lower()}")


def _normalized(name: str) -> str:
    """In lower case, without the dot of a fully qualified name."""
    return name.lower().removesuffix(".")
