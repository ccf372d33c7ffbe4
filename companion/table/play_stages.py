"""A turn, BACK and the end: what the inputs of a game in play come to."""

from __future__ import annotations

from dataclasses import replace

from companion.errors import IllegalActionError
from companion.games.marrakech import Drew, Facing, Lay, Pay, Phase, Pivot, ReturnRug, Rolled
from companion.i18n.message import Message, message
from companion.table.conversation import (
    ArchiveGame,
    Chance,
    Conversation,
    InputResult,
    Playing,
    Resuming,
    fresh,
)
from companion.table.entries import Act, Aim, Entry, Face, Ready, TakeBack, TellAgain
from companion.table.game import facings, tell
from companion.table.inputs import Input, Key
from companion.table.rug_navigation import steer
from companion.table.text.news import news_of
from companion.table.text.restore import put_back_news


def answer(conversation: Conversation, told: Entry) -> InputResult:
    """Tell the game something that is allowed, and say what came of it."""
    customs, page = conversation.customs, conversation.page
    game = tell(conversation.playing, told)
    news = news_of(Conversation(customs, page, game), told)
    return InputResult(Conversation(customs, page, game, news), (told,))


def refuse(conversation: Conversation, why: Message) -> InputResult:
    return InputResult(conversation, refused=why)


# --- Orient and roll ----------------------------------------------------------------------


def face(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    """A direction button turns Assam to that direction; the one behind him is refused."""
    assert told.facing is not None
    game = conversation.playing
    if told.facing not in facings(game.state):
        return refuse(conversation, message("no.behind", facing=told.facing))
    if told.facing is game.now.facing:
        return refuse(conversation, message("no.faces_already", facing=told.facing))
    return answer(conversation, Face(told.facing))


def roll(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    """The number of a die key, or one that the pad has rolled, or the companion rolls."""
    if told.key is Key.DIE:
        return answer(conversation, Act(Rolled(told.pips)))
    return answer(conversation, Act(Rolled(told.pips or chance.roll()), is_electronic=True))


def ok_before_roll(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    if conversation.customs.ok_rolls:
        return roll(conversation, told, chance)
    return refuse(conversation, message("no.roll_first"))


# --- Pay, draw, lay, pivot ----------------------------------------------------------------


def pay(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    return answer(conversation, Act(Pay()))


def draw(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    """West is the colour shown in the west, east the one in the east."""
    state = conversation.playing.state
    west, east = state.setup.players[state.mover]
    if told.facing not in (Facing.WEST, Facing.EAST):
        return refuse(conversation, message("no.draw", west=west, east=east))
    return answer(conversation, Act(Drew(west if told.facing is Facing.WEST else east)))


def ok_before_draw(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    state = conversation.playing.state
    west, east = state.setup.players[state.mover]
    return refuse(conversation, message("no.draw", west=west, east=east))


def aim(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    game = conversation.playing
    assert game.aim is not None
    assert told.facing is not None
    found = steer(game.offered(), game.aim, told.facing)
    if found is None:
        return refuse(conversation, message("no.placement_there", facing=told.facing))
    return answer(conversation, Aim(found))


def lay(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    place = conversation.playing.aim
    assert place is not None
    return answer(conversation, Act(Lay(place.first, place.second)))


def return_rug(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    return answer(conversation, Act(ReturnRug()))


def pivot(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    try:
        return answer(conversation, Act(Pivot(conversation.playing.now.facing)))
    except IllegalActionError:  # he has not been turned, and must be
        return refuse(conversation, message("no.must_pivot"))


# --- BACK ---------------------------------------------------------------------------------


def take_back(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    game = conversation.playing
    if game.now.before is None:
        return refuse(conversation, message("no.nothing_told"))
    after = replace(conversation, game=tell(game, TakeBack()))
    return InputResult(replace(after, news=put_back_news(after)), (TakeBack(),))


def back_or_again(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    """West is further back, east forward again, as on a tape."""
    if told.facing is Facing.WEST:
        return take_back(conversation, told, chance)
    if told.facing is not Facing.EAST:
        return refuse(conversation, message("no.putting_back"))
    game = conversation.playing
    assert game.undone is not None
    again = game.undone.moment.told
    assert again is not None
    after = replace(conversation, game=tell(game, TellAgain()))
    news = (*news_of(after, again), *put_back_news(after))
    return InputResult(replace(after, news=news), (TellAgain(),))


def ready(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    return answer(conversation, Ready())


def roll_after_back(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    """A wrong number was pressed, taken back, and here is the right one."""
    if conversation.playing.state.phase in (Phase.ORIENT, Phase.ROLL):
        return roll(conversation, told, chance)
    return refuse(conversation, message("no.putting_back"))


# --- Games come and go --------------------------------------------------------------------


def resume(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    """Show once more what just happened, and go on."""
    game = replace(conversation.playing, is_fresh=True)
    news = put_back_news(conversation)
    return InputResult(replace(conversation, page=Playing(), game=game, news=news))


def pause(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    return InputResult(replace(conversation, page=Resuming(), news=()))


def put_away(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    news = message("news.put_away")
    if conversation.playing.state.is_over:
        news = message("news.archived")
    return InputResult(fresh(conversation.customs, (news,)), (ArchiveGame(),))
