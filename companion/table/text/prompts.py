"""Messages that say whose turn it is and what to do now."""

from __future__ import annotations

from typing import NamedTuple

from companion.games.marrakech import square_name
from companion.i18n.message import BookletName, Message, PlayerName, message
from companion.table.conversation import Auditing, Conversation, SettingUp, Stage
from companion.table.setup_stages import BOOKLET_CODES


class Prompts(NamedTuple):
    """The title, the instructions and the news that displays show beside the matrix."""

    title: Message
    todo: tuple[Message, ...]
    news: tuple[Message, ...]


def prompts_of(conversation: Conversation) -> Prompts:
    match conversation.activity:
        case SettingUp():
            title = message("title.setup")
        case Auditing():
            title = message("title.audit")
        case _:
            title = _title(conversation)
    return Prompts(title, tuple(_todo(conversation)), conversation.news)


def _title(conversation: Conversation) -> Message:
    stage, state = conversation.stage, conversation.active_game.state
    if stage is Stage.RESUME:
        return message("title.resume")
    if stage is Stage.PUT_BACK:
        return message("title.put_back")
    if stage is not Stage.OVER:
        return message("title.turn", player=conversation.player_name(state.mover))
    winners = [row for row in state.ranking() if row.rank == 1]
    if len(winners) > 1:
        return message("title.shared", count=len(winners))
    score = winners[0].score
    assert score is not None, "the winner is not out"
    return message("title.won", player=conversation.player_name(winners[0].player), count=score)


def _todo(conversation: Conversation) -> list[Message]:
    match conversation.activity:
        case SettingUp() as activity:
            return _todo_setup(activity)
        case Auditing() as activity:
            return _todo_audit(conversation, activity)
    game, state, stage = (
        conversation.active_game,
        conversation.active_game.state,
        conversation.stage,
    )
    mover, facing = conversation.player_name(state.mover), game.now.facing
    match stage:
        case Stage.RESUME:
            resume = message("todo.resume", player=mover)
            if state.is_over:  # and an entry after the end was undone
                resume = message("todo.resume_over")
            return [resume, message("todo.resume_not")]
        case Stage.ORIENT:
            return [_todo_orient(conversation)]
        case Stage.ROLL:
            return [_todo_roll(conversation)]
        case Stage.PAY:
            return _todo_pay(conversation)
        case Stage.DRAW:
            west, east = state.setup.players[state.mover]
            return [message("todo.draw", west=west, east=east)]
        case Stage.LAY:
            assert state.hand is not None
            assert game.aim is not None
            one, other = square_name(game.aim.first), square_name(game.aim.second)
            return [message("todo.lay", colour=state.hand, one=one, other=other)]
        case Stage.RETURN:
            assert state.hand is not None
            return [message("todo.return", colour=state.hand)]
        case Stage.PIVOT:
            may_stay = state.setup.options.pivot == "may"
            return [message("todo.may_pivot" if may_stay else "todo.pivot", facing=facing)]
        case Stage.PUT_BACK:
            back = [message("todo.put_back")]
            return [*back, message("todo.again")] if game.undone else back
    return [*_counts(conversation), message("todo.over")]


def _counts(conversation: Conversation) -> list[Message]:
    """The final count with the winner last, in the order of the count scene."""
    rows: list[Message] = []
    for row in reversed(conversation.active_game.state.ranking()):
        name = conversation.player_name(row.player)
        if row.score is None:
            rows.append(message("count.out", player=name))
        else:
            rows.append(
                message(
                    "count.row",
                    player=name,
                    dirhams=row.dirhams,
                    visible=row.visible,
                    count=row.score,
                )
            )
    return rows


def _todo_orient(conversation: Conversation) -> Message:
    preferences, facing = conversation.preferences, conversation.active_game.now.facing
    if not preferences.ok_rolls:
        return message("todo.orient", facing=facing)
    return message(
        "todo.orient_either" if preferences.has_die_keys else "todo.orient_ok", facing=facing
    )


def _todo_roll(conversation: Conversation) -> Message:
    preferences, facing = conversation.preferences, conversation.active_game.now.facing
    if not preferences.ok_rolls:
        return message("todo.roll", facing=facing)
    return message(
        "todo.roll_either" if preferences.has_die_keys else "todo.roll_ok", facing=facing
    )


def _todo_pay(conversation: Conversation) -> list[Message]:
    state = conversation.active_game.state
    tribute = state.tribute_at(state.assam)
    assert tribute is not None, "phase PAY without tribute"
    payer, owner = conversation.player_name(tribute.payer), conversation.player_name(tribute.owner)
    purse = state.dirhams[tribute.payer]
    if tribute.due <= purse:
        return [message("todo.pay", payer=payer, owner=owner, count=tribute.due)]
    short = message("todo.short", payer=payer, owner=owner, count=tribute.due, purse=purse)
    if state.setup.options.bankruptcy == "out":
        return [short, message("todo.short_out", player=payer)]
    return [short, message("todo.short_spared", player=payer)]


def _todo_setup(activity: SettingUp) -> list[Message]:
    match activity.stage:
        case Stage.PLAYERS:
            return [message("todo.players", count=activity.players)]
        case Stage.BOOKLET:
            number = BOOKLET_CODES.index(activity.booklet) + 1
            order = message("todo.classic")
            if activity.options.turn_order == "pivot-last":
                order = message("todo.pivot_last")
            return [
                message("todo.booklet", number=number, language=BookletName(activity.booklet)),
                order,
            ]
        case Stage.COLOURS:
            name = PlayerName("", activity.seats[activity.seat])
            return [message("todo.colours", seat=activity.seat + 1, player=name)]
    return [
        message("todo.loops_ne_sw")
        if activity.options.loops == "ne-sw"
        else message("todo.loops_nw_se"),
        message("todo.setting", facing=activity.facing),
    ]


def _todo_audit(conversation: Conversation, activity: Auditing) -> list[Message]:
    state, square = conversation.active_game.state, square_name(activity.square)
    name = conversation.player_name(activity.player)
    match activity.stage:
        case Stage.AUDIT_ASSAM:
            return [message("todo.audit_assam", square=square)]
        case Stage.AUDIT_FACING:
            return [message("todo.audit_facing", facing=activity.facing)]
        case Stage.AUDIT_RUGS:
            seen = state.visible(activity.player)
            return [message("todo.audit_rugs", player=name, count=seen)]
        case Stage.AUDIT_DIRHAMS:
            return [message("todo.audit_dirhams", player=name, count=activity.dirhams)]
        case Stage.SQUARE:
            return [message("todo.square", square=square)]
        case Stage.TOP:
            if activity.top is None:
                return [message("todo.top_empty", square=square)]
            return [message("todo.top", square=square, colour=activity.top)]
    assert activity.top is not None
    return [message("todo.join", square=square, colour=activity.top)]
