"""A parser for systemd units: settings in order, each with the comment above it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Setting(NamedTuple):
    section: str
    key: str
    value: str
    comment: str
    """Directly above it, or above the first of several with the same key."""


def read_unit(path: Path) -> list[Setting]:
    settings: list[Setting] = []
    section = comment = key = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            comment, key = f"{comment} {line[1:].strip()}".strip() if not key else line[1:], ""
        elif not line or line.startswith("["):
            section, comment, key = line.strip("[]") or section, "", ""
        else:
            name, equals, value = line.partition("=")
            assert equals, f"not a setting: {line}"
            comment, key = comment if key in ("", name) else "", name
            settings.append(Setting(section, key, value, comment))
    return settings


def comments(path: Path) -> str:
    lines = path.read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if line.startswith("#"))
