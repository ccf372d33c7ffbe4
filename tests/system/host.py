"""This machine: where its packages come from, and how it reaches them.

A container on it has the same mirror, certificates, proxies and settings of pip, so that it gets
whatever this machine gets, and nothing about any of them is written down here.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from system.failure import StageError

MIRROR = "DEBIAN_MIRROR"
"""A variable that names another mirror."""
BUNDLE = Path("/etc/ssl/certs/ca-certificates.crt")
_PASSED = re.compile(
    r"PIP_\w+|(https?|ftp|all|no)_proxy|SSL_CERT_FILE|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE",
    re.IGNORECASE,
)
_PATH = re.compile(r"(?:file://)?(/[^\s'\",]+)")
_TARGETS = "$(REPO_URI) $(RELEASE) $(LABEL)"


def find_mirror(environ: Mapping[str, str], release: str) -> str:
    """The first of this machine's own sources that has Debian itself."""
    if given := environ.get(MIRROR):
        return given
    for _ in range(2):
        if found := mirror_in(_say("apt-get", "indextargets", "--format", _TARGETS), release):
            return found
        _say("apt-get", "update", "-qq")  # a fresh image has no lists yet
    raise StageError(
        f"no mirror with Debian {release} is among this machine's apt sources: name one with "
        f"{MIRROR}=http://..."
    )


def mirror_in(targets: str, release: str) -> str | None:
    """Any release of Debian will do, but the wanted one is sure to be there."""
    rows = [line.split() for line in targets.splitlines()]
    found = [(row[1] != release, row[0]) for row in rows if row[2:] == ["Debian"]]
    return min(found, key=lambda row: row[0])[1] if found else None


def apt_settings() -> str:
    """What apt here knows of proxies, as a file for apt there."""
    lines = _say("apt-config", "dump").splitlines()
    return "".join(f"{line}\n" for line in lines if re.match(r"Acquire::https?::", line))


def _say(*command: str) -> str:
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    return done.stdout


@dataclass(frozen=True)
class Reach:
    """What somebody else needs to reach packages as this machine does."""

    environ: Mapping[str, str]
    files: Mapping[Path, Path]
    """To be copied: where it is to be, and where it is here."""
    folders: tuple[Path, ...]
    """To be seen at the same place."""


def find_reach(environ: Mapping[str, str]) -> Reach:
    passed = {name: value for name, value in environ.items() if _PASSED.fullmatch(name)}
    settings = dict(_pip_settings(environ))
    texts = [*passed.values(), *(path.read_text() for path in settings.values())]
    files, folders = named_in(texts)
    certificates = [path for path in {BUNDLE, *files} if path.is_file()]
    return Reach(passed, settings | {path: path for path in certificates}, folders)


def _pip_settings(environ: Mapping[str, str]) -> Iterator[tuple[Path, Path]]:
    """Those of the machine stay where they are, those of the user become root's."""
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


def named_in(texts: Iterable[str]) -> tuple[list[Path], tuple[Path, ...]]:
    """Files and folders of this machine that settings name. An index's files lie beside it."""
    files, folders = [], set()
    for name in {name for text in texts for name in _PATH.findall(text)}:
        path = Path(name)
        if path.is_file():
            files.append(path)
        elif path.is_dir():
            folders.add(path.parent if path.name == "simple" else path)
    return files, tuple(sorted(folders))
