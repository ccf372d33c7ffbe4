"""The log has one line for each problem, and one when it is gone."""

from __future__ import annotations

from dataclasses import replace

from helpers.captured_log import captured_log

from companion.daemon.trouble_log import TroubleLog
from companion.i18n.message import message
from companion.table.conversation import Preferences, new_conversation
from companion.table.scenes.stage_scenes import RailStatus
from companion.table.view import TableView

DISK_FULL = message("trouble.disk_full")
PAD_LOST = message("pad.lost")
VIEW = TableView(new_conversation(Preferences()), RailStatus())


def test_each_problem_is_logged_when_it_appears_and_when_it_is_gone() -> None:
    log = TroubleLog()
    with captured_log() as lines:
        for trouble in (
            (),
            (PAD_LOST,),
            (PAD_LOST,),
            (DISK_FULL, PAD_LOST),
            (DISK_FULL,),
            (),
            (PAD_LOST,),
        ):
            log.handle_view(replace(VIEW, trouble=trouble))
    assert [line.split(":")[0].split(",")[0] for line in lines] == [
        "The die pad does not answer",
        "The disk is full",
        "No longer",
        "No longer",
        "The die pad does not answer",
    ]
    assert "No longer: The die pad does not answer: check its cable." in lines[2]
    assert "No longer: The disk is full" in lines[3]
