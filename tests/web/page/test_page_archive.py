"""The history, archive and standings views."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from helpers.page.page_stub import play_on
from helpers.page.phone import Phone
from helpers.storage.game_folder import BEGUN, damage, play
from helpers.storage.stored_games import SET_UP
from helpers.table.table_driver import started_game
from playwright.sync_api import Route

from companion.table.conversation import Stage

NAMES = ("Amina", "<b>Bruno</b>", "Chloé", "Dan")


def play_whole_game(folder: Path, seed: int) -> None:
    words = play_on(started_game(), Random(seed), Stage.OVER)
    play(folder, f"{SET_UP} {' '.join(words)} ok", names=NAMES)


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A finished game in the archive, and a current game with a rug that was taken back."""
    play_whole_game(tmp_path, 21)
    play(tmp_path, f"{SET_UP} east 3 ok back ok", names=NAMES)
    return tmp_path


def caption(phone: Phone) -> str:
    return phone.text(".replay .moment")


def wait_for_rugs(phone: Phone, count: int) -> None:
    phone.page.wait_for_function(
        "n => document.querySelectorAll('.replay .market .rug').length === n", arg=count
    )


def test_the_history_marks_undone_moments(phone: Phone, played: Path) -> None:
    phone.open(started_game()).go("history")
    assert phone.texts(".moments li")[-2:] == [
        "Turn 1 Amina rolled 3: Assam walks to g4 and faces east.",
        "Turn 1 Amina laid a red rug on g2 and g3. taken back",
    ]
    assert caption(phone) == "Amina rolled 3: Assam walks to g4 and faces east."


def test_any_moment_can_be_shown(phone: Phone, played: Path) -> None:
    phone.open(started_game()).go("history")
    phone.find(".replay").get_by_role("button", name="Later").click()
    assert caption(phone) == "Taken back later: Amina laid a red rug on g2 and g3."
    wait_for_rugs(phone, 1)
    slider = phone.page.get_by_role("slider", name="Moment of the game")
    slider.fill("0")
    assert caption(phone) == "The game begins, by the booklet: English."
    wait_for_rugs(phone, 0)
    slider.press("ArrowRight")
    assert caption(phone) == "Assam faces east."
    assert slider.get_attribute("aria-valuetext") == "Assam faces east."


def test_a_late_answer_does_not_replace_a_newer_moment(phone: Phone, played: Path) -> None:
    phone.open(started_game()).go("history")
    held: list[Route] = []
    phone.page.route("**/api/history/3", lambda route: held.append(route))
    phone.find(".moments button").nth(3).click()
    phone.page.wait_for_selector(".moments .current:last-child")
    phone.find(".moments button").nth(0).click()
    (late,) = held
    with phone.page.expect_response("**/api/history/0"):
        late.continue_()
    wait_for_rugs(phone, 0)


def test_without_a_game_the_history_says_so(phone: Phone) -> None:
    phone.open(started_game()).go("history")
    assert phone.text("#view-history p") == "No game is being played."


def test_games_are_listed_with_their_winners(phone: Phone, played: Path) -> None:
    phone.open(started_game()).go("games")
    (game,) = phone.texts(".games li")
    assert game == (
        "Won by Amina Amina 46 · <b>Bruno</b> 32 · Chloé 43 · Dan 40 Game 1 · 1 Mar 2026, 20:14"
    )


def test_a_game_has_its_count_its_scores_and_its_files(phone: Phone, played: Path) -> None:
    phone.open(started_game()).go("games")
    phone.find(".games a").click()
    phone.page.wait_for_selector("#view-games .chart")
    assert phone.texts("#view-games .count tbody tr")[0] == "1 Amina 36 10 46"
    assert phone.find("#view-games .chart .score").count() == 4
    chart = phone.find("#view-games .chart").get_attribute("aria-label")
    assert chart == "Scores over the game. Amina: 46. <b>Bruno</b>: 32. Chloé: 43. Dan: 40."
    for name in ("record.txt", "table.png", "table.svg"):
        with phone.page.expect_download() as download:
            phone.find(f'.actions [href$="{name}"]').click()
        assert download.value.path().stat().st_size > 500
    wait_for_rugs(phone, 30)
    phone.page.get_by_role("link", name="All games").click()
    phone.page.wait_for_selector(".games")


def test_a_damaged_game_is_listed_as_damaged(phone: Phone, played: Path) -> None:
    damaged = played / "archive" / "0001.jsonl"
    damaged.write_bytes(b"nothing of a game\n" * 3)
    phone.open(started_game()).go("games")
    (game,) = phone.texts(".games li")
    assert game.startswith("Game 1 This game is damaged: ")


def test_a_damaged_game_has_no_downloads(phone: Phone, played: Path) -> None:
    """Its intact part is shown, but a record or a picture would look complete."""
    damage(played / "archive" / "0001.jsonl", 40)
    phone.open(started_game()).go("games")
    (game,) = phone.texts(".games li")
    assert game.startswith("Not finished Amina ")
    assert "This game is damaged: " in game
    phone.find(".games a").click()
    phone.page.wait_for_selector("#view-games .moments")
    assert phone.text("#view-games .refused").startswith("This game is damaged: ")
    assert phone.find("#view-games .actions").count() == 0


def test_standings_of_simulated_games_are_marked(phone: Phone, tmp_path: Path) -> None:
    words = play_on(started_game(), Random(21), Stage.OVER)
    about = {"begun": BEGUN, "simulated": True}
    play(tmp_path, f"{SET_UP} {' '.join(words)} ok", about, names=NAMES)
    phone.open(started_game()).go("standings")
    assert phone.text("#view-standings p") == (
        "These games were simulated: no others have been finished yet."
    )
    assert phone.texts("#view-standings tbody th") == [
        f"{name} simulated" for name in ("Amina", "Chloé", "Dan", "<b>Bruno</b>")
    ]


def test_standings_sum_up_all_games(phone: Phone, tmp_path: Path) -> None:
    play_whole_game(tmp_path, 21)
    play_whole_game(tmp_path, 21)
    phone.open(started_game()).go("standings")
    assert phone.texts("#view-standings tbody tr") == [
        "Amina 2 2 46.0 46",
        "Chloé 2 0 43.0 43",
        "Dan 2 0 40.0 40",
        "<b>Bruno</b> 2 0 32.0 32",
    ]
    assert phone.find("#view-standings p").count() == 0


def test_the_final_count_has_a_chart_of_scores(phone: Phone, tmp_path: Path) -> None:
    driver = started_game(names=NAMES)
    words = play_on(driver, Random(21), Stage.OVER)
    play(tmp_path, f"{SET_UP} {' '.join(words)}", names=NAMES)
    phone.open(driver)
    phone.page.wait_for_selector("#final .chart")
    ends = phone.find("#final .chart .end").all_text_contents()
    *usual, long = [end.replace("\u2068", "").replace("\u2069", "") for end in ends]
    assert usual == ["Amina 46", "Chloé 43", "Dan 40"]
    assert long.startswith("<b>B")  # the font decides how much fits
    assert long.endswith("… 32")


def test_empty_views_say_so(phone: Phone) -> None:
    phone.open(started_game()).go("games")
    assert phone.text("#view-games p") == "No game has been put away yet."
    phone.go("standings")
    assert phone.text("#view-standings p") == ("No game with named players has been finished yet.")
