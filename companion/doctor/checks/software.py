"""Checks of Python, the companion, its packages and its settings."""

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

MIN_PYTHON = (3, 11)
PACKAGE = "marrakech-companion"
CHECKOUT = Path(companion.__file__).parents[1]
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)\s*([^;]*)(?:;.*extra.*)?")
_VERSION = re.compile(r"(\d+(?:\.\d+)*)(?:\.post(\d+))?.*")
_SPECIFIER = re.compile(r"(>=|<|!=|==)\s*(.+)")


def check_python(context: DoctorContext) -> Iterator[Finding]:
    text = f"companion {__version__}, Python {'.'.join(map(str, context.machine.python))}"
    if context.machine.python[:2] < MIN_PYTHON:
        yield failed(f"{text} is too old", "sudo apt install python3, 3.11 or newer")
    else:
        yield good(text)


def check_packages(context: DoctorContext) -> Iterator[Finding]:
    needed = needed_packages()
    if not needed:
        advice = "use a checkout, and start ./marrakech there"
        yield unknown("the required packages are not known", advice)
        return
    found = {name: context.machine.package_version(name) for name in needed}
    missing = [name for name, version in found.items() if version is None]
    wrong = [
        f"{name} {version}"
        for name, version in found.items()
        if version is not None and not is_allowed(version, needed[name])
    ]
    advice = "rm .venv/marrakech-stamp && ./marrakech --version, in the checkout"
    if not (CHECKOUT / "pyproject.toml").exists():
        advice = INSTALL
    if missing:
        yield failed(f"not installed: {listed(missing, 'and')}", advice)
    if wrong:
        yield failed(f"unsupported version: {listed(wrong, 'and')}", advice)
    if not (missing or wrong):
        yield good(", ".join(f"{name} {version}" for name, version in found.items()))


def needed_packages(checkout: Path = CHECKOUT) -> dict[str, str]:
    """Names and version specifiers, from pyproject.toml or from the installed metadata."""
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


def is_allowed(version: str, specifiers: str) -> bool:
    """Whether a version matches `>=2.0.1,!=2.0.1.post1`. Unknown operators match everything."""
    ours = _parts(version)
    for each in filter(None, specifiers.split(",")):
        if found := _SPECIFIER.fullmatch(each.strip()):
            operator, theirs = found[1], _parts(found[2])
            results = {
                ">=": ours >= theirs,
                "<": ours < theirs,
                "!=": ours != theirs,
                "==": ours == theirs,
            }
            if not results[operator]:
                return False
    return True


def _parts(version: str) -> tuple[tuple[int, ...], int]:
    """A key that sorts like the version; 2.0 equals 2."""
    found = _VERSION.fullmatch(version)
    if found is None:
        return (), 0
    numbers = [int(part) for part in found[1].split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers), int(found[2] or -1) + 1


def check_config(context: DoctorContext) -> Iterator[Finding]:
    for fault in context.faults:
        if fault.endswith("Permission denied") and not context.machine.is_root:
            yield unknown(fault, AS_ROOT)
            continue
        yield failed(fault, "correct it; this explains every key: marrakech config --default")
    if not context.faults:
        yield good(context.origin.partition("; looked in")[0])
