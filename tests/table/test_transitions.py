"""The transition table is complete, and every input has a visible result."""

from __future__ import annotations

from random import Random

import pytest
from helpers.table.table_driver import (
    INPUTS,
    RENDERER,
    TableDriver,
    changes,
    game_at,
    random_driver,
    random_input,
    round_trip,
    started_game,
)

from companion.games.marrakech import Paid
from companion.games.marrakech.actions import Pay
from companion.i18n.english import ENGLISH
from companion.light.frame import render_frame, still_frame
from companion.storage.game_store import fingerprint
from companion.table import game as games
from companion.table.conversation import (
    ArchiveGame,
    BeginGame,
    Conversation,
    InputResult,
    Stage,
    resumed_conversation,
)
from companion.table.entries import Act, CorrectDirhams, Redo, Undo, beginning_from_json
from companion.table.game import Game
from companion.table.inputs import InputKind
from companion.table.scenes.stage_scenes import scene_of
from companion.table.text.prompts import prompts_of
from companion.table.transitions import COLUMNS, TRANSITIONS

DRIVERS, INPUTS_EACH = 60, 150


def test_every_stage_answers_every_kind_of_input() -> None:
    assert set(TRANSITIONS) == set(Stage)
    assert sorted(COLUMNS, key=list(InputKind).index) == list(InputKind)
    assert {len(row) for row in TRANSITIONS.values()} == {len(InputKind)}


def test_every_refusal_has_a_message() -> None:
    keys = {cell for row in TRANSITIONS.values() for cell in row if isinstance(cell, str)}
    assert {key for key in keys if key.startswith("no.")} == keys
    assert keys <= set(ENGLISH)


# --- Random inputs ------------------------------------------------------------------------


class ReplayChecker:
    """Replays the stored commands beside the table, and checks every result."""

    def __init__(self, driver: TableDriver) -> None:
        self.stages: set[Stage] = set()
        self.replayed: Game | None = driver.conversation.game

    def check(self, before: Conversation, result: InputResult) -> None:
        self.stages.add(before.stage)
        after = result.conversation
        assert_visible_result(before, result)
        self.replay(result)
        assert (self.replayed is None) == (after.game is None)
        if self.replayed and after.game:
            assert fingerprint(self.replayed) == fingerprint(after.game)
            assert self.replayed.state == after.game.state
            assert self.replayed.now.path == after.game.now.path
            assert self.replayed.is_restoring == after.game.is_restoring
        if before.game and after.game and after.activity:
            assert_only_payments_and_corrections_move_money(before.game, after.game, result)

    def replay(self, result: InputResult) -> None:
        """Replay the stored commands through their JSON form."""
        for command in result.commands:
            match command:
                case BeginGame(beginning):
                    assert beginning_from_json(beginning.to_json()) == beginning
                    self.replayed = games.start_game(beginning_from_json(beginning.to_json()))
                case ArchiveGame():
                    self.replayed = None
                case entry:
                    assert self.replayed is not None
                    assert round_trip(entry) == entry
                    self.replayed = games.apply_entry(self.replayed, round_trip(entry))


def assert_visible_result(before: Conversation, result: InputResult) -> None:
    """Either it is refused and nothing changes, or the scene or the prompts change."""
    after = result.conversation
    if result.refusal is not None:
        assert after is before
        assert not result.commands
        assert RENDERER.render(result.refusal)
        return
    assert (after.activity, after.game) != (before.activity, before.game)
    assert scene_of(after) != scene_of(before) or prompts_of(after) != prompts_of(before)


def assert_only_payments_and_corrections_move_money(
    before: Game, after: Game, result: InputResult
) -> None:
    had, has = before.state.dirhams, after.state.dirhams
    if result.commands[:1] == (Act(Pay()),):
        (paid,) = [event for event in after.now.events if isinstance(event, Paid)]
        expected = list(had)
        expected[paid.payer] -= paid.paid
        expected[paid.owner] += paid.paid
        assert list(has) == expected
        assert paid.paid == min(paid.due, had[paid.payer])
    elif not any(isinstance(n, CorrectDirhams | Undo | Redo) for n in result.commands):
        assert had == has
    assert min(has) >= 0


def assert_prompts_and_scene_render(conversation: Conversation) -> None:
    prompts = prompts_of(conversation)
    for one in (prompts.title, *prompts.todo, *prompts.news):
        text = RENDERER.render(one)
        assert text
        assert "{" not in text
    assert prompts.todo
    scene = scene_of(conversation)
    for time in changes(scene, 5000):
        render_frame(scene, time)
    still_frame(scene)


