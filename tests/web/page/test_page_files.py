"""The files of the page: no foreign scripts, no markup out of text, no words of their own."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import companion

STATIC = Path(companion.__file__).parent / "web" / "static"
FILES = sorted(STATIC.iterdir())
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
# A text with a space in it that is no list of classes, path, selector or key.
SENTENCE = re.compile(r'"([A-Z][a-z]+(?: [a-z]+)+[.!?]?)"')


class Markup(HTMLParser):
    """What somebody would read of a file, and what a browser would run or take from elsewhere."""

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
def test_nothing_is_taken_from_elsewhere(path: Path) -> None:
    source = path.read_text().replace(SVG_NAMESPACE, "")
    assert ADDRESS.findall(source) == []


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_says_nothing_in_a_language_of_its_own(script: Path) -> None:
    assert SENTENCE.findall(script.read_text()) == []


def test_the_page_itself_has_no_words_but_its_name(markup: Markup) -> None:
    assert markup.texts == ["title: Marrakech"]
    named = {"aria-label", "title", "alt", "placeholder"}
    assert [one for one in markup.attributes if one[1] in named] == []


def test_nothing_runs_or_looks_as_it_does_by_the_page_itself(markup: Markup) -> None:
    for tag, name, _ in markup.attributes:
        assert name != "style", tag
        assert not name.startswith("on"), tag
    sources = [value for tag, name, value in markup.attributes if name in ("src", "href")]
    assert [one for one in sources if not one.startswith(("/static/", "#"))] == []
    for one in sources:
        if one.startswith("/static/"):
            assert (STATIC / one.removeprefix("/static/")).is_file(), one


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_imports_what_there_is_and_uses_it(script: Path) -> None:
    source = script.read_text()
    for names, module in re.findall(r"import \{([^}]*)\} from \"\./([^\"]*)\"", source):
        theirs = (STATIC / module).read_text()
        for name in (one.strip() for one in names.split(",")):
            assert re.search(rf"export (?:async )?(?:function|const) {name}\b", theirs), name
            assert len(re.findall(rf"\b{name}\b", source)) > 1, f"{name} is not used"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_files_are_of_a_size_to_be_read(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= 300
