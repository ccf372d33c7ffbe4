"""The support file of `doctor --bundle`: report, settings and logs, without personal data.

Redacted are players' names, settings called code, secret, token or password, the names of the home
folder and of the machine, and hardware addresses. Games contain players' names and are only added
on request.
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
from companion.doctor.report import report_json, report_text
from companion.errors import MAX_FILE_NAME_LENGTH, CompanionError, one_line
from companion.machine.machine import Machine
from companion.storage.filesystem import read_file
from companion.storage.games_folder import CURRENT_GAME_FILE
from companion.storage.log_file import read_log
from companion.storage.output_file import create_output_file

FOLDER = "marrakech-support"
LOG_LINES = 500
KERNEL_LINES = 300
REDACTED = "(redacted)"

_SETTING = re.compile(
    r"\b(\w*(?:code|secret|token|password)\w*|names)(\s*=\s*).*", re.IGNORECASE | re.ASCII
)
_NAMES = re.compile(r"\bnames(\s*=\s*).*")
_HOME = re.compile(r"(/home/|/Users/)[^/\s:'\"]+")
_HOST_NAME = re.compile(r"[\w-]+(?=\.local\b)")
_MAC_ADDRESS = re.compile(r"\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b", re.IGNORECASE)

ABOUT = """\
A support file of the Marrakech companion {version}, made by `marrakech doctor --bundle`.

report.txt, report.json  the doctor's findings
config.toml              the settings in use
pinout.txt               which pin is used for what
versions.txt             machine, system, packages
service.txt              the last lines of the service's log, if readable
log.txt                  the log beside the games, which survives a power cut, if readable
kernel.txt               the last lines of the kernel's log, if readable
{games}
Redacted: players' names, settings called code, secret, token or password, the names of the home
folder and of the machine, and hardware addresses.
"""
WITH_GAMES = f"{CURRENT_GAME_FILE}               the game in progress, WITH the players' names\n"
WITHOUT_GAMES = "(no games: they contain the players' names; --with-games adds them)\n"


def bundle_files(
    context: DoctorContext, findings: Sequence[Finding], *, has_games: bool = False
) -> dict[str, bytes]:
    """File names and contents. What cannot be read is left out."""
    machine = context.machine
    games = WITH_GAMES if has_games else WITHOUT_GAMES
    findings = [replace(one, text=redact_settings(one.text)) for one in findings]
    texts = {
        "README.txt": ABOUT.format(version=__version__, games=games),
        "report.txt": report_text(findings, is_simulated=context.is_virtual),
        "report.json": report_json(findings, is_simulated=context.is_virtual),
        "config.toml": redact_settings(effective_text(context.config, context.origin)),
        "pinout.txt": pinout_text(context.config),
        "versions.txt": _versions(context),
    }
    log = _output(machine, "journalctl", f"--unit={UNIT}", f"--lines={LOG_LINES}", *_PLAIN)
    if log:
        texts["service.txt"] = redact_log(log)
    if log := _log_beside_games(context):
        texts["log.txt"] = redact_log(log)
    if kernel := kernel_log(machine):
        texts["kernel.txt"] = "\n".join(kernel.splitlines()[-KERNEL_LINES:]) + "\n"
    names = [name for name in context.config.game.names if name]
    files = {name: redact(text, names).encode() for name, text in texts.items()}
    if has_games and context.folder is not None:
        with suppress(OSError):
            files[CURRENT_GAME_FILE] = read_file(context.folder / CURRENT_GAME_FILE)
    return files


_PLAIN = ("--no-pager", "--no-hostname", "--quiet", "--output=short-iso")


def redact_settings(text: str) -> str:
    """Replace the values of private settings. Not for logs: those have harmless codes."""
    return _SETTING.sub(rf"\1\2{REDACTED!r}", text)


def redact_log(text: str) -> str:
    """Replace names in errors about settings."""
    return _NAMES.sub(rf"names\1{REDACTED!r}", text)


def redact(text: str, names: Iterable[str] = ()) -> str:
    """Replace players' names, home folders, host names and hardware addresses."""
    for name in names:
        text = re.sub(rf"\b{re.escape(name)}\b", REDACTED, text)
    text = _HOST_NAME.sub(REDACTED, _HOME.sub(r"\1(redacted)", text))
    return _MAC_ADDRESS.sub(REDACTED, text)


def _versions(context: DoctorContext) -> str:
    machine = context.machine
    packages = {name: machine.package_version(name) or "missing" for name in needed_packages()}
    versions = {
        "companion": __version__,
        "python": ".".join(map(str, machine.python)),
        **packages,
        "model": context.model or "not a Raspberry Pi",
        "architecture": machine.architecture,
        "system": _read(machine, "/etc/os-release").partition("\n")[0],
        "kernel": _read(machine, "/proc/version").strip(),
    }
    return "".join(f"{name}: {one_line(value)}\n" for name, value in versions.items())


def _log_beside_games(context: DoctorContext) -> str:
    if context.folder is not None:
        with suppress(OSError):
            return read_log(context.folder)
    return ""


def _read(machine: Machine, path: str) -> str:
    try:
        return machine.read_text(path)
    except OSError:
        return "not readable"


def _output(machine: Machine, *command: str) -> str:
    result = machine.query(*command)
    return result.output if result.is_ok else ""


# --- Writing ------------------------------------------------------------------------------


def check_bundle_path(path: Path) -> None:
    """Refuse a wrong name, or a file that exists, before the checks run."""
    shown_path = one_line(str(path), MAX_FILE_NAME_LENGTH)
    if not path.name.endswith((".tar.gz", ".tgz")):
        raise CompanionError(f"'{shown_path}' must end in .tar.gz: for example marrakech.tar.gz")
    if path.exists() or path.is_symlink():
        raise CompanionError(f"{shown_path} already exists: choose another name")


def write_bundle(path: Path, files: Mapping[str, bytes]) -> None:
    check_bundle_path(path)
    with create_output_file(path) as file, tarfile.open(fileobj=file, mode="w:gz") as tar:
        for name, data in files.items():
            member = tarfile.TarInfo(f"{FOLDER}/{name}")
            member.size, member.mtime = len(data), int(time.time())
            tar.addfile(member, io.BytesIO(data))


def contents_text(path: Path, files: Mapping[str, bytes]) -> str:
    """A summary to print after writing."""
    lines = [f"  {name:13}{len(data):>8} bytes" for name, data in files.items()]
    games = "with the players' names" if CURRENT_GAME_FILE in files else "without games and names"
    shown_path = one_line(str(path), MAX_FILE_NAME_LENGTH)
    return "\n".join(
        [
            f"{shown_path}, {games}, contains:",
            *lines,
            "Check it before you send it: README.txt says what was redacted.",
        ]
    )
