"""Handlers of the audit: players compare the recorded position with the cardboard and correct it.

Steps: Assam's square, his facing, then each player's visible rugs and dirhams. OK confirms, a
direction corrects, BACK goes one step back, OK held leaves. Corrections are journal entries and can
be undone.
"""

from __future__ import annotations

from dataclasses import replace

from companion.errors import SettingError
from companion.games.marrakech import Colour, Facing
from companion.games.marrakech.market import SIZE, STRIDES
from companion.games.marrakech.setup import DIRHAMS_IN_BOX
from companion.i18n.message import message
from companion.table.conversation import (
    Auditing,
    Conversation,
    InputResult,
    Playing,
    RandomSource,
    Stage,
)
from companion.table.entries import CorrectAssam, CorrectDirhams, Correction, CorrectSquare
from companion.table.inputs import Input
from companion.table.play_stages import accept, refuse
from companion.table.text.restore import restore_messages

COINS = {Facing.NORTH: 1, Facing.SOUTH: -1, Facing.EAST: 5, Facing.WEST: -5}
"""Dirhams that a direction adds. The coins of the box are worth 1 and 5."""


def _activity(conversation: Conversation) -> Auditing:
    assert isinstance(conversation.activity, Auditing)
    return conversation.activity


def _with_activity(conversation: Conversation, activity: Auditing) -> InputResult:
    return InputResult(replace(conversation, activity=activity))


# --- Steps --------------------------------------------------------------------------------


