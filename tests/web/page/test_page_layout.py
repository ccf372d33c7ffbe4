"""Where things are on the page: a game can be played from a paired phone without scrolling."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from helpers.page.page_reach import (
    ASKED,
    IN_ALL_FONTS,
    KEYS,
    OUT_OF_REACH,
    TOO_SMALL_TO_READ,
    UNDER_PAD,
    WAYS,
    WORDS,
    WORDS_OVER_KEYS,
)
from helpers.page.page_stub import WebStub, play_on
from helpers.page.phone import Phone
from helpers.rules.sample_positions import OUT, OWED
from helpers.storage.game_folder import play
from helpers.storage.stored_games import SET_UP
from helpers.table.table_driver import TableDriver, at, begun
from playwright.sync_api import Browser

from companion.daemon.controller import TableView
from companion.table.conversation import Stage

NAMES = ("Amina", "Bartholomew the Grea", "Chloé", "Dan")
SCREENS = {"phone": (390, 844), "small phone": (360, 640)}
DIE = ("#pad .pips", "#pad .roll")


def stages() -> dict[str, TableDriver]:
    """Whatever a turn consists of."""
    draw = begun(players=2, options={"two_player": "shuffled"})
    play_on(draw, Random(5), Stage.DRAW)
    return {
        "orient": begun("east 3 ok", names=NAMES),
        "pay": at(OWED),
        "draw": draw,
        "lay": begun("east 3", names=NAMES),
        "refused": begun("east 3 4", names=NAMES),
        "put back": begun("east 3 ok back", names=NAMES),
        "compare": begun("east 3 ok audit ok ok", names=NAMES),
    }


def box(phone: Phone, selector: str) -> dict[str, float]:
    found = phone.find(selector).first.bounding_box()
    assert found is not None, f"{selector} is not shown"
    x, y, width, height = (found[side] for side in ("x", "y", "width", "height"))
    return {"x": x, "y": y, "width": width, "right": x + width, "bottom": y + height}


# --- A paired phone -----------------------------------------------------------------------


@pytest.fixture(params=["en", "de", "ja"])
def paired(request: pytest.FixtureRequest, browser: Browser, stub: WebStub) -> Iterator[Phone]:
    context = browser.new_context(locale=request.param, reduced_motion="reduce")
    phone = Phone(context.new_page(), stub)
    yield phone.open(begun()).pair()
    context.close()
    assert phone.faults == []


@IN_ALL_FONTS
@pytest.mark.parametrize("screen", SCREENS)
def test_what_to_do_and_all_to_do_it_with_are_on_the_screen_together(
    paired: Phone, screen: str
) -> None:
    paired.resize(*SCREENS[screen])
    for name, talk in stages().items():
        paired.show(talk)
        needed = [*WORDS, *KEYS, *WAYS, *DIE, "#market"]
        if name == "refused":
            needed.append("#refused")
        if name == "pay":
            needed.append("#payment")
        assert paired.page.evaluate(OUT_OF_REACH, needed) == [], name
        assert paired.page.evaluate(UNDER_PAD, [*ASKED, "#market"]) == [], name
        assert paired.page.evaluate(WORDS_OVER_KEYS) == [], name
        assert paired.page.evaluate("scrollY") == 0


@IN_ALL_FONTS
def test_the_market_is_large_where_there_is_room(paired: Phone) -> None:
    for (width, height), least in {(390, 844): 300, (360, 640): 200, (412, 915): 350}.items():
        paired.resize(width, height)
        paired.show(begun("east 3", names=NAMES))
        assert box(paired, "#market")["width"] >= least


@IN_ALL_FONTS
@pytest.mark.parametrize("screen", SCREENS)
def test_the_buttons_stay_while_one_scrolls_and_hide_nothing_at_the_end(
    paired: Phone, screen: str
) -> None:
    paired.resize(*SCREENS[screen])
    paired.show(begun("east 3 ok", names=NAMES))
    for share in (0.3, 0.6):
        paired.page.evaluate(
            "share => scrollTo(0, share * (document.body.scrollHeight - innerHeight))", share
        )
        assert paired.page.evaluate(OUT_OF_REACH, [*KEYS, *WAYS]) == []
    paired.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    last = ["#odds tbody tr:last-child", "#pad .hold", *KEYS, *WAYS]
    assert paired.page.evaluate(OUT_OF_REACH, last) == []


def test_with_the_keyboard_nobody_goes_where_he_cannot_see(paired: Phone) -> None:
    paired.resize(*SCREENS["small phone"])
    paired.show(begun("east 3 ok", names=NAMES))
    hold = ["#pad .hold:focus"]
    paired.find("#pad .roll").focus()
    paired.page.keyboard.press("Tab")
    assert paired.page.evaluate(OUT_OF_REACH, hold) == []


@IN_ALL_FONTS
def test_on_its_side_a_phone_has_the_market_beside_the_words_and_buttons(paired: Phone) -> None:
    for width, height in ((844, 390), (667, 375)):
        paired.resize(width, height)
        for name, talk in stages().items():
            paired.show(talk)
            needed = [*WORDS, *KEYS, *WAYS, "#market"]
            assert paired.page.evaluate(OUT_OF_REACH, needed) == [], name
            assert paired.page.evaluate(UNDER_PAD, ASKED) == [], name
            assert paired.page.evaluate(TOO_SMALL_TO_READ) == [], name
        for selector in ("nav", ".tools"):
            assert box(paired, selector)["y"] < box(paired, ".top h1")["bottom"], "all in one row"
        assert box(paired, "#market")["right"] < box(paired, "#todo")["x"]
        assert box(paired, "#market")["width"] > 250
        assert not paired.page.evaluate("document.body.scrollWidth > innerWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_buttons_below_keep_nobody_out(
    browser: Browser, stub: WebStub, scheme: Literal["light", "dark"]
) -> None:
    width, height = SCREENS["small phone"]
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, bypass_csp=True
    )
    phone = Phone(context.new_page(), stub).open(begun()).pair()
    for name in ("orient", "pay", "refused"):
        phone.show(stages()[name])
        found = Axe().run(phone.page).response["violations"]
        assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == [], name
    context.close()


# --- What can be touched ------------------------------------------------------------------

TOO_SMALL = """() => Array.from(document.querySelectorAll("button, a, select, input, summary"))
  .filter((node) => node.checkVisibility())
  .map((node) => ({ node, box: node.getBoundingClientRect() }))
  .filter(({ box }) => box.width < 44 || box.height < 44)
  .map(({ node, box }) => `${node.outerHTML.slice(0, 90)} ${box.width} x ${box.height}`)"""


@IN_ALL_FONTS
def test_nothing_is_too_small_for_a_finger(phone: Phone, tmp_path: Path) -> None:
    words = play_on(begun(), Random(21), Stage.OVER)
    play(tmp_path, f"{SET_UP} {' '.join(words)} ok", names=NAMES)
    phone.resize(*SCREENS["small phone"])
    phone.open(begun("east 3"))
    assert phone.page.evaluate(TOO_SMALL) == []
    phone.pair()
    phone.show(TableDriver())
    phone.page.wait_for_selector("#setup form")
    assert phone.page.evaluate(TOO_SMALL) == []
    phone.go("games/1")
    phone.page.wait_for_selector("#view-games .chart")
    assert phone.page.evaluate(TOO_SMALL) == []


# --- A phone that only watches ------------------------------------------------------------

WATCHING = "This phone only watches. Pair it to press the table's buttons from here."


def test_whoever_only_watches_is_told_so_and_offered_to_pair(phone: Phone) -> None:
    phone.open(begun())
    assert phone.text("#watching p") == WATCHING
    assert box(phone, "#watching")["y"] > box(phone, "#market")["bottom"]
    phone.find("#watching-pair").click()
    assert phone.sees("#pairing")
    phone.page.keyboard.press("Escape")
    assert phone.page.evaluate("document.activeElement.id") == "watching-pair"
    phone.pair()
    phone.page.wait_for_selector("#watching", state="hidden")


def test_while_the_matrix_shows_a_code_the_phone_asks_for_it(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone.open(begun())
    quiet = colours(phone, "#watching-pair")
    with monkeypatch.context() as shown:
        shown.setattr("web_stub.View", partial(TableView, shows_code=True))
        phone.show(begun())
    assert phone.text("#watching p") == "Type the code here."
    assert colours(phone, "#watching-pair") != quiet, "it is hard to overlook"
    phone.show(begun())
    assert phone.text("#watching p") == WATCHING
    assert colours(phone, "#watching-pair") == quiet


def colours(phone: Phone, selector: str) -> Any:  # noqa: ANN401 - whatever a browser says
    return phone.find(selector).evaluate("node => getComputedStyle(node).backgroundColor")


def test_a_phone_that_is_paired_no_longer_says_so_once(phone: Phone) -> None:
    lost = "This phone is no longer paired."
    phone.open(begun()).pair()
    phone.page.wait_for_selector("#watching", state="hidden")
    phone.page.context.clear_cookies()
    phone.page.reload()
    phone.page.wait_for_selector("body.ready[data-sequence]")
    assert phone.text("#watching p") == f"{lost} {WATCHING}"
    status = phone.find("#watching").get_by_role("status")
    assert status.inner_text() == lost
    phone.page.evaluate(
        """() => {
            window.changes = 0;
            const seen = new MutationObserver(() => { window.changes += 1; });
            const all = { childList: true, characterData: true, subtree: true };
            seen.observe(document.querySelector("#watching"), all);
        }"""
    )
    phone.show(begun("east"))
    assert phone.page.evaluate("window.changes") == 0, "it would be read out again"
    phone.page.reload()
    phone.page.wait_for_selector("body.ready[data-sequence]")
    assert phone.text("#watching p") == WATCHING
    phone.pair()
    phone.page.wait_for_selector("#watching", state="hidden")


# --- What belongs to a stage --------------------------------------------------------------


def test_while_the_cardboard_is_compared_holding_ok_leaves_that(phone: Phone) -> None:
    phone.open(begun("east 3 ok")).pair()
    compare, leave = "Hold OK: compare", "Hold OK: stop comparing"
    first = "#pad .hold:first-child"
    assert phone.text(first) == compare
    # Assam, his face, a player's rugs, a square, what lies there.
    for words in ("", "ok", "ok ok", "ok ok north", "ok ok north ok"):
        phone.show(begun(f"east 3 ok audit {words}"))
        assert phone.text(first) == leave, words
    phone.show(begun("east 3 ok"))
    assert phone.text(first) == compare


def test_odds_are_there_only_where_a_roll_is_next(phone: Phone) -> None:
    pivot = TableDriver(players=2, options={"turn_order": "pivot-last"})
    play_on(pivot, Random(5), Stage.PIVOT)
    phone.open(begun("east 3 ok"))
    assert phone.sees("#odds")
    for words in ("audit", "audit ok ok", "back ok back", "pause"):
        phone.show(begun(f"east 3 ok {words}"))
        assert not phone.sees("#odds"), words
    phone.show(pivot)
    assert phone.sees("#odds")


@IN_ALL_FONTS
def test_at_the_end_the_count_comes_before_the_buttons_and_once(phone: Phone) -> None:
    over = begun(names=NAMES)
    play_on(over, Random(21), Stage.OVER)
    phone.open(over)
    assert box(phone, "#title")["bottom"] < box(phone, "#final")["y"]
    assert box(phone, "#final")["bottom"] < box(phone, "#market")["y"]
    phone.pair()
    rows = phone.find("#final tbody tr")
    assert rows.count() == 4
    for row in range(4):
        assert phone.page.evaluate(OUT_OF_REACH, [f"#final tbody tr:nth-child({row + 1})"]) == []
    assert phone.page.evaluate(OUT_OF_REACH, [*WORDS, *KEYS]) == []
    said = phone.find("#todo li")
    assert said.count() == 5, "whoever listens is told everything"
    heights = [said.nth(n).bounding_box() or {"height": 0} for n in range(5)]
    assert [one["height"] > 1 for one in heights] == [False] * 4 + [True]
    phone.resize(1280, 800)
    assert box(phone, "#final")["bottom"] <= box(phone, "#pad")["y"]


# --- Letters, and room for the market -----------------------------------------------------

SIZES = """() => ["#title", "#todo"].map((one) =>
  parseFloat(getComputedStyle(document.querySelector(one)).fontSize))"""
# As the page is without fit.js.
UNFIT = "document.querySelector('#view-table').removeAttribute('data-tight')"
LEAST_MARKET_PX = 150


@IN_ALL_FONTS
@pytest.mark.parametrize("screen", SCREENS)
def test_letters_are_smaller_only_where_the_usual_size_leaves_the_market_no_room(
    paired: Phone, screen: str
) -> None:
    """Also then they are large enough to read. Who has won is always said in the usual size."""
    over = begun(names=NAMES)
    play_on(over, Random(21), Stage.OVER)
    paired.resize(*SCREENS[screen]).show(over)
    usual = paired.page.evaluate(SIZES)
    for name, talk in stages().items():
        paired.show(talk)
        assert paired.page.evaluate(TOO_SMALL_TO_READ) == [], name
        assert box(paired, "#market")["width"] >= LEAST_MARKET_PX, name
        sizes = paired.page.evaluate(SIZES)
        paired.page.evaluate(UNFIT)
        assert paired.page.evaluate(SIZES) == usual, name
        if sizes != usual:
            assert box(paired, "#market")["bottom"] > box(paired, "#pad")["y"] - 5, name


@IN_ALL_FONTS
def test_a_turn_on_a_large_phone_is_said_in_the_usual_letters(paired: Phone) -> None:
    paired.resize(412, 915)
    for name, talk in stages().items():
        paired.show(talk)
        sizes = paired.page.evaluate(SIZES)
        paired.page.evaluate(UNFIT)
        assert paired.page.evaluate(SIZES) == sizes, name


@IN_ALL_FONTS
def test_words_that_come_between_leave_the_market_above_the_buttons(paired: Phone) -> None:
    """The answer to a press, what is said to everybody, and a table that does not answer."""
    seen = [*ASKED, "#market"]
    paired.resize(*SCREENS["small phone"]).show(stages()["lay"], is_simulated=True)
    assert paired.page.evaluate(UNDER_PAD, seen) == []
    paired.stub.answer = {"ok": False, "error": "Assam never turns round: west is behind him."}
    paired.find("#pad .west").click()
    paired.page.wait_for_selector("#refused:not([hidden])")
    assert paired.page.evaluate(UNDER_PAD, seen) == []
    paired.stub.lose_table()
    paired.page.wait_for_selector("#link:not([hidden])")
    assert paired.page.evaluate(UNDER_PAD, seen) == []


@IN_ALL_FONTS
def test_letters_become_large_again_with_the_screen(paired: Phone) -> None:
    paired.resize(*SCREENS["phone"]).show(stages()["refused"])
    large = paired.page.evaluate(SIZES)
    paired.resize(320, 568)
    assert paired.page.evaluate(SIZES) < large
    paired.resize(*SCREENS["phone"])
    assert paired.page.evaluate(SIZES) == large


# --- Names --------------------------------------------------------------------------------


@IN_ALL_FONTS
def test_a_long_name_stays_beside_its_colours(phone: Phone) -> None:
    over = begun(names=("x" * 20, "Bartholomew the Grea", "Chloé", "Dan"))
    play_on(over, Random(21), Stage.OVER)
    phone.resize(*SCREENS["small phone"])
    phone.open(over)
    lines = phone.page.evaluate(
        """() => Array.from(document.querySelectorAll("#players .who, #final th:has(.swatches)"),
            (who) => {
                const colours = who.querySelector(".swatches").getBoundingClientRect();
                const range = document.createRange();
                const name = who.querySelector(".called");
                if (name) range.selectNodeContents(name);
                else { range.selectNodeContents(who); range.setStart(who, 1); }
                const first = Array.from(range.getClientRects()).find((line) => line.width > 5);
                return first.top < colours.bottom && first.bottom > colours.top
                    && first.left >= colours.right;
            })"""
    )
    assert lines == [True] * 8


def test_of_who_is_out_only_the_name_is_struck_out(phone: Phone) -> None:
    phone.open(at(OUT))
    struck = """selector => Array.from(document.querySelectorAll(selector), (node) => {
        for (let up = node; up; up = up.parentElement) {
            if (getComputedStyle(up).textDecorationLine !== "none") return true;
        }
        return false;
    })"""
    assert phone.page.evaluate(struck, ".player.out .called") == [True]
    assert set(phone.page.evaluate(struck, ".player.out dt, .player.out dd")) == {False}
    shades = "selector => getComputedStyle(document.querySelector(selector)).color"
    assert phone.page.evaluate(shades, ".player.out dd") == phone.page.evaluate(shades, "dt")
    assert phone.page.evaluate(shades, ".player.to-play dd") != phone.page.evaluate(shades, "dt")
