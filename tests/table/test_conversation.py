"""The conversation and its stage."""

from __future__ import annotations

import pytest
from helpers.table.table_driver import CORNERED, game_at, started_game

from companion.table.conversation import Stage


def test_reading_the_stage_generates_no_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every input and every scene reads the stage, so it must be cheap."""
    to_lay, to_return = started_game("3"), game_at(CORNERED)

    def fail(_: object) -> None:
        raise AssertionError("moves were generated")

    monkeypatch.setattr("companion.table.game.legal_actions", fail)
    assert to_lay.stage is Stage.LAY
    assert to_return.stage is Stage.RETURN
