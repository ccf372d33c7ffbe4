"""The transition table: what each kind of input does at each stage.

Every cell of `TRANSITIONS` is a handler, or the message key of a refusal. No cell is empty, so no
input is ever ignored without a message.

    set-up   PLAYERS -> BOOKLET -> COLOURS -> SETTING -> the first turn
    a turn   ORIENT or ROLL -> [PAY] -> [DRAW] -> LAY or RETURN -> [PIVOT] -> the next turn, or OVER
    BACK     any stage of a game -> PUT_BACK -> the stage of the restored position
    audit    any stage of a game -> AUDIT_ASSAM -> AUDIT_FACING
             -> (AUDIT_RUGS -> AUDIT_DIRHAMS) for each player -> the stage of the game;
             AUDIT_RUGS -> SQUARE -> TOP -> [JOIN] -> SQUARE
    boot     RESUME -> the game, or the archive and PLAYERS; OVER -> the archive and PLAYERS
"""

from __future__ import annotations

from collections.abc import Callable

from companion.i18n.message import message
from companion.table import audit_stages, play_stages, setup_stages
from companion.table.conversation import Conversation, InputResult, RandomSource, Stage
from companion.table.inputs import Input, InputKind

Handler = Callable[[Conversation, Input, RandomSource], InputResult]


def handle_input(
    conversation: Conversation, table_input: Input, random_source: RandomSource
) -> InputResult:
    cell = TRANSITIONS[conversation.stage][COLUMNS.index(table_input.kind)]
    if isinstance(cell, str):
        return InputResult(conversation, refusal=message(cell))
    return cell(conversation, table_input, random_source)


COLUMNS = (
    InputKind.DIRECTION,
    InputKind.OK,
    InputKind.BACK,
    InputKind.HOLD_OK,
    InputKind.HOLD_BACK,
    InputKind.DIE,
    InputKind.ROLL,
)

_p, _s, _a = play_stages, setup_stages, audit_stages

# fmt: off
TRANSITIONS: dict[Stage, tuple[Handler | str, ...]] = {
    # stage: (DIRECTION, OK, BACK, OK held, BACK held, DIE, ROLL)
    Stage.RESUME: (
        "no.resume_first", _p.resume, "no.hold_back_longer", _a.start_audit, _p.archive_game,
        "no.resume_first", "no.resume_first"),
    Stage.PLAYERS: (
        _s.change_players, _s.next_stage, "no.first_page", "no.audit_without_game",
        "no.nothing_to_put_away", "no.not_begun", "no.not_begun"),
    Stage.BOOKLET: (
        _s.change_booklet, _s.next_stage, _s.previous_stage, "no.audit_without_game",
        "no.nothing_to_put_away", "no.not_begun", "no.not_begun"),
    Stage.COLOURS: (
        _s.change_colours, _s.next_stage, _s.previous_stage, "no.audit_without_game",
        "no.nothing_to_put_away", "no.not_begun", "no.not_begun"),
    Stage.SETTING: (
        _s.change_facing, _s.start_game, _s.previous_stage, "no.audit_without_game",
        "no.nothing_to_put_away", _s.start_and_roll, _s.start_and_roll),
    Stage.ORIENT: (
        _p.face, _p.ok_before_roll, _p.undo, _a.start_audit, _p.pause, _p.roll, _p.roll),
    Stage.ROLL: (
        "no.turn_before_roll", _p.ok_before_roll, _p.undo, _a.start_audit, _p.pause, _p.roll,
        _p.roll),
    Stage.PAY: (
        "no.pay_first", _p.pay, _p.undo, _a.start_audit, _p.pause, "no.rolled_already",
        "no.rolled_already"),
    Stage.DRAW: (
        _p.draw, _p.ok_before_draw, _p.undo, _a.start_audit, _p.pause, "no.rolled_already",
        "no.rolled_already"),
    Stage.LAY: (
        _p.aim, _p.lay, _p.undo, _a.start_audit, _p.pause, "no.rolled_already",
        "no.rolled_already"),
    Stage.RETURN: (
        "no.nowhere_to_lay", _p.return_rug, _p.undo, _a.start_audit, _p.pause, "no.rolled_already",
        "no.rolled_already"),
    Stage.PIVOT: (
        _p.face, _p.pivot, _p.undo, _a.start_audit, _p.pause, "no.pivot_first", "no.pivot_first"),
    Stage.OVER: (
        "no.over", _p.archive_game, _p.undo, _a.start_audit, _p.archive_game, "no.over", "no.over"),
    Stage.PUT_BACK: (
        _p.undo_or_redo, _p.confirm_restored, _p.undo, _a.start_audit, _p.pause, _p.roll_after_undo,
        _p.roll_after_undo),
    Stage.AUDIT_ASSAM: (
        _a.move_assam, _a.next_step, _a.previous_step, _a.leave, "no.leave_audit", "no.leave_audit",
        "no.leave_audit"),
    Stage.AUDIT_FACING: (
        _a.turn_assam, _a.next_step, _a.previous_step, _a.leave, "no.leave_audit", "no.leave_audit",
        "no.leave_audit"),
    Stage.AUDIT_RUGS: (
        _a.choose_square, _a.next_step, _a.previous_step, _a.leave, "no.leave_audit",
        "no.leave_audit", "no.leave_audit"),
    Stage.AUDIT_DIRHAMS: (
        _a.change_dirhams, _a.next_step, _a.previous_step, _a.leave, "no.leave_audit",
        "no.leave_audit", "no.leave_audit"),
    Stage.SQUARE: (
        _a.move_cursor, _a.open_square, _a.close_squares, _a.leave, "no.leave_audit",
        "no.leave_audit", "no.leave_audit"),
    Stage.TOP: (
        _a.change_top, _a.accept_top, _a.close_square, _a.leave, "no.leave_audit",
        "no.leave_audit", "no.leave_audit"),
    Stage.JOIN: (
        _a.join, _a.keep_half, _a.open_square, _a.leave, "no.leave_audit", "no.leave_audit",
        "no.leave_audit"),
}
# fmt: on
