"""The page in all thirty languages, on two screens, in all font sets: no text overflows."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
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
from helpers.page.page_stub import PageStub
from helpers.page.phone import Phone
from helpers.rules.sample_positions import OWED
from helpers.table.table_driver import TableDriver, game_at, started_game
from playwright.sync_api import Browser

from companion.games.marrakech import Facing
from companion.i18n.catalogue_loader import renderer_for
from companion.i18n.languages import LANGUAGES
from companion.i18n.message import Message, PlayerName, message

SCREENS = {"small phone": (360, 640), "phone": (390, 844)}
NAMES = ("Amina", "Ben", "Cleo", "Dan")
PHASES: dict[str, Callable[[], TableDriver]] = {
    "orient": lambda: started_game("east 3 ok", names=NAMES),
    "pay": lambda: game_at(OWED),
    "put back": lambda: started_game("east 3 ok back", names=NAMES),
    "set-up": TableDriver,
}
PAIRED: dict[str, Callable[[], TableDriver]] = {
    "lay": lambda: started_game("east 3", names=NAMES),
    "pay": lambda: game_at(OWED),
    "compare": lambda: started_game("east 3 ok audit ok ok", names=NAMES),
    "put back": PHASES["put back"],
    "refused": lambda: started_game("east 3 4", names=NAMES),
    "set-up": TableDriver,
}

# Texts that overflow their element or the page. Elements that scroll or are visually hidden may be
# wider; half a pixel is rounding.
OVERFLOWS = """() => {
  const found = [];
  const edge = document.documentElement.clientWidth;
  if (document.scrollingElement.scrollWidth > edge) found.push("the page is wider than the screen");
  const hides = (value) => value === "hidden" || value === "clip";
  const look = (node, text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    const name = `${node.tagName}.${node.className} "${text.data}"`;
    const report = (what) => found.push(`${what}: ${name}`);
    const isWide = (frame) => box.left < frame.left - 0.5 || box.right > frame.right + 0.5;
    const isHigh = (frame) => box.top < frame.top - 0.5 || box.bottom > frame.bottom + 0.5;
    if (isWide({ left: 0, right: edge })) report("off the screen");
    for (let place = node; place && place !== document.body; place = place.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(place);
      const frame = place.getBoundingClientRect();
      if (hides(overflowX) && isWide(frame)) report("cut off");
      if (hides(overflowY) && isHigh(frame)) report("cut off below");
    }
    const frame = node.closest("td, th, button, nav a, .player, .panel, .top");
    if (frame && isWide(frame.getBoundingClientRect())) report("runs over");
  };
  for (const node of document.querySelectorAll("body *")) {
    const isSeen = node.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
    if (!isSeen || node.closest("svg, select, .visually-hidden, .patterns")) continue;
    if (getComputedStyle(node).clipPath !== "none") continue;
    for (const text of node.childNodes) {
      if (text.nodeType === Node.TEXT_NODE && text.data.trim()) look(node, text);
    }
  }
  return found;
}"""


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def phone(language: str, browser: Browser, stub: PageStub) -> Iterator[Phone]:
    """A phone set to this language."""
    yield from phone_in(language, browser, stub)


def phone_in(language: str, browser: Browser, stub: PageStub) -> Iterator[Phone]:
    context = browser.new_context(locale=language, reduced_motion="reduce")
    phone = Phone(context.new_page(), stub)
    yield phone
    context.close()
    assert phone.faults == []


@IN_ALL_FONTS
def test_every_language_fits_on_every_screen(phone: Phone, language: str, fonts: str) -> None:
    """Four phases, two views, and paired: all in one page, since opening a page is slow."""
    phone.open(PHASES["orient"]())
    check_texts(phone, language)
    for name, driver in PHASES.items():
        phone.show(driver())
        for where in on_every_screen(phone, name):
            assert phone.page.evaluate(OVERFLOWS) == [], where
            save_picture(phone, f"{fonts} {language} {where}")
    for view in ("rules", "standings"):
        phone.go(view)
        for where in on_every_screen(phone, view):
            assert phone.page.evaluate(OVERFLOWS) == [], where
            save_picture(phone, f"{fonts} {language} {where}")
    phone.go("table")
    phone.pair()
    for name, driver in PAIRED.items():
        phone.show(driver())
        if name == "set-up":
            phone.page.wait_for_selector("#setup form")
        for where in on_every_screen(phone, name):
            assert phone.page.evaluate(OVERFLOWS) == [], where
            assert phone.page.evaluate(OVERFLOWING_KEYS) == [], where
            needed = [*PROMPT, *OK_AND_BACK, *DIRECTION_KEYS, "#market"]
            assert phone.page.evaluate(OUT_OF_REACH, needed) == [], where
            assert phone.page.evaluate(BELOW_PAD_EDGE, [*NEEDED_TEXT, "#market"]) == [], where
            assert phone.page.evaluate(TOO_SMALL_TEXT) == [], where
            save_picture(phone, f"{fonts} {language} paired {where}")


def on_every_screen(phone: Phone, name: str) -> Iterator[str]:
    """Resize to each screen; yields a description for failures."""
    for screen, (width, height) in SCREENS.items():
        phone.resize(width, height)
        yield f"{name} on a {screen}"


def check_texts(phone: Phone, language: str) -> None:
    renderer = renderer_for(language)
    assert phone.page.evaluate("document.documentElement.lang") == language
    turn = renderer.render(message("title.turn", player=PlayerName("Ben", ())))
    assert phone.find("#title").inner_text() == turn
    todo = renderer.render(message("todo.orient", facing=Facing.EAST))
    assert phone.find("#todo").inner_text() == todo
    assert phone.text('nav a[href="#games"]') == renderer.render(Message("web.games"))
    assert (
        phone.texts(".rugs dt")[0].casefold()
        == renderer.render(Message("web.rugs_left")).casefold()
    )


def save_picture(phone: Phone, name: str) -> None:
    """Save a screenshot if MARRAKECH_PICTURES names a folder."""
    if folder := os.environ.get("MARRAKECH_PICTURES"):
        path = Path(folder) / f"{name.replace(' ', '-')}.png"
        phone.page.screenshot(path=path, full_page=True)


# --- Right to left -------------------------------------------------------------------------


@pytest.fixture(params=["ar", "fa"])
def rtl_phone(request: pytest.FixtureRequest, browser: Browser, stub: PageStub) -> Iterator[Phone]:
    yield from phone_in(request.param, browser, stub)


def left_edge(phone: Phone, selector: str) -> float:
    box = phone.find(selector).first.bounding_box()
    assert box is not None
    return box["x"]


def test_the_page_is_mirrored(rtl_phone: Phone) -> None:
    phone = rtl_phone.open(game_at(OWED))
    assert phone.page.evaluate("document.documentElement.dir") == "rtl"
    assert left_edge(phone, ".tools") < left_edge(phone, ".top h1")
    assert left_edge(phone, 'nav a[href="#standings"]') < left_edge(phone, 'nav a[href="#table"]')


def test_the_market_and_its_directions_are_not_mirrored(rtl_phone: Phone) -> None:
    """West on the page is west on the board."""
    phone = rtl_phone.open(game_at(OWED))
    letters = phone.find("#market .coordinate").all_text_contents()[::2]
    places = phone.page.evaluate(
        "Array.from(document.querySelectorAll('#market .coordinate'),"
        " (node) => node.getBoundingClientRect().x)"
    )[::2]
    assert letters == list("abcdefg")
    assert places == sorted(places)
    phone.pair()
    assert left_edge(phone, "#pad .west") < left_edge(phone, "#pad .east")


def test_in_landscape_the_market_is_right_of_the_text(rtl_phone: Phone) -> None:
    phone = rtl_phone.open(started_game("east 3", names=NAMES)).pair().resize(844, 390)
    assert (
        phone.page.evaluate(OUT_OF_REACH, [*PROMPT, *OK_AND_BACK, *DIRECTION_KEYS, "#market"]) == []
    )
    assert left_edge(phone, "#market") > left_edge(phone, "#todo")


def test_names_and_sums_keep_their_own_direction(rtl_phone: Phone) -> None:
    phone = rtl_phone.open(started_game("east 3 ok", names=NAMES))
    assert "\u2068Ben\u2069" in phone.find("#title").inner_text()
    phone.show(game_at(OWED))
    assert (
        phone.page.evaluate("getComputedStyle(document.querySelector('.sum')).direction") == "ltr"
    )


@pytest.mark.parametrize(("locale", "one"), [("de", "1,00"), ("de-CH", "1.00"), ("fa", "1.00")])
def test_fractions_follow_the_phones_locale(
    locale: str, one: str, browser: Browser, stub: PageStub
) -> None:
    for phone in phone_in(locale, browser, stub):
        phone.open(started_game("east 3 ok", names=NAMES))
        assert phone.texts("#odds .expected")[0] == one


# --- The menu -----------------------------------------------------------------------------


def test_the_menu_changes_and_remembers_the_language(browser: Browser, stub: PageStub) -> None:
    context = browser.new_context(locale="de", reduced_motion="reduce")
    phone = Phone(context.new_page(), stub).open(started_game(names=NAMES))
    menu = phone.find("#language")
    assert menu.input_value() == "de"
    assert menu.locator("option").all_inner_texts() == [one.name for one in LANGUAGES.values()]
    with phone.page.expect_navigation():
        menu.select_option("fi")
    phone.page.wait_for_selector("body.ready")
    assert phone.text('nav a[href="#games"]') == renderer_for("fi").render(Message("web.games"))
    phone.open(started_game(names=NAMES))
    assert phone.page.evaluate("document.documentElement.lang") == "fi"
    context.close()
    assert phone.faults == []


def test_two_phones_can_use_two_languages(browser: Browser, stub: PageStub) -> None:
    contexts = [browser.new_context(locale=code, reduced_motion="reduce") for code in ("it", "ja")]
    one, other = (Phone(context.new_page(), stub) for context in contexts)
    driver = started_game(names=NAMES)
    one.open(driver)
    other.open(driver)
    one.wait()
    for phone, code in ((one, "it"), (other, "ja")):
        title = renderer_for(code).render(message("title.turn", player=PlayerName("Amina", ())))
        phone.page.wait_for_function("text => title.innerText === text", arg=title)
    for context in contexts:
        context.close()
    assert one.faults + other.faults == []


def test_a_phone_in_an_unknown_language_uses_the_tables(browser: Browser, stub: PageStub) -> None:
    """It follows the booklet chosen in the set-up."""
    context = browser.new_context(locale="sw", reduced_motion="reduce")
    phone = Phone(context.new_page(), stub).open(TableDriver().press("ok"))
    assert phone.page.evaluate("document.documentElement.lang") == "en"
    with phone.page.expect_navigation():
        stub.show(TableDriver().press("ok east"))
    phone.page.wait_for_selector("body.ready")
    assert phone.page.evaluate("document.documentElement.lang") == "fr"
    context.close()
    assert phone.faults == []
