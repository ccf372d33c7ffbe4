"""Every sentence that is said stands in the catalogue, and every one that stands there is said."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import companion
from companion.games.marrakech import BOOKLETS, COLOURS, OPTIONS, Facing
from companion.i18n.english import ENGLISH
from companion.i18n.languages import LANGUAGES
from companion.table.transitions import TRANSITIONS

ROOT = Path(companion.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))
WORDS: dict[str, set[str]] = {
    **{f"colour.{colour.label}": set() for colour in COLOURS},
    **{f"player.{colour.label}": set() for colour in COLOURS},
    **{f"facing.{facing.name.lower()}": set() for facing in Facing},
    **{f"button.{facing.name.lower()}": set() for facing in Facing},
    "player.two": {"one", "other"},
    **{f"booklet.{code}": set() for code in BOOKLETS if code not in LANGUAGES},
    **{f"option.{name}": set() for name in OPTIONS},
    **{f"option.{name}.{value}": set() for name, values in OPTIONS.items() for value in values},
    **{f"begins.{booklet.begins}": set() for booklet in BOOKLETS.values()},
}
"""What is looked up by the name of a thing, and of a rule."""


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "message":
            yield node


def keys(said: ast.expr) -> list[str]:
    """A key that is written out, or one of two by a condition."""
    if isinstance(said, ast.IfExp):
        return keys(said.body) + keys(said.orelse)
    assert isinstance(said, ast.Constant), "a message's key is written where it is said"
    return [str(said.value)]


def messages() -> Iterator[tuple[str, str, set[str]]]:
    """Where it is said, its key, and the names of its values."""
    for module in MODULES:
        if module.name == "transitions.py" and module.parent.name == "table":
            continue  # there the keys stand in the table: see below
        for call in calls(ast.parse(module.read_text())):
            names = {keyword.arg for keyword in call.keywords}
            assert None not in names, "values are named where they are given"
            for key in keys(call.args[0]):
                where = f"{module.relative_to(ROOT)}:{call.lineno}"
                yield where, key, {name for name in names if name}
    for stage, row in TRANSITIONS.items():
        for cell in row:
            if isinstance(cell, str):
                yield stage.name, cell, set()


MESSAGES = list(messages())


PAGE = sorted((ROOT / "web" / "static").iterdir())
_QUOTED = re.compile(r'"(web\.[a-z_]+)"')
_CALL = re.compile(r'\bt\("(web\.[a-z_]+)"(?:, \{(.*?)\})?\)(?=[\s,;:)\]}.?|])')


def page_words() -> Iterator[tuple[str, str, set[str]]]:
    """What the page for phones says, like `messages`: `t("web.key", { name: value })` in a script,
    and `data-t="web.key"` in the page itself, which has no values.
    """
    for file in PAGE:
        text = file.read_text()
        calls = {match.start(1): match for match in _CALL.finditer(text)}
        for match in _QUOTED.finditer(text):
            where = f"{file.name}:{text.count(chr(10), 0, match.start()) + 1}"
            called = calls.get(match.start(1))
            if file.suffix == ".js":
                assert called is not None, f"{where}: say it as t({match[0]}, {{ name: value }})"
            else:
                before = text[: match.start()]
                assert before.endswith(("data-t=", "data-t-label=")), where
            yield where, match[1], _value_names(called[2]) if called else set()


def _value_names(literal: str | None) -> set[str]:
    """Of `count: squares.length, colour: word(colour), seat`: a value may have brackets in it."""
    plain = literal or ""
    while plain != (plain := re.sub(r"[(\[][^()\[\]]*[)\]]", "", plain)):
        pass
    return {part.split(":")[0].strip() for part in plain.split(",") if part.strip()}


PAGE_WORDS = list(page_words())


def forms(key: str) -> tuple[str, ...]:
    text = ENGLISH[key]
    return (text,) if isinstance(text, str) else text


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_every_message_has_an_entry_that_uses_just_its_values() -> None:
    assert len(MESSAGES) > 100
    for where, key, names in MESSAGES:
        assert key in ENGLISH, f"{where} says {key}"
        for text in forms(key):
            assert placeholders(text) == names, f"{where} says {key} with {names}"


def test_every_word_of_the_page_has_an_entry_that_uses_just_its_values() -> None:
    assert len(PAGE_WORDS) > 100
    for where, key, names in PAGE_WORDS:
        assert key in ENGLISH, f"{where} says {key}"
        for text in forms(key):
            assert placeholders(text) == names, f"{where} says {key} with {names}"


def test_the_words_of_the_page_are_said_there_alone() -> None:
    assert [one for one in MESSAGES if one[1].startswith("web.")] == []


def test_no_entry_is_left_over() -> None:
    said = {key for _, key, _ in (*MESSAGES, *PAGE_WORDS)}
    assert set(ENGLISH) - said - set(WORDS) == set()
    assert not said & set(WORDS)


@pytest.mark.parametrize("key", WORDS)
def test_things_have_words_of_their_own(key: str) -> None:
    (text,) = forms(key)
    assert placeholders(text) == WORDS[key]


@pytest.mark.parametrize("key", [key for key, text in ENGLISH.items() if isinstance(text, tuple)])
def test_forms_by_number_are_chosen_by_a_count_that_they_say(key: str) -> None:
    one, many = forms(key)
    assert "count" in placeholders(one) == placeholders(many)


def test_a_count_that_is_said_has_forms_by_number() -> None:
    for key in ENGLISH:
        if any("count" in placeholders(text) for text in forms(key)):
            assert isinstance(ENGLISH[key], tuple), key


def test_sentences_are_whole() -> None:
    """Nothing is glued: what is to be read ends as a sentence does, titles and counts do not."""
    for key in ENGLISH:
        for text in forms(key):
            assert text == text.strip()
            if key.startswith(("todo.", "news.", "back.", "no.", "begins.")):
                assert text[-1] in ".?", key
                assert text[0].isupper() or text[0] == "{", key


# --- Nothing is said past the catalogue ---------------------------------------------------


def spoken(tree: ast.Module) -> Iterator[ast.Constant]:
    """Texts with more than a word in them that a program says: no docs, no errors, no names."""
    silent: set[ast.AST] = set()
    for node in ast.walk(tree):
        is_error = isinstance(node, ast.Raise | ast.Assert) or (
            isinstance(node, ast.Call) and getattr(node.func, "id", "") == "_refusal"
        )
        is_doc = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        bases = [getattr(base, "id", "") for base in getattr(node, "bases", [])]
        if is_error or is_doc or "Enum" in bases:
            silent.update(ast.walk(node))
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and node not in silent
            and isinstance(node.value, str)
            and " " in node.value.strip()
        ):
            yield node


SIMULATOR = (
    "app",
    "banner",
    "buttons",
    "faults",
    "help",
    "page_screen",
    "panel",
    "players",
)
"""What of it is seen on the screen."""


@pytest.mark.parametrize("name", SIMULATOR)
def test_the_screen_of_the_simulator_says_nothing_in_a_language_of_its_own(name: str) -> None:
    """But for styles, which have a colour or braces in them, and letters on keys."""
    tree = ast.parse((ROOT / "simulator" / f"{name}.py").read_text())
    found = [str(text.value) for text in spoken(tree)]
    sentences = [text for text in found if not re.search(r"#[0-9a-f]{6}|[{}]", text)]
    assert [text for text in sentences if re.search("[A-Za-z]{3}", text)] == []


@pytest.mark.parametrize("module", sorted((ROOT / "table").rglob("*.py")), ids=lambda m: m.stem)
def test_the_table_says_nothing_in_a_language_of_its_own(module: Path) -> None:
    found = [text.value for text in spoken(ast.parse(module.read_text()))]
    # What is wrong with an entry of a journal is told to whoever mends the journal.
    found = [text for text in found if (module.stem, text) != ("entries", " is missing")]
    assert found == []
