"""The page in all thirty languages, on two phones, in all font sets: nothing runs over or is cut
off."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
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
from helpers.page.page_stub import WebStub
from helpers.page.phone import Phone
from helpers.rules.sample_positions import OWED
from helpers.table.table_driver import TableDriver, at, begun
from playwright.sync_api import Browser

from companion.games.marrakech import Facing
from companion.i18n.catalogue_loader import speech_in
from companion.i18n.languages import LANGUAGES
from companion.i18n.message import Message, Who, message

SCREENS = {"small phone": (360, 640), "phone": (390, 844)}
NAMES = ("Amina", "Ben", "Cleo", "Dan")
PHASES: dict[str, Callable[[], TableDriver]] = {
    "orient": lambda: begun("east 3 ok", names=NAMES),
    "pay": lambda: at(OWED),
    "put back": lambda: begun("east 3 ok back", names=NAMES),
    "set-up": TableDriver,
}
PAIRED: dict[str, Callable[[], TableDriver]] = {
    "lay": lambda: begun("east 3", names=NAMES),
    "pay": lambda: at(OWED),
    "compare": lambda: begun("east 3 ok audit ok ok", names=NAMES),
    "put back": PHASES["put back"],
    "refused": lambda: begun("east 3 4", names=NAMES),
    "set-up": TableDriver,
}

# Texts that are wider or higher than their place, or than the page. Whoever has room to scroll
# inside, or is hidden from eyes, may be as wide as he likes; half a pixel is a browser's rounding.
RUN_OVER = """() => {
  const found = [];
  const edge = document.documentElement.clientWidth;
  if (document.scrollingElement.scrollWidth > edge) found.push("the page is wider than the screen");
  const hides = (value) => value === "hidden" || value === "clip";
  const look = (node, text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    const tell = (what) => found.push(`${what}: ${node.tagName}.${node.className} "${text.data}"`);
    const isWide = (frame) => box.left < frame.left - 0.5 || box.right > frame.right + 0.5;
    const isHigh = (frame) => box.top < frame.top - 0.5 || box.bottom > frame.bottom + 0.5;
    if (isWide({ left: 0, right: edge })) tell("off the screen");
    for (let place = node; place && place !== document.body; place = place.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(place);
      const frame = place.getBoundingClientRect();
      if (hides(overflowX) && isWide(frame)) tell("cut off");
      if (hides(overflowY) && isHigh(frame)) tell("cut off below");
    }
    const frame = node.closest("td, th, button, nav a, .player, .panel, .top");
    if (frame && isWide(frame.getBoundingClientRect())) tell("runs over");
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
def phone(language: str, browser: Browser, stub: WebStub) -> Iterator[Phone]:
    """A phone whose owner has set it to this language."""
    yield from phone_in(language, browser, stub)


def phone_in(language: str, browser: Browser, stub: WebStub) -> Iterator[Phone]:
    context = browser.new_context(locale=language, reduced_motion="reduce")
    phone = Phone(context.new_page(), stub)
    yield phone
    context.close()
    assert phone.faults == []


@IN_ALL_FONTS
def test_a_phone_is_spoken_to_in_its_language_and_everything_fits(
    phone: Phone, language: str, fonts: str
) -> None:
    """In four phases, two views and paired: in one page, since opening one takes the longest."""
    phone.open(PHASES["orient"]())
    check_words(phone, language)
    for name, talk in PHASES.items():
        phone.show(talk())
        for where in on_every_screen(phone, name):
            assert phone.page.evaluate(RUN_OVER) == [], where
            keep_picture(phone, f"{fonts} {language} {where}")
    for view in ("rules", "standings"):
        phone.go(view)
        for where in on_every_screen(phone, view):
            assert phone.page.evaluate(RUN_OVER) == [], where
            keep_picture(phone, f"{fonts} {language} {where}")
    phone.go("table")
    phone.pair()
    for name, talk in PAIRED.items():
        phone.show(talk())
        if name == "set-up":
            phone.page.wait_for_selector("#setup form")
        for where in on_every_screen(phone, name):
            assert phone.page.evaluate(RUN_OVER) == [], where
            assert phone.page.evaluate(WORDS_OVER_KEYS) == [], where
            needed = [*WORDS, *KEYS, *WAYS, "#market"]
            assert phone.page.evaluate(OUT_OF_REACH, needed) == [], where
            assert phone.page.evaluate(UNDER_PAD, [*ASKED, "#market"]) == [], where
            assert phone.page.evaluate(TOO_SMALL_TO_READ) == [], where
            keep_picture(phone, f"{fonts} {language} paired {where}")


def on_every_screen(phone: Phone, what: str) -> Iterator[str]:
    """Give the phone each screen, and say which."""
    for screen, (width, height) in SCREENS.items():
        phone.resize(width, height)
        yield f"{what} on a {screen}"


def check_words(phone: Phone, language: str) -> None:
    speech = speech_in(language)
    assert phone.page.evaluate("document.documentElement.lang") == language
    turn = speech.say(message("title.turn", player=Who("Ben", ())))
    assert phone.find("#title").inner_text() == turn
    todo = speech.say(message("todo.orient", facing=Facing.EAST))
    assert phone.find("#todo").inner_text() == todo
    assert phone.text('nav a[href="#games"]') == speech.say(Message("web.games"))
    assert phone.texts(".rugs dt")[0].casefold() == speech.say(Message("web.rugs_left")).casefold()


def keep_picture(phone: Phone, name: str) -> None:
    """For whoever wants to look: MARRAKECH_PICTURES names a folder."""
    if folder := os.environ.get("MARRAKECH_PICTURES"):
        path = Path(folder) / f"{name.replace(' ', '-')}.png"
        phone.page.screenshot(path=path, full_page=True)


# --- From right to left -------------------------------------------------------------------


@pytest.fixture(params=["ar", "fa"])
def from_the_right(
    request: pytest.FixtureRequest, browser: Browser, stub: WebStub
) -> Iterator[Phone]:
    yield from phone_in(request.param, browser, stub)


def left_of(phone: Phone, selector: str) -> float:
    box = phone.find(selector).first.bounding_box()
    assert box is not None
    return box["x"]


def test_the_page_is_mirrored(from_the_right: Phone) -> None:
    phone = from_the_right.open(at(OWED))
    assert phone.page.evaluate("document.documentElement.dir") == "rtl"
    assert left_of(phone, ".tools") < left_of(phone, ".top h1")
    assert left_of(phone, 'nav a[href="#standings"]') < left_of(phone, 'nav a[href="#table"]')


def test_the_market_and_its_compass_are_not(from_the_right: Phone) -> None:
    """The cardboard isn't, and its west is where the table's west is."""
    phone = from_the_right.open(at(OWED))
    letters = phone.find("#market .coordinate").all_text_contents()[::2]
    places = phone.page.evaluate(
        "Array.from(document.querySelectorAll('#market .coordinate'),"
        " (node) => node.getBoundingClientRect().x)"
    )[::2]
    assert letters == list("abcdefg")
    assert places == sorted(places)
    phone.pair()
    assert left_of(phone, "#pad .west") < left_of(phone, "#pad .east")


def test_on_its_side_the_market_is_right_of_the_words(from_the_right: Phone) -> None:
    phone = from_the_right.open(begun("east 3", names=NAMES)).pair().resize(844, 390)
    assert phone.page.evaluate(OUT_OF_REACH, [*WORDS, *KEYS, *WAYS, "#market"]) == []
    assert left_of(phone, "#market") > left_of(phone, "#todo")


def test_names_and_sums_keep_their_own_direction(from_the_right: Phone) -> None:
    phone = from_the_right.open(begun("east 3 ok", names=NAMES))
    assert "\u2068Ben\u2069" in phone.find("#title").inner_text()
    phone.show(at(OWED))
    assert (
        phone.page.evaluate("getComputedStyle(document.querySelector('.sum')).direction") == "ltr"
    )


@pytest.mark.parametrize(("locale", "one"), [("de", "1,00"), ("de-CH", "1.00"), ("fa", "1.00")])
def test_fractions_are_written_as_in_the_phones_country(
    locale: str, one: str, browser: Browser, stub: WebStub
) -> None:
    for phone in phone_in(locale, browser, stub):
        phone.open(begun("east 3 ok", names=NAMES))
        assert phone.texts("#odds .expected")[0] == one


# --- The menu -----------------------------------------------------------------------------


def test_the_menu_changes_the_language_and_remembers(browser: Browser, stub: WebStub) -> None:
    context = browser.new_context(locale="de", reduced_motion="reduce")
    phone = Phone(context.new_page(), stub).open(begun(names=NAMES))
    menu = phone.find("#language")
    assert menu.input_value() == "de"
    assert menu.locator("option").all_inner_texts() == [one.name for one in LANGUAGES.values()]
    with phone.page.expect_navigation():
        menu.select_option("fi")
    phone.page.wait_for_selector("body.ready")
    assert phone.text('nav a[href="#games"]') == speech_in("fi").say(Message("web.games"))
    phone.open(begun(names=NAMES))
    assert phone.page.evaluate("document.documentElement.lang") == "fi"
    context.close()
    assert phone.faults == []


def test_two_phones_speak_two_languages_at_one_table(browser: Browser, stub: WebStub) -> None:
    contexts = [browser.new_context(locale=code, reduced_motion="reduce") for code in ("it", "ja")]
    one, other = (Phone(context.new_page(), stub) for context in contexts)
    talk = begun(names=NAMES)
    one.open(talk)
    other.open(talk)
    one.wait()
    for phone, code in ((one, "it"), (other, "ja")):
        told = speech_in(code).say(message("title.turn", player=Who("Amina", ())))
        phone.page.wait_for_function("text => title.innerText === text", arg=told)
    for context in contexts:
        context.close()
    assert one.faults + other.faults == []


def test_a_phone_in_no_language_of_ours_goes_with_the_table(
    browser: Browser, stub: WebStub
) -> None:
    """It speaks as the booklet does that is leafed to, and changes with it."""
    context = browser.new_context(locale="sw", reduced_motion="reduce")
    phone = Phone(context.new_page(), stub).open(TableDriver().say("ok"))
    assert phone.page.evaluate("document.documentElement.lang") == "en"
    with phone.page.expect_navigation():
        stub.show(TableDriver().say("ok east"))
    phone.page.wait_for_selector("body.ready")
    assert phone.page.evaluate("document.documentElement.lang") == "fr"
    context.close()
    assert phone.faults == []
