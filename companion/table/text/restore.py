"""How the cardboard is put back after BACK, in words. The light of it is in screenplay.py."""

from __future__ import annotations

from companion.games.marrakech import Laid, Paid, Rug, WentOut, square_name
from companion.games.marrakech.actions import Drew, Lay, Pay, Pivot, ReturnRug, Rolled
from companion.i18n.message import Message, message
from companion.table.conversation import Conversation
from companion.table.entries import Act, Face
from companion.table.game import Moment


def put_back_news(conversation: Conversation) -> tuple[Message, ...]:
    """Everything to be put back since the cardboard was last as it should be, in order."""
    return tuple(
        step for moment in conversation.playing.put_back for step in _steps(conversation, moment)
    )


def _steps(conversation: Conversation, taken: Moment) -> tuple[Message, ...]:
    before = taken.before
    assert before is not None
    match taken.told:
        case Face():
            return (message("back.face", facing=before.facing),)
        case Act(Rolled()):
            square = square_name(before.state.assam)
            return (message("back.assam", square=square, facing=before.facing),)
        case Act(Pivot()):
            return (message("back.stands"),)  # he was turned before that: it only agreed to it
        case Act(Pay()):
            return _coins(conversation, taken)
        case Act(Drew() as drew):
            who = conversation.who(before.state.mover)
            return (message("back.drew", player=who, colour=drew.colour),)
        case Act(Lay()):
            return _rug(conversation, taken)
        case Act(ReturnRug()):
            hand = before.state.hand
            assert hand is not None
            return (
                message("back.returned", player=conversation.who(before.state.mover), colour=hand),
            )
    return (message("back.correction"),)


def _coins(conversation: Conversation, taken: Moment) -> tuple[Message, ...]:
    steps: list[Message] = []
    for event in taken.events:
        match event:
            case Paid(payer, owner, _, paid):
                steps.append(
                    message(
                        "back.coins",
                        payer=conversation.who(payer),
                        owner=conversation.who(owner),
                        count=paid,
                    )
                )
            case WentOut(player, returned):
                rugs = sum(count for _, count in returned)
                steps.append(message("back.out", player=conversation.who(player), count=rugs))
    return tuple(steps)


def _rug(conversation: Conversation, taken: Moment) -> tuple[Message, ...]:
    laid = next(event for event in taken.events if isinstance(event, Laid))
    squares = square_name(laid.placement.first), square_name(laid.placement.second)
    lift = message(
        "back.rug",
        player=conversation.who(laid.player),
        colour=laid.rug.colour,
        one=squares[0],
        other=squares[1],
    )
    return (lift, *(_under(on, rug) for on, rug in zip(squares, laid.covers, strict=True)))


def _under(square: str, rug: Rug | None) -> Message:
    if rug is None:
        return message("back.under_nothing", square=square)
    return message("back.under_rug", square=square, colour=rug.colour)
