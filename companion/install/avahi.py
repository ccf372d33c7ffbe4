"""The avahi service file that announces the phone page on the local network."""

from __future__ import annotations

import re
import tomllib

from companion.install.paths import ANNOUNCEMENT, SETTINGS
from companion.install.steps import InstallStep
from companion.machine.writable_machine import WritableMachine

NO_AVAHI = (
    "avahi is not installed, so phones need an IP address instead of a name that ends in .local; "
    "to change that, run 'sudo apt install avahi-daemon' and then this command again"
)
_PORT = re.compile(rb"<port>(\d+)</port>")
_LOOPBACK = ("127.", "localhost", "::1")


def has_avahi(machine: WritableMachine) -> bool:
    return machine.exists(ANNOUNCEMENT.parent)


def announcement_step(machine: WritableMachine, announcement: bytes | None) -> InstallStep:
    """Write or remove the service file. Avahi notices the change by itself."""
    wanted = with_port(announcement, machine.contents(SETTINGS))
    text = "is not there: no page for other machines"
    if wanted is not None and (port := _PORT.search(wanted)):
        text = f"announces the page, at port {port[1].decode()}"

    def write_or_remove() -> None:
        if wanted is None:
            machine.remove(ANNOUNCEMENT)
        else:
            machine.write(ANNOUNCEMENT, wanted)

    return InstallStep(
        "avahi",
        f"{ANNOUNCEMENT} {text}",
        lambda: machine.contents(ANNOUNCEMENT) == wanted,
        write_or_remove,
    )


def with_port(announcement: bytes | None, settings: bytes | None) -> bytes | None:
    """The announcement for these settings; None if the page must not be announced.

    Keys that are not set, and settings that cannot be parsed, leave the announcement as it is:
    the new version reports errors in the settings itself.
    """
    web = _web_settings(settings)
    is_public = not str(web.get("host", "")).startswith(_LOOPBACK)
    if announcement is None or web.get("enabled") is False or not is_public:
        return None
    if not isinstance(port := web.get("port"), int):
        return announcement
    return _PORT.sub(b"<port>%d</port>" % port, announcement)


def _web_settings(settings: bytes | None) -> dict[str, object]:
    try:
        web = tomllib.loads((settings or b"").decode()).get("web")
    except ValueError:
        web = None
    return web if isinstance(web, dict) else {}
