"""The architecture as a table of allowed imports: rules <- table <- daemon -> adapters.

A test walks all imports. docs/architecture.md draws the same table.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Collection, Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import companion

ROOT = Path(companion.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))

# Modules that every package may import.
OPEN_TO_ALL = {"errors", "json_types"}
# Which packages a package may import from, beside itself. None is listed without need.
MAY_IMPORT = {
    "errors": set(),
    "json_types": set(),
    "logs": set(),
    "games": set(),
    "i18n": {"games"},
    "table": {"games", "i18n"},
    "light": {"table"},
    "pad": set(),
    "drawing": {"games", "light", "table"},
    "config": {"games", "i18n", "light", "table"},
    "storage": {"games", "table"},
    "adapters": {"config", "games", "i18n", "light", "pad", "table"},
    "control": {"adapters", "config", "games", "i18n", "light", "pad", "table"},
    "daemon": {"adapters", "config", "control", "i18n", "light", "logs", "pad", "storage", "table"},
    "web": {"control", "drawing", "games", "i18n", "storage", "table"},
    "testing": {"adapters", "games", "storage"},
    "scenario": {
        "adapters", "config", "control", "daemon", "games", "i18n", "light", "storage", "table",
        "testing",
    },
    "simulator": {
        "adapters", "config", "control", "daemon", "drawing", "games", "i18n", "light", "logs",
        "table", "testing",
    },
    "machine": set(),
    "doctor": {"adapters", "config", "i18n", "light", "machine", "pad", "storage", "table"},
    "install": {"machine"},
    "cli": {
        "adapters", "config", "control", "daemon", "doctor", "drawing", "games", "i18n", "install",
        "light", "logs", "pad", "scenario", "simulator", "storage", "table", "web",
    },
    "__init__": set(),
    "__main__": {"cli"},
}  # fmt: skip
# Pure packages: no clock, no randomness, no I/O, no logging.
PURE = {"games", "errors", "json_types", "i18n", "table", "light", "pad"}
PURE_LIBRARY = {
    "__future__", "binascii", "bisect", "collections", "dataclasses", "difflib", "enum",
    "functools", "itertools", "math", "re", "struct", "typing", "unicodedata",
}  # fmt: skip
MAY_ALSO_USE = {
    "games/marrakech/playouts.py": {"random"},  # the type of the generator that callers pass in
    # Catalogues are files. The first and the last run on developers' machines only.
    "i18n/build_catalogues.py": {"pathlib"},
    "i18n/catalogue_loader.py": {"gettext", "pathlib"},
    "i18n/template.py": {"gettext", "io", "pathlib"},
}
# Which third-party packages a package may import.
MAY_USE = {
    "drawing": {"PIL"},
    "adapters": {"PIL", "gpiozero", "luma", "serial"},
    "cli": {"benchmarks"},  # in a checkout
    "i18n": {"babel", "setuptools"},  # in developers' tools only
    "simulator": {"rich", "textual"},
    "web": {"PIL", "aiohttp", "segno"},
}
MAX_MODULES = 16
# One module per command.
MAY_BE_LARGER = {"cli/commands"}


def package_of(module: Path) -> str:
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


def targets(names: Collection[str]) -> Iterator[str]:
    """The packages of ours among these imports."""
    for name in names:
        package, _, inside = name.partition(".")
        if package == "companion" and inside and inside != "__version__":
            yield inside.split(".")[0]


def forbidden(package: str, names: set[str], also: Collection[str] = ()) -> list[str]:
    """Which of these imports the package may not make."""
    allowed = {package, *OPEN_TO_ALL, *MAY_IMPORT[package]}
    found = []
    for name in sorted(names):
        library = name.partition(".")[0]
        if library == "companion":
            if not set(targets([name])) <= allowed:
                found.append(name)
        elif library in sys.stdlib_module_names:
            if package in PURE and library not in PURE_LIBRARY.union(also):
                found.append(name)
        elif library not in MAY_USE.get(package, set()):
            found.append(name)
    return found


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_only_what_its_package_may(module: Path) -> None:
    assert package_of(module) in MAY_IMPORT, "a new package: add a row to MAY_IMPORT"
    also = MAY_ALSO_USE.get(str(module.relative_to(ROOT)), ())
    assert forbidden(package_of(module), imports(module.read_text()), also) == []


def test_every_allowed_import_is_needed() -> None:
    needed: dict[str, set[str]] = {package: set() for package in MAY_IMPORT}
    for module in MODULES:
        needed[package_of(module)] |= set(targets(imports(module.read_text())))
    unused = {package: MAY_IMPORT[package] - needed[package] for package in MAY_IMPORT}
    assert {package: names for package, names in unused.items() if names} == {}


def test_packages_have_no_import_cycle() -> None:
    order = list(TopologicalSorter(MAY_IMPORT).static_order())
    assert order.index("games") < order.index("table") < order.index("daemon") < order.index("cli")


def test_one_game_does_not_import_another() -> None:
    for module in (ROOT / "games").glob("*/**/*.py"):
        own = f"companion.games.{module.relative_to(ROOT / 'games').parts[0]}"
        for name in imports(module.read_text()):
            assert not name.startswith("companion.games.") or name.startswith(own)


def test_no_package_has_too_many_modules() -> None:
    sizes = Counter(
        str(module.parent.relative_to(ROOT)) for module in MODULES if module.name != "__init__.py"
    )
    too_large = {name for name, size in sizes.items() if size > MAX_MODULES}
    assert too_large == MAY_BE_LARGER


def test_class_names_are_unique() -> None:
    names = Counter(
        node.name
        for module in MODULES
        for node in ast.walk(ast.parse(module.read_text()))
        if isinstance(node, ast.ClassDef)
    )
    assert [name for name, count in names.items() if count > 1] == []


@pytest.mark.parametrize(
    ("package", "line", "expected"),
    [
        ("games", "import random", ["random"]),
        ("games", "from time import sleep", ["time"]),
        ("games", "import gpiozero", ["gpiozero"]),
        ("games", "from companion.cli import main", ["companion.cli"]),
        ("games", "from companion import table", ["companion.table"]),
        ("control", "from companion.daemon.controller import Controller",
         ["companion.daemon.controller"]),
        ("cli", "import random, serial", ["serial"]),
        ("games", "from companion.errors import CompanionError", []),
        ("games", "from companion import __version__", []),
    ],
)  # fmt: skip
def test_forbidden_imports_are_found(package: str, line: str, expected: list[str]) -> None:
    assert forbidden(package, imports(line)) == expected
