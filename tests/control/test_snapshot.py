"""The account: plain values that say what the table shows, and have no opinion of their own."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from helpers.table.table_driver import (
    CORNERED,
    TableDriver,
    at,
    begun,
    random_talk,
    random_word,
    said,
)

from companion import __version__
from companion.adapters.pad_health import PadHealth, PadState
from companion.control.snapshot import VERSION, snapshot_of, turn_of
from companion.daemon.controller import TableView
from companion.games.marrakech import Options, position_text
from companion.i18n.message import message
from companion.light.frame import DARK, picture, picture_text
from companion.pad.events import LinkHealth
from companion.pad.messages import Identity
from companion.storage.export import GameExport
from companion.storage.journal_reader import JournalContent
from companion.table.conversation import Stage
from companion.table.scenes.stage_scenes import Link, Status, scene_of, with_status
from companion.table.text.prompts import words_of

# Red owes yellow 3 of his 2 dirhams.
POOR = (
    "......./......./...Y1Y1../...Y2.../...Y2.../......./....... "
    "d4s pay R R:2:11,Y:40:10,B:39:12,N:39:12 -"
)


def account(talk: TableDriver, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - whatever it takes
    return snapshot_of(TableView(talk.conversation, Status()), **more)


def test_a_table_without_a_game_tells_what_is_agreed_on() -> None:
    told = account(TableDriver(names=("Ana", "Bo")).say("south ok ok"))
    assert (told["game"], told["pairing"]) == (None, None)
    assert told["setup"] == {
        "players": 3,
        "booklet": "en",
        "turn_order": "classic",
        "loops": "ne-sw",
        "options": dict(Options().items()),
        "facing": "south",
        "names": ["Ana", "Bo"],
        "seats": [
            {"called": "Red", "colours": ["red"]},
            {"called": "Yellow", "colours": ["yellow"]},
            {"called": "Blue", "colours": ["blue"]},
        ],
    }
    assert (told["stage"], told["title"]) == ("colours", "A new game")
    assert told["todo"][0].startswith("Seat 1: Red.")


def test_the_code_for_phones_is_told_of_and_never_told() -> None:
    view = TableView(TableDriver().conversation, Status(), shows_code=True)
    told = snapshot_of(view)
    assert told["pairing"].startswith("The matrix shows the code for phones, two digits at a time")
    assert told["light"] == snapshot_of(replace(view, shows_code=False))["light"]


def test_a_game_is_told_with_everything_a_page_draws() -> None:
    told = account(begun("east 3 ok", names=("Ana", "", "Cleo", "")), sequence=7, uptime_s=12.34)
    game = told["game"]
    assert told["setup"] is None
    assert {name: told[name] for name in ("version", "companion", "sequence", "uptime_s")} == {
        "version": VERSION,
        "companion": __version__,
        "sequence": 7,
        "uptime_s": 12.3,
    }
    assert game["players"][0] == {
        "name": "Ana",
        "called": "Ana",
        "colours": ["red"],
        "to_play": False,
        "dirhams": 30,
        "visible": 2,
        "score": 32,
        "rank": 1,
        "out": False,
        "rugs": {"red": 11},
    }
    assert [player["called"] for player in game["players"]] == ["Ana", "Yellow", "Cleo", "Brown"]
    assert [player["to_play"] for player in game["players"]] == [False, True, False, False]
    assert game["assam"] == {"square": "g4", "facing": "east"}
    assert game["market"][1][6] == game["market"][2][6] == {"rug": "R1", "colour": "red"}
    assert sum(square is not None for row in game["market"] for square in row) == 2
    assert (game["turn"], game["told"], game["phase"], game["finished"]) == (2, 3, "orient", False)
    assert (game["booklet"], game["loops"], game["hand"]) == ("en", "ne-sw", None)
    assert told["news"] == ["Ana laid a red rug on g2 and g3."]


def test_assam_faces_where_he_was_turned_though_the_die_has_not_committed_it() -> None:
    told = account(begun("east"))
    assert told["game"]["assam"] == {"square": "d4", "facing": "east"}
    assert " d4s orient " in told["game"]["position"]


def test_the_path_and_the_offer_are_there_while_a_rug_is_in_hand() -> None:
    told = account(begun("east 3"))
    assert told["game"]["path"] == ["e4", "f4", "g4"]
    assert told["game"]["hand"] == "red"
    path, lay = told["light"]["shots"]
    assert [mark["meaning"] for mark in path] == ["path", "assam"]
    assert lay[1] == {
        "meaning": "offer",
        "leds": [14, 22],
        "inks": ["red"],
        "number": 0,
        "letters": "",
    }


def test_tribute_is_told_with_its_region_in_counting_order() -> None:
    told = account(at(POOR))
    assert told["game"]["tribute"] == {
        "payer": 0,
        "owner": 1,
        "colour": "yellow",
        "dirhams": 4,
        "region": ["d4", "d3", "d5", "e3"],
    }
    assert told["todo"][0].startswith("Red owes Yellow 4 dirhams and has 2: all of it goes over.")


def test_nothing_is_due_where_it_is_paid_already() -> None:
    """Assam stands on the rug still, and red is about to lay his."""
    told = account(at(POOR.replace("pay", "lay")))
    assert (told["stage"], told["game"]["tribute"]) == ("lay", None)


def test_nobody_is_to_play_when_the_game_is_over() -> None:
    over = f".......{'/.......' * 6} d4s over R R:29:0,Y:28:0,B:31:0,N:31:0 -"
    game = account(at(over))["game"]
    assert game["finished"] is True
    assert not any(player["to_play"] for player in game["players"])


def test_who_is_out_has_no_score() -> None:
    told = account(at(POOR).say("ok"))
    red = told["game"]["players"][0]
    assert (red["out"], red["score"], red["rugs"]) == (True, None, {"red": 0})
    assert told["game"]["tribute"] is None


def test_two_players_have_two_piles_each() -> None:
    told = account(begun("3 west ok", players=2))
    assert told["game"]["players"][0]["called"] == "Red & Yellow"
    assert told["game"]["players"][0]["rugs"] == {"red": 11, "yellow": 12}


def test_what_is_taken_back_is_what_to_do() -> None:
    """As the simulator shows it: how the cardboard is put back comes first."""
    told = account(begun("east 3 back"))
    assert told["stage"] == "put_back"
    assert told["todo"] == [
        "Put Assam back on d4, facing east.",
        "OK when it is put back. BACK or west goes further back.",
        "East tells it again as it was.",
    ]
    assert told["news"] == []


def test_refusals_trouble_and_marks_are_told() -> None:
    talk = begun("3")
    status = Status(is_heard=True, is_unsaved=True, is_simulated=True, link=Link.DOWN)
    view = TableView(
        talk.conversation,
        status,
        message("no.rolled_already"),
        (message("trouble.disk_full"), message("pad.lost")),
    )
    told = snapshot_of(view)
    assert told["simulated"] is True
    assert told["status"] == {"link": "down", "heard": True, "unsaved": True}
    assert told["refused"] == "The die is in already. BACK takes it back."
    assert [line.split(",")[0] for line in told["trouble"]] == [
        "The disk is full",
        "The die pad does not answer: check its cable. Until then",
    ]
    assert [mark["leds"] for mark in told["light"]["rail"][2:]] == [[55], [61], [62], [63]]


def test_the_frame_is_what_the_matrix_was_handed() -> None:
    talk = begun()
    scene = with_status(scene_of(talk.conversation), Status())
    assert account(talk)["light"]["frame"] == picture_text(picture(scene, 0)).split("\n")
    assert account(talk, light=DARK)["light"]["frame"] == ["........"] * 8


def test_the_pad_is_told_of_if_anything_is_known() -> None:
    identity = Identity(1, 5, (1, 2, 3), b"abcd", 0, 9)
    link = LinkHealth(frames=8, lost=1)
    pad = PadHealth(PadState.CONNECTED, "/dev/pad", identity, None, link)
    assert account(TableDriver())["pad"] is None
    told = account(TableDriver(), pad=pad)["pad"]
    assert told | {"frames": None} == {
        "state": "connected",
        "port": "/dev/pad",
        "firmware": "1.2.3",
        "said": None,
        "frames": None,
    }
    assert (told["frames"]["frames"], told["frames"]["lost"]) == (8, 1)
    lost = PadHealth(PadState.LOST, said=message("pad.lost"))
    told = account(TableDriver(), pad=lost)["pad"]
    assert told["firmware"] is None
    assert told["said"].startswith("The die pad does not answer")


# --- Whatever the table is in -------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_every_table_there_is_can_be_told_as_json(seed: int) -> None:
    """And says what the words, the light, the position and the chronicle say."""
    talk, chance = random_talk(seed), Random(seed)
    for _ in range(60):
        word = random_word(chance, talk.stage)
        talk.refused = None
        talk.say(word)
        told = account(talk)
        assert json.loads(json.dumps(told)) == told
        assert told["stage"] == talk.stage.name.lower()
        assert told["title"] == talk.title()
        if talk.stage is not Stage.PUT_BACK:
            assert told["todo"] == said(words_of(talk.conversation).todo)
        if talk.conversation.game is not None:
            assert told["game"]["position"] == position_text(talk.state)
            chronicle = GameExport(JournalContent({}, [], 0), talk.game)
            assert told["game"]["turn"] == chronicle.turns + (not talk.state.is_over)


def test_a_turn_that_is_taken_back_is_not_counted() -> None:
    assert turn_of(begun("3").game) == 1
    assert turn_of(begun("3 ok").game) == 2
    assert turn_of(begun("3 ok back").game) == 1


def test_a_rug_that_can_lie_nowhere_is_in_hand_and_not_offered() -> None:
    told = account(at(CORNERED))
    assert (told["stage"], told["game"]["hand"]) == ("return", "yellow")
    (shot,) = told["light"]["shots"]
    assert [(mark["meaning"], mark["letters"]) for mark in shot] == [("letters", "Y")]
