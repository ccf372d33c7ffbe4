"""The light of every stage: which scene the conversation is in."""

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
from companion.table.scenes.scene import Ink, Mark, Meaning, Scene, Shot, led_at, led_of
from companion.table.scenes.turn_scenes import (
    INK,
    LOOP_CORNERS,
    assam,
    count_scene,
    lay_scene,
    orient_scene,
    pay_scene,
    rail,
    rugs,
    walk_scene,
)
from companion.table.setup_stages import BOOKLET_CODES, PAGES

LINK = led_at(SIZE, SIZE - 1)
HEARD = led_at(SIZE, SIZE)
SIMULATED = led_at(SIZE - 1, SIZE)
UNSAVED = led_at(SIZE - 2, SIZE)
_PHASES = tuple(led_at(SIZE, phase) for phase in range(Phase.OVER))


class Link(Enum):
    """The wire to the die pad."""

    NONE = "there is no pad"
    UP = "it answers"
    DOWN = "it does not answer any more"


@dataclass(frozen=True, slots=True)
class Status:
    """What the rail says of the companion itself."""

    is_heard: bool = False
    """An input is heard, and not yet on the disk."""
    is_unsaved: bool = False
    """The disk does not take what was told."""
    is_simulated: bool = False
    link: Link = Link.NONE
    """How the die pad is."""


def with_status(scene: Scene, status: Status) -> Scene:
    marks = list(scene.rail)
    if status.link is Link.UP:
        marks.append(Mark(Meaning.RAIL, (LINK,)))
    if status.link is Link.DOWN:
        marks.append(Mark(Meaning.WARNING, (LINK,), (Ink.ALARM,)))
    if status.is_unsaved:
        marks.append(Mark(Meaning.WARNING, (UNSAVED,), (Ink.ALARM,)))
    if status.is_simulated:
        marks.append(Mark(Meaning.RAIL, (SIMULATED,)))
    if status.is_heard:
        marks.append(Mark(Meaning.RAIL, (HEARD,)))
    return Scene(scene.shots, tuple(marks))


def scene_of(conversation: Conversation) -> Scene:
    match conversation.page:
        case SettingUp() as page:
            return _setup_scene(page)
        case Auditing() as page:
            return _audit_scene(conversation, page)
    game = conversation.playing
    match conversation.stage:
        case Stage.RESUME:
            return Scene((Shot((_market(game.state), assam(game.state))),), rail(game.state))
        case Stage.PUT_BACK:
            return _put_back_scene(game)
        case Stage.OVER:
            return count_scene(game.state)
    return _turn_scene(game, conversation.stage)


def _one(*marks: Mark, rail: tuple[Mark, ...]) -> Scene:
    return Scene((Shot(marks),), rail)


def _letters(*colours: Colour) -> Mark:
    letters = "".join(colour.letter for colour in colours)
    return Mark(Meaning.LETTERS, inks=tuple(INK[c] for c in colours), letters=letters)


def _market(state: State) -> Mark:
    """The rugs as they lie, everybody's."""
    return rugs(Meaning.RUGS, state, *range(len(state.setup.players)))


# --- A turn -------------------------------------------------------------------------------


def _turn_scene(game: Game, stage: Stage) -> Scene:
    now, state = game.now, game.state
    path = now.path
    has_walked = game.is_fresh and now.told is not None and _is_roll(now)
    match stage:
        case Stage.ORIENT | Stage.ROLL:
            scene = orient_scene(state._replace(facing=now.facing))
            if game.is_fresh and (gone := _gone(now)):
                scene = Scene((gone, *scene.shots), scene.rail)
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
            scene = _one(_letters(*state.setup.players[state.mover]), rail=rail(state))
        case _:
            assert state.hand is not None
            scene = _one(_letters(state.hand), rail=_with_phase_blinking(state))
    if has_walked:
        return Scene((*walk_scene(state, path).shots, *scene.shots), scene.rail)
    return scene


def _is_roll(now: Moment) -> bool:
    return isinstance(now.told, Act) and isinstance(now.told.action, Rolled)


def _gone(now: Moment) -> Shot | None:
    """The rugs of a player who is out just now: they lie on, and are nobody's."""
    for event in now.events:
        if isinstance(event, WentOut) and event.neutral:
            return Shot((Mark(Meaning.WARNING, tuple(map(led_of, event.neutral)), (Ink.ALARM,)),))
    return None


def _pivot_scene(now: Moment) -> Scene:
    """Where the next player would have to go."""
    state = now.state
    following = next_mover(state.setup, state.mover, state.left, state.out)
    assert following is not None, "phase PIVOT with nobody to follow"
    preview = orient_scene(state._replace(facing=now.facing, mover=following))
    return Scene(preview.shots, rail(state))


# --- Putting back -------------------------------------------------------------------------


def _put_back_scene(game: Game) -> Scene:
    """What was taken back last, and how it lies then."""
    state = game.state._replace(facing=game.now.facing)
    standing = orient_scene(state).shots
    shots = _taken_shots(game.put_back[-1], standing) if game.put_back else standing
    return Scene(shots, _with_phase_blinking(state))


def _with_phase_blinking(state: State) -> tuple[Mark, ...]:
    """The rail of what is not a turn as it should be."""
    blinking = Mark(Meaning.WARNING, (led_at(SIZE, state.phase),), (Ink.ALARM,))
    return (*rail(state)[:1], blinking)


