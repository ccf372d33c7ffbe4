"""Accessibility: small screens, contrast, keyboard, screen readers, reduced motion."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from helpers.page.page_reach import IN_ALL_FONTS
from helpers.page.page_stub import CODE, PageStub, play_on
from helpers.page.phone import Phone
from helpers.rules.sample_positions import OWED
from helpers.storage.game_folder import play
from helpers.storage.stored_games import SET_UP
from helpers.table.table_driver import TableDriver, game_at, started_game
from playwright.sync_api import Browser, Page

from companion.table.conversation import Stage

LONG = ("Maximiliane-Charlotte", "Wolfeschlegelsteinha", "Ünïcødé Ñáme", "x" * 20)
SCREENS = {"small": (360, 640), "phone": (390, 844), "laptop": (1280, 800), "tv": (1920, 1080)}


def stages() -> dict[str, TableDriver]:
    over = started_game(names=LONG)
    play_on(over, Random(21), Stage.OVER)
    refused = started_game("east 3 4")
    return {
        "set-up": TableDriver(),
        "setting": TableDriver().press("ok ok ok"),
        "orient": started_game("east 3 ok", names=LONG),
        "pay": game_at(OWED),
        "lay": started_game("east 3", names=LONG),
        "refused": refused,
        "two": started_game(players=2),
        "put back": started_game("east 3 ok back"),
        "audit": started_game("east 3 ok audit ok ok"),
        "over": over,
    }


def violations(page: Page) -> list[str]:
    """Serious and critical violations that axe finds."""
    found: list[dict[str, Any]] = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {node['html'][:200]}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    words = play_on(started_game(), Random(21), Stage.OVER)
    play(tmp_path, f"{SET_UP} {' '.join(words)} ok", names=LONG)
    play(tmp_path, f"{SET_UP} east 3 ok back ok", names=LONG)
    return tmp_path


@pytest.fixture(params=["light", "dark"])
def themed_phone(
    request: pytest.FixtureRequest, browser: Browser, stub: PageStub
) -> Iterator[Phone]:
    scheme: Literal["light", "dark"] = request.param
    # Axe is injected as a script, which the content security policy forbids.
    context = browser.new_context(
        viewport={"width": 390, "height": 844},
        color_scheme=scheme,
        reduced_motion="reduce",
        bypass_csp=True,
    )
    phone = Phone(context.new_page(), stub)
    yield phone
    context.close()
    assert phone.faults == []


def test_the_table_view_is_accessible(themed_phone: Phone) -> None:
    themed_phone.open(TableDriver(), is_simulated=True)
    for name, driver in stages().items():
        themed_phone.show(driver)
        assert violations(themed_phone.page) == [], name


def test_the_other_views_are_accessible(themed_phone: Phone, archive: Path) -> None:
    themed_phone.open(TableDriver())
    for view, content in {
        "history": ".replay",
        "games": ".games",
        "games/1": ".chart",
        "standings": "tbody",
    }.items():
        themed_phone.go(view)
        themed_phone.page.wait_for_selector(f"#view-{view.split('/')[0]} {content}")
        assert violations(themed_phone.page) == [], view
    themed_phone.find("#pair").click()
    assert violations(themed_phone.page) == []
    themed_phone.find("#pairing-code").fill(CODE)
    themed_phone.page.keyboard.press("Enter")
    themed_phone.go("games")
    themed_phone.page.evaluate("location.hash = 'table'")
    themed_phone.page.wait_for_selector("#setup form")
    assert violations(themed_phone.page) == []
    themed_phone.stub.lose_table()
    themed_phone.page.wait_for_selector("#link:not([hidden])")
    assert violations(themed_phone.page) == []


@IN_ALL_FONTS
@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_is_wider_than_the_screen(phone: Phone, archive: Path, screen: str) -> None:
    phone.resize(*SCREENS[screen]).open(TableDriver())
    too_wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    for name, driver in stages().items():
        phone.show(driver)
        assert not phone.page.evaluate(too_wide), name
    for view in ("history", "games", "games/1", "standings"):
        phone.go(view)
        assert not phone.page.evaluate(too_wide), view


@IN_ALL_FONTS
@pytest.mark.parametrize("screen", SCREENS)
def test_the_market_fits_on_the_screen(phone: Phone, screen: str) -> None:
    width, height = SCREENS[screen]
    phone.resize(width, height).open(started_game("east 3 ok"))
    box = phone.find("#market").bounding_box()
    assert box is not None
    assert box["width"] > 320
    assert box["y"] + box["height"] <= height


def test_everything_can_be_reached_with_the_keyboard(phone: Phone) -> None:
    phone.open(started_game())
    phone.find("#pair").focus()
    phone.page.keyboard.press("Enter")
    phone.page.keyboard.type(CODE)
    phone.page.keyboard.press("Enter")
    phone.page.wait_for_selector("#pad:not([hidden])")
    reached = []
    for _ in range(30):
        phone.page.keyboard.press("Tab")
        reached.append(phone.page.evaluate("document.activeElement.textContent"))
    assert {"Table", "History", "Games", "Standings", "OK", "BACK", "↑", "4", "Roll"} <= set(
        reached
    )


def test_nothing_is_animated_with_reduced_motion(phone: Phone) -> None:
    name = "document.querySelector('#market .outline.offer')"
    moving = f"getComputedStyle({name}).animationName"
    phone.open(started_game("east 3"))
    assert phone.page.evaluate(moving) == "none"
    phone.page.emulate_media(reduced_motion="no-preference")
    assert phone.page.evaluate(moving) == "breathe"


FAKE_SPEECH = """
window.spoken = [];
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
Object.defineProperty(window, "speechSynthesis", { value: {
    speak: (words) => window.spoken.push([words.lang, words.text]),
    cancel: () => {},
}});
"""


RECORD_CHANGES = """(id) => {
    const node = document.getElementById(id);
    window.announced = [];
    const record = () => { if (node.textContent) window.announced.push(node.textContent); };
    const options = { childList: true, characterData: true, subtree: true };
    new MutationObserver(record).observe(node, options);
}"""
BEHIND = "Assam never turns round: north is behind him."


def announced(phone: Phone) -> list[str]:
    """What a screen reader says: the node's text after each change."""
    texts: list[str] = phone.page.evaluate("window.announced")
    changed = [text for n, text in enumerate(texts) if n == 0 or text != texts[n - 1]]
    return [text.rstrip("\u00a0") for text in changed]


