"""Reading scenarios. What cannot be read is refused with its line, before anything is played."""

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
    Bounce,
    Code,
    Contact,
    Deals,
    DiskIs,
    DiskState,
    Doing,
    Expect,
    Expectation,
    ExpectFrames,
    ExpectHeard,
    Glitch,
    Hold,
    Kill,
    MatrixPlug,
    Move,
    Press,
    Restart,
    Rolls,
    Scenario,
    Statement,
    Tear,
    Wait,
    Way,
)
from companion.table.conversation import Stage
from companion.table.inputs import Button
from companion.table.scenes.scene import MATRIX

CONTACTS: dict[str, Contact] = {button.value: button for button in Button}
CONTACTS |= {str(pips): pips for pips in sorted(set(DIE))}
_TIME = re.compile(r"(\d+(?:\.\d+)?)(ms|s)")
_QUOTED = re.compile(r'"([^"]*)"')
_LONGEST_S = 24 * 3600
_MOST_TIMES = 200


class ScenarioError(NotationError):
    """A line of a scenario that cannot be read."""


class _Line(NamedTuple):
    """A statement as it is written: its number, its words, and the indented lines below it."""

    number: int
    text: str
    block: tuple[str, ...]

    def wrong(self, message: str) -> ScenarioError:
        return ScenarioError(message, line=self.number)


def parse_scenario(text: str) -> Scenario:
    """Read a scenario: its title, its config if it has one, and what is done and expected."""
    lines = list(_lines(text))
    if not lines or lines[0].text.partition(" ")[0] != "title":
        raise ScenarioError("a scenario begins with its title: write 'title …'", line=1)
    title = lines.pop(0)
    said = title.text.partition(" ")[2].strip()
    if not said:
        raise title.wrong("the title is empty: write 'title …'")
    _no_block(title)
    config = Config()
    if lines and lines[0].text == "config":
        config = _config(lines.pop(0))
    statements = [Statement(each.number, each.text, _statement(each)) for each in lines]
    return Scenario(said, config, tuple(statements))


def _lines(text: str) -> Iterator[_Line]:
    """Statements without comments. Blocks are left as they are: a frame is full of `#`."""
    raw = text.splitlines()
    at = 0
    while at < len(raw):
        number, line = at + 1, raw[at]
        at += 1
        told = _without_comment(line)
        if not told.strip():
            continue
        if told[0].isspace():
            raise ScenarioError(
                f"an indented line that belongs to nothing: {told.strip()}", line=at
            )
        begin = at
        while at < len(raw) and raw[at][:1].isspace() and raw[at].strip():
            at += 1
        yield _Line(number, " ".join(_words(told)), tuple(raw[begin:at]))


def _without_comment(line: str) -> str:
    """A comment begins with a `#` that begins a word, outside quotes."""
    found = re.match(r'(?:"[^"]*"|(?<!\s)#|[^"#]|"(?=[^"]*$))*', line)
    return found.group().rstrip() if found and not line.startswith("#") else ""


def _words(text: str) -> list[str]:
    """Words, and quoted texts as they are."""
    return re.findall(r'"[^"]*"|\S+', text)


def _config(line: _Line) -> Config:
    if not line.block:
        raise line.wrong("config needs indented lines of TOML below it")
    try:
        return parse_config(dedent("\n".join(line.block)), "config")
    except ConfigError as error:
        raise line.wrong("; ".join(error.faults)) from None


def _statement(line: _Line) -> Doing | Expectation:
    verb, *words = _words(line.text)
    if verb == "expect":
        return _expectation(line, words)
    if verb in ("title", "config"):
        raise line.wrong(f"'{verb}' comes before everything else, once")
    _no_block(line)
    if verb in DOINGS:
        return DOINGS[verb](line, words)
    raise line.wrong(unknown("statement", verb, ["expect", *DOINGS]))


def _no_block(line: _Line) -> None:
    if line.block:
        raise ScenarioError(
            f"nothing can be indented below '{line.text.partition(' ')[0]}'", line=line.number + 1
        )


# --- What is done -------------------------------------------------------------------------


