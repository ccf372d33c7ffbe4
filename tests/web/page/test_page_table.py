"""The table view: prompts, players, payments, odds and troubles."""

from __future__ import annotations

from random import Random

from helpers.page.page_stub import play_on
from helpers.page.phone import Phone
from helpers.rules.sample_positions import OUT, OWED
from helpers.table.table_driver import INPUTS, TableDriver, game_at, started_game

from companion.i18n.message import message
from companion.table.conversation import Stage

NAMES = ("Amina", "Bruno", "Chloé", "Dan")
HOSTILE = ("<img src=x onerror=alert(1)>", "{why}", "&amp;", "null")

UNDO_AND_AUDIT = "back ok audit ok ok north ok ok ok back back ok ok audit pause"


def figures(phone: Phone, seat: int) -> dict[str, str]:
    player = f"#players > li:nth-child({seat})"
    names = phone.texts(f"{player} dt")
    groups = phone.find(f"{player} dl > div")
    values = [
        " ".join(groups.nth(index).locator("dd").all_inner_texts())
        for index in range(groups.count())
    ]
    return dict(zip(names, values, strict=True))


def test_prompts_and_news_are_shown(phone: Phone) -> None:
    phone.open(started_game("east 3 ok", names=NAMES))
    assert phone.text("#title") == "Bruno: your turn"
    assert phone.texts("#todo li") == [
        "Assam faces east. Turn him left or right or leave him, then press what the die shows."
    ]
    assert phone.texts("#news li") == ["Amina laid a red rug on g2 and g3."]
    assert not phone.is_visible("#refused")


def test_a_refusal_is_shown_until_the_next_input(phone: Phone) -> None:
    driver = started_game("east 3")
    phone.open(driver)
    phone.show(driver.press("2"))
    assert phone.is_visible("#refused")
    assert phone.text("#refused") == "Refused: The die is in already. BACK takes it back."
    assert phone.find("#refused").get_attribute("role") == "alert"
    driver.refusal = None
    phone.show(driver.press("ok"))
    assert not phone.is_visible("#refused")


def test_unchanged_text_is_not_announced_again(phone: Phone) -> None:
    phone.open(started_game())
    phone.page.evaluate(
        """() => {
            window.changes = 0;
            const seen = new MutationObserver((all) => { window.changes += all.length; });
            const spoken = document.querySelector("[aria-live]");
            seen.observe(spoken, { childList: true, characterData: true, subtree: true });
        }"""
    )
    phone.show(started_game())
    assert phone.page.evaluate("window.changes") == 0
    phone.show(started_game("east"))
    assert phone.page.evaluate("window.changes") > 0


def test_players_have_money_halves_score_and_rugs(phone: Phone) -> None:
    phone.open(started_game("east 3 ok", names=NAMES))
    assert phone.texts("#players .called") == list(NAMES)
    assert figures(phone, 1) == {"Dirhams": "30", "Halves": "2", "Score": "32", "Rugs left": "11"}
    assert phone.texts("#players .remark") == ["to play"]
    assert phone.text("#players .to-play .called") == "Bruno"


def test_two_players_have_two_piles_each(phone: Phone) -> None:
    phone.open(started_game(players=2))
    assert phone.texts("#players .called") == ["Red & Yellow", "Blue & Brown"]
    piles = phone.find("#players > li:nth-child(1) .rugs dd").all_text_contents()
    assert piles == ["12red", "12yellow"]
    assert phone.find("#players > li:nth-child(1) h3 .swatch").count() == 2


def test_a_player_who_is_out_has_no_score(phone: Phone) -> None:
    phone.open(game_at(OUT))
    assert phone.texts("#players .remark") == ["to play", "out"]
    assert figures(phone, 4)["Score"] == "–"


def test_a_name_is_never_markup(phone: Phone) -> None:
    phone.open(started_game("east 3 ok", names=HOSTILE))
    assert phone.texts("#players .called") == list(HOSTILE)
    assert phone.find("img").count() == 0
    assert phone.text("#title") == "{why}: your turn"


def test_a_payment_is_shown_in_coins_with_advice(phone: Phone) -> None:
    phone.open(game_at(OWED))
    assert phone.texts("#payment .party") == ["Red", "Yellow"]
    assert phone.text("#payment .amount") == "8 dirhams"
    assert phone.text("#payment .sum") == "5 + 1 + 1 + 1"
    assert phone.find("#payment .coin text").all_text_contents() == ["5", "1", "1", "1"]
    assert phone.text("#payment .advice") == "Too few 1s? Give 10 and take 2 back."
    phone.show(game_at(OWED, "ok"))
    assert not phone.is_visible("#payment")


def test_no_coins_are_shown_for_a_player_without_money(phone: Phone) -> None:
    owed = (
        "......./......./..Y1Y1.../......./......./......./....... "
        "c3s pay R R:0:11,Y:60:11,B:30:12,N:30:12 -"
    )
    phone.open(game_at(owed))
    assert phone.text("#todo").startswith("Red ")
    assert not phone.is_visible("#payment")


def test_every_direction_has_odds_before_the_roll(phone: Phone) -> None:
    phone.open(started_game("east 3 ok", names=NAMES))
    rows = phone.texts("#odds tbody tr")
    assert rows == [
        "↑ north 2 red g3 2 red g2 free g1 free g1 1.00",
        "→ east free g5 free f5 free e5 free d5 0.00",
        "↓ south free g5 free g6 free g7 free f7 0.00",
    ]
    assert phone.texts("#odds .current th") == ["→ east"]
    phone.show(started_game("east 3"))
    assert not phone.is_visible("#odds")


def test_the_final_count_lists_the_winner_first(phone: Phone) -> None:
    over = (
        "R1R1...../.....Y1./.....Y1./......./......./......./....... "
        "d4s over R R:30:0,Y:31:0,B:29:0,N:out -"
    )
    phone.open(game_at(over))
    assert phone.texts("#final tbody tr") == [
        "1 Yellow 31 2 33",
        "2 Red 30 2 32",
        "3 Blue 29 0 29",
        "– Brown 0 0 out",
    ]
    assert phone.texts("#final .winner th") == ["Yellow"]


def test_troubles_are_shown(phone: Phone) -> None:
    phone.open(started_game(), trouble=(message("trouble.matrix", reason="no answer"),))
    assert phone.texts("#trouble li") == [
        "The matrix cannot be written to (no answer): check its wires and its supply."
    ]


def test_a_simulated_table_is_marked(phone: Phone) -> None:
    phone.open(started_game(), is_simulated=True)
    assert phone.text("#simulated") == "SIMULATED: nobody sits at this table"
    phone.show(started_game(), is_simulated=False)
    assert not phone.is_visible("#simulated")


def test_every_stage_of_a_game_can_be_drawn(phone: Phone) -> None:
    """Set-up, turns with two piles, BACK and the audit are drawn without errors."""
    driver = TableDriver(players=2)
    phone.open(driver)
    random = Random(5)
    seen = {driver.stage}
    for stage in (Stage.SETTING, Stage.LAY, Stage.PAY, Stage.ORIENT):
        play_on(driver, random, stage)
        phone.show(driver)
        seen.add(driver.stage)
    for name in UNDO_AND_AUDIT.split():
        driver.handle(INPUTS[name])  # some inputs are refused, which is drawn as well
        phone.show(driver)
        seen.add(driver.stage)
    assert len(seen) >= 12
    assert phone.find("#market .assam").count() == 1
