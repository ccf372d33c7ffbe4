"""What the table says now: whose turn it is and what to do, as messages."""

from __future__ import annotations

from typing import NamedTuple

from companion.games.marrakech import square_name
from companion.i18n.message import Book, Message, Who, message
from companion.table.conversation import Auditing, Conversation, SettingUp, Stage
from companion.table.setup_stages import BOOKLET_CODES


class Words(NamedTuple):
    """What a screen beside the matrix shows."""

    title: Message
    todo: tuple[Message, ...]
    news: tuple[Message, ...]


def words_of(conversation: Conversation) -> Words:
    match conversation.page:
        case SettingUp():
            title = message("title.setup")
        case Auditing():
            title = message("title.audit")
        case _:
            title = _title(conversation)
    return Words(title, tuple(_todo(conversation)), conversation.news)


def _title(conversation: Conversation) -> Message:
    stage, state = conversation.stage, conversation.playing.state
    if stage is Stage.RESUME:
        return message("title.resume")
    if stage is Stage.PUT_BACK:
        return message("title.put_back")
    if stage is not Stage.OVER:
        return message("title.turn", player=conversation.who(state.mover))
    winners = [row for row in state.ranking() if row.rank == 1]
    if len(winners) > 1:
        return message("title.shared", count=len(winners))
    score = winners[0].score
    assert score is not None, "the winner is not out"
    return message("title.won", player=conversation.who(winners[0].player), count=score)


def _todo(conversation: Conversation) -> list[Message]:
    match conversation.page:
        case SettingUp() as page:
            return _todo_setup(page)
        case Auditing() as page:
            return _todo_audit(conversation, page)
    game, state, stage = conversation.playing, conversation.playing.state, conversation.stage
    who, facing = conversation.who(state.mover), game.now.facing
    match stage:
        case Stage.RESUME:
            go_on = message("todo.resume", player=who)
            if state.is_over:  # and something told after that was taken back
                go_on = message("todo.resume_over")
            return [go_on, message("todo.resume_not")]
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
    """The final count, the winner last, as the light tells it."""
    rows: list[Message] = []
    for row in reversed(conversation.playing.state.ranking()):
        who = conversation.who(row.player)
        if row.score is None:
            rows.append(message("count.out", player=who))
        else:
            rows.append(
                message(
                    "count.row",
                    player=who,
                    dirhams=row.dirhams,
                    visible=row.visible,
                    count=row.score,
                )
            )
    return rows


def _todo_orient(conversation: Conversation) -> Message:
    customs, facing = conversation.customs, conversation.playing.now.facing
    if not customs.ok_rolls:
        return message("todo.orient", facing=facing)
    return message(
        "todo.orient_either" if customs.has_keys_too else "todo.orient_ok", facing=facing
    )


def _todo_roll(conversation: Conversation) -> Message:
    customs, facing = conversation.customs, conversation.playing.now.facing
    if not customs.ok_rolls:
        return message("todo.roll", facing=facing)
    return message("todo.roll_either" if customs.has_keys_too else "todo.roll_ok", facing=facing)


def _todo_pay(conversation: Conversation) -> list[Message]:
    state = conversation.playing.state
    tribute = state.tribute_at(state.assam)
    assert tribute is not None, "phase PAY without tribute"
    payer, owner = conversation.who(tribute.payer), conversation.who(tribute.owner)
    purse = state.dirhams[tribute.payer]
    if tribute.due <= purse:
        return [message("todo.pay", payer=payer, owner=owner, count=tribute.due)]
    short = message("todo.short", payer=payer, owner=owner, count=tribute.due, purse=purse)
    if state.setup.options.bankruptcy == "out":
        return [short, message("todo.short_out", player=payer)]
    return [short, message("todo.short_spared", player=payer)]


def _todo_setup(page: SettingUp) -> list[Message]:
    match page.stage:
        case Stage.PLAYERS:
            return [message("todo.players", count=page.players)]
        case Stage.BOOKLET:
            number = BOOKLET_CODES.index(page.booklet) + 1
            order = message("todo.classic")
            if page.options.turn_order == "pivot-last":
                order = message("todo.pivot_last")
            return [message("todo.booklet", number=number, language=Book(page.booklet)), order]
        case Stage.COLOURS:
            who = Who("", page.seats[page.seat])
            return [message("todo.colours", seat=page.seat + 1, player=who)]
    return [
        message("todo.loops_ne_sw")
        if page.options.loops == "ne-sw"
        else message("todo.loops_nw_se"),
        message("todo.setting", facing=page.facing),
    ]


def _todo_audit(conversation: Conversation, page: Auditing) -> list[Message]:
    state, square = conversation.playing.state, square_name(page.square)
    who = conversation.who(page.player)
    match page.stage:
        case Stage.AUDIT_ASSAM:
            return [message("todo.audit_assam", square=square)]
        case Stage.AUDIT_FACING:
            return [message("todo.audit_facing", facing=page.facing)]
        case Stage.AUDIT_RUGS:
            seen = state.visible(page.player)
            return [message("todo.audit_rugs", player=who, count=seen)]
        case Stage.AUDIT_DIRHAMS:
            return [message("todo.audit_dirhams", player=who, count=page.dirhams)]
        case Stage.SQUARE:
            return [message("todo.square", square=square)]
        case Stage.TOP:
            if page.top is None:
                return [message("todo.top_empty", square=square)]
            return [message("todo.top", square=square, colour=page.top)]
    assert page.top is not None
    return [message("todo.join", square=square, colour=page.top)]
