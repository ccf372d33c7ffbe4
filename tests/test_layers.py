"""The direction of imports: rules <- table <- daemon -> adapters; one test walks them all."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection
from pathlib import Path

import pytest

import companion

ROOT = Path(companion.__file__).parent

# Which packages a package may import from, beside itself. `companion.errors` is open to all.
MAY_IMPORT = {
    "errors": set(),
    "games": set(),
    "i18n": {"games"},
    "table": {"games", "i18n"},
    "light": {"games", "table"},
    "pad": set(),
    "drawing": {"games", "light", "table"},
    "config": {"games", "i18n", "light", "table"},
    "storage": {"games", "table"},
    "adapters": {"config", "games", "i18n", "light", "pad", "table"},
    "control": {"adapters", "config", "daemon", "games", "i18n", "light", "pad", "table"},
    "daemon": {"adapters", "config", "control", "i18n", "light", "pad", "storage", "table"},
    "testing": {"adapters", "games", "scenario", "storage"},
    "scenario": {
        "adapters", "config", "control", "daemon", "games", "i18n", "light", "storage", "table",
        "testing",
    },
    "doctor": {"adapters", "config", "i18n", "light", "pad", "storage", "table"},
    "install": set(),
    "simulator": {
        "adapters", "config", "control", "daemon", "games", "i18n", "light", "table", "testing",
    },
    "web": {"control", "daemon", "drawing", "games", "i18n", "storage", "table"},
    "cli": {
        "adapters", "config", "control", "daemon", "doctor", "drawing", "games",
        "i18n", "install", "light", "pad", "scenario", "simulator", "storage", "table", "web",
    },
    "__init__": set(),
    "__main__": {"cli"},
}  # fmt: skip
# What pure code may take from the standard library: no clock, no chance, no I/O, no logging.
PURE = {"games", "errors", "i18n", "table", "light", "pad"}
PURE_LIBRARY = {
    "__future__", "binascii", "bisect", "collections", "dataclasses", "difflib", "enum",
    "functools", "itertools", "math", "re", "struct", "typing", "unicodedata",
}  # fmt: skip
MAY_ALSO_USE = {
    "games/marrakech/playouts.py": {"random"},  # for the type of the generator that callers pass in
    # Catalogues are read from files; those two also run on a developer's machine only.
    "i18n/build_catalogues.py": {"pathlib"},
    "i18n/catalogue_loader.py": {"gettext", "pathlib"},
    "i18n/template.py": {"gettext", "io", "pathlib"},
}
# Which third-party packages a package may import.
MAY_USE = {
    "drawing": {"PIL"},
    "adapters": {"PIL", "gpiozero", "luma", "serial"},
    "cli": {"benchmarks"},  # where there is a checkout
    "i18n": {"babel", "setuptools"},  # in its tools alone: a table has neither
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


def faults(room: str, names: set[str], also: Collection[str] = ()) -> list[str]:
    """Which of these imports the room may not make."""
    wrong = []
    for name in sorted(names):
        package, _, inside = name.partition(".")
        if package == "companion":
            target = inside.split(".")[0]
            if target and target not in {room, "errors", "__version__"} | MAY_IMPORT[room]:
                wrong.append(name)
        elif package in sys.stdlib_module_names:
            if room in PURE and package not in PURE_LIBRARY.union(also):
                wrong.append(name)
        elif package not in MAY_USE.get(room, set()):
            wrong.append(name)
    return wrong


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_module_imports_only_what_its_room_may(module: Path) -> None:
    assert room_of(module) in MAY_IMPORT, "a new room: say in MAY_IMPORT what it may import"
    also = MAY_ALSO_USE.get(str(module.relative_to(ROOT)), ())
    assert faults(room_of(module), imports(module.read_text()), also) == []


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
        ("games", "from companion import table", ["companion.table"]),
        ("cli", "import random, serial", ["serial"]),
        ("games", "from companion.errors import CompanionError", []),
    ],
)
def test_the_walk_sees_what_is_wrong(room: str, line: str, wrong: list[str]) -> None:
    assert faults(room, imports(line)) == wrong
