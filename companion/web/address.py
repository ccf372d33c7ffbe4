"""Where phones find the page: an address to type, one to scan, and its picture for a terminal."""

from __future__ import annotations

import io
import socket
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

AVAHI = Path("/run/avahi-daemon/pid")
"""There while avahi tells the network what this machine is called."""
EVERYWHERE = ("0.0.0.0", "::", "")
_FAR_AWAY = ("192.0.2.1", 9)
"""An address that nobody has (RFC 5737): to learn which way out of this machine leads there."""


@dataclass(frozen=True, slots=True)
class PageAddress:
    """A name is easier to type; numbers are understood by every phone."""

    to_type: str
    to_scan: str

    @property
    def urls(self) -> tuple[str, ...]:
        """Each once, the one to type first."""
        return tuple(dict.fromkeys((self.to_type, self.to_scan)))


def page_address(host: str, port: int, *, avahi: Path = AVAHI) -> PageAddress:
    """Of a page that listens at this host and port, as the config has them."""
    if host not in EVERYWHERE:
        return PageAddress(*2 * (_url(host, port),))
    own = lan_address()
    by_number = _url(own or "127.0.0.1", port)
    name = socket.gethostname().partition(".")[0]
    by_name = _url(f"{name}.local", port) if own and name and avahi.exists() else by_number
    return PageAddress(by_name, by_number)


def lan_address() -> str | None:
    """This machine's own on the way out of it. Nothing is sent: it is only asked which way."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(_FAR_AWAY)
        except OSError:
            return None
        found = str(asking.getsockname()[0])
    return None if ip_address(found).is_unspecified else found


def _url(host: str, port: int) -> str:
    told = f"[{host}]" if ":" in host else host
    return f"http://{told}/" if port == 80 else f"http://{told}:{port}/"


def qr_lines(text: str) -> list[str]:
    """A QR code in half blocks, two rows to a line, light on dark as most terminals are."""
    import segno

    drawn = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(drawn, border=2, compact=True)
    return drawn.getvalue().rstrip("\n").split("\n")
