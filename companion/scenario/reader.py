"""Parser for scenario files. Errors name the line, before anything is run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from textwrap import dedent
from typing import NamedTuple

from companion.config.file import parse_config
from companion.config.model import Config, ConfigError
from companion.errors import NotationError, unknown
from companion.games.marrakech import DIE, Colour, parse_position
from companion.games.marrakech.rug import COLOUR_LETTERS
from companion.scenario.statements import (
    ActionStatement,
    BounceContact,
    ChangeContact,
    Contact,
    ContactChange,
    DiskState,
    Expectation,
    ExpectFrames,
    ExpectHeard,
    ExpectLines,
    GlitchContact,
    HoldContact,
    KillCompanion,
    PlugMatrix,
    PressContacts,
    RestartCompanion,
    Scenario,
    ScriptPairingCode,
    ScriptPiles,
    ScriptRolls,
    SetDisk,
    Statement,
    TearJournal,
    Wait,
)
from companion.table.conversation import Stage
from companion.table.inputs import Button
from companion.table.scenes.scene import MATRIX

CONTACTS: dict[str, Contact] = {button.value: button for button in Button}
CONTACTS |= {str(pips): pips for pips in sorted(set(DIE))}
_TIME = re.compile(r"(\d+(?:\.\d+)?)(ms|s)")
_QUOTED = re.compile(r'"([^"]*)"')
_MAX_WAIT_S = 24 * 3600
_MAX_REPEATS = 200


class ScenarioError(NotationError):
    """A line of a scenario that cannot be parsed."""


class _Line(NamedTuple):
    """A statement in the file: its line number, its text, and the indented lines below it."""

    number: int
    text: str
    block: tuple[str, ...]

    def error(self, message: str) -> ScenarioError:
        return ScenarioError(message, line=self.number)


def parse_scenario(text: str) -> Scenario:
    """Parse a scenario: its title, an optional config, and its statements."""
    lines = list(_split_lines(text))
    if not lines or lines[0].text.partition(" ")[0] != "title":
        raise ScenarioError("a scenario begins with its title: write 'title …'", line=1)
    title_line = lines.pop(0)
    title = title_line.text.partition(" ")[2].strip()
    if not title:
        raise title_line.error("the title is empty: write 'title …'")
    _refuse_block(title_line)
    config = Config()
    if lines and lines[0].text == "config":
        config = _parse_config(lines.pop(0))
    statements = [Statement(each.number, each.text, _parse_statement(each)) for each in lines]
    return Scenario(title, config, tuple(statements))


def _split_lines(text: str) -> Iterator[_Line]:
    """Split into statements without comments. Blocks keep their `#`: in frames it is an LED."""
    raw = text.splitlines()
    at = 0
    while at < len(raw):
        number, line = at + 1, raw[at]
        at += 1
        statement = _without_comment(line)
        if not statement.strip():
            continue
        if statement[0].isspace():
            raise ScenarioError(
                f"an indented line that belongs to nothing: {statement.strip()}", line=at
            )
        begin = at
        while at < len(raw) and raw[at][:1].isspace() and raw[at].strip():
            at += 1
        yield _Line(number, " ".join(_split_words(statement)), tuple(raw[begin:at]))


def _without_comment(line: str) -> str:
    """Remove a comment: from a `#` at the start of a word, outside quotes."""
    found = re.match(r'(?:"[^"]*"|(?<!\s)#|[^"#]|"(?=[^"]*$))*', line)
    return found.group().rstrip() if found and not line.startswith("#") else ""


def _split_words(text: str) -> list[str]:
    """Split into words and quoted texts."""
    return re.findall(r'"[^"]*"|\S+', text)


def _parse_config(line: _Line) -> Config:
    if not line.block:
        raise line.error("config needs indented lines of TOML below it")
    try:
        return parse_config(dedent("\n".join(line.block)), "config")
    except ConfigError as error:
        raise line.error("; ".join(error.faults)) from None


def _parse_statement(line: _Line) -> ActionStatement | Expectation:
    verb, *words = _split_words(line.text)
    if verb == "expect":
        return _parse_expectation(line, words)
    if verb in ("title", "config"):
        raise line.error(f"'{verb}' comes before everything else, once")
    _refuse_block(line)
    if verb in ACTION_PARSERS:
        return ACTION_PARSERS[verb](line, words)
    raise line.error(unknown("statement", verb, ["expect", *ACTION_PARSERS]))


def _refuse_block(line: _Line) -> None:
    if line.block:
        raise ScenarioError(
            f"nothing can be indented below '{line.text.partition(' ')[0]}'", line=line.number + 1
        )


# --- Actions ------------------------------------------------------------------------------


def _parse_press(line: _Line, words: list[str]) -> ActionStatement:
    """`press east 3 ok`, `press north x15`"""
    contacts: list[Contact] = []
    for word in words:
        if contacts and (found := re.fullmatch(r"x(\d{1,3})", word)):
            times = int(found[1])
            if not 1 <= times <= _MAX_REPEATS:
                raise line.error(f"x{times}: a press is repeated 1 to {_MAX_REPEATS} times")
            contacts += contacts[-1:] * (times - 1)
        else:
            contacts.append(_parse_contact(line, word))
    if not contacts:
        raise line.error("press what? Name buttons and keys: press east 3 ok")
    return PressContacts(tuple(contacts))


def _parse_hold(line: _Line, words: list[str]) -> ActionStatement:
    return HoldContact(_parse_contact(line, *_expect_words(line, words, 1, "hold ok")))


def _parse_change(change: ContactChange) -> Callable[[_Line, list[str]], ActionStatement]:
    def read(line: _Line, words: list[str]) -> ActionStatement:
        (word,) = _expect_words(line, words, 1, f"{change.value} ok")
        if word == "matrix" and change in (ContactChange.UNPLUG, ContactChange.PLUG):
            return PlugMatrix(change is ContactChange.PLUG)
        return ChangeContact(change, _parse_contact(line, word))

    return read


def _parse_bounce(line: _Line, words: list[str]) -> ActionStatement:
    contact, times = _expect_words(line, words, 2, "bounce east 6")
    return BounceContact(_parse_contact(line, contact), _parse_number(line, times))


def _parse_glitch(line: _Line, words: list[str]) -> ActionStatement:
    contact, time = _expect_words(line, words, 2, "glitch ok 8ms")
    return GlitchContact(_parse_contact(line, contact), _parse_ms(line, time))


def _parse_wait(line: _Line, words: list[str]) -> ActionStatement:
    return Wait(_parse_ms(line, *_expect_words(line, words, 1, "wait 500ms")))


def _parse_disk(line: _Line, words: list[str]) -> ActionStatement:
    if words[:1] == ["slow"]:
        return SetDisk(None, _parse_ms(line, _expect_words(line, words, 2, "disk slow 300ms")[1]))
    (word,) = _expect_words(line, words, 1, "disk full")
    states = {state.value: state for state in DiskState}
    if word not in states:
        raise line.error(unknown("state of the disk", word, [*states, "slow"]))
    return SetDisk(states[word])


def _parse_kill(line: _Line, words: list[str]) -> ActionStatement:
    _expect_words(line, words, 0, "kill")
    return KillCompanion()


def _parse_restart(line: _Line, words: list[str]) -> ActionStatement:
    _expect_words(line, words, 0, "restart")
    return RestartCompanion()


def _parse_tear(line: _Line, words: list[str]) -> ActionStatement:
    return TearJournal(_parse_number(line, *_expect_words(line, words, 1, "tear 5")))


def _parse_rolls(line: _Line, words: list[str]) -> ActionStatement:
    pips = tuple(_parse_number(line, word) for word in words)
    if not pips or not set(pips) <= set(DIE):
        raise line.error("write what the die will show, 1 to 4 each: rolls 3 2 1")
    return ScriptRolls(pips)


def _parse_deals(line: _Line, words: list[str]) -> ActionStatement:
    if not words or any(letter not in COLOUR_LETTERS for letter in "".join(words)):
        raise line.error("write a pile for each player, by the letters: deals RYRY… BNBN…")
    return ScriptPiles(
        tuple(tuple(Colour(COLOUR_LETTERS.index(c)) for c in pile) for pile in words)
    )


def _parse_code(line: _Line, words: list[str]) -> ActionStatement:
    (digits,) = _expect_words(line, words, 1, "code 0417")
    if not re.fullmatch(r"[0-9]{4}", digits):
        raise line.error("a code has four digits: code 0417")
    return ScriptPairingCode(digits)


ACTION_PARSERS: dict[str, Callable[[_Line, list[str]], ActionStatement]] = {
    "press": _parse_press,
    "hold": _parse_hold,
    **{change.value: _parse_change(change) for change in ContactChange},
    "bounce": _parse_bounce,
    "glitch": _parse_glitch,
    "wait": _parse_wait,
    "disk": _parse_disk,
    "kill": _parse_kill,
    "restart": _parse_restart,
    "tear": _parse_tear,
    "rolls": _parse_rolls,
    "deals": _parse_deals,
    "code": _parse_code,
}


# --- Expectations -------------------------------------------------------------------------

TEXT_SUBJECTS = ("title", "todo", "news", "refused", "trouble")
_VALUE_PATTERNS = {
    "stage": ("|".join(stage.name for stage in Stage), "the name of a stage, like LAY"),
    "dirhams": (r"\d+( \d+)+", "what each player has, like 28 32 30 30"),
    "score": (r"(\d+|out)( (\d+|out))+", "each player's points or 'out', like 41 38 out"),
    "assam": ("[a-g][1-7][nesw]", "his square and facing, like d7s"),
    "position": (".+", "a position in one line"),
    "status": ("unsaved|simulated|heard", "unsaved, simulated or heard"),
    "archive": (r"\d+", "how many games are in the archive"),
    "entries": (r"\d+", "how many entries the journal has"),
}
SUBJECTS = (*TEXT_SUBJECTS, *_VALUE_PATTERNS, "frame", "dark", "heard")


def _parse_expectation(line: _Line, words: list[str]) -> Expectation:
    is_negated = words[:1] == ["not"]
    subject, *value = words[is_negated:] or [""]
    if subject not in SUBJECTS:
        raise line.error(unknown("expectation", subject, SUBJECTS))
    if subject == "frame" and not is_negated:
        return _parse_frames(line, value)
    if subject == "heard" and not is_negated and value[:1] == ["within"]:
        return ExpectHeard(
            _parse_ms(line, _expect_words(line, value, 2, "expect heard within 100ms")[1])
        )
    if subject in TEXT_SUBJECTS:
        return _parse_text_expectation(line, subject, is_negated, value)
    _refuse_block(line)
    if subject == "dark":
        _expect_words(line, value, 0, "expect dark")
        return ExpectLines(subject, is_negated)
    if subject in ("frame", "heard"):
        raise line.error(f"write 'expect frame' or 'expect heard within 100ms', not: {line.text}")
    pattern, description = _VALUE_PATTERNS[subject]
    value_text = " ".join(value)
    if not re.fullmatch(pattern, value_text):
        raise line.error(f"expect {subject}: write {description}")
    if subject == "position":
        try:
            parse_position(value_text)
        except NotationError as error:
            raise line.error(f"not a position: {error}") from None
    return ExpectLines(subject, is_negated, value_text)


def _parse_text_expectation(
    line: _Line, subject: str, is_negated: bool, value: list[str]
) -> ExpectLines:
    """`"…"` is one line, `contains "…"` a part of a line, and a block is all lines."""
    if line.block:
        if value or is_negated:
            raise line.error(f"write either a text after 'expect {subject}', or all lines below it")
        return ExpectLines(subject, all_lines=tuple(each.strip() for each in line.block))
    if not value:
        return ExpectLines(subject, is_negated)
    is_substring = value[0] == "contains"
    quoted = _QUOTED.fullmatch(" ".join(value[is_substring:]))
    if quoted is None:
        raise line.error(f'expect {subject}: write it in quotes: expect {subject} "…"')
    return ExpectLines(subject, is_negated, quoted[1], is_substring)


def _parse_frames(line: _Line, value: list[str]) -> ExpectFrames:
    """`expect frame`, or `expect frame at 0ms 80ms` with the frames side by side below."""
    if value and value[0] != "at":
        raise line.error("write 'expect frame', or 'expect frame at 0ms 80ms'")
    times: tuple[float | None, ...] = tuple(_parse_ms(line, word) for word in value[1:])
    if value and not times:
        raise line.error("at what time? expect frame at 0ms 80ms")
    times = times or (None,)
    if len(line.block) != MATRIX:
        raise line.error(f"a frame has {MATRIX} indented rows, not {len(line.block)}")
    rows = [row.split() for row in line.block]
    for number, row in enumerate(rows, start=line.number + 1):
        if len(row) != len(times) or not all(
            re.fullmatch(r"[#.]{8}|[RYBNW!.]{8}", each) for each in row
        ):
            raise ScenarioError(
                f"a row of {len(times)} × 8 LEDs: # and . on one colour, R Y B N W ! . on RGB",
                line=number,
            )
    return ExpectFrames(times, tuple(zip(*rows, strict=True)))


# --- Words --------------------------------------------------------------------------------


def _expect_words(line: _Line, words: list[str], count: int, example: str) -> list[str]:
    if len(words) != count:
        raise line.error(f"write it like: {example}")
    return words


def _parse_contact(line: _Line, word: str) -> Contact:
    if word not in CONTACTS:
        raise line.error(unknown("button or key", word, CONTACTS))
    return CONTACTS[word]


def _parse_number(line: _Line, word: str) -> int:
    if not re.fullmatch(r"\d{1,6}", word):
        raise line.error(f"'{word}' is not a whole number")
    return int(word)


def _parse_ms(line: _Line, word: str) -> float:
    found = _TIME.fullmatch(word)
    if found is None:
        raise line.error(f"'{word}' is not a time: write 80ms or 2s")
    ms = float(found[1]) * (1000 if found[2] == "s" else 1)
    if ms > _MAX_WAIT_S * 1000:
        raise line.error(f"'{word}' is longer than a day")
    return ms
