"""Where everything goes. Nothing is installed anywhere else."""

from __future__ import annotations

from pathlib import Path

HOME = Path("/opt/marrakech")
VERSIONS = HOME / "versions"
"""One folder for each version, complete in itself."""
CURRENT = HOME / "current"
"""A link to the version in use; `PREVIOUS` to the one before, to go back to."""
PREVIOUS = HOME / "previous"
RUNNING = HOME / "running"
"""What the service was started with when it last came up."""
LOCK = Path("/run/marrakech-install.lock")

COMMAND = Path("/usr/local/bin/marrakech")
SETTINGS = Path("/etc/marrakech/marrakech.toml")
GAMES = Path("/var/lib/marrakech")
RULES = Path("/etc/udev/rules.d/60-marrakech.rules")
ANNOUNCEMENT = Path("/etc/avahi/services/marrakech.service")
"""What avahi tells the house of the page. Its folder is there where avahi is."""
SERVICE = "marrakech.service"
UNIT = Path("/etc/systemd/system") / SERVICE
WANTED = UNIT.parent / "multi-user.target.wants" / SERVICE
"""The link that starts it with every boot; systemctl makes it."""
DROP_IN = Path(f"{UNIT}.d/virtual.conf")
"""Only there while the table is simulated."""

USER = "marrakech"
GROUPS = ("gpio", "spi", "dialout")
"""Whom the pins, the matrix and the die pad belong to. Plain Debian lacks the first two."""

PYTHON = Path("/usr/bin/python3")
"""The system's own: Debian's python3-lgpio and python3-spidev are for no other."""

# Inside a version's folder, which is a virtual environment: below its sys.prefix.
SHARE = Path("share/marrakech")
SHARED_UNIT = SHARE / "systemd" / UNIT.name
SHARED_RULES = SHARE / "systemd" / RULES.name
SHARED_ANNOUNCEMENT = SHARE / "systemd" / "avahi" / ANNOUNCEMENT.name
COMPLETE = Path("marrakech-complete")
"""The last file that is made in it: a folder without is half of a version."""
