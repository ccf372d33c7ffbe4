"""The table in one line, for `systemctl status`: what is wrong, whose turn it is, what to do."""

from __future__ import annotations

from companion.daemon.controller import TableView
from companion.i18n.renderer import TextRenderer
from companion.table.conversation import Auditing, Conversation, SettingUp, Stage
from companion.table.entries import Act
from companion.table.game import Game
from companion.table.text.prompts import words_of

_SPEECH = TextRenderer()


def status_line(view: TableView, speech: TextRenderer = _SPEECH) -> str:
    """Trouble first; the game after it, in the words that players read.

    `SIMULATED | Red: your turn | turn 17, 3 of 4 play | Red pays 7 dirhams to Blue. OK when ...`
    """
    conversation = view.conversation
    words = words_of(conversation)
    todo = words.todo[-1 if conversation.stage is Stage.OVER else 0]  # the count comes before it
    parts = (
        "SIMULATED" if view.status.is_simulated else "",
        *map(speech.say, view.trouble),
        speech.say(words.title),
        _progress(conversation),
        speech.say(todo),
    )
    return " | ".join(filter(None, parts))


def _progress(conversation: Conversation) -> str:
    """How far the game is, where one is played."""
    if conversation.game is None or isinstance(conversation.page, SettingUp | Auditing):
        return ""
    state = conversation.game.state
    if state.is_over:
        return ""
    players = len(state.setup.players)
    return f"turn {_turn(conversation.game)}, {players - len(state.out)} of {players} play"


def _turn(game: Game) -> int:
    """The first is 1; whatever was told last of a turn began the next."""
    turn, moment = 1, game.now
    while moment.before is not None:
        turn += isinstance(moment.told, Act) and moment.state.begins_turn
        moment = moment.before
    return turn
