"""Documents, decision records, the changelog and the lock files agree with the repository."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

from companion import __version__

ROOT = Path(__file__).parent.parent
FOLDERS = (".", ".github", "docs", "docs/adr", "firmware", "hardware")
DOCUMENTS = sorted(path for folder in FOLDERS for path in (ROOT / folder).glob("*.md"))
RECORDS = sorted((ROOT / "docs/adr").glob("[0-9]*.md"))
LOCK_FILES = ("constraints.txt", "requirements.lock")


def anchors(document: Path) -> set[str]:
    """Explicit anchors, and those that GitHub makes for headings."""
    text = document.read_text("utf-8")
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    made = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
    return made | set(re.findall(r'<\w+ id="([^"]+)"', text))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_to_files_and_headings(document: Path) -> None:
    links = re.findall(r"\]\(([^)]+)\)", document.read_text("utf-8"))
    broken = []
    for link in links:
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = document.parent / name if name else document
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


def test_the_index_of_decision_records_lists_all_in_order() -> None:
    index = (ROOT / "docs/adr/README.md").read_text("utf-8")
    rows = re.findall(r"^\| \[(\d{4})\]\((\S+)\) \|", index, re.MULTILINE)
    assert rows == [(path.name[:4], path.name) for path in RECORDS]


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.stem)
def test_a_decision_record_has_all_its_parts(record: Path) -> None:
    text = record.read_text("utf-8")
    assert text.startswith(f"# {record.name[:4]}: ")
    assert re.search(r"^Date: \d{4}-\d\d-\d\d\. Status: \w+", text, re.MULTILINE)
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["Context", "Decision", "Consequences"]


def test_the_newest_release_in_the_changelog_is_this_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    newest, *_ = re.findall(r"^## (\d\S*) \(\d{4}-\d\d-\d\d\)$", changelog, re.MULTILINE)
    assert newest == __version__


# --- Lock files ---------------------------------------------------------------------------


def pinned_versions(name: str) -> dict[str, str]:
    text = (ROOT / name).read_text("utf-8")
    return dict(re.findall(r"^([a-z0-9-]+)(?:\[[\w,]+\])?==([^\s;\\]+)", text, re.MULTILINE))


def test_both_lock_files_pin_the_same_versions() -> None:
    constraints, lock = map(pinned_versions, LOCK_FILES)
    assert constraints == lock
    assert len(constraints) > 40


def test_every_requirement_is_pinned() -> None:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    project, build = pyproject["project"], pyproject["build-system"]["requires"]
    extras = project["optional-dependencies"].values()
    required = [*project["dependencies"], *build, *(name for extra in extras for name in extra)]
    names = {re.split(r"[^\w.-]", text)[0].lower().replace(".", "-") for text in required}
    assert {name.replace("_", "-") for name in names} <= set(pinned_versions("constraints.txt"))
    assert pyproject["dependency-groups"]["build"] == build


@pytest.mark.parametrize("name", LOCK_FILES)
def test_lock_files_name_no_package_index(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    assert "://" not in text
    assert "--index" not in text


def test_every_package_of_the_lock_has_hashes() -> None:
    text = (ROOT / "requirements.lock").read_text("utf-8")
    packages = re.split(r"^(?=[a-z0-9-]+(?:\[[\w,]+\])?==)", text, flags=re.MULTILINE)[1:]
    assert [package for package in packages if "--hash=sha256:" not in package] == []
    assert len(packages) == len(pinned_versions("requirements.lock"))


def defined_names(source: str) -> set[str]:
    """Functions, classes and methods: `apply`, `Controller.deliver`."""
    found: set[str] = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            methods = [
                m for m in node.body if isinstance(m, ast.FunctionDef | ast.AsyncFunctionDef)
            ]
            found |= {f"{node.name}.{method.name}" for method in methods}
    return found


def test_the_architecture_names_functions_that_exist() -> None:
    document = ROOT / "docs/architecture.md"
    links = re.findall(r"\[`([\w.]+)`\]\((\S+\.py)\)", document.read_text("utf-8"))
    assert len(links) > 25
    missing = [
        (name, path)
        for name, path in links
        if name not in defined_names((document.parent / path).read_text("utf-8"))
    ]
    assert missing == []


def test_the_architecture_has_a_row_for_every_package() -> None:
    text = (ROOT / "docs/architecture.md").read_text("utf-8")
    rows = set(re.findall(r"^\| `(\w+)", text, re.MULTILINE))
    packages = {path.parent.name for path in (ROOT / "companion").glob("*/__init__.py")}
    assert packages <= rows


def test_paths_of_code_in_documents_exist() -> None:
    """`companion/daemon/controller.py`, `tests/helpers/`, and so on."""
    folders = "benchmarks|companion|firmware|hardware|systemd|tests"
    missing = []
    for document in DOCUMENTS:
        for path in re.findall(rf"`((?:{folders})/[\w./-]+)`", document.read_text("utf-8")):
            is_example = re.search(r"[A-Z]{4}", path)  # NAME, LANGUAGE
            if not (is_example or (ROOT / path).exists()):
                missing.append((document.name, path))
    assert missing == []
