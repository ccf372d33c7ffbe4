"""What just happened, as messages."""

from __future__ import annotations

from companion.games.marrakech import (
    Drawn,
    Ended,
    Event,
    Laid,
    Paid,
    Pivoted,
    Returned,
    Walked,
    WentOut,
    square_name,
)
from companion.i18n.message import Message, message
from companion.table.conversation import Conversation
from companion.table.entries import Act, CorrectAssam, CorrectDirhams, CorrectSquare, Entry, Face


def news_of(conversation: Conversation, told: Entry) -> tuple[Message, ...]:
    """What came of telling this, in the conversation as it is now."""
    match told:
        case Act(_, is_electronic):
            found = [
                _event(conversation, event, is_electronic)
                for event in conversation.playing.now.events
            ]
            return tuple(one for one in found if one is not None)
        case Face(facing):
            return (message("news.faces", facing=facing),)
        case CorrectAssam(square):
            facing = conversation.playing.now.facing
            return (message("news.corrected_assam", square=square_name(square), facing=facing),)
        case CorrectDirhams(player, dirhams):
            who = conversation.who(player)
            return (message("news.corrected_dirhams", player=who, count=dirhams),)
        case CorrectSquare(square, colour, other):
            return (_corrected_square(CorrectSquare(square, colour, other)),)
    return ()


def _corrected_square(told: CorrectSquare) -> Message:
    square = square_name(told.square)
    if told.colour is None:
        return message("news.corrected_empty", square=square)
    if told.other is None:
        return message("news.corrected_half", square=square, colour=told.colour)
    other = square_name(told.other)
    return message("news.corrected_rug", square=square, other=other, colour=told.colour)


def _event(conversation: Conversation, event: Event, is_electronic: bool) -> Message | None:
    who = conversation.who
    match event:
        case Walked(player, path):
            square, facing = path[-1]
            return message(
                "news.walked_electronic" if is_electronic else "news.walked",
                player=who(player),
                count=len(path),
                square=square_name(square),
                facing=facing,
            )
        case Paid(payer, owner, due, paid):
            if paid < due:
                return message(
                    "news.paid_short", payer=who(payer), owner=who(owner), count=paid, due=due
                )
            return message("news.paid", payer=who(payer), owner=who(owner), count=paid)
        case WentOut(player):
            return message("news.out", player=who(player))
        case Drawn(player, colour):
            return message("news.drew", player=who(player), colour=colour)
        case Laid(player, rug, placement):
            return message(
                "news.laid",
                player=who(player),
                colour=rug.colour,
                one=square_name(placement.first),
                other=square_name(placement.second),
            )
        case Returned(player, rug):
            return message("news.returned", player=who(player), colour=rug.colour)
        case Pivoted(player, facing):
            return message("news.pivoted", player=who(player), facing=facing)
        case Ended():
            return message("news.over")
    return None
