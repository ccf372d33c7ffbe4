"""`marrakech rules`: what a booklet decides."""

from __future__ import annotations

import pytest

from companion.cli.main import main
from companion.games.marrakech import BOOKLETS, OPTIONS

ALL = """\
 1  en       English                    -
 2  fr       French                     -
 3  nl       Dutch                      -
 4  es       Spanish                    pivot=may
 5  it       Italian                    -
 6  fi       Finnish                    covering=two-colours
 7  sv       Swedish                    -
 8  cs       Czech                      two_player=alternating, tie_break=shared
 9  el       Greek                      -
10  pt       Portuguese                 -
11  pl       Polish                     -
12  is       Icelandic                  -
13  ar       Arabic                     covering=two-colours
14  et       Estonian                   -
15  lv       Latvian                    -
16  lt       Lithuanian                 -
17  ru       Russian                    -
18  zh-TW    Chinese (traditional)      covering=two-colours
19  ja       Japanese                   -
20  zh-CN    Chinese (simplified)       covering=two-colours
21  hu       Hungarian                  -
22  sl       Slovenian                  box=57
23  ro       Romanian                   -
24  nb       Norwegian                  -
25  sr       Serbian                    box=57
26  hr       Croatian                   -
27  de       German                     -
28  ko       Korean                     pivot=may
29  th       Thai                       two_player=alternating
30  fa       Persian                    box=57
31  ru-2012  Russian, edition of 2012   box=57
32  fa-sheet Persian, single sheet      box=57
33  hu-notes Hungarian, players' notes  bankruptcy=spare

'marrakech rules --booklet fr' says what a booklet decides.
"""

SPANISH_ON_A_TURNED_BOARD = """\
Booklet es: Spanish. Who begins: whoever was last in Morocco.

A turn:
  1. Turn Assam a quarter left or right, or leave him; never about.
  2. Roll, and move him that many squares straight ahead, round the edge loops.
  3. On an opponent's rug, pay one dirham for each square of that colour joined to his.
  4. Lay a rug of yours beside him, on two squares that share a side.
  It also prints the other order: --option turn_order=pivot-last.

Options (* = not as in the English booklet):
  bankruptcy = out: who cannot pay the whole tribute pays what he has and is out
      or: spare
  covering = no-whole-rug: both halves of one visible rug are never covered in one go
      or: two-colours, own-rug-allowed
  two_player = shuffled: two colours each, shuffled into one pile
      or: alternating, one-colour
  turn_order = classic: orient, roll, move, pay, lay
      or: pivot-last
* pivot = may: with pivot-last, Assam may also be left as he faces
      or: must
  purse = thirty: 30 dirhams each
      or: share-120
  tie_break = dirhams: a tie goes to more dirhams
      or: visible-rugs, shared
  box = 60: four colours of 15 rugs
      or: 57
  short_colour = brown: in a box of 57, brown has the 12 rugs
      or: red, yellow, blue
* loops = nw-se: the board lies with its three-quarter loops north-west and south-east
      or: ne-sw
"""

PIVOT_LAST = """\
A turn:
  1. Roll, and move Assam that many squares the way he faces, round the edge loops.
  2. On an opponent's rug, pay one dirham for each square of that colour joined to his.
  3. Lay a rug of yours beside him, on two squares that share a side.
  4. Turn him for the next player, who must go that way.
"""


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["rules", *words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_without_a_booklet_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys) == ALL


def test_a_booklet_and_an_option_are_told_together(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--booklet", "es", "--option", "loops=nw-se")
    assert printed(capsys, *words) == SPANISH_ON_A_TURNED_BOARD


def test_an_option_alone_is_set_in_the_english_booklet(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "--option", "purse=share-120")
    assert out.startswith("Booklet en: English. Who begins: as agreed at the table.\n")
    assert [line for line in out.splitlines() if line.startswith("* ")] == [
        "* purse = share-120: the 120 dirhams of the box are shared out evenly"
    ]


def test_the_order_that_pivots_last_is_told_in_its_order(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert PIVOT_LAST in printed(capsys, "--option", "turn_order=pivot-last")


def test_the_other_order_is_offered_where_the_booklet_prints_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    offer = "It also prints the other order"
    assert offer in printed(capsys, "--booklet", "fr")
    assert offer not in printed(capsys, "--booklet", "de")


def test_the_order_that_is_chosen_is_not_called_the_other(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "the other order" not in printed(capsys, "--option", "turn_order=pivot-last")


@pytest.mark.parametrize("code", BOOKLETS)
def test_every_booklet_is_told_with_all_its_options(
    code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = printed(capsys, "--booklet", code).splitlines()
    booklet = BOOKLETS[code]
    assert lines[0] == f"Booklet {code}: {booklet.language}. Who begins: {booklet.begins}."
    told = lines[-2 * len(OPTIONS) :: 2]
    assert [line[2:].split(":")[0] for line in told] == [
        f"{name} = {value}" for name, value in booklet.options.items()
    ]


@pytest.mark.parametrize("code", [None, *BOOKLETS])
def test_no_line_is_wider_than_100_columns(
    code: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--booklet", code] if code else []
    assert [line for line in printed(capsys, *words).splitlines() if len(line) > 100] == []


@pytest.mark.parametrize("words", [[], ["--option", "box=57"]])
def test_a_booklet_without_a_name_is_not_the_english_one(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", "--booklet", "", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("marrakech: unknown booklet '': use en, fr, ")


def test_the_code_of_a_booklet_may_be_written_in_capitals(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert printed(capsys, "--booklet", "ZH-tw") == printed(capsys, "--booklet", "zh-TW")