def _press(line: _Line, words: list[str]) -> Doing:
    """`press east 3 ok`, `press north x15`"""
    contacts: list[Contact] = []
    for word in words:
        if contacts and (found := re.fullmatch(r"x(\d{1,3})", word)):
            times = int(found[1])
            if not 1 <= times <= _MOST_TIMES:
                raise line.wrong(f"x{times}: a press is repeated 1 to {_MOST_TIMES} times")
            contacts += contacts[-1:] * (times - 1)
        else:
            contacts.append(_contact(line, word))
    if not contacts:
        raise line.wrong("press what? Name buttons and keys: press east 3 ok")
    return Press(tuple(contacts))


def _hold(line: _Line, words: list[str]) -> Doing:
    return Hold(_contact(line, *_exactly(line, words, 1, "hold ok")))


def _move(way: Way) -> Callable[[_Line, list[str]], Doing]:
    def read(line: _Line, words: list[str]) -> Doing:
        (word,) = _exactly(line, words, 1, f"{way.value} ok")
        if word == "matrix" and way in (Way.UNPLUG, Way.PLUG):
            return MatrixPlug(way is Way.PLUG)
        return Move(way, _contact(line, word))

    return read


def _bounce(line: _Line, words: list[str]) -> Doing:
    contact, times = _exactly(line, words, 2, "bounce east 6")
    return Bounce(_contact(line, contact), _number(line, times))


def _glitch(line: _Line, words: list[str]) -> Doing:
    contact, time = _exactly(line, words, 2, "glitch ok 8ms")
    return Glitch(_contact(line, contact), _ms(line, time))


def _wait(line: _Line, words: list[str]) -> Doing:
    return Wait(_ms(line, *_exactly(line, words, 1, "wait 500ms")))


def _disk(line: _Line, words: list[str]) -> Doing:
    if words[:1] == ["slow"]:
        return DiskIs(None, _ms(line, _exactly(line, words, 2, "disk slow 300ms")[1]))
    (word,) = _exactly(line, words, 1, "disk full")
    states = {state.value: state for state in DiskState}
    if word not in states:
        raise line.wrong(unknown("state of the disk", word, [*states, "slow"]))
    return DiskIs(states[word])


def _kill(line: _Line, words: list[str]) -> Doing:
    _exactly(line, words, 0, "kill")
    return Kill()


def _restart(line: _Line, words: list[str]) -> Doing:
    _exactly(line, words, 0, "restart")
    return Restart()


def _tear(line: _Line, words: list[str]) -> Doing:
    return Tear(_number(line, *_exactly(line, words, 1, "tear 5")))


def _rolls(line: _Line, words: list[str]) -> Doing:
    pips = tuple(_number(line, word) for word in words)
    if not pips or not set(pips) <= set(DIE):
        raise line.wrong("write what the die will show, 1 to 4 each: rolls 3 2 1")
    return Rolls(pips)


def _deals(line: _Line, words: list[str]) -> Doing:
    if not words or any(letter not in COLOUR_LETTERS for letter in "".join(words)):
        raise line.wrong("write a pile for each player, by the letters: deals RYRY… BNBN…")
    return Deals(tuple(tuple(Colour(COLOUR_LETTERS.index(c)) for c in pile) for pile in words))


def _code(line: _Line, words: list[str]) -> Doing:
    (digits,) = _exactly(line, words, 1, "code 0417")
    if not re.fullmatch(r"[0-9]{4}", digits):
        raise line.wrong("a code has four digits: code 0417")
    return Code(digits)


DOINGS: dict[str, Callable[[_Line, list[str]], Doing]] = {
    "press": _press,
    "hold": _hold,
    **{way.value: _move(way) for way in Way},
    "bounce": _bounce,
    "glitch": _glitch,
    "wait": _wait,
    "disk": _disk,
    "kill": _kill,
    "restart": _restart,
    "tear": _tear,
    "rolls": _rolls,
    "deals": _deals,
    "code": _code,
}


# --- What is expected ---------------------------------------------------------------------

