"""The scenario parser: every line is parsed, or refused with its line number."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import NotationError
from companion.games.marrakech import Colour
from companion.scenario.reader import ScenarioError, parse_scenario
from companion.scenario.statements import (
    ActionStatement,
    BounceContact,
    ChangeContact,
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
    ScriptPairingCode,
    ScriptPiles,
    ScriptRolls,
    SetDisk,
    TearJournal,
    Wait,
)
from companion.table.inputs import Button

OK, EAST, NORTH = Button.OK, Button.EAST, Button.NORTH


def parse_one_statement(*lines: str) -> ActionStatement | Expectation:
    (statement,) = parse_scenario("\n".join(["title a try", *lines])).statements
    return statement.meaning


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ("press ok", PressContacts((OK,))),
        ("press east 3 ok", PressContacts((EAST, 3, OK))),
        ("press ok north x3 1", PressContacts((OK, NORTH, NORTH, NORTH, 1))),
        ("hold ok", HoldContact(OK)),
        ("down ok", ChangeContact(ContactChange.DOWN, OK)),
        ("up 4", ChangeContact(ContactChange.UP, 4)),
        ("stick east", ChangeContact(ContactChange.STICK, EAST)),
        ("free east", ChangeContact(ContactChange.FREE, EAST)),
        ("unplug 2", ChangeContact(ContactChange.UNPLUG, 2)),
        ("unplug matrix", PlugMatrix(False)),
        ("plug matrix", PlugMatrix(True)),
        ("bounce east 6", BounceContact(EAST, 6)),
        ("glitch ok 8ms", GlitchContact(OK, 8)),
        ("wait 1.5s", Wait(1500)),
        ("wait 80ms", Wait(80)),
        ("disk slow 300ms", SetDisk(None, 300)),
        ("disk full", SetDisk(DiskState.FULL)),
        ("kill", KillCompanion()),
        ("restart", RestartCompanion()),
        ("tear 5", TearJournal(5)),
        ("rolls 3 2", ScriptRolls((3, 2))),
        ("code 0417", ScriptPairingCode("0417")),
        ("deals RY NB", ScriptPiles(((Colour.RED, Colour.YELLOW), (Colour.BROWN, Colour.BLUE)))),
        ("expect stage LAY", ExpectLines("stage", line="LAY")),
        ('expect title "Red:  your turn"', ExpectLines("title", line="Red:  your turn")),
        ('expect todo contains "a # b"', ExpectLines("todo", line="a # b", is_substring=True)),
        ("expect not refused", ExpectLines("refused", is_negated=True)),
        ('expect not news "x"', ExpectLines("news", is_negated=True, line="x")),
        ("expect dirhams 1 2  3", ExpectLines("dirhams", line="1 2 3")),
        ("expect score 41 out", ExpectLines("score", line="41 out")),
        ("expect assam d7s", ExpectLines("assam", line="d7s")),
        ("expect dark", ExpectLines("dark")),
        ("expect heard within 100ms", ExpectHeard(100)),
    ],
)
def test_statement_is_parsed(line: str, meaning: ActionStatement | Expectation) -> None:
    assert parse_one_statement(line) == meaning
    assert parse_one_statement(f"  \n# before\n{line}   # after") == meaning


def test_frames_are_written_side_by_side() -> None:
    rows = [f"  {'#' * 8} {'.' * 8}"] * 8
    assert parse_one_statement("expect frame at 0ms 80ms", *rows) == ExpectFrames(
        (0, 80), (("########",) * 8, ("........",) * 8)
    )
    assert parse_one_statement("expect frame   # now", *["\tRYBNW!.."] * 8) == ExpectFrames(
        (None,), (("RYBNW!..",) * 8,)
    )


def test_indented_lines_are_all_expected_sentences() -> None:
    assert parse_one_statement("expect news", "  One # two.", "  Three.") == ExpectLines(
        "news", all_lines=("One # two.", "Three.")
    )


def test_statement_has_its_line_number_and_text() -> None:
    scenario = parse_scenario("# first\n\ntitle  a   try\n\nwait 1s\npress  ok # now\n")
    assert scenario.title == "a try"
    assert [(each.line, each.text) for each in scenario.statements] == [
        (5, "wait 1s"),
        (6, "press ok"),
    ]


def test_config_is_parsed_as_toml() -> None:
    scenario = parse_scenario("title a\nconfig\n  [game]\n  players = 3   # not four\npress ok")
    assert scenario.config.game.players == 3
    assert scenario.statements[0].line == 5


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "a scenario begins with its title: write 'title …'"),
        ("press ok", 1, "a scenario begins with its title: write 'title …'"),
        ("title", 1, "the title is empty: write 'title …'"),
        ("title a\ntitle b", 2, "'title' comes before everything else, once"),
        ("title a\npress ok\nconfig\n  x", 3, "'config' comes before everything else, once"),
        ("title a\nconfig\npress ok", 2, "config needs indented lines of TOML below it"),
        (
            "title a\nconfig\n  [game]\n  players = 9",
            2,
            "config: [game] players = 9: use 2 to 4",
        ),
        ("title a\npres ok", 2, "unknown statement 'pres'"),
        ("title a\n\n# b\npress up", 4, "unknown button or key 'up'"),
        ("title a\npress", 2, "press what? Name buttons and keys: press east 3 ok"),
        ("title a\npress ok x0", 2, "x0: a press is repeated 1 to 200 times"),
        ("title a\npress x3", 2, "unknown button or key 'x3'"),
        ("title a\npress ok\n  indented", 3, "nothing can be indented below 'press'"),
        ("title a\n\n  indented", 3, "an indented line that belongs to nothing: indented"),
        ("title a\n  indented", 2, "nothing can be indented below 'title'"),
        ("title a\nhold", 2, "write it like: hold ok"),
        ("title a\nstick matrix", 2, "unknown button or key 'matrix'"),
        ("title a\nwait 5", 2, "'5' is not a time: write 80ms or 2s"),
        ("title a\nwait 2 s", 2, "write it like: wait 500ms"),
        ("title a\nwait 90000s", 2, "'90000s' is longer than a day"),
        ("title a\nbounce ok six", 2, "'six' is not a whole number"),
        ("title a\ndisk broken", 2, "unknown state of the disk 'broken'"),
        ("title a\ndisk slow", 2, "write it like: disk slow 300ms"),
        ("title a\ncode 417", 2, "a code has four digits: code 0417"),
        ("title a\ncode 04 17", 2, "write it like: code 0417"),
        ("title a\nrolls 5", 2, "write what the die will show, 1 to 4 each: rolls 3 2 1"),
        ("title a\ndeals RX", 2, "write a pile for each player, by the letters: deals RYRY… BNBN…"),
        ("title a\nexpect", 2, "unknown expectation ''"),
        ("title a\nexpect luck", 2, "unknown expectation 'luck'"),
        ("title a\nexpect stage lay", 2, "expect stage: write the name of a stage, like LAY"),
        ("title a\nexpect assam d8s", 2, "expect assam: write his square and facing, like d7s"),
        ("title a\nexpect dirhams", 2, "expect dirhams: write what each player has"),
        ("title a\nexpect position d4s", 2, "not a position: column 1: a position has 6 fields"),
        ("title a\nexpect title Red", 2, 'expect title: write it in quotes: expect title "…"'),
        (
            'title a\nexpect news "x"\n  y',
            2,
            "write either a text after 'expect news', or all lines",
        ),
        ("title a\nexpect dark now", 2, "write it like: expect dark"),
        ("title a\nexpect not frame", 2, "write 'expect frame' or 'expect heard within 100ms'"),
        ("title a\nexpect heard", 2, "write 'expect frame' or 'expect heard within 100ms'"),
        ("title a\nexpect frame now", 2, "write 'expect frame', or 'expect frame at 0ms 80ms'"),
        ("title a\nexpect frame at", 2, "at what time? expect frame at 0ms 80ms"),
        ("title a\nexpect frame\n  ........", 2, "a frame has 8 indented rows, not 1"),
        (
            "title a\nexpect frame\n" + "  ........\n" * 7 + "  .......",
            10,
            "a row of 1 × 8 LEDs: # and . on one colour, R Y B N W ! . on RGB",
        ),
        ("title a\nexpect frame\n" + "  .#R.....\n" * 8, 3, "a row of 1 × 8 LEDs"),
        ("title a\nexpect frame at 0ms 1ms\n" + "  ........\n" * 8, 3, "a row of 2 × 8 LEDs"),
    ],
)
def test_invalid_statement_is_refused_with_its_line_number(
    text: str, line: int, message: str
) -> None:
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(text)
    assert caught.value.line == line
    assert caught.value.message.startswith(message)
    assert str(caught.value).startswith(f"line {line}: ")
    assert isinstance(caught.value, NotationError)


@given(st.text(alphabet=' \n\t"#.xoktileprs0123456789', max_size=60))
def test_garbage_is_parsed_or_refused_without_other_errors(garbage: str) -> None:
    with suppress(ScenarioError):
        parse_scenario(f"title a\n{garbage}")
