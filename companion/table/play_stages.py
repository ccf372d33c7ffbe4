"""Handlers of the stages of a game: turns, undo and redo, resume and archive."""

from __future__ import annotations

from dataclasses import replace

from companion.errors import IllegalActionError
from companion.games.marrakech import Drew, Facing, Lay, Pay, Phase, Pivot, ReturnRug, Rolled
from companion.i18n.message import Message, message
from companion.table.conversation import (
    ArchiveGame,
    Conversation,
    InputResult,
    Playing,
    RandomSource,
    Resuming,
    new_conversation,
)
from companion.table.entries import Act, Aim, Entry, Face, Redo, Restored, Undo
from companion.table.game import allowed_facings, apply_entry
from companion.table.inputs import Input, InputKind
from companion.table.rug_navigation import steer
from companion.table.text.news import news_of
from companion.table.text.restore import restore_messages


def accept(conversation: Conversation, entry: Entry) -> InputResult:
    """Apply an entry that is allowed now, and report what happened."""
    after = replace(conversation, game=apply_entry(conversation.active_game, entry))
    return InputResult(replace(after, news=news_of(after, entry)), (entry,))


def refuse(conversation: Conversation, reason: Message) -> InputResult:
    return InputResult(conversation, refusal=reason)


# --- Orient and roll ----------------------------------------------------------------------


def face(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    """Turn Assam to that direction. The direction behind him is refused."""
    assert table_input.facing is not None
    game = conversation.active_game
    if table_input.facing not in allowed_facings(game.state):
        return refuse(conversation, message("no.behind", facing=table_input.facing))
    if table_input.facing is game.now.facing:
        return refuse(conversation, message("no.faces_already", facing=table_input.facing))
    return accept(conversation, Face(table_input.facing))


def roll(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    """Use the pips of a die key or of a pad that has rolled; otherwise roll."""
    if table_input.kind is InputKind.DIE:
        return accept(conversation, Act(Rolled(table_input.pips)))
    return accept(
        conversation, Act(Rolled(table_input.pips or random_source.roll()), is_electronic=True)
    )


def ok_before_roll(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    if conversation.preferences.ok_rolls:
        return roll(conversation, table_input, random_source)
    return refuse(conversation, message("no.roll_first"))


# --- Pay, draw, lay, pivot ----------------------------------------------------------------


def pay(conversation: Conversation, table_input: Input, random_source: RandomSource) -> InputResult:
    return accept(conversation, Act(Pay()))


def draw(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    """West enters the colour that the matrix shows on the left, east the one on the right."""
    state = conversation.active_game.state
    west, east = state.setup.players[state.mover]
    if table_input.facing not in (Facing.WEST, Facing.EAST):
        return refuse(conversation, message("no.draw", west=west, east=east))
    return accept(conversation, Act(Drew(west if table_input.facing is Facing.WEST else east)))


def ok_before_draw(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    state = conversation.active_game.state
    west, east = state.setup.players[state.mover]
    return refuse(conversation, message("no.draw", west=west, east=east))


def aim(conversation: Conversation, table_input: Input, random_source: RandomSource) -> InputResult:
    game = conversation.active_game
    assert game.aim is not None
    assert table_input.facing is not None
    placement = steer(game.now.placements, game.aim, table_input.facing)
    if placement is None:
        return refuse(conversation, message("no.placement_there", facing=table_input.facing))
    return accept(conversation, Aim(placement))


def lay(conversation: Conversation, table_input: Input, random_source: RandomSource) -> InputResult:
    placement = conversation.active_game.aim
    assert placement is not None
    return accept(conversation, Act(Lay(placement.first, placement.second)))


def return_rug(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    return accept(conversation, Act(ReturnRug()))


def pivot(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    try:
        return accept(conversation, Act(Pivot(conversation.active_game.now.facing)))
    except IllegalActionError:  # he must be turned, and has not been
        return refuse(conversation, message("no.must_pivot"))


# --- Undo ---------------------------------------------------------------------------------


def undo(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    game = conversation.active_game
    if game.now.before is None:
        return refuse(conversation, message("no.nothing_told"))
    after = replace(conversation, game=apply_entry(game, Undo()))
    return InputResult(replace(after, news=restore_messages(after)), (Undo(),))


def undo_or_redo(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    """West undoes one more entry, east redoes one."""
    if table_input.facing is Facing.WEST:
        return undo(conversation, table_input, random_source)
    if table_input.facing is not Facing.EAST:
        return refuse(conversation, message("no.putting_back"))
    game = conversation.active_game
    assert game.undone is not None
    redone = game.undone.moment.entry
    assert redone is not None
    after = replace(conversation, game=apply_entry(game, Redo()))
    news = (*news_of(after, redone), *restore_messages(after))
    return InputResult(replace(after, news=news), (Redo(),))


def confirm_restored(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    return accept(conversation, Restored())


def roll_after_undo(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    """A roll that replaces the one just undone. OK is not needed in between."""
    if conversation.active_game.state.phase in (Phase.ORIENT, Phase.ROLL):
        return roll(conversation, table_input, random_source)
    return refuse(conversation, message("no.putting_back"))


# --- Resume, pause, archive ---------------------------------------------------------------


def resume(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    """Continue, and show the last entry once more."""
    game = replace(conversation.active_game, is_fresh=True)
    news = restore_messages(conversation)
    return InputResult(replace(conversation, activity=Playing(), game=game, news=news))


def pause(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    return InputResult(replace(conversation, activity=Resuming(), news=()))


def archive_game(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    news = message("news.put_away")
    if conversation.active_game.state.is_over:
        news = message("news.archived")
    return InputResult(new_conversation(conversation.preferences, (news,)), (ArchiveGame(),))
