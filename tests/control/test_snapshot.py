"""Snapshots: the table's public state as JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from helpers.table.table_driver import (
    CORNERED,
    TableDriver,
    game_at,
    random_driver,
    random_input,
    rendered,
    started_game,
)

from companion import __version__
from companion.adapters.pad_health import PadHealth, PadState
from companion.control.snapshot import VERSION, snapshot_of, turn_of
from companion.games.marrakech import Options, position_text
from companion.i18n.message import message
from companion.light.frame import DARK, frame_text, render_frame
from companion.pad.events import LinkHealth
from companion.pad.messages import Identity
from companion.storage.export import GameExport
from companion.storage.journal_reader import JournalContent
from companion.table.conversation import Stage
from companion.table.scenes.stage_scenes import LinkState, RailStatus, scene_of, with_status
from companion.table.text.prompts import prompts_of
from companion.table.view import TableView

# Red owes yellow 3 of his 2 dirhams.
POOR = (
    "......./......./...Y1Y1../...Y2.../...Y2.../......./....... "
    "d4s pay R R:2:11,Y:40:10,B:39:12,N:39:12 -"
)


def snapshot(driver: TableDriver, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - passed on
    return dict(snapshot_of(TableView(driver.conversation, RailStatus()), **more))


def test_a_table_without_a_game_has_its_set_up() -> None:
    table = snapshot(TableDriver(names=("Ana", "Bo")).press("south ok ok"))
    assert (table["game"], table["pairing"]) == (None, None)
    assert table["setup"] == {
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
    assert (table["stage"], table["title"]) == ("colours", "A new game")
    assert table["todo"][0].startswith("Seat 1: Red.")


def test_the_pairing_code_is_mentioned_but_not_revealed() -> None:
    view = TableView(TableDriver().conversation, RailStatus(), shows_code=True)
    table: dict[str, Any] = dict(snapshot_of(view))
    assert table["pairing"].startswith("The matrix shows the code for phones, two digits at a time")
    assert table["light"] == snapshot_of(replace(view, shows_code=False))["light"]


def test_a_game_has_everything_that_a_page_draws() -> None:
    table = snapshot(
        started_game("east 3 ok", names=("Ana", "", "Cleo", "")), sequence=7, uptime_s=12.34
    )
    game = table["game"]
    assert table["setup"] is None
    assert {name: table[name] for name in ("version", "companion", "sequence", "uptime_s")} == {
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
    assert table["news"] == ["Ana laid a red rug on g2 and g3."]


def test_assam_faces_where_he_was_turned_before_the_die_commits_it() -> None:
    table = snapshot(started_game("east"))
    assert table["game"]["assam"] == {"square": "d4", "facing": "east"}
    assert " d4s orient " in table["game"]["position"]


def test_the_path_and_the_offered_place_are_shown_while_a_rug_is_in_hand() -> None:
    table = snapshot(started_game("east 3"))
    assert table["game"]["path"] == ["e4", "f4", "g4"]
    assert table["game"]["hand"] == "red"
    path, lay = table["light"]["shots"]
    assert [mark["meaning"] for mark in path] == ["path", "assam"]
    assert lay[1] == {
        "meaning": "offer",
        "leds": [14, 22],
        "inks": ["red"],
        "number": 0,
        "letters": "",
    }


def test_a_tribute_has_its_region_in_counting_order() -> None:
    table = snapshot(game_at(POOR))
    assert table["game"]["tribute"] == {
        "payer": 0,
        "owner": 1,
        "colour": "yellow",
        "dirhams": 4,
        "region": ["d4", "d3", "d5", "e3"],
    }
    assert table["todo"][0].startswith("Red owes Yellow 4 dirhams and has 2: all of it goes over.")


def test_a_paid_tribute_is_not_shown() -> None:
    """Assam still stands on the rug, and red lays a rug next."""
    table = snapshot(game_at(POOR.replace("pay", "lay")))
    assert (table["stage"], table["game"]["tribute"]) == ("lay", None)


def test_nobody_is_to_play_in_a_finished_game() -> None:
    over = f".......{'/.......' * 6} d4s over R R:29:0,Y:28:0,B:31:0,N:31:0 -"
    game = snapshot(game_at(over))["game"]
    assert game["finished"] is True
    assert not any(player["to_play"] for player in game["players"])


def test_a_player_who_is_out_has_no_score() -> None:
    table = snapshot(game_at(POOR).press("ok"))
    red = table["game"]["players"][0]
    assert (red["out"], red["score"], red["rugs"]) == (True, None, {"red": 0})
    assert table["game"]["tribute"] is None


def test_two_players_have_two_piles_each() -> None:
    table = snapshot(started_game("3 west ok", players=2))
    assert table["game"]["players"][0]["called"] == "Red & Yellow"
    assert table["game"]["players"][0]["rugs"] == {"red": 11, "yellow": 12}


def test_after_back_the_prompts_say_how_to_restore_the_board() -> None:
    """As in the simulator: what to put back comes first."""
    table = snapshot(started_game("east 3 back"))
    assert table["stage"] == "put_back"
    assert table["todo"] == [
        "Put Assam back on d4, facing east.",
        "OK when it is put back. BACK or west goes further back.",
        "East tells it again as it was.",
    ]
    assert table["news"] == []


def test_refusals_problems_and_marks_are_in_the_snapshot() -> None:
    driver = started_game("3")
    status = RailStatus(is_pending=True, is_unsaved=True, is_simulated=True, link=LinkState.DOWN)
    view = TableView(
        driver.conversation,
        status,
        message("no.rolled_already"),
        (message("trouble.disk_full"), message("pad.lost")),
    )
    table: dict[str, Any] = dict(snapshot_of(view))
    assert table["simulated"] is True
    assert table["status"] == {"link": "down", "heard": True, "unsaved": True}
    assert table["refused"] == "The die is in already. BACK takes it back."
    assert [line.split(",")[0] for line in table["trouble"]] == [
        "The disk is full",
        "The die pad does not answer: check its cable. Until then",
    ]
    assert [mark["leds"] for mark in table["light"]["rail"][2:]] == [[55], [61], [62], [63]]


def test_the_frame_is_the_one_given_or_the_first_of_the_scene() -> None:
    driver = started_game()
    scene = with_status(scene_of(driver.conversation), RailStatus())
    assert snapshot(driver)["light"]["frame"] == frame_text(render_frame(scene, 0)).split("\n")
    assert snapshot(driver, light=DARK)["light"]["frame"] == ["........"] * 8


def test_the_pad_is_in_the_snapshot_if_there_is_one() -> None:
    identity = Identity(1, 5, (1, 2, 3), b"abcd", 0, 9)
    link = LinkHealth(frames=8, lost=1)
    pad = PadHealth(PadState.CONNECTED, "/dev/pad", identity, None, link)
    assert snapshot(TableDriver())["pad"] is None
    pad_snapshot = snapshot(TableDriver(), pad=pad)["pad"]
    assert pad_snapshot | {"frames": None} == {
        "state": "connected",
        "port": "/dev/pad",
        "firmware": "1.2.3",
        "said": None,
        "frames": None,
    }
    assert (pad_snapshot["frames"]["frames"], pad_snapshot["frames"]["lost"]) == (8, 1)
    lost = PadHealth(PadState.LOST, message=message("pad.lost"))
    pad_snapshot = snapshot(TableDriver(), pad=lost)["pad"]
    assert pad_snapshot["firmware"] is None
    assert pad_snapshot["said"].startswith("The die pad does not answer")


# --- Random tables ------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_snapshots_of_random_tables_are_json_and_agree_with_their_sources(seed: int) -> None:
    """The sources are the prompts, the position and the export."""
    driver, rng = random_driver(seed), Random(seed)
    for _ in range(60):
        word = random_input(rng, driver.stage)
        driver.refusal = None
        driver.press(word)
        table = snapshot(driver)
        assert json.loads(json.dumps(table)) == table
        assert table["stage"] == driver.stage.name.lower()
        assert table["title"] == driver.title()
        if driver.stage is not Stage.PUT_BACK:
            assert table["todo"] == rendered(prompts_of(driver.conversation).todo)
        if driver.conversation.game is not None:
            assert table["game"]["position"] == position_text(driver.state)
            export = GameExport(JournalContent({}, [], 0), driver.game)
            assert table["game"]["turn"] == export.turns + (not driver.state.is_over)


def test_a_turn_that_is_taken_back_is_not_counted() -> None:
    assert turn_of(started_game("3").game) == 1
    assert turn_of(started_game("3 ok").game) == 2
    assert turn_of(started_game("3 ok back").game) == 1


def test_a_rug_without_a_legal_place_is_in_hand_and_not_offered() -> None:
    table = snapshot(game_at(CORNERED))
    assert (table["stage"], table["game"]["hand"]) == ("return", "yellow")
    (shot,) = table["light"]["shots"]
    assert [(mark["meaning"], mark["letters"]) for mark in shot] == [("letters", "Y")]
