"""The direction of imports: rules <- table <- daemon -> adapters; one test walks them all."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import companion

ROOT = Path(companion.__file__).parent

# Which rooms a room may import from, beside itself. `companion.errors` is open to all.
MAY_IMPORT = {
    "errors": set(),
    "games": set(),
    "playouts": {"games"},
    "words": {"games"},
    "catalogues": {"words"},
    "table": {"games", "words"},
    "light": {"games", "table"},
    "pad": set(),
    "picture": {"games", "light", "table"},
    "adapters": {"games", "light", "pad", "table", "words"},
    "daemon": {"adapters", "catalogues", "games", "light", "pad", "table", "words"},
    "doctor": {"adapters", "daemon", "light", "pad", "table", "words"},
    "install": set(),
    "simulator": {"adapters", "catalogues", "daemon", "games", "light", "table", "words"},
    "bench": {"adapters", "cli", "daemon", "games", "pad", "table", "web"},
    "web": {"catalogues", "daemon", "games", "picture", "table", "words"},
    "cli": {
        "bench",
        "adapters",
        "catalogues",
        "daemon",
        "doctor",
        "games",
        "install",
        "light",
        "pad",
        "picture",
        "playouts",
        "simulator",
        "table",
        "web",
        "words",
    },
    "__init__": set(),
    "__main__": {"cli"},
}
# What pure code may take from the standard library: no clock, no chance, no I/O, no logging.
PURE = {"games", "errors", "playouts", "words", "table", "light", "pad"}
PURE_LIBRARY = {
    "__future__", "binascii", "bisect", "collections", "dataclasses", "difflib", "enum",
    "functools", "itertools", "math", "re", "struct", "typing", "unicodedata",
}  # fmt: skip
MAY_ALSO_USE = {"playouts": {"random"}}  # for the type of the chance that callers pass in
# Which third-party packages a room may import.
MAY_USE = {
    "picture": {"PIL"},
    "adapters": {"PIL", "gpiozero", "luma", "serial"},
    "bench": {"gpiozero", "luma"},
    "catalogues": {"babel", "setuptools"},  # in its tools alone: a table has neither
    "simulator": {"rich", "textual"},
    "web": {"PIL", "aiohttp", "segno"},
}

MODULES = sorted(ROOT.rglob("*.py"))


def room_of(module: Path) -> str:
    return module.relative_to(ROOT).parts[0].removesuffix(".py")


def imports(source: str) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            assert node.module is not None
            found.add(node.module)
            if node.module in ("companion", "companion.games"):
                found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def faults(room: str, names: set[str]) -> list[str]:
    """Which of these imports the room may not make."""
    wrong = []
    for name in sorted(names):
        package, _, inside = name.partition(".")
        if package == "companion":
            target = inside.split(".")[0]
            if target and target not in {room, "errors", "__version__"} | MAY_IMPORT[room]:
                wrong.append(name)
        elif package in sys.stdlib_module_names:
            if room in PURE and package not in PURE_LIBRARY | MAY_ALSO_USE.get(room, set()):
                wrong.append(name)
        elif package not in MAY_USE.get(room, set()):
            wrong.append(name)
    return wrong


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_module_imports_only_what_its_room_may(module: Path) -> None:
    assert room_of(module) in MAY_IMPORT, "a new room: say in MAY_IMPORT what it may import"
    assert faults(room_of(module), imports(module.read_text())) == []


def test_one_game_does_not_import_another() -> None:
    for module in (ROOT / "games").glob("*/*.py"):
        allowed = f"companion.games.{module.parent.name}"
        for name in imports(module.read_text()):
            assert not name.startswith("companion.games.") or name.startswith(allowed)


@pytest.mark.parametrize(
    ("room", "line", "wrong"),
    [
        ("games", "import random", ["random"]),
        ("games", "from time import sleep", ["time"]),
        ("games", "import gpiozero", ["gpiozero"]),
        ("games", "from companion.cli import main", ["companion.cli"]),
        ("games", "from companion import playouts", ["companion.playouts"]),
        ("cli", "import random, serial", ["serial"]),
        ("playouts", "from random import Random", []),
        ("games", "from companion.errors import CompanionError", []),
    ],
)
def test_the_walk_sees_what_is_wrong(room: str, line: str, wrong: list[str]) -> None:
    assert faults(room, imports(line)) == wrong


def test_every_package_is_named_in_the_project_file() -> None:
    project = (ROOT.parent / "pyproject.toml").read_text()
    for folder in {module.parent for module in MODULES}:
        dotted = ".".join(("companion", *folder.relative_to(ROOT).parts))
        assert f'"{dotted}",' in project
