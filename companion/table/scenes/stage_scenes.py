"""The scene of every stage, and the status LEDs of the rail."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.games.marrakech import (
    Colour,
    Event,
    Laid,
    Paid,
    Phase,
    State,
    Walked,
    WentOut,
)
from companion.games.marrakech.actions import Drew, Lay, Pay, ReturnRug, Rolled
from companion.games.marrakech.market import CENTRE, NEIGHBOURS, SIZE, STRIDES, squares_of
from companion.games.marrakech.rules import next_mover
from companion.table.conversation import Auditing, Conversation, SettingUp, Stage
from companion.table.entries import Act
from companion.table.game import Game, Moment
from companion.table.scenes.scene import LED_OF, Ink, Mark, Meaning, Scene, Shot, led_at
from companion.table.scenes.turn_scenes import (
    INK,
    LOOP_CORNERS,
    assam_mark,
    count_scene,
    lay_scene,
    orient_scene,
    pay_scene,
    rugs_mark,
    turn_rail,
    walk_scene,
)
from companion.table.setup_stages import BOOKLET_CODES, SETUP_STAGES

LINK = led_at(SIZE, SIZE - 1)
PENDING = led_at(SIZE, SIZE)
SIMULATED = led_at(SIZE - 1, SIZE)
UNSAVED = led_at(SIZE - 2, SIZE)
_PHASES = tuple(led_at(SIZE, phase) for phase in range(Phase.OVER))


class LinkState(Enum):
    """The connection to the die pad."""

    NONE = "there is no pad"
    UP = "the pad answers"
    DOWN = "the pad has stopped answering"


@dataclass(frozen=True, slots=True)
class RailStatus:
    """What the rail shows about the companion itself."""

    is_pending: bool = False
    """An input was received and is not on the disk yet."""
    is_unsaved: bool = False
    """The journal cannot be written."""
    is_simulated: bool = False
    link: LinkState = LinkState.NONE


def with_status(scene: Scene, status: RailStatus) -> Scene:
    marks = list(scene.rail)
    if status.link is LinkState.UP:
        marks.append(Mark(Meaning.RAIL, (LINK,)))
    if status.link is LinkState.DOWN:
        marks.append(Mark(Meaning.WARNING, (LINK,), (Ink.ALARM,)))
    if status.is_unsaved:
        marks.append(Mark(Meaning.WARNING, (UNSAVED,), (Ink.ALARM,)))
    if status.is_simulated:
        marks.append(Mark(Meaning.RAIL, (SIMULATED,)))
    if status.is_pending:
        marks.append(Mark(Meaning.RAIL, (PENDING,)))
    return Scene(scene.shots, tuple(marks))


def scene_of(conversation: Conversation) -> Scene:
    match conversation.activity:
        case SettingUp() as activity:
            return _setup_scene(activity)
        case Auditing() as activity:
            return _audit_scene(conversation, activity)
    game = conversation.active_game
    match conversation.stage:
        case Stage.RESUME:
            return Scene(
                (Shot((_market(game.state), assam_mark(game.state))),), turn_rail(game.state)
            )
        case Stage.PUT_BACK:
            return _restore_scene(game)
        case Stage.OVER:
            return count_scene(game.state)
    return _turn_scene(game, conversation.stage)


def _still(*marks: Mark, rail: tuple[Mark, ...]) -> Scene:
    return Scene((Shot(marks),), rail)


def _letters(*colours: Colour) -> Mark:
    letters = "".join(colour.letter for colour in colours)
    return Mark(Meaning.LETTERS, inks=tuple(INK[c] for c in colours), letters=letters)


def _market(state: State) -> Mark:
    """All visible rugs."""
    return rugs_mark(Meaning.RUGS, state, *range(len(state.setup.players)))


# --- A turn -------------------------------------------------------------------------------


def _turn_scene(game: Game, stage: Stage) -> Scene:
    now, state = game.now, game.state
    path = now.path
    has_walked = game.is_fresh and _is_roll(now)
    match stage:
        case Stage.ORIENT | Stage.ROLL:
            scene = orient_scene(state._replace(facing=now.facing))
            if game.is_fresh and (neutral := _neutral_rugs(now)):
                scene = Scene((neutral, *scene.shots), scene.rail)
            return scene
        case Stage.PIVOT:
            return _pivot_scene(now)
        case Stage.PAY:
            tribute = state.tribute_at(state.assam)
            assert tribute is not None, "phase PAY without tribute"
            return pay_scene(state, path if has_walked else (), tribute)
        case Stage.LAY:
            assert game.aim is not None
            scene = lay_scene(state, path, game.aim)
        case Stage.DRAW:
            scene = _still(_letters(*state.setup.players[state.mover]), rail=turn_rail(state))
        case _:
            assert state.hand is not None
            scene = _still(_letters(state.hand), rail=_blinking_rail(state))
    if has_walked:
        return Scene((*walk_scene(state, path).shots, *scene.shots), scene.rail)
    return scene


def _is_roll(now: Moment) -> bool:
    return isinstance(now.entry, Act) and isinstance(now.entry.action, Rolled)


def _neutral_rugs(now: Moment) -> Shot | None:
    """The neutral rugs of a player who has just gone out."""
    for event in now.events:
        if isinstance(event, WentOut) and event.neutral:
            return Shot(
                (
                    Mark(
                        Meaning.WARNING,
                        tuple(LED_OF[square] for square in event.neutral),
                        (Ink.ALARM,),
                    ),
                )
            )
    return None


def _pivot_scene(now: Moment) -> Scene:
    """Where the next player's rolls would lead."""
    state = now.state
    next_player = next_mover(state.setup, state.mover, state.left, state.out)
    assert next_player is not None, "phase PIVOT without a next player"
    preview = orient_scene(state._replace(facing=now.facing, mover=next_player))
    return Scene(preview.shots, turn_rail(state))


