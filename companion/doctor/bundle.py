"""The support file: what somebody far away needs to help, and nothing about those who played.

Left out are players' names, whatever is called a code, secret, token or password, the names of
the home folder and of the machine, and hardware addresses. Games have names in them, and only come
along when told.
"""

from __future__ import annotations

import io
import re
import tarfile
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from companion import __version__
from companion.config.file import effective_text
from companion.doctor.checks.service import UNIT
from companion.doctor.checks.software import needed_packages
from companion.doctor.checks.storage import kernel_log
from companion.doctor.context import DoctorContext
from companion.doctor.finding import Finding
from companion.doctor.header import pinout_text
from companion.doctor.machine import Machine
from companion.doctor.report import report_json, report_text
from companion.errors import LONGEST_FILE, CompanionError, one_line
from companion.storage.filesystem import read_file
from companion.storage.game_store import CURRENT
from companion.storage.new_file import new_file

FOLDER = "marrakech-support"
LOG_LINES = 500
KERNEL_LINES = 300
LEFT_OUT = "(left out)"

_SETTING = re.compile(
    r"\b(\w*(?:code|secret|token|password)\w*|names)(\s*=\s*).*", re.IGNORECASE | re.ASCII
)
_HOME = re.compile(r"(/home/|/Users/)[^/\s:'\"]+")
_OWN_NAME = re.compile(r"[\w-]+(?=\.local\b)")
_ADDRESS = re.compile(r"\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b", re.IGNORECASE)

ABOUT = """\
A support file of the Marrakech companion {version}, made by `marrakech doctor --bundle`.

report.txt, report.json  what the doctor found
config.toml              the settings in use
pinout.txt               which pin is for what, as set
versions.txt             machine, system, packages
service.txt              the last lines of the service's log, if it could be read
kernel.txt               the last lines of the kernel's log, if it could be read
{games}
Left out: players' names, settings called code, secret, token or password, the names of the home
folder and of the machine, and hardware addresses.
"""
WITH_GAMES = f"{CURRENT}               the game in progress as it is, WITH the players' names\n"
WITHOUT_GAMES = "(no games: they have the players' names in them; --with-games takes them along)\n"


def bundle_files(
    patient: DoctorContext, findings: Sequence[Finding], *, has_games: bool = False
) -> dict[str, bytes]:
    """The files by their names; what cannot be had is not there."""
    machine = patient.machine
    games = WITH_GAMES if has_games else WITHOUT_GAMES
    findings = [replace(one, said=hide_settings(one.said)) for one in findings]
    texts = {
        "README.txt": ABOUT.format(version=__version__, games=games),
        "report.txt": report_text(findings, is_simulated=patient.is_virtual),
        "report.json": report_json(findings, is_simulated=patient.is_virtual),
        "config.toml": hide_settings(effective_text(patient.config, patient.origin)),
        "pinout.txt": pinout_text(patient.config),
        "versions.txt": _versions(patient),
    }
    log = _said(machine, "journalctl", f"--unit={UNIT}", f"--lines={LOG_LINES}", *_PLAIN)
    if log:
        texts["service.txt"] = log
    if kernel := kernel_log(machine):
        texts["kernel.txt"] = "\n".join(kernel.splitlines()[-KERNEL_LINES:]) + "\n"
    names = [name for name in patient.config.game.names if name]
    files = {name: clean(text, names).encode() for name, text in texts.items()}
    if has_games and patient.folder is not None:
        with suppress(OSError):
            files[CURRENT] = read_file(patient.folder / CURRENT)
    return files


_PLAIN = ("--no-pager", "--no-hostname", "--quiet", "--output=short-iso")


def hide_settings(text: str) -> str:
    """Of settings that are somebody's own, the key alone. A log has no settings, but codes."""
    return _SETTING.sub(rf"\1\2{LEFT_OUT!r}", text)


def clean(text: str, names: Iterable[str] = ()) -> str:
    """Without the players' names, those of a home folder and a machine, and hardware addresses."""
    for name in names:
        text = re.sub(rf"\b{re.escape(name)}\b", LEFT_OUT, text)
    text = _OWN_NAME.sub(LEFT_OUT, _HOME.sub(r"\1somebody", text))
    return _ADDRESS.sub(LEFT_OUT, text)


def _versions(patient: DoctorContext) -> str:
    machine = patient.machine
    packages = {name: machine.package_version(name) or "missing" for name in needed_packages()}
    about = {
        "companion": __version__,
        "python": ".".join(map(str, machine.python)),
        **packages,
        "model": patient.model or "no Raspberry Pi",
        "architecture": machine.architecture,
        "system": _read(machine, "/etc/os-release").partition("\n")[0],
        "kernel": _read(machine, "/proc/version").strip(),
    }
    return "".join(f"{name}: {one_line(value)}\n" for name, value in about.items())


def _read(machine: Machine, path: str) -> str:
    try:
        return machine.read(path)
    except OSError:
        return "cannot be read"


def _said(machine: Machine, *words: str) -> str:
    with suppress(OSError):
        ran = machine.run(*words)
        if ran.code == 0:
            return ran.out
    return ""


# --- Writing ------------------------------------------------------------------------------


def check_bundle(path: Path) -> None:
    """Refuse a name before all the work: a file that is there already is somebody's."""
    told = one_line(str(path), LONGEST_FILE)
    if not path.name.endswith((".tar.gz", ".tgz")):
        raise CompanionError(f"'{told}' is no name for a support file: call it marrakech.tar.gz")
    if path.exists() or path.is_symlink():
        raise CompanionError(f"{told} is there already: name another file")


def write_bundle(path: Path, files: Mapping[str, bytes]) -> None:
    check_bundle(path)
    with new_file(path) as file, tarfile.open(fileobj=file, mode="w:gz") as tar:
        for name, data in files.items():
            member = tarfile.TarInfo(f"{FOLDER}/{name}")
            member.size, member.mtime = len(data), int(time.time())
            tar.addfile(member, io.BytesIO(data))


def contents_text(path: Path, files: Mapping[str, bytes]) -> str:
    """What is said when it is written."""
    inside = [f"  {name:13}{len(data):>8} bytes" for name, data in files.items()]
    games = "with the players' names" if CURRENT in files else "without games and names"
    told = one_line(str(path), LONGEST_FILE)
    return "\n".join(
        [
            f"{told}, {games}, has inside:",
            *inside,
            "Look into it before you send it: README.txt says what was left out.",
        ]
    )
