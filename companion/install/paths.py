"""Paths, user and groups of an installation. Nothing is installed anywhere else."""

from __future__ import annotations

from pathlib import Path

HOME = Path("/opt/marrakech")
VERSIONS = HOME / "versions"
"""One self-contained folder for each version."""
CURRENT = HOME / "current"
"""A link to the version in use. `PREVIOUS` links to the one before, for `upgrade --back`."""
PREVIOUS = HOME / "previous"
RUNNING = HOME / "running"
"""Version and unit of the last successful start of the service."""
LOCK = Path("/run/marrakech-install.lock")

COMMAND = Path("/usr/local/bin/marrakech")
SETTINGS = Path("/etc/marrakech/marrakech.toml")
GAMES = Path("/var/lib/marrakech")
RULES = Path("/etc/udev/rules.d/60-marrakech.rules")
ANNOUNCEMENT = Path("/etc/avahi/services/marrakech.service")
"""The avahi service file of the phone page. Its folder exists if avahi is installed."""
SERVICE = "marrakech.service"
UNIT = Path("/etc/systemd/system") / SERVICE
WANTED = UNIT.parent / "multi-user.target.wants" / SERVICE
"""The link that starts the service at boot; `systemctl enable` makes it."""
DROP_IN = Path(f"{UNIT}.d/virtual.conf")
"""Exists only while the table is simulated."""

USER = "marrakech"
GROUPS = ("gpio", "spi", "dialout")
"""Groups of the pins, the matrix and the die pad. Plain Debian lacks the first two."""

PYTHON = Path("/usr/bin/python3")
"""The system's Python: python3-lgpio and python3-spidev work with no other."""

# Inside a version's folder, which is a virtual environment.
SHARE = Path("share/marrakech")
SHARED_UNIT = SHARE / "systemd" / UNIT.name
SHARED_RULES = SHARE / "systemd" / RULES.name
SHARED_ANNOUNCEMENT = SHARE / "systemd" / "avahi" / ANNOUNCEMENT.name
COMPLETE = Path("marrakech-complete")
"""Written last: a version without this file is incomplete."""