# --- Restoring after an undo --------------------------------------------------------------


def _restore_scene(game: Game) -> Scene:
    """How to put back what was undone last, then the position to reach."""
    state = game.state._replace(facing=game.now.facing)
    standing = orient_scene(state).shots
    shots = _restore_shots(game.to_restore[-1], standing) if game.to_restore else standing
    return Scene(shots, _blinking_rail(state))


def _blinking_rail(state: State) -> tuple[Mark, ...]:
    """The rail with a blinking phase, outside the normal course of a turn."""
    blinking = Mark(Meaning.WARNING, (led_at(SIZE, state.phase),), (Ink.ALARM,))
    return (*turn_rail(state)[:1], blinking)


def _restore_shots(undone: Moment, standing: tuple[Shot, ...]) -> tuple[Shot, ...]:
    """How to put back one undone moment; `standing` shows Assam as he then stands."""
    before = undone.before
    assert before is not None
    match undone.entry:
        case Act(Rolled()):
            return (_walk_back(before, undone.events), *standing)
        case Act(Pay()):
            paid = next(event for event in undone.events if isinstance(event, Paid))
            ink = INK[undone.state.setup.players[paid.owner][0]]
            return (Shot((Mark(Meaning.NUMBER, inks=(ink,), number=paid.paid),)),)
        case Act(Lay()):
            return _lift_shots(before, undone)
        case Act(Drew() as drew):
            return (Shot((_letters(drew.colour),)),)
        case Act(ReturnRug()):
            assert before.state.hand is not None
            return (Shot((_letters(before.state.hand),)), *standing)
    return standing


def _walk_back(before: Moment, events: tuple[Event, ...]) -> Shot:
    walked = next(event for event in events if isinstance(event, Walked))
    squares = [before.state.assam, *(step.square for step in walked.path)]
    ink = INK[before.state.setup.players[before.state.mover][0]]
    return Shot((Mark(Meaning.PATH, tuple(LED_OF[s] for s in reversed(squares)), (ink,)),))


def _lift_shots(before: Moment, undone: Moment) -> tuple[Shot, ...]:
    """The rug to lift, then what lay under it."""
    laid = next(event for event in undone.events if isinstance(event, Laid))
    squares = laid.placement.first, laid.placement.second
    leds = tuple(LED_OF[square] for square in squares)
    lift = Mark(Meaning.LIFT, leds, (INK[laid.rug.colour],))
    under = [
        (led, INK[rug.colour])
        for led, rug in zip(leds, laid.covers, strict=True)
        if rug is not None
    ]
    marks = [assam_mark(before.state)]
    if under:
        found, inks = zip(*under, strict=True)
        marks.insert(0, Mark(Meaning.RUGS, found, inks))
    return Shot((lift, assam_mark(before.state))), Shot(tuple(marks))


