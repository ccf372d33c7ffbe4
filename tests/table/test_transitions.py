"""The conversation's table is whole, and nothing said at the table gets lost in it."""

from __future__ import annotations

from random import Random

import pytest
from helpers.table.table_driver import (
    INPUTS,
    SPEECH,
    TableDriver,
    at,
    begun,
    changes,
    random_talk,
    random_word,
    written,
)

from companion.games.marrakech import Paid
from companion.games.marrakech.actions import Pay
from companion.i18n.english import ENGLISH
from companion.light.frame import picture, still
from companion.storage.game_store import fingerprint
from companion.table import game as games
from companion.table.conversation import (
    ArchiveGame,
    BeginGame,
    Conversation,
    InputResult,
    Stage,
    resumed,
)
from companion.table.entries import Act, CorrectDirhams, TakeBack, TellAgain, beginning_from_json
from companion.table.game import Game
from companion.table.inputs import Key
from companion.table.scenes.stage_scenes import scene_of
from companion.table.text.prompts import words_of
from companion.table.transitions import COLUMNS, TRANSITIONS

TALKS, INPUTS_EACH = 60, 150


def test_every_stage_answers_every_kind_of_input() -> None:
    assert set(TRANSITIONS) == set(Stage)
    assert sorted(COLUMNS, key=list(Key).index) == list(Key)
    assert {len(row) for row in TRANSITIONS.values()} == {len(Key)}


def test_every_refusal_of_the_table_can_be_said() -> None:
    keys = {cell for row in TRANSITIONS.values() for cell in row if isinstance(cell, str)}
    assert {key for key in keys if key.startswith("no.")} == keys
    assert keys <= set(ENGLISH)


# --- Talk by chance -----------------------------------------------------------------------


class Witness:
    """Sits beside the table and hears everything; `check` holds each answer to its promises."""

    def __init__(self, talk: TableDriver) -> None:
        self.stages: set[Stage] = set()
        self.replayed: Game | None = talk.conversation.game

    def check(self, before: Conversation, answer: InputResult) -> None:
        self.stages.add(before.stage)
        after = answer.conversation
        assert_answered(before, answer)
        self.write_down(answer)
        assert (self.replayed is None) == (after.game is None)
        if self.replayed and after.game:
            assert fingerprint(self.replayed) == fingerprint(after.game)
            assert self.replayed.state == after.game.state
            assert self.replayed.now.path == after.game.now.path
            assert self.replayed.is_putting_back == after.game.is_putting_back
        if before.game and after.game and after.page:
            assert_money_moves_by_its_rules(before.game, after.game, answer)

    def write_down(self, answer: InputResult) -> None:
        """As the disk would: through plain values and text, and told again."""
        for note in answer.notes:
            match note:
                case BeginGame(beginning):
                    assert beginning_from_json(beginning.plain()) == beginning
                    self.replayed = games.begin(beginning_from_json(beginning.plain()))
                case ArchiveGame():
                    self.replayed = None
                case told:
                    assert self.replayed is not None
                    assert written(told) == told
                    self.replayed = games.tell(self.replayed, written(told))


def assert_answered(before: Conversation, answer: InputResult) -> None:
    """Either it is refused and nothing changes, or something does that players can see or read."""
    after = answer.conversation
    if answer.refused is not None:
        assert after is before
        assert not answer.notes
        assert SPEECH.say(answer.refused)
        return
    assert (after.page, after.game) != (before.page, before.game)
    assert scene_of(after) != scene_of(before) or words_of(after) != words_of(before)


def assert_money_moves_by_its_rules(before: Game, after: Game, answer: InputResult) -> None:
    had, has = before.state.dirhams, after.state.dirhams
    if answer.notes[:1] == (Act(Pay()),):
        (paid,) = [event for event in after.now.events if isinstance(event, Paid)]
        expected = list(had)
        expected[paid.payer] -= paid.paid
        expected[paid.owner] += paid.paid
        assert list(has) == expected
        assert paid.paid == min(paid.due, had[paid.payer])
    elif not any(isinstance(n, CorrectDirhams | TakeBack | TellAgain) for n in answer.notes):
        assert had == has
    assert min(has) >= 0


