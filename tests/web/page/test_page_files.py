"""The page's files: no external resources, no markup from text, no text of their own."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import companion

STATIC = Path(companion.__file__).parent / "web" / "static"
FILES = sorted(path for path in STATIC.rglob("*") if path.is_file())
SCRIPTS = [path for path in FILES if path.suffix == ".js"]
FORBIDDEN = (
    "innerHTML",
    "outerHTML",
    "insertAdjacentHTML",
    "document.write",
    "createContextualFragment",
    "DOMParser",
    "eval(",
    "new Function",
    'setAttribute("style"',
)
ADDRESS = re.compile(r"""(?:https?:)?//[a-z0-9.-]+\.[a-z]+""")
SVG_NAMESPACE = "http://www.w3.org/2000/svg"
# A text with spaces that is not a list of classes, a path, a selector or a key.
SENTENCE = re.compile(r'"([A-Z][a-z]+(?: [a-z]+)+[.!?]?)"')


class Markup(HTMLParser):
    """The visible texts and all attributes of a file."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self._open = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open = tag
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts.append(f"{self._open}: {data.strip()}")


@pytest.fixture(scope="module")
def markup() -> Markup:
    markup = Markup()
    markup.feed((STATIC / "index.html").read_text())
    return markup


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_text_never_becomes_markup(script: Path) -> None:
    source = script.read_text()
    assert [word for word in FORBIDDEN if word in source] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_files_have_no_external_urls(path: Path) -> None:
    source = path.read_text().replace(SVG_NAMESPACE, "")
    assert ADDRESS.findall(source) == []


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_have_no_sentences_of_their_own(script: Path) -> None:
    assert SENTENCE.findall(script.read_text()) == []


def test_markup_has_no_text_except_the_title(markup: Markup) -> None:
    assert markup.texts == ["title: Marrakech"]
    named = {"aria-label", "title", "alt", "placeholder"}
    assert [one for one in markup.attributes if one[1] in named] == []


def test_markup_has_no_inline_scripts_or_styles(markup: Markup) -> None:
    for tag, name, _ in markup.attributes:
        assert name != "style", tag
        assert not name.startswith("on"), tag
    sources = [value for tag, name, value in markup.attributes if name in ("src", "href")]
    assert [one for one in sources if not one.startswith(("/static/", "#"))] == []
    for one in sources:
        if one.startswith("/static/"):
            assert (STATIC / one.removeprefix("/static/")).is_file(), one


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_imports_of_scripts_exist_and_are_used(script: Path) -> None:
    source = script.read_text()
    for names, module in re.findall(r"import \{([^}]*)\} from \"\./([^\"]*)\"", source):
        imported = (script.parent / module).read_text()
        for name in (one.strip() for one in names.split(",")):
            assert re.search(rf"export (?:async )?(?:function|const) {name}\b", imported), name
            assert len(re.findall(rf"\b{name}\b", source)) > 1, f"{name} is not used"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_files_have_at_most_300_lines(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= 300
