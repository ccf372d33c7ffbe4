"""The page for everybody: small screens, no colour, no mouse, no eyes, no motion."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from helpers.page.page_reach import IN_ALL_FONTS
from helpers.page.page_stub import CODE, WebStub, play_on
from helpers.page.phone import Phone
from helpers.rules.sample_positions import OWED
from helpers.storage.game_folder import play
from helpers.storage.stored_games import SET_UP
from helpers.table.table_driver import TableDriver, at, begun
from playwright.sync_api import Browser, Page

from companion.table.conversation import Stage

LONG = ("Maximiliane-Charlotte", "Wolfeschlegelsteinha", "Ünïcødé Ñáme", "x" * 20)
SCREENS = {"small": (360, 640), "phone": (390, 844), "laptop": (1280, 800), "tv": (1920, 1080)}


def stages() -> dict[str, TableDriver]:
    over = begun(names=LONG)
    play_on(over, Random(21), Stage.OVER)
    refused = begun("east 3 4")
    return {
        "set-up": TableDriver(),
        "setting": TableDriver().say("ok ok ok"),
        "orient": begun("east 3 ok", names=LONG),
        "pay": at(OWED),
        "lay": begun("east 3", names=LONG),
        "refused": refused,
        "two": begun(players=2),
        "put back": begun("east 3 ok back"),
        "audit": begun("east 3 ok audit ok ok"),
        "over": over,
    }


def serious(page: Page) -> list[str]:
    """What axe finds that keeps somebody out."""
    found: list[dict[str, Any]] = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {node['html'][:200]}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    words = play_on(begun(), Random(21), Stage.OVER)
    play(tmp_path, f"{SET_UP} {' '.join(words)} ok", names=LONG)
    play(tmp_path, f"{SET_UP} east 3 ok back ok", names=LONG)
    return tmp_path


@pytest.fixture(params=["light", "dark"])
def lit_phone(request: pytest.FixtureRequest, browser: Browser, stub: WebStub) -> Iterator[Phone]:
    scheme: Literal["light", "dark"] = request.param
    # Axe is put into the page as a script, which the page's own policy forbids.
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


def test_nothing_keeps_anybody_out_of_the_table(lit_phone: Phone) -> None:
    lit_phone.open(TableDriver(), is_simulated=True)
    for name, talk in stages().items():
        lit_phone.show(talk)
        assert serious(lit_phone.page) == [], name


def test_nothing_keeps_anybody_out_of_the_rest(lit_phone: Phone, shelf: Path) -> None:
    lit_phone.open(TableDriver())
    for view, there in {
        "history": ".replay",
        "games": ".games",
        "games/1": ".chart",
        "standings": "tbody",
    }.items():
        lit_phone.go(view)
        lit_phone.page.wait_for_selector(f"#view-{view.split('/')[0]} {there}")
        assert serious(lit_phone.page) == [], view
    lit_phone.find("#pair").click()
    assert serious(lit_phone.page) == []
    lit_phone.find("#pairing-code").fill(CODE)
    lit_phone.page.keyboard.press("Enter")
    lit_phone.go("games")
    lit_phone.page.evaluate("location.hash = 'table'")
    lit_phone.page.wait_for_selector("#setup form")
    assert serious(lit_phone.page) == []
    lit_phone.stub.lose_table()
    lit_phone.page.wait_for_selector("#link:not([hidden])")
    assert serious(lit_phone.page) == []


@IN_ALL_FONTS
@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_is_wider_than_the_screen(phone: Phone, shelf: Path, screen: str) -> None:
    phone.resize(*SCREENS[screen]).open(TableDriver())
    too_wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    for name, talk in stages().items():
        phone.show(talk)
        assert not phone.page.evaluate(too_wide), name
    for view in ("history", "games", "games/1", "standings"):
        phone.go(view)
        assert not phone.page.evaluate(too_wide), view


@IN_ALL_FONTS
@pytest.mark.parametrize("screen", SCREENS)
def test_the_market_and_what_to_do_fit_on_the_screen(phone: Phone, screen: str) -> None:
    width, height = SCREENS[screen]
    phone.resize(width, height).open(begun("east 3 ok"))
    box = phone.find("#market").bounding_box()
    assert box is not None
    assert box["width"] > 320
    assert box["y"] + box["height"] <= height


def test_everything_can_be_reached_with_the_keyboard(phone: Phone) -> None:
    phone.open(begun())
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


def test_light_moves_only_where_the_phone_likes_motion(phone: Phone) -> None:
    name = "document.querySelector('#market .outline.offer')"
    moving = f"getComputedStyle({name}).animationName"
    phone.open(begun("east 3"))
    assert phone.page.evaluate(moving) == "none"
    phone.page.emulate_media(reduced_motion="no-preference")
    assert phone.page.evaluate(moving) == "breathe"


VOICE = """
window.spoken = [];
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
Object.defineProperty(window, "speechSynthesis", { value: {
    speak: (words) => window.spoken.push([words.lang, words.text]),
    cancel: () => {},
}});
"""


NOTE_CHANGES = """(id) => {
    const node = document.getElementById(id);
    window.heard = [];
    const note = () => { if (node.textContent) window.heard.push(node.textContent); };
    const whatever = { childList: true, characterData: true, subtree: true };
    new MutationObserver(note).observe(node, whatever);
}"""
BEHIND = "Assam never turns round: north is behind him."


def heard(phone: Phone) -> list[str]:
    """What a screen reader says: the node's text, wherever it has become another one."""
    texts: list[str] = phone.page.evaluate("window.heard")
    changed = [text for n, text in enumerate(texts) if n == 0 or text != texts[n - 1]]
    return [text.rstrip("\u00a0") for text in changed]


