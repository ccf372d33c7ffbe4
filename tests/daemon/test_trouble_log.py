"""The journal of the system hears of each trouble once, and once when it is gone."""

from __future__ import annotations

from dataclasses import replace

from companion.daemon.controller import TableView
from companion.daemon.trouble_log import TroubleLog
from companion.i18n.message import message
from companion.table.conversation import Preferences, fresh
from companion.table.scenes.stage_scenes import Status

FULL = message("trouble.disk_full")
LOST = message("pad.lost")
VIEW = TableView(fresh(Preferences()), Status())


def test_each_trouble_is_said_when_it_comes_and_when_it_is_gone() -> None:
    said: list[str] = []
    log = TroubleLog(said.append)
    for trouble in ((), (LOST,), (LOST,), (FULL, LOST), (FULL,), (), (LOST,)):
        log.hear(replace(VIEW, trouble=trouble))
    words = [line.split(":")[0].split(",")[0] for line in said]
    assert words == [
        "The die pad does not answer",
        "The disk is full",
        "No longer",
        "No longer",
        "The die pad does not answer",
    ]
    assert "No longer: The die pad does not answer: check its cable." in said[2]
    assert "No longer: The disk is full" in said[3]
