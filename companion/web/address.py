"""URLs of the phone page, and the page's QR code for a terminal."""

from __future__ import annotations

import io
import socket
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

AVAHI = Path("/run/avahi-daemon/pid")
"""Exists while avahi publishes this machine's name on the network."""
ANY_ADDRESS = ("0.0.0.0", "::", "")
_DOCUMENTATION_ADDRESS = ("192.0.2.1", 9)
"""An address that no machine has (RFC 5737): the route to it shows our own address."""


@dataclass(frozen=True, slots=True)
class PageAddress:
    """The name is easier to type; every phone understands the numeric address."""

    to_type: str
    to_scan: str

    @property
    def urls(self) -> tuple[str, ...]:
        """Without duplicates, the one to type first."""
        return tuple(dict.fromkeys((self.to_type, self.to_scan)))


def page_address(host: str, port: int, *, avahi: Path = AVAHI) -> PageAddress:
    """The address of a page that listens at this host and port, as in the config."""
    if host not in ANY_ADDRESS:
        return PageAddress(*2 * (_url(host, port),))
    own = lan_address()
    by_number = _url(own or "127.0.0.1", port)
    name = socket.gethostname().partition(".")[0]
    by_name = _url(f"{name}.local", port) if own and name and avahi.exists() else by_number
    return PageAddress(by_name, by_number)


def lan_address() -> str | None:
    """This machine's address on its default route. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_DOCUMENTATION_ADDRESS)
        except OSError:
            return None
        found = str(probe.getsockname()[0])
    return None if ip_address(found).is_unspecified else found


def _url(host: str, port: int) -> str:
    bracketed = f"[{host}]" if ":" in host else host
    return f"http://{bracketed}/" if port == 80 else f"http://{bracketed}:{port}/"


def qr_lines(text: str) -> list[str]:
    """A QR code in half blocks: two rows per line, light on dark as in most terminals."""
    import segno

    drawn = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(drawn, border=2, compact=True)
    return drawn.getvalue().rstrip("\n").split("\n")