def test_the_same_refusal_is_said_again_when_it_comes_again(phone: Phone) -> None:
    phone.page.clock.install()
    phone.page.add_init_script(VOICE)
    phone.open(begun())
    phone.find("#speech").click()
    phone.page.evaluate(NOTE_CHANGES, "refused")
    phone.page.evaluate("window.spoken.length = 0")
    for times in (1, 2, 3):
        phone.show(begun("north"))
        assert heard(phone) == [f"Refused: {BEHIND}"] * times
        assert phone.page.evaluate("window.spoken") == [["en", BEHIND]] * times
    phone.page.evaluate("window.dispatchEvent(new Event('offline'))")
    phone.page.wait_for_selector("#link:not([hidden])")
    phone.page.clock.run_for(1000)
    phone.page.wait_for_selector("#link", state="hidden")
    assert phone.sees("#refused")
    assert len(heard(phone)) == 3, "the link is new, the refusal is not"
    assert phone.page.evaluate("window.spoken.length") == 3


def test_a_refusal_is_said_once_though_it_is_heard_twice(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the answer to a press, and with the news of the table, which changes again meanwhile."""
    plain, at = phone.stub._plain, [0]
    monkeypatch.setattr(phone.stub, "_plain", lambda view: {**plain(view), "refused_at": at[0]})
    phone.page.add_init_script(VOICE)
    phone.open(begun())
    phone.pair()
    phone.find("#speech").click()
    phone.page.evaluate(NOTE_CHANGES, "refused")
    phone.page.evaluate("window.spoken.length = 0")
    for times, number in enumerate((7, 10), start=1):
        at[0] = number
        phone.stub.answer = {"ok": False, "error": BEHIND, "refused_at": number}
        if number == 7:
            phone.find("#pad .key.north").click()
            phone.page.wait_for_function("n => window.spoken.length >= n", arg=times)
        for _ in range(2):
            phone.show(begun("north"))
        if number == 10:
            with phone.page.expect_response("**/api/press"):
                phone.find("#pad .key.north").click()
            phone.page.evaluate("() => new Promise((done) => setTimeout(done, 100))")
        assert heard(phone) == [f"Refused: {BEHIND}"] * times
        assert phone.page.evaluate("window.spoken") == [["en", BEHIND]] * times


def test_a_press_that_is_refused_or_lost_again_is_said_again(phone: Phone) -> None:
    phone.page.add_init_script(VOICE)
    phone.open(begun())
    phone.find("#pair").click()
    phone.page.evaluate(NOTE_CHANGES, "pairing-told")
    for times in (1, 2):
        phone.find("#pairing-code").fill("1111")
        phone.page.keyboard.press("Enter")
        phone.page.wait_for_function("n => window.heard.length >= n", arg=times)
    assert heard(phone) == ["That is not the code."] * 2
    phone.find("#pairing-code").fill(CODE)
    phone.page.keyboard.press("Enter")
    phone.page.wait_for_selector("#pad:not([hidden])")
    phone.find("#speech").click()
    phone.page.evaluate(NOTE_CHANGES, "refused")
    phone.page.evaluate("window.spoken.length = 0")
    phone.page.route("**/api/press", lambda route: route.abort())
    for times in (1, 2):
        phone.find("#pad .key.ok").click()
        phone.page.wait_for_function("n => window.spoken.length >= n", arg=times)
    lost = "The companion did not answer: look at the table before you try again."
    assert heard(phone) == [lost] * 2
    assert phone.page.evaluate("window.spoken") == [["en", lost]] * 2


def test_the_phone_speaks_only_when_it_is_asked_to_and_remembers(phone: Phone) -> None:
    phone.page.add_init_script(VOICE)
    phone.open(begun(names=("Ana",)))
    phone.show(begun("east", names=("Ana",)))
    spoken = "() => window.spoken"
    assert phone.page.evaluate(spoken) == []
    phone.page.get_by_role("button", name="Voice is off").click()
    said = "Assam faces {}. Turn him left or right or leave him, then press what the die shows."
    assert phone.page.evaluate(spoken) == [["en", f"Ana: your turn. {said.format('east')}"]]
    talk = begun("north", names=("Ana",))
    phone.show(talk)
    assert phone.page.evaluate(spoken)[1:] == [
        ["en", "Assam never turns round: north is behind him."]
    ]
    phone.page.reload()
    phone.page.wait_for_selector("body.ready[data-sequence]")
    assert phone.page.evaluate("window.spoken.length") == 1
    assert phone.find("#speech").get_attribute("aria-pressed") == "true"