WORDS = ("title", "todo", "news", "refused", "trouble")
_PLAIN = {
    "stage": ("|".join(stage.name for stage in Stage), "the name of a stage, like LAY"),
    "dirhams": (r"\d+( \d+)+", "what each player has, like 28 32 30 30"),
    "score": (r"(\d+|out)( (\d+|out))+", "each player's points or 'out', like 41 38 out"),
    "assam": ("[a-g][1-7][nesw]", "his square and facing, like d7s"),
    "position": (".+", "a position in one line"),
    "status": ("unsaved|simulated|heard", "unsaved, simulated or heard"),
    "archive": (r"\d+", "how many games are put away"),
    "entries": (r"\d+", "how many entries the journal has"),
}
SUBJECTS = (*WORDS, *_PLAIN, "frame", "dark", "heard")


def _expectation(line: _Line, words: list[str]) -> Expectation:
    is_not = words[:1] == ["not"]
    subject, *value = words[is_not:] or [""]
    if subject not in SUBJECTS:
        raise line.wrong(unknown("expectation", subject, SUBJECTS))
    if subject == "frame" and not is_not:
        return _frames(line, value)
    if subject == "heard" and not is_not and value[:1] == ["within"]:
        return ExpectHeard(_ms(line, _exactly(line, value, 2, "expect heard within 100ms")[1]))
    if subject in WORDS:
        return _words_expected(line, subject, is_not, value)
    _no_block(line)
    if subject == "dark":
        _exactly(line, value, 0, "expect dark")
        return Expect(subject, is_not)
    if subject in ("frame", "heard"):
        raise line.wrong(f"write 'expect frame' or 'expect heard within 100ms', not: {line.text}")
    pattern, meant = _PLAIN[subject]
    said = " ".join(value)
    if not re.fullmatch(pattern, said):
        raise line.wrong(f"expect {subject}: write {meant}")
    if subject == "position":
        try:
            parse_position(said)
        except NotationError as error:
            raise line.wrong(f"no position: {error}") from None
    return Expect(subject, is_not, said)


def _words_expected(line: _Line, subject: str, is_not: bool, value: list[str]) -> Expect:
    """`"…"` is one of the lines, `contains "…"` a part of one, a block is all of them."""
    if line.block:
        if value or is_not:
            raise line.wrong(f"either a text behind 'expect {subject}', or all lines below it")
        return Expect(subject, all_of=tuple(each.strip() for each in line.block))
    if not value:
        return Expect(subject, is_not)
    is_part = value[0] == "contains"
    quoted = _QUOTED.fullmatch(" ".join(value[is_part:]))
    if quoted is None:
        raise line.wrong(f'expect {subject}: write it in quotes: expect {subject} "…"')
    return Expect(subject, is_not, quoted[1], is_part)


def _frames(line: _Line, value: list[str]) -> ExpectFrames:
    """`expect frame`, or `expect frame at 0ms 80ms` with the frames side by side below."""
    if value and value[0] != "at":
        raise line.wrong("write 'expect frame', or 'expect frame at 0ms 80ms'")
    times: tuple[float | None, ...] = tuple(_ms(line, word) for word in value[1:])
    if value and not times:
        raise line.wrong("at what time? expect frame at 0ms 80ms")
    times = times or (None,)
    if len(line.block) != MATRIX:
        raise line.wrong(f"a frame has {MATRIX} indented rows, not {len(line.block)}")
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


def _exactly(line: _Line, words: list[str], count: int, example: str) -> list[str]:
    if len(words) != count:
        raise line.wrong(f"write it like: {example}")
    return words


def _contact(line: _Line, word: str) -> Contact:
    if word not in CONTACTS:
        raise line.wrong(unknown("button or key", word, CONTACTS))
    return CONTACTS[word]


def _number(line: _Line, word: str) -> int:
    if not re.fullmatch(r"\d{1,6}", word):
        raise line.wrong(f"'{word}' is no whole number")
    return int(word)


def _ms(line: _Line, word: str) -> float:
    found = _TIME.fullmatch(word)
    if found is None:
        raise line.wrong(f"'{word}' is no time: write 80ms or 2s")
    ms = float(found[1]) * (1000 if found[2] == "s" else 1)
    if ms > _LONGEST_S * 1000:
        raise line.wrong(f"'{word}' is longer than a day")
    return ms
