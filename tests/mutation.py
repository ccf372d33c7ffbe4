"""Mutation testing of the rules: change one thing at a time, and check that a test fails.

    .venv/bin/python tests/mutation.py [MODULE ...] [--jobs 2]

Part of `./marrakech test --long`; takes half an hour. Each mutant runs in its own process, which
imports the package again, because many rules are tables computed at import. Mutants that no test
detects are printed. They are a failure unless mutation_survivors.txt lists them as equivalent.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib.abc
import importlib.machinery
import importlib.util
import os
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple

import hypothesis  # noqa: F401 - imported once, before the processes fork
import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = "companion.games.marrakech"
FOLDER = ROOT / PACKAGE.replace(".", "/")
NOT_MUTATED = {"playouts.py"}  # random games: part of the tests rather than of the rules
SOURCES = sorted(path for path in FOLDER.rglob("*.py") if path.name not in NOT_MUTATED)
TEST_FOLDER = ROOT / "tests/games/marrakech"
# The fastest first, because most mutants fail early.
TESTS = [
    "test_market.py", "test_rug.py", "test_actions.py", "test_options.py", "test_setup.py",
    "test_rules.py", "test_corrections.py", "text/test_notation.py",
    "text/test_notation_refusals.py", "text/test_notation_document.py", "text/test_record.py",
    "text/test_record_refusals.py", "text/test_notation_garbage.py", "test_stepper.py",
    "test_against_reference.py", "test_properties.py",
]  # fmt: skip
TIMEOUT_S = 120
MEMORY_BYTES = 2 << 30  # stops mutants that allocate without end
PYTEST_OPTIONS = [
    "-x", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", "--hypothesis-profile=all",
    # hypothesis is imported before pytest can rewrite its assertions
    "-W", "ignore::pytest.PytestAssertRewriteWarning",
]  # fmt: skip
SURVIVORS = Path(__file__).with_name("mutation_survivors.txt")

SWAPS: dict[type[Any], type[Any]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip

Change = Callable[[Any], None]


class Mutant(NamedTuple):
    source: Path
    line: int
    what: str
    code: CodeType

    def __str__(self) -> str:
        """Without the line number, which changes with every edit above it."""
        text = self.source.read_text().splitlines()[self.line - 1].strip()
        return f"{self.source.name}: {self.what}: {text}"


# --- Creating mutants ---------------------------------------------------------------------


def mutants_of(source: Path) -> Iterator[Mutant]:
    tree = ast.parse(source.read_text())
    _remove_assertions_and_annotations(tree)
    decorators = set(_in_decorators(tree))
    for number, node in enumerate(ast.walk(tree)):
        for what, change in () if node in decorators else _changes(node):
            mutated = copy.deepcopy(tree)
            change(next(n for at, n in enumerate(ast.walk(mutated)) if at == number))
            code = compile(ast.fix_missing_locations(mutated), source, "exec")
            yield Mutant(source, getattr(node, "lineno", 1), what, code)


def _remove_assertions_and_annotations(tree: ast.Module) -> None:
    """They are not mutated, because they do not change behaviour."""
    for node in ast.walk(tree):
        for field in ("body", "orelse"):
            body = getattr(node, field, None)
            if isinstance(body, list) and body:
                kept = [statement for statement in body if not isinstance(statement, ast.Assert)]
                setattr(node, field, kept or [ast.Pass()])
        if isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant("type")  # dataclasses need an annotation
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None


def _in_decorators(tree: ast.Module) -> Iterator[ast.AST]:
    """`frozen=True` and cache sizes do not change the rules."""
    for node in ast.walk(tree):
        for decorator in getattr(node, "decorator_list", ()):
            yield from ast.walk(decorator)


def _changes(node: ast.AST) -> Iterator[tuple[str, Change]]:
    match node:
        case ast.Compare():
            for index, op in enumerate(node.ops):
                yield f"{type(op).__name__} swapped", _swap_comparison(index)
        case ast.BinOp() | ast.BoolOp() | ast.AugAssign():
            if type(node.op) in SWAPS and not _is_union_type(node):
                yield f"{type(node.op).__name__} swapped", _swap
        case ast.UnaryOp():
            yield f"{type(node.op).__name__} dropped", _double
        case ast.Constant(value=bool() as value):
            yield f"not {value}", lambda n: setattr(n, "value", not n.value)
        case ast.Constant(value=int() as value):
            yield f"{value} + 1", lambda n: setattr(n, "value", n.value + 1)
        case ast.If() | ast.IfExp() | ast.While():
            yield "condition negated", _negate
        case ast.comprehension(ifs=[_, *_]):
            yield "filter dropped", lambda n: n.ifs.clear()
    if isinstance(node, ast.AugAssign | ast.Break | ast.Continue) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ):
        yield "statement dropped", _drop


def _is_union_type(node: ast.AST) -> bool:
    """Whether it is a union type such as `Rug | None`."""
    names = [n for n in ast.walk(node) if isinstance(n, ast.Name)]
    return (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.BitOr)
        and any(n.id[0].isupper() and not n.id.isupper() for n in names)
    )


def _swap_comparison(index: int) -> Change:
    def change(node: ast.Compare) -> None:
        node.ops[index] = SWAPS[type(node.ops[index])]()

    return change


def _swap(node: Any) -> None:
    node.op = SWAPS[type(node.op)]()


def _double(node: ast.UnaryOp) -> None:
    node.operand = ast.UnaryOp(copy.copy(node.op), node.operand)


def _negate(node: Any) -> None:
    node.test = ast.UnaryOp(ast.Not(), node.test)


def _drop(node: Any) -> None:
    node.__class__ = ast.Pass


# --- Running mutants ----------------------------------------------------------------------


class _Loader(importlib.abc.Loader):
    def __init__(self, code: CodeType) -> None:
        self.code = code

    def exec_module(self, module: ModuleType) -> None:
        exec(self.code, module.__dict__)


def _module_name(source: Path) -> str:
    parts = source.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


class _Finder(importlib.abc.MetaPathFinder):
    """Loads the mutated module instead of the file."""

    def __init__(self, mutant: Mutant) -> None:
        self.name = _module_name(mutant.source)
        self.mutant = mutant

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != self.name:
            return None
        return importlib.util.spec_from_file_location(
            name,
            self.mutant.source,
            loader=_Loader(self.mutant.code),
            submodule_search_locations=[str(self.mutant.source.parent)]
            if self.mutant.source.stem == "__init__"
            else None,
        )


def start(mutant: Mutant) -> int:
    """Run the tests on a mutant in a new process. Returns its process id."""
    child = os.fork()
    if child:
        return child
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    sys.meta_path.insert(0, _Finder(mutant))
    tests = [str(TEST_FOLDER / name) for name in TESTS]
    code = 1
    try:
        code = int(pytest.main([*PYTEST_OPTIONS, *tests]))
    finally:
        os._exit(code)


def run(mutants: list[Mutant], jobs: int) -> list[Mutant]:
    """Run the mutants. Returns those that no test detected."""
    waiting, survived = list(mutants), []
    running: dict[int, tuple[Mutant, float]] = {}
    done, start_time = 0, time.monotonic()
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop(0)
            running[start(mutant)] = (mutant, time.monotonic())
        time.sleep(0.02)
        for child, (mutant, since) in list(running.items()):
            ended, status = os.waitpid(child, os.WNOHANG)
            if not ended and time.monotonic() - since < TIMEOUT_S:
                continue
            if not ended:  # an endless loop counts as detected
                os.kill(child, 9)
                os.waitpid(child, 0)
            elif os.waitstatus_to_exitcode(status) == 0:
                survived.append(mutant)
                print(f"survived: {mutant}", flush=True)
            del running[child]
            done += 1
            if done % 50 == 0:
                spent = time.monotonic() - start_time
                print(f"{done} of {len(mutants)}, {spent:.0f} s", file=sys.stderr, flush=True)
    return survived


def main() -> int:
    parser = argparse.ArgumentParser(description="Mutation testing of the rules.")
    parser.add_argument("module", nargs="*", help="rules, market, ... (default: all)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args()
    sources = [s for s in SOURCES if not args.module or s.stem in args.module]
    os.chdir(ROOT)
    code = compile(SOURCES[0].read_text(), SOURCES[0], "exec")
    if not run([Mutant(SOURCES[0], 1, "nothing changed", code)], 1):
        parser.exit(1, "The tests fail without any mutation: fix them first.\n")
    known = {line for line in SURVIVORS.read_text().splitlines() if not line.startswith("#")}
    total, survivors, unexpected = 0, 0, []
    for source in sources:
        mutants = list(mutants_of(source))
        survived = run(mutants, args.jobs)
        print(f"{source.name}: {len(mutants)} mutants, {len(survived)} survived", flush=True)
        total, survivors = total + len(mutants), survivors + len(survived)
        unexpected += [str(mutant) for mutant in survived if str(mutant) not in known]
    print(f"all: {total} mutants, {survivors} survived, {len(unexpected)} unexpected")
    print(*(f"a test is missing: {mutant}" for mutant in unexpected), sep="\n")
    return int(bool(unexpected))


if __name__ == "__main__":
    sys.exit(main())
