"""The table in one line for `systemctl status`: problems, whose turn it is, what to do."""

from __future__ import annotations

from companion.i18n.renderer import TextRenderer
from companion.table.conversation import Auditing, Conversation, SettingUp, Stage
from companion.table.entries import Act
from companion.table.game import Game
from companion.table.text.prompts import prompts_of
from companion.table.view import TableView

_RENDERER = TextRenderer()


def status_line(view: TableView, renderer: TextRenderer = _RENDERER) -> str:
    """Problems first, then the game, in the sentences that players read.

    `SIMULATED | Red: your turn | turn 17, 3 of 4 play | Red pays 7 dirhams to Blue. OK when ...`
    """
    conversation = view.conversation
    prompts = prompts_of(conversation)
    todo = prompts.todo[-1 if conversation.stage is Stage.OVER else 0]
    parts = (
        "SIMULATED" if view.status.is_simulated else "",
        *map(renderer.render, view.trouble),
        renderer.render(prompts.title),
        _progress(conversation),
        renderer.render(todo),
    )
    return " | ".join(filter(None, parts))


def _progress(conversation: Conversation) -> str:
    """Turn and number of players, while a game is played."""
    if conversation.game is None or isinstance(conversation.activity, SettingUp | Auditing):
        return ""
    state = conversation.game.state
    if state.is_over:
        return ""
    players = len(state.setup.players)
    return f"turn {_turn(conversation.game)}, {players - len(state.out)} of {players} play"


def _turn(game: Game) -> int:
    """Counted from 1."""
    turn, moment = 1, game.now
    while moment.before is not None:
        turn += isinstance(moment.entry, Act) and moment.state.is_turn_start
        moment = moment.before
    return turn
