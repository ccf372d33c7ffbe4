"""A link that is lost is said to be lost, and found again by itself."""

from __future__ import annotations

from helpers.page.phone import Phone
from helpers.table.table_driver import begun

LOST = "Connection lost. Looking for the companion again: this may be out of date."


def test_a_lost_connection_is_said_and_found_again(phone: Phone) -> None:
    phone.page.clock.install()
    phone.open(begun())
    phone.stub.hang_up()
    phone.page.wait_for_selector("#link:not([hidden])")
    assert phone.text("#link") == LOST
    assert phone.find("body.stale").count() == 1
    assert phone.text("#title") == "Red: your turn"  # what was known stays
    phone.stub.come_back()
    phone.page.clock.run_for(1000)
    phone.page.wait_for_selector("#link", state="hidden")
    phone.show(begun("east"))


def test_it_is_looked_for_less_and_less_often(phone: Phone) -> None:
    """After one second, two, four, and at last every thirty."""
    phone.page.clock.install()
    phone.page.add_init_script(
        """
        window.waits = [];
        const wait = window.setTimeout;
        window.setTimeout = (work, ms) => { window.waits.push(ms); return wait(work, ms); };
        """
    )
    phone.open(begun())
    phone.page.evaluate("window.waits.length = 0")
    phone.stub.hang_up()
    expected = [1000, 2000, 4000, 8000, 16000, 30000, 30000]
    for number, wait in enumerate(expected, start=1):
        phone.page.wait_for_function("n => window.waits.length >= n", arg=number)
        phone.page.clock.run_for(wait)
    assert phone.page.evaluate("window.waits")[: len(expected)] == expected


def test_a_table_that_is_gone_is_told_from_a_lost_connection(phone: Phone) -> None:
    phone.open(begun())
    phone.stub.lose_table()
    phone.page.wait_for_selector("#link:not([hidden])")
    assert phone.text("#link") == (
        "The table cannot be reached: it is starting, or it was stopped."
    )
    phone.show(begun("east"))
    assert not phone.sees("#link")


def test_a_page_that_comes_before_the_companion_waits_for_it(phone: Phone) -> None:
    phone.page.clock.install()
    phone.page.route("**/api/words", lambda route: route.abort())
    phone.stub.show(begun())
    phone.page.goto(phone.stub.url)
    phone.page.unroute("**/api/words")
    phone.page.clock.run_for(2000)
    phone.page.wait_for_selector("body.ready")
    phone.show(begun("east"))


def test_a_phone_that_wakes_up_looks_at_once(phone: Phone) -> None:
    phone.page.clock.install()
    phone.open(begun())
    hour_later = phone.page.evaluate("Date.now()") + 3_600_000
    phone.page.clock.set_system_time(hour_later)  # it slept: no timer has run
    with phone.page.expect_request("**/api/events"):
        phone.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    phone.show(begun("east"))


def test_a_stream_that_died_in_silence_is_noticed(phone: Phone) -> None:
    """Nobody tells a phone that its stream is dead: it asks, and hears what it was not told."""
    phone.page.clock.install()
    phone.open(begun())
    phone.stub.keep_from_streams(begun("east"))
    with phone.page.expect_request("**/api/events"):
        phone.page.clock.run_for(50_000)
    phone.page.wait_for_selector('body[data-sequence="2"]')