# --- Set-up -------------------------------------------------------------------------------


def _setup_scene(activity: SettingUp) -> Scene:
    """The stage in the eastern column, the seats in the southern row."""
    seats = activity.seats or ((),) * activity.players
    marks = [Mark(Meaning.RAIL, (led_at(SIZE, SETUP_STAGES.index(activity.stage)),))]
    for seat, colours in enumerate(seats):
        ink = INK[colours[0]] if colours and activity.stage is not Stage.PLAYERS else Ink.WHITE
        is_chosen = activity.stage is Stage.COLOURS and seat == activity.seat
        meaning = Meaning.CURSOR if is_chosen else Meaning.RAIL
        marks.append(Mark(meaning, (led_at(seat, SIZE),), (ink,)))
    rail_marks = tuple(marks)
    match activity.stage:
        case Stage.PLAYERS:
            return _still(Mark(Meaning.NUMBER, number=activity.players), rail=rail_marks)
        case Stage.BOOKLET:
            number = Mark(Meaning.NUMBER, number=BOOKLET_CODES.index(activity.booklet) + 1)
            if activity.options.turn_order == "classic":
                return _still(number, rail=rail_marks)
            line = tuple(led_at(x, SIZE - 1) for x in range(SIZE))
            return _still(number, Mark(Meaning.RAIL, line), rail=rail_marks)
        case Stage.COLOURS:
            return _still(_letters(*activity.seats[activity.seat]), rail=rail_marks)
    return _setting_scene(activity, rail_marks)


def _setting_scene(activity: SettingUp, rail_marks: tuple[Mark, ...]) -> Scene:
    """The corners of the three-quarter loops, and Assam in the middle with his facing."""
    corners = tuple(led_at(x, y) for x, y in LOOP_CORNERS[activity.options.loops])
    y, x = divmod(CENTRE, SIZE)
    across, down = STRIDES[activity.facing]
    ahead = tuple(led_at(x + n * across, y + n * down) for n in (1, 2, 3))
    return _still(
        Mark(Meaning.LOOPS, corners),
        Mark(Meaning.PREVIEW, ahead, (INK[activity.seats[0][0]],)),
        Mark(Meaning.ASSAM, (LED_OF[CENTRE],)),
        rail=rail_marks,
    )


# --- The audit ----------------------------------------------------------------------------


def _audit_scene(conversation: Conversation, activity: Auditing) -> Scene:
    """The whole phase column is lit, and the seat of the player being checked."""
    state = conversation.active_game.state
    ink = INK[state.setup.players[activity.player][0]]
    rail_marks: tuple[Mark, ...] = (Mark(Meaning.RAIL, _PHASES),)
    cursor = Mark(Meaning.CURSOR, (LED_OF[activity.square],))
    if activity.stage not in (Stage.AUDIT_ASSAM, Stage.AUDIT_FACING):
        rail_marks = (*rail_marks, Mark(Meaning.RAIL, (led_at(activity.player, SIZE),), (ink,)))
    match activity.stage:
        case Stage.AUDIT_ASSAM:
            return _still(Mark(Meaning.ASSAM, (LED_OF[activity.square],)), rail=rail_marks)
        case Stage.AUDIT_FACING:
            steps = state.setup.paths[state.assam * 4 + activity.facing][-1]
            ahead = Mark(Meaning.PREVIEW, tuple(LED_OF[step.square] for step in steps))
            return _still(ahead, assam_mark(state), rail=rail_marks)
        case Stage.AUDIT_RUGS:
            return _still(rugs_mark(Meaning.COUNT, state, activity.player), rail=rail_marks)
        case Stage.AUDIT_DIRHAMS:
            return _still(
                Mark(Meaning.NUMBER, inks=(ink,), number=activity.dirhams), rail=rail_marks
            )
        case Stage.SQUARE:
            return _still(_market(state), cursor, rail=rail_marks)
        case Stage.TOP:
            if activity.top is None:
                return _still(Mark(Meaning.LETTERS, letters="-"), rail=rail_marks)
            return _still(_letters(activity.top), rail=rail_marks)
    beside = tuple(LED_OF[square] for square in squares_of(NEIGHBOURS[activity.square]))
    return _still(Mark(Meaning.OFFER, beside), cursor, rail=rail_marks)
