"""Reading scenarios: every line is what it says, or is refused by its number."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import NotationError
from companion.games.marrakech import Colour
from companion.scenario.reader import ScenarioError, parse_scenario
from companion.scenario.statements import (
    Bounce,
    Code,
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
    Tear,
    Wait,
    Way,
)
from companion.table.inputs import Button

OK, EAST, NORTH = Button.OK, Button.EAST, Button.NORTH


def said(*lines: str) -> Doing | Expectation:
    (statement,) = parse_scenario("\n".join(["title a try", *lines])).statements
    return statement.says


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("press ok", Press((OK,))),
        ("press east 3 ok", Press((EAST, 3, OK))),
        ("press ok north x3 1", Press((OK, NORTH, NORTH, NORTH, 1))),
        ("hold ok", Hold(OK)),
        ("down ok", Move(Way.DOWN, OK)),
        ("up 4", Move(Way.UP, 4)),
        ("stick east", Move(Way.STICK, EAST)),
        ("free east", Move(Way.FREE, EAST)),
        ("unplug 2", Move(Way.UNPLUG, 2)),
        ("unplug matrix", MatrixPlug(False)),
        ("plug matrix", MatrixPlug(True)),
        ("bounce east 6", Bounce(EAST, 6)),
        ("glitch ok 8ms", Glitch(OK, 8)),
        ("wait 1.5s", Wait(1500)),
        ("wait 80ms", Wait(80)),
        ("disk slow 300ms", DiskIs(None, 300)),
        ("disk full", DiskIs(DiskState.FULL)),
        ("kill", Kill()),
        ("restart", Restart()),
        ("tear 5", Tear(5)),
        ("rolls 3 2", Rolls((3, 2))),
        ("code 0417", Code("0417")),
        ("deals RY NB", Deals(((Colour.RED, Colour.YELLOW), (Colour.BROWN, Colour.BLUE)))),
        ("expect stage LAY", Expect("stage", one="LAY")),
        ('expect title "Red:  your turn"', Expect("title", one="Red:  your turn")),
        ('expect todo contains "a # b"', Expect("todo", one="a # b", is_part=True)),
        ("expect not refused", Expect("refused", is_not=True)),
        ('expect not news "x"', Expect("news", is_not=True, one="x")),
        ("expect dirhams 1 2  3", Expect("dirhams", one="1 2 3")),
        ("expect score 41 out", Expect("score", one="41 out")),
        ("expect assam d7s", Expect("assam", one="d7s")),
        ("expect dark", Expect("dark")),
        ("expect heard within 100ms", ExpectHeard(100)),
    ],
)
def test_a_line_is_what_it_says(line: str, says: Doing | Expectation) -> None:
    assert said(line) == says
    assert said(f"  \n# before\n{line}   # after") == says


def test_frames_stand_side_by_side() -> None:
    rows = [f"  {'#' * 8} {'.' * 8}"] * 8
    assert said("expect frame at 0ms 80ms", *rows) == ExpectFrames(
        (0, 80), (("########",) * 8, ("........",) * 8)
    )
    assert said("expect frame   # now", *["\tRYBNW!.."] * 8) == ExpectFrames(
        (None,), (("RYBNW!..",) * 8,)
    )


def test_lines_below_are_all_sentences() -> None:
    assert said("expect news", "  One # two.", "  Three.") == Expect(
        "news", all_of=("One # two.", "Three.")
    )


def test_a_statement_knows_its_line_and_its_text() -> None:
    script = parse_scenario("# first\n\ntitle  a   try\n\nwait 1s\npress  ok # now\n")
    assert script.title == "a try"
    assert [(each.line, each.text) for each in script.statements] == [
        (5, "wait 1s"),
        (6, "press ok"),
    ]


def test_the_config_is_that_of_the_file() -> None:
    script = parse_scenario("title a\nconfig\n  [game]\n  players = 3   # not four\npress ok")
    assert script.config.game.players == 3
    assert script.statements[0].line == 5


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
        ("title a\nwait 5", 2, "'5' is no time: write 80ms or 2s"),
        ("title a\nwait 2 s", 2, "write it like: wait 500ms"),
        ("title a\nwait 90000s", 2, "'90000s' is longer than a day"),
        ("title a\nbounce ok six", 2, "'six' is no whole number"),
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
        ("title a\nexpect position d4s", 2, "no position: column 1: a position has 6 fields"),
        ("title a\nexpect title Red", 2, 'expect title: write it in quotes: expect title "…"'),
        ('title a\nexpect news "x"\n  y', 2, "either a text behind 'expect news', or all lines"),
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
def test_what_cannot_be_read_is_refused_with_its_line(text: str, line: int, message: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        parse_scenario(text)
    assert refused.value.line == line
    assert refused.value.message.startswith(message)
    assert str(refused.value).startswith(f"line {line}: ")
    assert isinstance(refused.value, NotationError)


@given(st.text(alphabet=' \n\t"#.xoktileprs0123456789', max_size=60))
def test_garbage_is_read_or_refused_and_nothing_else(garbage: str) -> None:
    with suppress(ScenarioError):
        parse_scenario(f"title a\n{garbage}")
