"""What the page says of the table: what to do, who has what, what it costs."""

from __future__ import annotations

from random import Random

from helpers.page.page_stub import play_on
from helpers.page.phone import Phone
from helpers.rules.sample_positions import OUT, OWED
from helpers.table.table_driver import INPUTS, TableDriver, at, begun

from companion.i18n.message import message
from companion.table.conversation import Stage

NAMES = ("Amina", "Bruno", "Chloé", "Dan")
HOSTILE = ("<img src=x onerror=alert(1)>", "{why}", "&amp;", "null")


WALK = "back ok audit ok ok north ok ok ok back back ok ok audit pause"


def figures(phone: Phone, seat: int) -> dict[str, str]:
    player = f"#players > li:nth-child({seat})"
    names = phone.texts(f"{player} dt")
    groups = phone.find(f"{player} dl > div")
    values = [
        " ".join(groups.nth(index).locator("dd").all_inner_texts())
        for index in range(groups.count())
    ]
    return dict(zip(names, values, strict=True))


def test_what_to_do_and_what_happened_stand_in_words(phone: Phone) -> None:
    phone.open(begun("east 3 ok", names=NAMES))
    assert phone.text("#title") == "Bruno: your turn"
    assert phone.texts("#todo li") == [
        "Assam faces east. Turn him left or right or leave him, then press what the die shows."
    ]
    assert phone.texts("#news li") == ["Amina laid a red rug on g2 and g3."]
    assert not phone.sees("#refused")


def test_a_refusal_says_why_and_goes_with_the_next_thing(phone: Phone) -> None:
    talk = begun("east 3")
    phone.open(talk)
    phone.show(talk.say("2"))
    assert phone.sees("#refused")
    assert phone.text("#refused") == "Refused: The die is in already. BACK takes it back."
    assert phone.find("#refused").get_attribute("role") == "alert"
    talk.refused = None
    phone.show(talk.say("ok"))
    assert not phone.sees("#refused")


def test_words_that_stay_are_left_alone_and_so_not_read_out_again(phone: Phone) -> None:
    phone.open(begun())
    phone.page.evaluate(
        """() => {
            window.changes = 0;
            const seen = new MutationObserver((all) => { window.changes += all.length; });
            const spoken = document.querySelector("[aria-live]");
            seen.observe(spoken, { childList: true, characterData: true, subtree: true });
        }"""
    )
    phone.show(begun())
    assert phone.page.evaluate("window.changes") == 0
    phone.show(begun("east"))
    assert phone.page.evaluate("window.changes") > 0


def test_players_are_told_with_money_halves_score_and_rugs(phone: Phone) -> None:
    phone.open(begun("east 3 ok", names=NAMES))
    assert phone.texts("#players .called") == list(NAMES)
    assert figures(phone, 1) == {"Dirhams": "30", "Halves": "2", "Score": "32", "Rugs left": "11"}
    assert phone.texts("#players .remark") == ["to play"]
    assert phone.text("#players .to-play .called") == "Bruno"


def test_two_players_have_two_piles_each(phone: Phone) -> None:
    phone.open(begun(players=2))
    assert phone.texts("#players .called") == ["Red & Yellow", "Blue & Brown"]
    piles = phone.find("#players > li:nth-child(1) .rugs dd").all_text_contents()
    assert piles == ["12red", "12yellow"]
    assert phone.find("#players > li:nth-child(1) h3 .swatch").count() == 2


def test_who_is_out_has_no_score(phone: Phone) -> None:
    phone.open(at(OUT))
    assert phone.texts("#players .remark") == ["to play", "out"]
    assert figures(phone, 4)["Score"] == "–"


def test_a_name_is_text_whatever_it_looks_like(phone: Phone) -> None:
    phone.open(begun("east 3 ok", names=HOSTILE))
    assert phone.texts("#players .called") == list(HOSTILE)
    assert phone.find("img").count() == 0
    assert phone.text("#title") == "{why}: your turn"


def test_a_payment_is_told_in_coins_with_advice_for_change(phone: Phone) -> None:
    phone.open(at(OWED))
    assert phone.texts("#payment .party") == ["Red", "Yellow"]
    assert phone.text("#payment .amount") == "8 dirhams"
    assert phone.text("#payment .sum") == "5 + 1 + 1 + 1"
    assert phone.find("#payment .coin text").all_text_contents() == ["5", "1", "1", "1"]
    assert phone.text("#payment .advice") == "Too few 1s? Give 10 and take 2 back."
    phone.show(at(OWED, "ok"))
    assert not phone.sees("#payment")


def test_of_an_empty_purse_no_coins_are_shown(phone: Phone) -> None:
    owed = (
        "......./......./..Y1Y1.../......./......./......./....... "
        "c3s pay R R:0:11,Y:60:11,B:30:12,N:30:12 -"
    )
    phone.open(at(owed))
    assert phone.text("#todo").startswith("Red ")
    assert not phone.sees("#payment")


def test_before_the_roll_every_way_has_its_odds(phone: Phone) -> None:
    phone.open(begun("east 3 ok", names=NAMES))
    rows = phone.texts("#odds tbody tr")
    assert rows == [
        "↑ north 2 red g3 2 red g2 free g1 free g1 1.00",
        "→ east free g5 free f5 free e5 free d5 0.00",
        "↓ south free g5 free g6 free g7 free f7 0.00",
    ]
    assert phone.texts("#odds .current th") == ["→ east"]
    phone.show(begun("east 3"))
    assert not phone.sees("#odds")


def test_the_final_count_is_a_table_the_winner_first(phone: Phone) -> None:
    over = (
        "R1R1...../.....Y1./.....Y1./......./......./......./....... "
        "d4s over R R:30:0,Y:31:0,B:29:0,N:out -"
    )
    phone.open(at(over))
    assert phone.texts("#final tbody tr") == [
        "1 Yellow 31 2 33",
        "2 Red 30 2 32",
        "3 Blue 29 0 29",
        "– Brown 0 0 out",
    ]
    assert phone.texts("#final .winner th") == ["Yellow"]


def test_what_is_wrong_with_the_companion_is_said(phone: Phone) -> None:
    phone.open(begun(), trouble=(message("trouble.matrix", reason="no answer"),))
    assert phone.texts("#trouble li") == [
        "The matrix cannot be written to (no answer): check its wires and its supply."
    ]


def test_simulated_is_marked_as_simulated(phone: Phone) -> None:
    phone.open(begun(), is_simulated=True)
    assert phone.text("#simulated") == "SIMULATED: nobody sits at this table"
    phone.show(begun(), is_simulated=False)
    assert not phone.sees("#simulated")


def test_every_stage_of_a_game_can_be_drawn(phone: Phone) -> None:
    """Set-up, turns of two with piles, BACK and the audit: nothing is missing or wrong."""
    talk = TableDriver(players=2)
    phone.open(talk)
    chance = Random(5)
    seen = {talk.stage}
    for stage in (Stage.SETTING, Stage.LAY, Stage.PAY, Stage.ORIENT):
        play_on(talk, chance, stage)
        phone.show(talk)
        seen.add(talk.stage)
    for word in WALK.split():
        talk.hear(INPUTS[word])  # some of it may be refused, and that is drawn as well
        phone.show(talk)
        seen.add(talk.stage)
    assert len(seen) >= 12
    assert phone.find("#market .assam").count() == 1