def assert_said_and_drawn(conversation: Conversation) -> None:
    words = words_of(conversation)
    for one in (words.title, *words.todo, *words.news):
        text = SPEECH.say(one)
        assert text
        assert "{" not in text
    assert words.todo
    scene = scene_of(conversation)
    for time in changes(scene, 5000):
        picture(scene, time)
    still(scene)


@pytest.mark.parametrize("seed", range(TALKS))
def test_whatever_is_said_is_answered_kept_and_shown(seed: int) -> None:
    """Any input at any time: no fault, no silence, the same game from the disk, and no dirham lost.

    An input is answered if it is refused in words, or if the light or the words change by it.
    """
    chance, talk = Random(f"talk {seed}"), random_talk(seed)
    witness = Witness(talk)
    for _ in range(INPUTS_EACH):
        before = talk.conversation
        answer = talk.hear(INPUTS[random_word(chance, talk.stage)])
        witness.check(before, answer)
        if chance.random() < 0.2:
            assert_said_and_drawn(answer.conversation)


def test_talk_by_chance_comes_to_every_stage() -> None:
    """So that the test above has been everywhere."""
    reached: set[Stage] = set()
    for seed in range(TALKS):
        chance, talk = Random(f"talk {seed}"), random_talk(seed)
        for _ in range(INPUTS_EACH):
            reached.add(talk.stage)
            talk.hear(INPUTS[random_word(chance, talk.stage)])
    assert reached == set(Stage)


def test_a_whole_game_is_played_with_ok_and_the_die_alone() -> None:
    """Four players, twelve rugs each; whoever goes out has fewer."""
    talk = begun()
    chance = Random(5)
    for _ in range(400):
        if talk.stage is Stage.OVER:
            break
        talk.say(str(chance.choice((1, 2, 2, 3, 3, 4))) if talk.stage is Stage.ORIENT else "ok")
    assert talk.stage is Stage.OVER
    assert all(talk.state.rugs_left(seat) == 0 for seat in range(4))
    assert talk.news()[-1] == "The game is over."


def test_a_game_from_the_disk_goes_on_exactly_where_it_was() -> None:
    """Also in the middle of putting back, with what was taken back still to be told again."""
    talk = begun("3 east ok east 2 back back")
    replayed = games.begin(talk.game.beginning)
    for told in talk.told:
        replayed = games.tell(replayed, written(told))
    other = TableDriver(resumed(talk.conversation.customs, replayed))
    assert other.stage is Stage.RESUME
    other.say("ok")
    assert (other.stage, other.news()) == (Stage.PUT_BACK, talk.news())
    assert other.say("east east").state == talk.say("east east").state


@pytest.mark.parametrize(
    ("stage", "words", "why"),
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
def test_what_is_not_allowed_now_is_refused_with_its_reason(
    stage: str, words: str, why: str
) -> None:
    talk = begun(words)
    assert (talk.stage.name, talk.why) == (stage, why)


def test_the_game_that_is_over_is_put_away_by_ok_and_by_back_held() -> None:
    position = "/".join(["." * 7] * 7) + " d4s over R R:30:0,Y:31:0,B:30:0,N:29:0 -"
    for word in ("ok", "pause"):
        talk = at(position, word)
        assert (talk.stage, talk.notes) == (Stage.PLAYERS, [ArchiveGame()])
        assert talk.news() == ["The game is in the archive."]


def test_a_game_is_put_away_by_holding_back_twice_and_no_sooner() -> None:
    talk = begun("3 pause")
    assert (talk.stage, len(talk.notes)) == (Stage.RESUME, 1)
    assert talk.say("pause").notes[1:] == [ArchiveGame()]
    assert talk.news() == ["The game is in the archive, not finished."]
    assert talk.conversation.game is None
