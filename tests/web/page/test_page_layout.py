"""Layout: a game can be played from a paired phone without scrolling."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from helpers.page.page_reach import (
    BELOW_PAD_EDGE,
    DIRECTION_KEYS,
    IN_ALL_FONTS,
    NEEDED_TEXT,
    OK_AND_BACK,
    OUT_OF_REACH,
    OVERFLOWING_KEYS,
    PROMPT,
    TOO_SMALL_TEXT,
)
from helpers.page.page_stub import PageStub, play_on
from helpers.page.phone import Phone
from helpers.rules.sample_positions import OUT, OWED
from helpers.storage.game_folder import play
from helpers.storage.stored_games import SET_UP
from helpers.table.table_driver import TableDriver, game_at, started_game
from playwright.sync_api import Browser

from companion.table.conversation import Stage
from companion.table.view import TableView

NAMES = ("Amina", "Bartholomew the Grea", "Chloé", "Dan")
SCREENS = {"phone": (390, 844), "small phone": (360, 640)}
DIE = ("#pad .pips", "#pad .roll")


def stages() -> dict[str, TableDriver]:
    """One table at each stage of a turn."""
    draw = started_game(players=2, options={"two_player": "shuffled"})
    play_on(draw, Random(5), Stage.DRAW)
    return {
        "orient": started_game("east 3 ok", names=NAMES),
        "pay": game_at(OWED),
        "draw": draw,
        "lay": started_game("east 3", names=NAMES),
        "refused": started_game("east 3 4", names=NAMES),
        "put back": started_game("east 3 ok back", names=NAMES),
        "compare": started_game("east 3 ok audit ok ok", names=NAMES),
    }


def box(phone: Phone, selector: str) -> dict[str, float]:
    found = phone.find(selector).first.bounding_box()
    assert found is not None, f"{selector} is not shown"
    x, y, width, height = (found[side] for side in ("x", "y", "width", "height"))
    return {"x": x, "y": y, "width": width, "right": x + width, "bottom": y + height}


# --- A paired phone -----------------------------------------------------------------------


@pytest.fixture(params=["en", "de", "ja"])
def paired(request: pytest.FixtureRequest, browser: Browser, stub: PageStub) -> Iterator[Phone]:
    context = browser.new_context(locale=request.param, reduced_motion="reduce")
    phone = Phone(context.new_page(), stub)
    yield phone.open(started_game()).pair()
    context.close()
    assert phone.faults == []


@IN_ALL_FONTS
@pytest.mark.parametrize("screen", SCREENS)
def test_prompt_market_and_pad_fit_on_the_screen_together(paired: Phone, screen: str) -> None:
    paired.resize(*SCREENS[screen])
    for name, driver in stages().items():
        paired.show(driver)
        needed = [*PROMPT, *OK_AND_BACK, *DIRECTION_KEYS, *DIE, "#market"]
        if name == "refused":
            needed.append("#refused")
        if name == "pay":
            needed.append("#payment")
        assert paired.page.evaluate(OUT_OF_REACH, needed) == [], name
        assert paired.page.evaluate(BELOW_PAD_EDGE, [*NEEDED_TEXT, "#market"]) == [], name
        assert paired.page.evaluate(OVERFLOWING_KEYS) == [], name
        assert paired.page.evaluate("scrollY") == 0


@IN_ALL_FONTS
def test_the_market_is_large_where_there_is_space(paired: Phone) -> None:
    for (width, height), least in {(390, 844): 300, (360, 640): 200, (412, 915): 350}.items():
        paired.resize(width, height)
        paired.show(started_game("east 3", names=NAMES))
        assert box(paired, "#market")["width"] >= least


@IN_ALL_FONTS
@pytest.mark.parametrize("screen", SCREENS)
def test_the_pad_stays_visible_when_scrolling_and_hides_nothing_at_the_end(
    paired: Phone, screen: str
) -> None:
    paired.resize(*SCREENS[screen])
    paired.show(started_game("east 3 ok", names=NAMES))
    for share in (0.3, 0.6):
        paired.page.evaluate(
            "share => scrollTo(0, share * (document.body.scrollHeight - innerHeight))", share
        )
        assert paired.page.evaluate(OUT_OF_REACH, [*OK_AND_BACK, *DIRECTION_KEYS]) == []
    paired.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    last = ["#odds tbody tr:last-child", "#pad .hold", *OK_AND_BACK, *DIRECTION_KEYS]
    assert paired.page.evaluate(OUT_OF_REACH, last) == []


def test_keyboard_focus_is_never_hidden_by_the_pad(paired: Phone) -> None:
    paired.resize(*SCREENS["small phone"])
    paired.show(started_game("east 3 ok", names=NAMES))
    hold = ["#pad .hold:focus"]
    paired.find("#pad .roll").focus()
    paired.page.keyboard.press("Tab")
    assert paired.page.evaluate(OUT_OF_REACH, hold) == []


@IN_ALL_FONTS
def test_in_landscape_the_market_is_beside_text_and_pad(paired: Phone) -> None:
    for width, height in ((844, 390), (667, 375)):
        paired.resize(width, height)
        for name, driver in stages().items():
            paired.show(driver)
            needed = [*PROMPT, *OK_AND_BACK, *DIRECTION_KEYS, "#market"]
            assert paired.page.evaluate(OUT_OF_REACH, needed) == [], name
            assert paired.page.evaluate(BELOW_PAD_EDGE, NEEDED_TEXT) == [], name
            assert paired.page.evaluate(TOO_SMALL_TEXT) == [], name
        for selector in ("nav", ".tools"):
            assert box(paired, selector)["y"] < box(paired, ".top h1")["bottom"], "all in one row"
        assert box(paired, "#market")["right"] < box(paired, "#todo")["x"]
        assert box(paired, "#market")["width"] > 250
        assert not paired.page.evaluate("document.body.scrollWidth > innerWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pad_is_accessible(
    browser: Browser, stub: PageStub, scheme: Literal["light", "dark"]
) -> None:
    width, height = SCREENS["small phone"]
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, bypass_csp=True
    )
    phone = Phone(context.new_page(), stub).open(started_game()).pair()
    for name in ("orient", "pay", "refused"):
        phone.show(stages()[name])
        found = Axe().run(phone.page).response["violations"]
        assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == [], name
    context.close()


# --- Touch targets ------------------------------------------------------------------------

TOO_SMALL = """() => Array.from(document.querySelectorAll("button, a, select, input, summary"))
  .filter((node) => node.checkVisibility())
  .map((node) => ({ node, box: node.getBoundingClientRect() }))
  .filter(({ box }) => box.width < 44 || box.height < 44)
  .map(({ node, box }) => `${node.outerHTML.slice(0, 90)} ${box.width} x ${box.height}`)"""


@IN_ALL_FONTS
def test_touch_targets_are_large_enough(phone: Phone, tmp_path: Path) -> None:
    words = play_on(started_game(), Random(21), Stage.OVER)
    play(tmp_path, f"{SET_UP} {' '.join(words)} ok", names=NAMES)
    phone.resize(*SCREENS["small phone"])
    phone.open(started_game("east 3"))
    assert phone.page.evaluate(TOO_SMALL) == []
    phone.pair()
    phone.show(TableDriver())
    phone.page.wait_for_selector("#setup form")
    assert phone.page.evaluate(TOO_SMALL) == []
    phone.go("games/1")
    phone.page.wait_for_selector("#view-games .chart")
    assert phone.page.evaluate(TOO_SMALL) == []


# --- An unpaired phone --------------------------------------------------------------------

WATCHING = "This phone only watches. Pair it to press the table's buttons from here."


def test_an_unpaired_phone_is_offered_to_pair(phone: Phone) -> None:
    phone.open(started_game())
    assert phone.text("#watching p") == WATCHING
    assert box(phone, "#watching")["y"] > box(phone, "#market")["bottom"]
    phone.find("#watching-pair").click()
    assert phone.is_visible("#pairing")
    phone.page.keyboard.press("Escape")
    assert phone.page.evaluate("document.activeElement.id") == "watching-pair"
    phone.pair()
    phone.page.wait_for_selector("#watching", state="hidden")


def test_the_page_asks_for_the_code_while_the_matrix_shows_it(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone.open(started_game())
    quiet = colours(phone, "#watching-pair")
    with monkeypatch.context() as shown:
        shown.setattr("helpers.page.page_stub.TableView", partial(TableView, shows_code=True))
        phone.show(started_game())
    assert phone.text("#watching p") == "Type the code here."
    assert colours(phone, "#watching-pair") != quiet, "it stands out"
    phone.show(started_game())
    assert phone.text("#watching p") == WATCHING
    assert colours(phone, "#watching-pair") == quiet


def colours(phone: Phone, selector: str) -> Any:  # noqa: ANN401 - any CSS value
    return phone.find(selector).evaluate("node => getComputedStyle(node).backgroundColor")


def test_a_lost_pairing_is_announced_once(phone: Phone) -> None:
    lost = "This phone is no longer paired."
    phone.open(started_game()).pair()
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
    phone.show(started_game("east"))
    assert phone.page.evaluate("window.changes") == 0, "else screen readers repeat it"
    phone.page.reload()
    phone.page.wait_for_selector("body.ready[data-sequence]")
    assert phone.text("#watching p") == WATCHING
    phone.pair()
    phone.page.wait_for_selector("#watching", state="hidden")


# --- Stages -------------------------------------------------------------------------------


def test_in_an_audit_holding_ok_ends_it(phone: Phone) -> None:
    phone.open(started_game("east 3 ok")).pair()
    compare, leave = "Hold OK: compare", "Hold OK: stop comparing"
    first = "#pad .hold:first-child"
    assert phone.text(first) == compare
    # Assam, his facing, a player's rugs, a square, its rug.
    for words in ("", "ok", "ok ok", "ok ok north", "ok ok north ok"):
        phone.show(started_game(f"east 3 ok audit {words}"))
        assert phone.text(first) == leave, words
    phone.show(started_game("east 3 ok"))
    assert phone.text(first) == compare


def test_odds_are_shown_only_before_a_roll(phone: Phone) -> None:
    pivot = TableDriver(players=2, options={"turn_order": "pivot-last"})
    play_on(pivot, Random(5), Stage.PIVOT)
    phone.open(started_game("east 3 ok"))
    assert phone.is_visible("#odds")
    for words in ("audit", "audit ok ok", "back ok back", "pause"):
        phone.show(started_game(f"east 3 ok {words}"))
        assert not phone.is_visible("#odds"), words
    phone.show(pivot)
    assert phone.is_visible("#odds")


@IN_ALL_FONTS
def test_the_final_count_is_above_the_pad_and_shown_once(phone: Phone) -> None:
    over = started_game(names=NAMES)
    play_on(over, Random(21), Stage.OVER)
    phone.open(over)
    assert box(phone, "#title")["bottom"] < box(phone, "#final")["y"]
    assert box(phone, "#final")["bottom"] < box(phone, "#market")["y"]
    phone.pair()
    rows = phone.find("#final tbody tr")
    assert rows.count() == 4
    for row in range(4):
        assert phone.page.evaluate(OUT_OF_REACH, [f"#final tbody tr:nth-child({row + 1})"]) == []
    assert phone.page.evaluate(OUT_OF_REACH, [*PROMPT, *OK_AND_BACK]) == []
    items = phone.find("#todo li")
    assert items.count() == 5, "screen readers get everything"
    heights = [items.nth(n).bounding_box() or {"height": 0} for n in range(5)]
    assert [one["height"] > 1 for one in heights] == [False] * 4 + [True]
    phone.resize(1280, 800)
    assert box(phone, "#final")["bottom"] <= box(phone, "#pad")["y"]


# --- Text size and space for the market ---------------------------------------------------

SIZES = """() => ["#title", "#todo"].map((one) =>
  parseFloat(getComputedStyle(document.querySelector(one)).fontSize))"""
# Undoes what fit.js does.
UNFIT = "document.querySelector('#view-table').removeAttribute('data-tight')"
MIN_MARKET_PX = 150


@IN_ALL_FONTS
@pytest.mark.parametrize("screen", SCREENS)
def test_text_shrinks_only_if_the_market_needs_the_space(paired: Phone, screen: str) -> None:
    """It stays readable. The winner is always shown in full size."""
    over = started_game(names=NAMES)
    play_on(over, Random(21), Stage.OVER)
    paired.resize(*SCREENS[screen]).show(over)
    usual = paired.page.evaluate(SIZES)
    for name, driver in stages().items():
        paired.show(driver)
        assert paired.page.evaluate(TOO_SMALL_TEXT) == [], name
        assert box(paired, "#market")["width"] >= MIN_MARKET_PX, name
        sizes = paired.page.evaluate(SIZES)
        paired.page.evaluate(UNFIT)
        assert paired.page.evaluate(SIZES) == usual, name
        if sizes != usual:
            assert box(paired, "#market")["bottom"] > box(paired, "#pad")["y"] - 5, name


@IN_ALL_FONTS
def test_text_has_its_full_size_on_a_large_phone(paired: Phone) -> None:
    paired.resize(412, 915)
    for name, driver in stages().items():
        paired.show(driver)
        sizes = paired.page.evaluate(SIZES)
        paired.page.evaluate(UNFIT)
        assert paired.page.evaluate(SIZES) == sizes, name


@IN_ALL_FONTS
def test_notices_leave_the_market_above_the_pad(paired: Phone) -> None:
    """A refused press, the simulation notice, and a lost table."""
    seen = [*NEEDED_TEXT, "#market"]
    paired.resize(*SCREENS["small phone"]).show(stages()["lay"], is_simulated=True)
    assert paired.page.evaluate(BELOW_PAD_EDGE, seen) == []
    paired.stub.answer = {"ok": False, "error": "Assam never turns round: west is behind him."}
    paired.find("#pad .west").click()
    paired.page.wait_for_selector("#refused:not([hidden])")
    assert paired.page.evaluate(BELOW_PAD_EDGE, seen) == []
    paired.stub.lose_table()
    paired.page.wait_for_selector("#link:not([hidden])")
    assert paired.page.evaluate(BELOW_PAD_EDGE, seen) == []


@IN_ALL_FONTS
def test_text_grows_again_with_the_screen(paired: Phone) -> None:
    paired.resize(*SCREENS["phone"]).show(stages()["refused"])
    large = paired.page.evaluate(SIZES)
    paired.resize(320, 568)
    assert paired.page.evaluate(SIZES) < large
    paired.resize(*SCREENS["phone"])
    assert paired.page.evaluate(SIZES) == large


# --- Names --------------------------------------------------------------------------------


@IN_ALL_FONTS
def test_a_long_name_stays_beside_its_colours(phone: Phone) -> None:
    over = started_game(names=("x" * 20, "Bartholomew the Grea", "Chloé", "Dan"))
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


def test_only_the_name_of_a_player_who_is_out_is_struck_through(phone: Phone) -> None:
    phone.open(game_at(OUT))
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
