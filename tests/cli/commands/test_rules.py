"""`marrakech rules`: the booklets, their rules and options."""

from __future__ import annotations

import pytest

from companion.cli.main import main
from companion.games.marrakech import BOOKLETS, OPTIONS
from companion.i18n.catalogue_loader import renderer_for
from companion.i18n.languages import LANGUAGES
from companion.i18n.rules_summary import summarize_rules

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

'marrakech rules --booklet fr' explains how to play by a booklet, and its options.
"""

SPANISH_ON_A_TURNED_BOARD = """\
Booklet es: Spanish.

How to play

Aim: be the best seller of the rug market. In the end, each dirham and each half of a rug of yours
that can still be seen counts one point. Everybody begins with 30 dirhams. Rugs for each: 12 with
four players, 15 with three, 24 with two. Two players have two colours each, shuffled into one pile.
Whoever was last in Morocco begins.

A turn: leave Assam as he faces, or turn him a quarter left or right, never about. Then roll the
die, and move him that many squares straight ahead. At the edge he follows the loop back into the
market. The die shows 1, 2, 2, 3, 3 or 4. This booklet also prints another order: roll first, and
turn Assam for the next player at the end of the turn.

Paying: where Assam stops on another player's rug, pay its owner a tribute of one dirham for each
square of that colour joined to his, side to side, and for his own. On a free square or on a rug of
your own you pay nothing. Whoever cannot pay the whole tribute pays what there is, and is out.

Laying: then lay a rug of yours on two squares side by side, at least one of them beside Assam,
never under him. Halves of other rugs may be covered. Both halves of one visible rug are never
covered in one go.

The end: when all rugs are laid, or only one player is left, points are counted, and most points
win. A tie goes to whoever has more dirhams.

By this booklet, and otherwise than by the English one:
- Where Assam is turned last, he may also be left as he faces.

Options (* = not as in the English booklet):
  bankruptcy = out: Whoever cannot pay the whole tribute pays what there is, and is out.
      or: spare
  covering = no-whole-rug: Both halves of one visible rug are never covered in one go.
      or: two-colours, own-rug-allowed
  two_player = shuffled: Two players have two colours each, shuffled into one pile.
      or: alternating, one-colour
  turn_order = classic: Assam is turned before the roll.
      or: pivot-last
* pivot = may: Where Assam is turned last, he may also be left as he faces.
      or: must
  purse = thirty: Everybody begins with 30 dirhams.
      or: share-120
  tie_break = dirhams: A tie goes to whoever has more dirhams.
      or: visible-rugs, shared
  box = 60: The box has four colours of 15 rugs.
      or: 57
  short_colour = brown: In a box of 57 rugs, brown has only 12.
      or: red, yellow, blue
* loops = nw-se: The board lies with its two big corner loops north-west and south-east.
      or: ne-sw
"""


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["rules", *words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_without_a_booklet_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys) == ALL


def test_a_booklet_and_an_option_are_explained_together(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--booklet", "es", "--option", "loops=nw-se")
    assert printed(capsys, *words) == SPANISH_ON_A_TURNED_BOARD


def test_the_english_booklet_is_not_compared_with_itself(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The options follow the rules without a list of differences."""
    before, _, _ = printed(capsys, "--booklet", "en").partition("\nOptions (")
    assert before.endswith(
        "\n\nThe end: when all rugs are laid, or only one player is left, "
        "points are counted, and most points\nwin. A tie goes to whoever has more dirhams.\n"
    )


def test_an_option_alone_is_set_in_the_english_booklet(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "--option", "purse=share-120")
    assert out.startswith("Booklet en: English.\n\nHow to play\n")
    assert (
        "\nBy agreement at this table, and otherwise than by the booklet:\n"
        "- The 120 dirhams of the box are shared out evenly.\n" in out
    )
    assert [line for line in out.splitlines() if line.startswith("* ")] == [
        "* purse = share-120: The 120 dirhams of the box are shared out evenly."
    ]


def test_the_chosen_turn_order_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "--option", "turn_order=pivot-last")
    assert "\nA turn: roll the die, and move Assam that many squares the way he faces." in out
    assert "another order" not in out


@pytest.mark.parametrize("code", BOOKLETS)
def test_every_booklet_is_explained_with_all_options(
    code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = printed(capsys, "--booklet", code).splitlines()
    booklet = BOOKLETS[code]
    assert lines[0] == f"Booklet {code}: {booklet.language}."
    option_lines = lines[-2 * len(OPTIONS) :: 2]
    assert [line[2:].split(":")[0] for line in option_lines] == [
        f"{name} = {value}" for name, value in booklet.options.items()
    ]


@pytest.mark.parametrize("code", [None, *BOOKLETS])
def test_no_line_is_wider_than_100_columns(
    code: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--booklet", code] if code else []
    assert [line for line in printed(capsys, *words).splitlines() if len(line) > 100] == []


@pytest.mark.parametrize("words", [[], ["--option", "box=57"]])
def test_an_empty_booklet_name_is_refused(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", "--booklet", "", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("marrakech: unknown booklet '': use en, fr, ")


def test_booklet_codes_ignore_case(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert printed(capsys, "--booklet", "ZH-tw") == printed(capsys, "--booklet", "zh-TW")


# --- In other languages -------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("booklet", ["en", "cs", "hu-notes"])
def test_rules_of_any_booklet_are_available_in_any_language(
    booklet: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = " ".join(printed(capsys, "--booklet", booklet, "--language", language).split())
    renderer, found = renderer_for(language), BOOKLETS[booklet]
    rules = summarize_rules(found, found.options)
    for sentence in (rules.title, *(one for part in rules.paragraphs for one in part)):
        assert " ".join(renderer.render(sentence).split()) in out
    assert "Options (" not in out


def test_a_language_alone_selects_its_booklet(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "--language", "fi") == printed(
        capsys, "--booklet", "fi", "--language", "fi"
    )


def test_an_unknown_language_is_refused_with_a_list(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rules", "--language", "xx"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("marrakech: unknown language 'xx': use en, fr, nl, ")
