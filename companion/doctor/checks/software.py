"""What is installed: Python, the companion, its packages, and its settings."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import companion
from companion import __version__
from companion.doctor.checks.service import INSTALL
from companion.doctor.context import DoctorContext
from companion.doctor.finding import AS_ROOT, Finding, failed, good, unknown
from companion.errors import listed

OLDEST = (3, 11)
PACKAGE = "marrakech-companion"
CHECKOUT = Path(companion.__file__).parents[1]
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)\s*([^;]*)(?:;.*extra.*)?")
_VERSION = re.compile(r"(\d+(?:\.\d+)*)(?:\.post(\d+))?.*")
_SEPARATE = re.compile(r"(>=|<|!=|==)\s*(.+)")


def check_python(patient: DoctorContext) -> Iterator[Finding]:
    told = f"companion {__version__}, Python {'.'.join(map(str, patient.machine.python))}"
    if patient.machine.python[:2] < OLDEST:
        yield failed(f"{told} is too old", "sudo apt install python3, 3.11 or newer")
    else:
        yield good(told)


def check_packages(patient: DoctorContext) -> Iterator[Finding]:
    needed = needed_packages()
    if not needed:
        todo = "use a checkout, where ./marrakech is"
        yield unknown("what the companion needs is written nowhere", todo)
        return
    found = {name: patient.machine.package_version(name) for name in needed}
    missing = [name for name, version in found.items() if version is None]
    wrong = [
        f"{name} {version}"
        for name, version in found.items()
        if version is not None and not is_allowed(version, needed[name])
    ]
    todo = "rm .venv/marrakech-stamp && ./marrakech --version, in the checkout"
    if not (CHECKOUT / "pyproject.toml").exists():
        todo = INSTALL
    if missing:
        yield failed(f"{listed(missing, 'and')} cannot be found", todo)
    if wrong:
        yield failed(f"{listed(wrong, 'and')} cannot be used", todo)
    if not (missing or wrong):
        yield good(", ".join(f"{name} {version}" for name, version in found.items()))


def needed_packages(checkout: Path = CHECKOUT) -> dict[str, str]:
    """Name and versions of each: as a checkout says, else as was said at the installation."""
    try:
        with (checkout / "pyproject.toml").open("rb") as file:
            lines = list(tomllib.load(file)["project"]["dependencies"])
    except (OSError, KeyError, tomllib.TOMLDecodeError):
        try:
            lines = [line for line in metadata.requires(PACKAGE) or () if "extra ==" not in line]
        except metadata.PackageNotFoundError:
            lines = []
    found = [_REQUIREMENT.fullmatch(line) for line in lines]
    return {one[1]: one[2].strip() for one in found if one}


def is_allowed(version: str, versions: str) -> bool:
    """Whether a version is among `>=2.0.1,!=2.0.1.post1`; signs that are not known allow all."""
    ours = _parts(version)
    for each in filter(None, versions.split(",")):
        if found := _SEPARATE.fullmatch(each.strip()):
            sign, theirs = found[1], _parts(found[2])
            is_so = {
                ">=": ours >= theirs,
                "<": ours < theirs,
                "!=": ours != theirs,
                "==": ours == theirs,
            }
            if not is_so[sign]:
                return False
    return True


def _parts(version: str) -> tuple[tuple[int, ...], int]:
    """Numbers that compare as the versions do; 2.0 is 2."""
    found = _VERSION.fullmatch(version)
    if found is None:
        return (), 0
    numbers = [int(part) for part in found[1].split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers), int(found[2] or -1) + 1


def check_config(patient: DoctorContext) -> Iterator[Finding]:
    for fault in patient.faults:
        if fault.endswith("Permission denied") and not patient.machine.is_root:
            yield unknown(fault, AS_ROOT)
            continue
        yield failed(
            fault, "change it there; every key is explained by: marrakech config --default"
        )
    if not patient.faults:
        yield good(patient.origin.partition("; looked in")[0])
