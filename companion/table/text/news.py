"""Messages that report what an entry did."""

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


def news_of(conversation: Conversation, entry: Entry) -> tuple[Message, ...]:
    """What this entry did. `conversation` is the one after it."""
    match entry:
        case Act(_, is_electronic):
            messages = [
                _event_message(conversation, event, is_electronic)
                for event in conversation.active_game.now.events
            ]
            return tuple(one for one in messages if one is not None)
        case Face(facing):
            return (message("news.faces", facing=facing),)
        case CorrectAssam(square):
            facing = conversation.active_game.now.facing
            return (message("news.corrected_assam", square=square_name(square), facing=facing),)
        case CorrectDirhams(player, dirhams):
            name = conversation.player_name(player)
            return (message("news.corrected_dirhams", player=name, count=dirhams),)
        case CorrectSquare():
            return (_square_message(entry),)
    return ()


def _square_message(correction: CorrectSquare) -> Message:
    square = square_name(correction.square)
    if correction.colour is None:
        return message("news.corrected_empty", square=square)
    if correction.other is None:
        return message("news.corrected_half", square=square, colour=correction.colour)
    other = square_name(correction.other)
    return message("news.corrected_rug", square=square, other=other, colour=correction.colour)


def _event_message(conversation: Conversation, event: Event, is_electronic: bool) -> Message | None:
    name = conversation.player_name
    match event:
        case Walked(player, path):
            square, facing = path[-1]
            return message(
                "news.walked_electronic" if is_electronic else "news.walked",
                player=name(player),
                count=len(path),
                square=square_name(square),
                facing=facing,
            )
        case Paid(payer, owner, due, paid):
            if paid < due:
                return message(
                    "news.paid_short", payer=name(payer), owner=name(owner), count=paid, due=due
                )
            return message("news.paid", payer=name(payer), owner=name(owner), count=paid)
        case WentOut(player):
            return message("news.out", player=name(player))
        case Drawn(player, colour):
            return message("news.drew", player=name(player), colour=colour)
        case Laid(player, rug, placement):
            return message(
                "news.laid",
                player=name(player),
                colour=rug.colour,
                one=square_name(placement.first),
                other=square_name(placement.second),
            )
        case Returned(player, rug):
            return message("news.returned", player=name(player), colour=rug.colour)
        case Pivoted(player, facing):
            return message("news.pivoted", player=name(player), facing=facing)
        case Ended():
            return message("news.over")
    return None