def _taken_shots(taken: Moment, standing: tuple[Shot, ...]) -> tuple[Shot, ...]:
    """How to put one thing back; `standing` shows Assam as he stands then."""
    before = taken.before
    assert before is not None
    match taken.told:
        case Act(Rolled()):
            return (_way_back(before, taken.events), *standing)
        case Act(Pay()):
            paid = next(event for event in taken.events if isinstance(event, Paid))
            ink = INK[taken.state.setup.players[paid.owner][0]]
            return (Shot((Mark(Meaning.NUMBER, inks=(ink,), number=paid.paid),)),)
        case Act(Lay()):
            return _lifted(before, taken)
        case Act(Drew() as drew):
            return (Shot((_letters(drew.colour),)),)
        case Act(ReturnRug()):
            assert before.state.hand is not None
            return (Shot((_letters(before.state.hand),)), *standing)
    return standing


def _way_back(before: Moment, events: tuple[Event, ...]) -> Shot:
    walked = next(event for event in events if isinstance(event, Walked))
    squares = [before.state.assam, *(step.square for step in walked.path)]
    ink = INK[before.state.setup.players[before.state.mover][0]]
    return Shot((Mark(Meaning.PATH, tuple(led_of(s) for s in reversed(squares)), (ink,)),))


def _lifted(before: Moment, taken: Moment) -> tuple[Shot, ...]:
    """The rug to be lifted, and then what lay under it."""
    laid = next(event for event in taken.events if isinstance(event, Laid))
    squares = laid.placement.first, laid.placement.second
    leds = tuple(map(led_of, squares))
    lift = Mark(Meaning.LIFT, leds, (INK[laid.rug.colour],))
    under = [
        (led, INK[rug.colour])
        for led, rug in zip(leds, laid.covers, strict=True)
        if rug is not None
    ]
    marks = [assam(before.state)]
    if under:
        found, inks = zip(*under, strict=True)
        marks.insert(0, Mark(Meaning.RUGS, found, inks))
    return Shot((lift, assam(before.state))), Shot(tuple(marks))


# --- Set-up -------------------------------------------------------------------------------


def _setup_scene(page: SettingUp) -> Scene:
    """The page in the eastern column, the seats in the southern row."""
    seats = page.seats or ((),) * page.players
    marks = [Mark(Meaning.RAIL, (led_at(SIZE, PAGES.index(page.stage)),))]
    for seat, colours in enumerate(seats):
        ink = INK[colours[0]] if colours and page.stage is not Stage.PLAYERS else Ink.WHITE
        is_chosen = page.stage is Stage.COLOURS and seat == page.seat
        meaning = Meaning.CURSOR if is_chosen else Meaning.RAIL
        marks.append(Mark(meaning, (led_at(seat, SIZE),), (ink,)))
    shown = tuple(marks)
    match page.stage:
        case Stage.PLAYERS:
            return _one(Mark(Meaning.NUMBER, number=page.players), rail=shown)
        case Stage.BOOKLET:
            number = Mark(Meaning.NUMBER, number=BOOKLET_CODES.index(page.booklet) + 1)
            if page.options.turn_order == "classic":
                return _one(number, rail=shown)
            line = tuple(led_at(x, SIZE - 1) for x in range(SIZE))
            return _one(number, Mark(Meaning.RAIL, line), rail=shown)
        case Stage.COLOURS:
            return _one(_letters(*page.seats[page.seat]), rail=shown)
    return _setting_scene(page, shown)


def _setting_scene(page: SettingUp, shown: tuple[Mark, ...]) -> Scene:
    """The corners of the big loops, and Assam in the middle with the way he faces."""
    corners = tuple(led_at(x, y) for x, y in LOOP_CORNERS[page.options.loops])
    y, x = divmod(CENTRE, SIZE)
    across, down = STRIDES[page.facing]
    ahead = tuple(led_at(x + n * across, y + n * down) for n in (1, 2, 3))
    return _one(
        Mark(Meaning.LOOPS, corners),
        Mark(Meaning.PREVIEW, ahead, (INK[page.seats[0][0]],)),
        Mark(Meaning.ASSAM, (led_of(CENTRE),)),
        rail=shown,
    )


# --- The audit ----------------------------------------------------------------------------


def _audit_scene(conversation: Conversation, page: Auditing) -> Scene:
    """The whole phase column is lit; the seat is the player's whose things are looked at."""
    state = conversation.playing.state
    ink = INK[state.setup.players[page.player][0]]
    shown: tuple[Mark, ...] = (Mark(Meaning.RAIL, _PHASES),)
    cursor = Mark(Meaning.CURSOR, (led_of(page.square),))
    if page.stage not in (Stage.AUDIT_ASSAM, Stage.AUDIT_FACING):
        shown = (*shown, Mark(Meaning.RAIL, (led_at(page.player, SIZE),), (ink,)))
    match page.stage:
        case Stage.AUDIT_ASSAM:
            return _one(Mark(Meaning.ASSAM, (led_of(page.square),)), rail=shown)
        case Stage.AUDIT_FACING:
            steps = state.setup.paths[state.assam * 4 + page.facing][-1]
            ahead = Mark(Meaning.PREVIEW, tuple(led_of(step.square) for step in steps))
            return _one(ahead, assam(state), rail=shown)
        case Stage.AUDIT_RUGS:
            return _one(rugs(Meaning.COUNT, state, page.player), rail=shown)
        case Stage.AUDIT_DIRHAMS:
            return _one(Mark(Meaning.NUMBER, inks=(ink,), number=page.dirhams), rail=shown)
        case Stage.SQUARE:
            return _one(_market(state), cursor, rail=shown)
        case Stage.TOP:
            if page.top is None:
                return _one(Mark(Meaning.LETTERS, letters="-"), rail=shown)
            return _one(_letters(page.top), rail=shown)
    beside = tuple(map(led_of, squares_of(NEIGHBOURS[page.square])))
    return _one(Mark(Meaning.OFFER, beside), cursor, rail=shown)
