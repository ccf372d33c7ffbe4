"""Messages that say how to put the cardboard back after an undo."""

from __future__ import annotations

from companion.games.marrakech import Laid, Paid, Rug, WentOut, square_name
from companion.games.marrakech.actions import Drew, Lay, Pay, Pivot, ReturnRug, Rolled
from companion.i18n.message import Message, message
from companion.table.conversation import Conversation
from companion.table.entries import Act, Face
from companion.table.game import Moment


def restore_messages(conversation: Conversation) -> tuple[Message, ...]:
    """How to put back everything that was undone since the cardboard was last right, in order."""
    return tuple(
        one
        for moment in conversation.active_game.to_restore
        for one in _messages(conversation, moment)
    )


def _messages(conversation: Conversation, undone: Moment) -> tuple[Message, ...]:
    before = undone.before
    assert before is not None
    match undone.entry:
        case Face():
            return (message("back.face", facing=before.facing),)
        case Act(Rolled()):
            square = square_name(before.state.assam)
            return (message("back.assam", square=square, facing=before.facing),)
        case Act(Pivot()):
            return (message("back.stands"),)  # an earlier `Face` turned him, this committed it
        case Act(Pay()):
            return _coin_messages(conversation, undone)
        case Act(Drew() as drew):
            name = conversation.player_name(before.state.mover)
            return (message("back.drew", player=name, colour=drew.colour),)
        case Act(Lay()):
            return _rug_messages(conversation, undone)
        case Act(ReturnRug()):
            hand = before.state.hand
            assert hand is not None
            name = conversation.player_name(before.state.mover)
            return (message("back.returned", player=name, colour=hand),)
    return (message("back.correction"),)


def _coin_messages(conversation: Conversation, undone: Moment) -> tuple[Message, ...]:
    messages: list[Message] = []
    for event in undone.events:
        match event:
            case Paid(payer, owner, _, paid):
                messages.append(
                    message(
                        "back.coins",
                        payer=conversation.player_name(payer),
                        owner=conversation.player_name(owner),
                        count=paid,
                    )
                )
            case WentOut(player, returned):
                rugs = sum(count for _, count in returned)
                name = conversation.player_name(player)
                messages.append(message("back.out", player=name, count=rugs))
    return tuple(messages)


def _rug_messages(conversation: Conversation, undone: Moment) -> tuple[Message, ...]:
    laid = next(event for event in undone.events if isinstance(event, Laid))
    squares = square_name(laid.placement.first), square_name(laid.placement.second)
    lift = message(
        "back.rug",
        player=conversation.player_name(laid.player),
        colour=laid.rug.colour,
        one=squares[0],
        other=squares[1],
    )
    return (lift, *(_under_message(on, rug) for on, rug in zip(squares, laid.covers, strict=True)))


def _under_message(square: str, rug: Rug | None) -> Message:
    if rug is None:
        return message("back.under_nothing", square=square)
    return message("back.under_rug", square=square, colour=rug.colour)