@pytest.mark.parametrize("seed", range(DRIVERS))
def test_every_random_input_has_a_result_and_is_stored_and_shown(seed: int) -> None:
    """Any input at any time: no exception, the same game after a replay, and no dirham lost.

    It is refused with a message, or it changes the scene or the prompts.
    """
    random, driver = Random(f"inputs {seed}"), random_driver(seed)
    checker = ReplayChecker(driver)
    for _ in range(INPUTS_EACH):
        before = driver.conversation
        result = driver.handle(INPUTS[random_input(random, driver.stage)])
        checker.check(before, result)
        if random.random() < 0.2:
            assert_prompts_and_scene_render(result.conversation)


def test_random_inputs_reach_every_stage() -> None:
    """So the test above covers every stage."""
    reached: set[Stage] = set()
    for seed in range(DRIVERS):
        random, driver = Random(f"inputs {seed}"), random_driver(seed)
        for _ in range(INPUTS_EACH):
            reached.add(driver.stage)
            driver.handle(INPUTS[random_input(random, driver.stage)])
    assert reached == set(Stage)


def test_a_whole_game_can_be_played_with_ok_and_the_die_alone() -> None:
    """Four players with twelve rugs each, fewer for players who go out."""
    driver = started_game()
    random = Random(5)
    for _ in range(400):
        if driver.stage is Stage.OVER:
            break
        driver.press(
            str(random.choice((1, 2, 2, 3, 3, 4))) if driver.stage is Stage.ORIENT else "ok"
        )
    assert driver.stage is Stage.OVER
    assert all(driver.state.rugs_left(seat) == 0 for seat in range(4))
    assert driver.news()[-1] == "The game is over."


def test_a_replayed_game_continues_exactly_where_it_was() -> None:
    """Including while restoring, with entries left to redo."""
    driver = started_game("3 east ok east 2 back back")
    replayed = games.start_game(driver.game.beginning)
    for entry in driver.entries:
        replayed = games.apply_entry(replayed, round_trip(entry))
    other = TableDriver(resumed_conversation(driver.conversation.preferences, replayed))
    assert other.stage is Stage.RESUME
    other.press("ok")
    assert (other.stage, other.news()) == (Stage.PUT_BACK, driver.news())
    assert other.press("east east").state == driver.press("east east").state


@pytest.mark.parametrize(
    ("stage", "inputs", "why"),
    [
        ("RESUME", "pause north", "no.resume_first"),
        ("RESUME", "pause back", "no.hold_back_longer"),
        ("RESUME", "pause 3", "no.resume_first"),
        ("ORIENT", "ok", "no.roll_first"),
        ("ORIENT", "back", "no.nothing_told"),
        ("ORIENT", "north", "no.behind"),
        ("ORIENT", "south", "no.faces_already"),
        ("LAY", "3 2", "no.rolled_already"),
        ("LAY", "3 roll", "no.rolled_already"),
        ("PUT_BACK", "3 back north", "no.putting_back"),
        ("PUT_BACK", "3 ok back 2", "no.putting_back"),
        ("AUDIT_ASSAM", "audit pause", "no.leave_audit"),
        ("AUDIT_ASSAM", "audit 1", "no.leave_audit"),
    ],
)
def test_an_input_that_is_not_allowed_now_is_refused_with_its_reason(
    stage: str, inputs: str, why: str
) -> None:
    driver = started_game(inputs)
    assert (driver.stage.name, driver.refusal_key) == (stage, why)


def test_ok_and_back_held_archive_a_game_that_is_over() -> None:
    position = "/".join(["." * 7] * 7) + " d4s over R R:30:0,Y:31:0,B:30:0,N:29:0 -"
    for word in ("ok", "pause"):
        driver = game_at(position, word)
        assert (driver.stage, driver.commands) == (Stage.PLAYERS, [ArchiveGame()])
        assert driver.news() == ["The game is in the archive."]


def test_an_unfinished_game_is_archived_by_holding_back_twice() -> None:
    driver = started_game("3 pause")
    assert (driver.stage, len(driver.commands)) == (Stage.RESUME, 1)
    assert driver.press("pause").commands[1:] == [ArchiveGame()]
    assert driver.news() == ["The game is in the archive, not finished."]
    assert driver.conversation.game is None
