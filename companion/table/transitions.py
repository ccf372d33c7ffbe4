"""The conversation of the table: THE transition table, at the end of this file.

For each stage and each kind of input there is one entry: what is done, or the key of the message
that says why it is refused. Nothing is missing, so nothing is ever dropped in silence.

    set-up   PLAYERS -> BOOKLET -> COLOURS -> SETTING -> the first turn
    a turn   ORIENT or ROLL -> [PAY] -> [DRAW] -> LAY or RETURN -> [PIVOT] -> the next turn, or OVER
    BACK     any of them -> PUT_BACK -> where the game then is
    audit    any of them -> AUDIT_ASSAM -> AUDIT_FACING -> (AUDIT_RUGS -> AUDIT_DIRHAMS) for each
             player -> where the game was; AUDIT_RUGS -> SQUARE -> TOP -> [JOIN] -> SQUARE
    boot     RESUME -> the game, or the archive and PLAYERS; OVER -> the archive and PLAYERS
"""

from __future__ import annotations

from collections.abc import Callable

from companion.i18n.message import message
from companion.table import audit_stages, play_stages, setup_stages
from companion.table.conversation import Chance, Conversation, InputResult, Stage
from companion.table.inputs import Input, Key

Handler = Callable[[Conversation, Input, Chance], InputResult]


def hear(conversation: Conversation, told: Input, chance: Chance) -> InputResult:
    """What comes of an input."""
    cell = TRANSITIONS[conversation.stage][COLUMNS.index(told.key)]
    if isinstance(cell, str):
        return InputResult(conversation, refused=message(cell))
    return cell(conversation, told, chance)


COLUMNS = (Key.DIRECTION, Key.OK, Key.BACK, Key.HOLD_OK, Key.HOLD_BACK, Key.DIE, Key.ROLL)

_p, _s, _a = play_stages, setup_stages, audit_stages

# fmt: off
TRANSITIONS: dict[Stage, tuple[Handler | str, ...]] = {
    # stage: (DIRECTION, OK, BACK, OK held, BACK held, DIE, ROLL)
    Stage.RESUME: (
        "no.resume_first", _p.resume, "no.hold_back_longer", _a.begin, _p.put_away,
        "no.resume_first", "no.resume_first"),
    Stage.PLAYERS: (
        _s.change_players, _s.next_page, "no.first_page", "no.audit_without_game",
        "no.nothing_to_put_away", "no.not_begun", "no.not_begun"),
    Stage.BOOKLET: (
        _s.change_booklet, _s.next_page, _s.page_before, "no.audit_without_game",
        "no.nothing_to_put_away", "no.not_begun", "no.not_begun"),
    Stage.COLOURS: (
        _s.change_colours, _s.next_page, _s.page_before, "no.audit_without_game",
        "no.nothing_to_put_away", "no.not_begun", "no.not_begun"),
    Stage.SETTING: (
        _s.change_facing, _s.begin, _s.page_before, "no.audit_without_game",
        "no.nothing_to_put_away", _s.begin_and_roll, _s.begin_and_roll),
    Stage.ORIENT: (
        _p.face, _p.ok_before_roll, _p.take_back, _a.begin, _p.pause, _p.roll, _p.roll),
    Stage.ROLL: (
        "no.turn_before_roll", _p.ok_before_roll, _p.take_back, _a.begin, _p.pause, _p.roll,
        _p.roll),
    Stage.PAY: (
        "no.pay_first", _p.pay, _p.take_back, _a.begin, _p.pause, "no.rolled_already",
        "no.rolled_already"),
    Stage.DRAW: (
        _p.draw, _p.ok_before_draw, _p.take_back, _a.begin, _p.pause, "no.rolled_already",
        "no.rolled_already"),
    Stage.LAY: (
        _p.aim, _p.lay, _p.take_back, _a.begin, _p.pause, "no.rolled_already",
        "no.rolled_already"),
    Stage.RETURN: (
        "no.nowhere_to_lay", _p.return_rug, _p.take_back, _a.begin, _p.pause, "no.rolled_already",
        "no.rolled_already"),
    Stage.PIVOT: (
        _p.face, _p.pivot, _p.take_back, _a.begin, _p.pause, "no.pivot_first", "no.pivot_first"),
    Stage.OVER: (
        "no.over", _p.put_away, _p.take_back, _a.begin, _p.put_away, "no.over", "no.over"),
    Stage.PUT_BACK: (
        _p.back_or_again, _p.ready, _p.take_back, _a.begin, _p.pause, _p.roll_after_back,
        _p.roll_after_back),
    Stage.AUDIT_ASSAM: (
        _a.move_assam, _a.next_step, _a.step_before, _a.leave, "no.leave_audit", "no.leave_audit",
        "no.leave_audit"),
    Stage.AUDIT_FACING: (
        _a.turn_assam, _a.next_step, _a.step_before, _a.leave, "no.leave_audit", "no.leave_audit",
        "no.leave_audit"),
    Stage.AUDIT_RUGS: (
        _a.choose_square, _a.next_step, _a.step_before, _a.leave, "no.leave_audit",
        "no.leave_audit", "no.leave_audit"),
    Stage.AUDIT_DIRHAMS: (
        _a.change_dirhams, _a.next_step, _a.step_before, _a.leave, "no.leave_audit",
        "no.leave_audit", "no.leave_audit"),
    Stage.SQUARE: (
        _a.move_cursor, _a.open_square, _a.close_market, _a.leave, "no.leave_audit",
        "no.leave_audit", "no.leave_audit"),
    Stage.TOP: (
        _a.change_top, _a.accept_top, _a.close_square, _a.leave, "no.leave_audit",
        "no.leave_audit", "no.leave_audit"),
    Stage.JOIN: (
        _a.join, _a.stay_half, _a.open_square, _a.leave, "no.leave_audit", "no.leave_audit",
        "no.leave_audit"),
}
# fmt: on
