"""A lost connection is shown and restored."""

from __future__ import annotations

from helpers.page.phone import Phone
from helpers.table.table_driver import started_game

LOST = "Connection lost. Looking for the companion again: this may be out of date."


def test_a_lost_connection_is_shown_and_restored(phone: Phone) -> None:
    phone.page.clock.install()
    phone.open(started_game())
    phone.stub.stop_server()
    phone.page.wait_for_selector("#link:not([hidden])")
    assert phone.text("#link") == LOST
    assert phone.find("body.stale").count() == 1
    assert phone.text("#title") == "Red: your turn"  # the last state stays
    phone.stub.start_server()
    phone.page.clock.run_for(1000)
    phone.page.wait_for_selector("#link", state="hidden")
    phone.show(started_game("east"))


def test_reconnect_delays_grow_to_30_seconds(phone: Phone) -> None:
    phone.page.clock.install()
    phone.page.add_init_script(
        """
        window.waits = [];
        const wait = window.setTimeout;
        window.setTimeout = (work, ms) => { window.waits.push(ms); return wait(work, ms); };
        """
    )
    phone.open(started_game())
    phone.page.evaluate("window.waits.length = 0")
    phone.stub.stop_server()
    expected = [1000, 2000, 4000, 8000, 16000, 30000, 30000]
    for number, wait in enumerate(expected, start=1):
        phone.page.wait_for_function("n => window.waits.length >= n", arg=number)
        phone.page.clock.run_for(wait)
    assert phone.page.evaluate("window.waits")[: len(expected)] == expected


def test_a_lost_table_is_not_reported_as_a_lost_connection(phone: Phone) -> None:
    phone.open(started_game())
    phone.stub.lose_table()
    phone.page.wait_for_selector("#link:not([hidden])")
    assert phone.text("#link") == (
        "The table cannot be reached: it is starting, or it was stopped."
    )
    phone.show(started_game("east"))
    assert not phone.is_visible("#link")


def test_a_page_opened_before_the_companion_waits_for_it(phone: Phone) -> None:
    phone.page.clock.install()
    phone.page.route("**/api/words", lambda route: route.abort())
    phone.stub.show(started_game())
    phone.page.goto(phone.stub.url)
    phone.page.unroute("**/api/words")
    phone.page.clock.run_for(2000)
    phone.page.wait_for_selector("body.ready")
    phone.show(started_game("east"))


def test_a_phone_that_wakes_up_reconnects_at_once(phone: Phone) -> None:
    phone.page.clock.install()
    phone.open(started_game())
    hour_later = phone.page.evaluate("Date.now()") + 3_600_000
    phone.page.clock.set_system_time(hour_later)  # no timer runs while a phone sleeps
    with phone.page.expect_request("**/api/events"):
        phone.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    phone.show(started_game("east"))


def test_a_stream_that_died_silently_is_noticed(phone: Phone) -> None:
    """A phone gets no signal of a dead stream: it polls, and sees a change that it missed."""
    phone.page.clock.install()
    phone.open(started_game())
    phone.stub.change_silently(started_game("east"))
    with phone.page.expect_request("**/api/events"):
        phone.page.clock.run_for(50_000)
    phone.page.wait_for_selector('body[data-sequence="2"]')