def test_a_repeated_refusal_is_announced_again(phone: Phone) -> None:
    phone.page.clock.install()
    phone.page.add_init_script(FAKE_SPEECH)
    phone.open(started_game())
    phone.find("#speech").click()
    phone.page.evaluate(RECORD_CHANGES, "refused")
    phone.page.evaluate("window.spoken.length = 0")
    for times in (1, 2, 3):
        phone.show(started_game("north"))
        assert announced(phone) == [f"Refused: {BEHIND}"] * times
        assert phone.page.evaluate("window.spoken") == [["en", BEHIND]] * times
    phone.page.evaluate("window.dispatchEvent(new Event('offline'))")
    phone.page.wait_for_selector("#link:not([hidden])")
    phone.page.clock.run_for(1000)
    phone.page.wait_for_selector("#link", state="hidden")
    assert phone.is_visible("#refused")
    assert len(announced(phone)) == 3, "reconnecting does not repeat the refusal"
    assert phone.page.evaluate("window.spoken.length") == 3


def test_a_refusal_in_answer_and_snapshot_is_announced_once(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer to a press has it, and then the snapshots, of which there may be several."""
    snapshot_of, refused_at = phone.stub._snapshot_of, [0]
    monkeypatch.setattr(
        phone.stub, "_snapshot_of", lambda view: {**snapshot_of(view), "refused_at": refused_at[0]}
    )
    phone.page.add_init_script(FAKE_SPEECH)
    phone.open(started_game())
    phone.pair()
    phone.find("#speech").click()
    phone.page.evaluate(RECORD_CHANGES, "refused")
    phone.page.evaluate("window.spoken.length = 0")
    for times, number in enumerate((7, 10), start=1):
        refused_at[0] = number
        phone.stub.answer = {"ok": False, "error": BEHIND, "refused_at": number}
        if number == 7:
            phone.find("#pad .key.north").click()
            phone.page.wait_for_function("n => window.spoken.length >= n", arg=times)
        for _ in range(2):
            phone.show(started_game("north"))
        if number == 10:
            with phone.page.expect_response("**/api/press"):
                phone.find("#pad .key.north").click()
            phone.page.evaluate("() => new Promise((done) => setTimeout(done, 100))")
        assert announced(phone) == [f"Refused: {BEHIND}"] * times
        assert phone.page.evaluate("window.spoken") == [["en", BEHIND]] * times


def test_a_repeated_error_is_announced_again(phone: Phone) -> None:
    phone.page.add_init_script(FAKE_SPEECH)
    phone.open(started_game())
    phone.find("#pair").click()
    phone.page.evaluate(RECORD_CHANGES, "pairing-error")
    for times in (1, 2):
        phone.find("#pairing-code").fill("1111")
        phone.page.keyboard.press("Enter")
        phone.page.wait_for_function("n => window.announced.length >= n", arg=times)
    assert announced(phone) == ["That is not the code."] * 2
    phone.find("#pairing-code").fill(CODE)
    phone.page.keyboard.press("Enter")
    phone.page.wait_for_selector("#pad:not([hidden])")
    phone.find("#speech").click()
    phone.page.evaluate(RECORD_CHANGES, "refused")
    phone.page.evaluate("window.spoken.length = 0")
    phone.page.route("**/api/press", lambda route: route.abort())
    for times in (1, 2):
        phone.find("#pad .key.ok").click()
        phone.page.wait_for_function("n => window.spoken.length >= n", arg=times)
    lost = "The companion did not answer: look at the table before you try again."
    assert announced(phone) == [lost] * 2
    assert phone.page.evaluate("window.spoken") == [["en", lost]] * 2


def test_the_page_speaks_only_when_turned_on_and_remembers_that(phone: Phone) -> None:
    phone.page.add_init_script(FAKE_SPEECH)
    phone.open(started_game(names=("Ana",)))
    phone.show(started_game("east", names=("Ana",)))
    spoken = "() => window.spoken"
    assert phone.page.evaluate(spoken) == []
    phone.page.get_by_role("button", name="Voice is off").click()
    prompt = "Assam faces {}. Turn him left or right or leave him, then press what the die shows."
    assert phone.page.evaluate(spoken) == [["en", f"Ana: your turn. {prompt.format('east')}"]]
    driver = started_game("north", names=("Ana",))
    phone.show(driver)
    assert phone.page.evaluate(spoken)[1:] == [
        ["en", "Assam never turns round: north is behind him."]
    ]
    phone.page.reload()
    phone.page.wait_for_selector("body.ready[data-sequence]")
    assert phone.page.evaluate("window.spoken.length") == 1
    assert phone.find("#speech").get_attribute("aria-pressed") == "true"
