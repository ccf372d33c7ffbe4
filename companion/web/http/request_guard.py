"""Who may ask: the page is for the house, and for nobody else's page. No I/O.

A page of the world can make a phone's browser ask here, in two ways:

- its own name may lead to our address, so that the browser takes our answers for its own. So we
  answer only to names that are ours: addresses of a home's network, and what this machine is
  called. A name of the world's in `Host` is refused, whatever is asked;
- it may send a form or a request to our address. So whatever changes something must come from our
  own page, by `Origin` and `Sec-Fetch-Site`, which no page can forge.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from ipaddress import IPv6Address, ip_address, ip_network

from companion.errors import one_line
from companion.i18n.message import message
from companion.web.http.refusal import Refusal

OWN_NAMES = ("localhost", "marrakech.local")
HOME = tuple(
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
"""The networks of a home, of one machine, and of a cable between two."""

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "frame-ancestors 'none'; form-action 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Server": "marrakech",
}
"""Of every answer."""

_AUTHORITY = re.compile(
    r"(?:\[(?P<six>[0-9a-f:.]{2,45})(?:%25[\w.~-]{1,40})?\]|(?P<name>[a-z0-9._-]{1,253}))"
    r"(?::\d{1,5})?",
    re.ASCII | re.IGNORECASE,
)
_LONGEST_TOLD = 60
_OURS = (None, "same-origin", "none")


class Guard:
    """Knows the names of this machine."""

    def __init__(self, hostname: str, names: Iterable[str] = ()) -> None:
        own = hostname.partition(".")[0]
        known = (*OWN_NAMES, *((hostname, own, f"{own}.local") if own else ()), *names)
        self._names = frozenset(map(_plain, known))
        # Where another machine of the house has the name already, avahi counts: kitchen-pi-2.local.
        self._counted = re.compile(rf"{re.escape(_plain(own or 'marrakech'))}-\d{{1,3}}\.local")

    def check(self, method: str, headers: Mapping[str, str], hosts: list[str]) -> None:
        """Let a request pass, or raise what is wrong with it. `hosts` are all its Host headers."""
        if len(hosts) != 1:
            raise Refusal(400, message("page.one_host"))
        (host,) = hosts
        if not self.is_ours(host):
            raise Refusal(421, message("page.host", host=one_line(host, _LONGEST_TOLD)))
        origin = headers.get("Origin")
        if origin is not None and not is_same_origin(origin, host):
            raise Refusal(403, message("page.origin"))
        if method not in ("GET", "HEAD") and headers.get("Sec-Fetch-Site") not in _OURS:
            raise Refusal(403, message("page.origin"))

    def is_ours(self, host: str) -> bool:
        """Whether a Host header names this machine, or an address of a home's network."""
        found = _AUTHORITY.fullmatch(host)
        if found is None:
            return False
        name = found["six"] or found["name"]
        try:
            address = ip_address(name)
        except ValueError:
            return found["name"] is not None and self._is_our_name(_plain(name))
        if isinstance(address, IPv6Address):
            address = address.ipv4_mapped or address
        return _plain(name) in self._names or any(address in network for network in HOME)

    def _is_our_name(self, name: str) -> bool:
        return name in self._names or self._counted.fullmatch(name) is not None


def is_same_origin(origin: str, host: str) -> bool:
    """Whether a page of this origin is ours; a proxy in front of us may speak TLS."""
    return origin.lower() in (f"http://{host.lower()}", f"https://{host.lower()}")


def _plain(name: str) -> str:
    """Names come in any case, and with a dot at their end if somebody is thorough."""
    return name.lower().removesuffix(".")
