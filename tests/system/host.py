"""How this machine downloads packages, so that a container can do the same.

A container gets the mirror, certificates, proxies and pip settings of this machine. None of them is
written down in the repository.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from system.errors import CannotRunError

MIRROR = "DEBIAN_MIRROR"
"""An environment variable that overrides the mirror."""
BUNDLE = Path("/etc/ssl/certs/ca-certificates.crt")
_PASSED = re.compile(
    r"PIP_\w+|(https?|ftp|all|no)_proxy|SSL_CERT_FILE|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE",
    re.IGNORECASE,
)
_PATH = re.compile(r"(?:file://)?(/[^\s'\",]+)")
_TARGETS = "$(REPO_URI) $(RELEASE) $(LABEL)"


def find_mirror(environ: Mapping[str, str], release: str) -> str:
    """The first apt source of this machine that has Debian itself."""
    if given := environ.get(MIRROR):
        return given
    for _ in range(2):
        if found := pick_mirror(_output("apt-get", "indextargets", "--format", _TARGETS), release):
            return found
        _output("apt-get", "update", "-qq")  # a fresh image has no package lists
    raise CannotRunError(
        f"no mirror with Debian {release} is among this machine's apt sources: name one with "
        f"{MIRROR}=http://..."
    )


def pick_mirror(targets: str, release: str) -> str | None:
    """Prefers a mirror of this release; any mirror of Debian works."""
    rows = [line.split() for line in targets.splitlines()]
    found = [(row[1] != release, row[0]) for row in rows if row[2:] == ["Debian"]]
    return min(found, key=lambda row: row[0])[1] if found else None


def apt_settings() -> str:
    """The proxy settings of this machine's apt, as an apt config file."""
    lines = _output("apt-config", "dump").splitlines()
    return "".join(f"{line}\n" for line in lines if re.match(r"Acquire::https?::", line))


def _output(*command: str) -> str:
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    return done.stdout


@dataclass(frozen=True)
class PackageAccess:
    """What a container needs to download packages like this machine."""

    environ: Mapping[str, str]
    files: Mapping[Path, Path]
    """Files to copy: path in the container, path on this machine."""
    folders: tuple[Path, ...]
    """Folders to mount at the same path."""


def find_package_access(environ: Mapping[str, str]) -> PackageAccess:
    passed = {name: value for name, value in environ.items() if _PASSED.fullmatch(name)}
    settings = dict(_pip_settings(environ))
    texts = [*passed.values(), *(path.read_text() for path in settings.values())]
    files, folders = find_paths(texts)
    certificates = [path for path in {BUNDLE, *files} if path.is_file()]
    return PackageAccess(passed, settings | {path: path for path in certificates}, folders)


def _pip_settings(environ: Mapping[str, str]) -> Iterator[tuple[Path, Path]]:
    """Path in the container and on this machine. The user's settings become root's."""
    home = Path(environ.get("HOME", "/root"))
    config = Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
    places = {
        Path("/etc/pip.conf"): Path("/etc/pip.conf"),
        Path("/etc/xdg/pip/pip.conf"): Path("/etc/xdg/pip/pip.conf"),
        Path("/root/.pip/pip.conf"): home / ".pip/pip.conf",
        Path("/root/.config/pip/pip.conf"): config / "pip/pip.conf",
    }
    if given := environ.get("PIP_CONFIG_FILE"):
        places[Path(given)] = Path(given)
    for target, source in places.items():
        if source.is_file() and os.access(source, os.R_OK):
            yield target, source


def find_paths(texts: Iterable[str]) -> tuple[list[Path], tuple[Path, ...]]:
    """Existing files and folders that settings name. A `simple` index has its files beside it."""
    files, folders = [], set()
    for name in {name for text in texts for name in _PATH.findall(text)}:
        path = Path(name)
        if path.is_file():
            files.append(path)
        elif path.is_dir():
            folders.add(path.parent if path.name == "simple" else path)
    return files, tuple(sorted(folders))
