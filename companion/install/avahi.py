"""Telling the house of the page: a file for avahi, with the port of the settings."""

from __future__ import annotations

import re
import tomllib

from companion.install.machine import System
from companion.install.places import ANNOUNCEMENT, SETTINGS
from companion.install.steps import Step

NO_AVAHI = (
    "avahi is not here, so phones must type numbers instead of a name that ends in .local; "
    "'sudo apt install avahi-daemon', and then this again, changes that"
)
_PORT = re.compile(rb"<port>(\d+)</port>")
_HERE_ONLY = ("127.", "localhost", "::1")


def has_avahi(system: System) -> bool:
    return system.exists(ANNOUNCEMENT.parent)


def announcement_step(system: System, announcement: bytes | None) -> Step:
    """Avahi sees by itself when its folder changes."""
    wanted = with_port(announcement, system.read(SETTINGS))
    text = "is not there: there is no page for the house"
    if wanted is not None and (port := _PORT.search(wanted)):
        text = f"tells the house of the page, at port {port[1].decode()}"

    def put() -> None:
        if wanted is None:
            system.remove(ANNOUNCEMENT)
        else:
            system.write(ANNOUNCEMENT, wanted)

    return Step("avahi", f"{ANNOUNCEMENT} {text}", lambda: system.read(ANNOUNCEMENT) == wanted, put)


def with_port(announcement: bytes | None, settings: bytes | None) -> bytes | None:
    """What avahi is to tell by these settings; None if nothing.

    What they do not say is as in the announcement. What is wrong with them is for the version to
    say that reads them.
    """
    web = _web(settings)
    is_for_all = not str(web.get("host", "")).startswith(_HERE_ONLY)
    if announcement is None or web.get("enabled") is False or not is_for_all:
        return None
    if not isinstance(port := web.get("port"), int):
        return announcement
    return _PORT.sub(b"<port>%d</port>" % port, announcement)


def _web(settings: bytes | None) -> dict[str, object]:
    try:
        web = tomllib.loads((settings or b"").decode()).get("web")
    except ValueError:
        web = None
    return web if isinstance(web, dict) else {}
