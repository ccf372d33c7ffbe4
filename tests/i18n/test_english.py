"""Every message in the code has an English sentence, and every sentence is used."""

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
NAMED_KEYS: dict[str, set[str]] = {
    **{f"colour.{colour.label}": set() for colour in COLOURS},
    **{f"player.{colour.label}": set() for colour in COLOURS},
    **{f"facing.{facing.name.lower()}": set() for facing in Facing},
    **{f"button.{facing.name.lower()}": set() for facing in Facing},
    "player.two": {"one", "other"},
    **{f"booklet.{code}": set() for code in BOOKLETS if code not in LANGUAGES},
    **{f"option.{name}": set() for name in OPTIONS},
    **{f"option.{name}.{value}": set() for name, values in OPTIONS.items() for value in values},
    **{f"begins.{booklet.first_player}": set() for booklet in BOOKLETS.values()},
}
"""Keys that are built from the name of a value or an option, with their placeholders."""


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "message":
            yield node


def keys(argument: ast.expr) -> list[str]:
    """The key, or both keys of a conditional expression."""
    if isinstance(argument, ast.IfExp):
        return keys(argument.body) + keys(argument.orelse)
    assert isinstance(argument, ast.Constant), "the key of message() is a literal"
    return [str(argument.value)]


def messages() -> Iterator[tuple[str, str, set[str]]]:
    """File and line, key, and names of the values of each message in the code."""
    for module in MODULES:
        if module.name == "transitions.py" and module.parent.name == "table":
            continue  # its keys are in TRANSITIONS: see below
        for call in calls(ast.parse(module.read_text())):
            names = {keyword.arg for keyword in call.keywords}
            assert None not in names, "the values of message() are keyword arguments"
            for key in keys(call.args[0]):
                where = f"{module.relative_to(ROOT)}:{call.lineno}"
                yield where, key, {name for name in names if name}
    for stage, row in TRANSITIONS.items():
        for cell in row:
            if isinstance(cell, str):
                yield stage.name, cell, set()


MESSAGES = list(messages())


PAGE = sorted(path for path in (ROOT / "web" / "static").rglob("*") if path.is_file())
_QUOTED = re.compile(r'"(web\.[a-z_]+)"')
_CALL = re.compile(r'\bt\("(web\.[a-z_]+)"(?:, \{(.*?)\})?\)(?=[\s,;:)\]}.?|])')


def page_texts() -> Iterator[tuple[str, str, set[str]]]:
    """Like `messages`, for the web page: `t("web.key", { name: value })` in a script, and
    `data-t="web.key"` in the HTML, which has no values.
    """
    for file in PAGE:
        text = file.read_text()
        calls = {match.start(1): match for match in _CALL.finditer(text)}
        for match in _QUOTED.finditer(text):
            where = f"{file.name}:{text.count(chr(10), 0, match.start()) + 1}"
            called = calls.get(match.start(1))
            if file.suffix == ".js":
                assert called is not None, f"{where}: write t({match[0]}, {{ name: value }})"
            else:
                before = text[: match.start()]
                assert before.endswith(("data-t=", "data-t-label=")), where
            yield where, match[1], _value_names(called[2]) if called else set()


def _value_names(literal: str | None) -> set[str]:
    """From `count: squares.length, colour: word(colour), seat`: values may have brackets."""
    plain = literal or ""
    while plain != (plain := re.sub(r"[(\[][^()\[\]]*[)\]]", "", plain)):
        pass
    return {part.split(":")[0].strip() for part in plain.split(",") if part.strip()}


PAGE_TEXTS = list(page_texts())


def forms(key: str) -> tuple[str, ...]:
    text = ENGLISH[key]
    return (text,) if isinstance(text, str) else text


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_every_message_has_a_sentence_with_the_same_placeholders() -> None:
    assert len(MESSAGES) > 100
    for where, key, names in MESSAGES:
        assert key in ENGLISH, f"{where} uses {key}"
        for text in forms(key):
            assert placeholders(text) == names, f"{where} uses {key} with {names}"


def test_every_text_of_the_page_has_a_sentence_with_the_same_placeholders() -> None:
    assert len(PAGE_TEXTS) > 100
    for where, key, names in PAGE_TEXTS:
        assert key in ENGLISH, f"{where} uses {key}"
        for text in forms(key):
            assert placeholders(text) == names, f"{where} uses {key} with {names}"


def test_sentences_of_the_page_are_used_only_there() -> None:
    assert [one for one in MESSAGES if one[1].startswith("web.")] == []


def test_no_sentence_is_unused() -> None:
    used = {key for _, key, _ in (*MESSAGES, *PAGE_TEXTS)}
    assert set(ENGLISH) - used - set(NAMED_KEYS) == set()
    assert not used & set(NAMED_KEYS)


@pytest.mark.parametrize("key", NAMED_KEYS)
def test_named_keys_have_a_text(key: str) -> None:
    (text,) = forms(key)
    assert placeholders(text) == NAMED_KEYS[key]


@pytest.mark.parametrize("key", [key for key, text in ENGLISH.items() if isinstance(text, tuple)])
def test_both_plural_forms_have_the_same_placeholders_and_a_count(key: str) -> None:
    one, many = forms(key)
    assert "count" in placeholders(one) == placeholders(many)


def test_a_sentence_with_a_count_has_plural_forms() -> None:
    for key in ENGLISH:
        if any("count" in placeholders(text) for text in forms(key)):
            assert isinstance(ENGLISH[key], tuple), key


def test_sentences_are_whole() -> None:
    """Messages are not assembled from parts: a sentence has a capital letter and a full stop."""
    for key in ENGLISH:
        for text in forms(key):
            assert text == text.strip()
            if key.startswith(("todo.", "news.", "back.", "no.", "begins.")):
                assert text[-1] in ".?", key
                assert text[0].isupper() or text[0] == "{", key


# --- No text for players outside the catalogue --------------------------------------------


def string_constants(tree: ast.Module) -> Iterator[ast.Constant]:
    """Texts of more than one word, without docstrings, errors and enums."""
    ignored: set[ast.AST] = set()
    for node in ast.walk(tree):
        is_error = isinstance(node, ast.Raise | ast.Assert) or (
            isinstance(node, ast.Call) and getattr(node.func, "id", "") == "_refusal"
        )
        is_doc = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        bases = [getattr(base, "id", "") for base in getattr(node, "bases", [])]
        if is_error or is_doc or "Enum" in bases:
            ignored.update(ast.walk(node))
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and node not in ignored
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
"""The modules that draw the screen."""


@pytest.mark.parametrize("name", SIMULATOR)
def test_the_simulator_has_no_sentences_in_its_code(name: str) -> None:
    """Styles, which have a colour or braces, and letters on keys are not sentences."""
    tree = ast.parse((ROOT / "simulator" / f"{name}.py").read_text())
    found = [str(text.value) for text in string_constants(tree)]
    sentences = [text for text in found if not re.search(r"#[0-9a-f]{6}|[{}]", text)]
    assert [text for text in sentences if re.search("[A-Za-z]{3}", text)] == []


@pytest.mark.parametrize("module", sorted((ROOT / "table").rglob("*.py")), ids=lambda m: m.stem)
def test_the_table_has_no_sentences_in_its_code(module: Path) -> None:
    found = [text.value for text in string_constants(ast.parse(module.read_text()))]
    # Errors of journal entries are for operators.
    found = [text for text in found if (module.stem, text) != ("entries", " is missing")]
    assert found == []