def start_audit(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    state = conversation.active_game.state
    activity = Auditing(Stage.AUDIT_ASSAM, state.assam, conversation.active_game.now.facing)
    return _with_activity(replace(conversation, news=()), activity)


def leave(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    news = (message("news.audit_left"), *restore_messages(conversation))
    return InputResult(replace(conversation, activity=Playing(), news=news))


def next_step(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    """OK: the shown value is right. If it was changed, record a correction."""
    activity = _activity(conversation)
    correction = _correction(conversation)
    if correction is None:
        result = InputResult(replace(conversation, news=()))
    else:
        result = accept(conversation, correction)
    return replace(result, conversation=_step(result.conversation, activity, 1))


def previous_step(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    activity = _activity(conversation)
    if activity.stage is Stage.AUDIT_ASSAM:
        return leave(conversation, table_input, random_source)
    return InputResult(_step(replace(conversation, news=()), activity, -1))


def _correction(conversation: Conversation) -> Correction | None:
    activity, game = _activity(conversation), conversation.active_game
    if activity.stage is Stage.AUDIT_ASSAM and activity.square != game.state.assam:
        return CorrectAssam(activity.square, game.state.facing)
    if activity.stage is Stage.AUDIT_FACING and activity.facing is not game.now.facing:
        return CorrectAssam(game.state.assam, activity.facing)
    if (
        activity.stage is Stage.AUDIT_DIRHAMS
        and activity.dirhams != game.state.dirhams[activity.player]
    ):
        return CorrectDirhams(activity.player, activity.dirhams)
    return None


def _step(conversation: Conversation, activity: Auditing, by: int) -> Conversation:
    """Go to the next step, or to the previous one. After the last step the game continues."""
    state = conversation.active_game.state
    seats = range(len(state.setup.players))
    steps = [(Stage.AUDIT_ASSAM, 0), (Stage.AUDIT_FACING, 0)]
    for seat in seats:
        steps.append((Stage.AUDIT_RUGS, seat))
        if seat not in state.out:
            steps.append((Stage.AUDIT_DIRHAMS, seat))
    at = steps.index((activity.stage, activity.player)) + by
    if at == len(steps):
        total = sum(state.dirhams)
        usual = state.setup.dirhams * len(seats)
        news = message("news.audit_done")
        if total != usual:
            news = message("news.audit_dirhams", count=total, usual=usual)
        news_now = (*conversation.news, news, *restore_messages(conversation))
        return replace(conversation, activity=Playing(), news=news_now)
    stage, player = steps[at]
    following = Auditing(
        stage, state.assam, conversation.active_game.now.facing, player, state.dirhams[player]
    )
    return replace(conversation, activity=following)


# --- Assam and dirhams --------------------------------------------------------------------


def move_assam(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    return _move(conversation, table_input)


def turn_assam(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    assert table_input.facing is not None
    activity = _activity(conversation)
    if table_input.facing is activity.facing:
        return refuse(conversation, message("no.faces_already", facing=table_input.facing))
    return _with_activity(conversation, replace(activity, facing=table_input.facing))


def change_dirhams(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    assert table_input.facing is not None
    activity = _activity(conversation)
    dirhams = activity.dirhams + COINS[table_input.facing]
    purses = conversation.active_game.state.dirhams
    others = sum(purses) - purses[activity.player]
    if dirhams < 0:
        return refuse(conversation, message("no.dirhams_below"))
    if dirhams + others > DIRHAMS_IN_BOX:
        return refuse(conversation, message("no.dirhams", box=DIRHAMS_IN_BOX, others=others))
    return _with_activity(conversation, replace(activity, dirhams=dirhams))


def _move(conversation: Conversation, table_input: Input) -> InputResult:
    assert table_input.facing is not None
    activity = _activity(conversation)
    y, x = divmod(activity.square, SIZE)
    across, down = STRIDES[table_input.facing]
    x, y = x + across, y + down
    if not (0 <= x < SIZE and 0 <= y < SIZE):
        return refuse(conversation, message("no.edge"))
    return _with_activity(conversation, replace(activity, square=y * SIZE + x))


# --- Square by square ---------------------------------------------------------------------


def choose_square(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    """A direction means that the rugs differ. The cursor starts at Assam."""
    return _with_activity(conversation, replace(_activity(conversation), stage=Stage.SQUARE))


def move_cursor(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    return _move(conversation, table_input)


def close_squares(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    return _with_activity(conversation, replace(_activity(conversation), stage=Stage.AUDIT_RUGS))


def open_square(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    activity = _activity(conversation)
    rug = conversation.active_game.state.rug_on(activity.square)
    top = activity.top if activity.stage is Stage.JOIN else rug.colour if rug else None
    return _with_activity(conversation, replace(activity, stage=Stage.TOP, top=top))


def close_square(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    return _with_activity(conversation, replace(_activity(conversation), stage=Stage.SQUARE))


def change_top(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    activity = _activity(conversation)
    played = conversation.active_game.state.setup.players
    tops: list[Colour | None] = [None, *sorted(c for colours in played for c in colours)]
    by = 1 if table_input.facing in (Facing.NORTH, Facing.EAST) else -1
    return _with_activity(
        conversation, replace(activity, top=tops[(tops.index(activity.top) + by) % len(tops)])
    )


def accept_top(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    """Record an empty square, or go on to the rug's other half."""
    activity = _activity(conversation)
    if activity.top is None:
        return _correct(conversation, CorrectSquare(activity.square, None))
    return _with_activity(conversation, replace(activity, stage=Stage.JOIN))


def join(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    """The other half is visible on the square in that direction."""
    activity = _activity(conversation)
    moved = _move(conversation, table_input)
    if moved.refusal:
        return moved
    return _correct(
        conversation,
        CorrectSquare(activity.square, activity.top, _activity(moved.conversation).square),
    )


def keep_half(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    """OK: the other half is covered or unknown."""
    activity = _activity(conversation)
    return _correct(conversation, CorrectSquare(activity.square, activity.top))


def _correct(conversation: Conversation, correction: CorrectSquare) -> InputResult:
    try:
        corrected = accept(conversation, correction)
    except SettingError:  # more rugs than were laid
        assert correction.colour is not None
        return refuse(conversation, message("no.rugs_left", colour=correction.colour))
    activity = replace(_activity(conversation), stage=Stage.SQUARE)
    if corrected.conversation.active_game.state == conversation.active_game.state:
        return _with_activity(conversation, activity)  # nothing changed
    return replace(corrected, conversation=replace(corrected.conversation, activity=activity))
