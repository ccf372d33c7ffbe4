"""A turn of a record as pictures: its moments side by side, or the light as it moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

from PIL import Image, ImageDraw, ImageFont

from companion.drawing.leds import shine
from companion.drawing.market import draw_board
from companion.errors import SettingError
from companion.games.marrakech import (
    Action,
    Event,
    Lay,
    Record,
    Rolled,
    State,
    Step,
    Tribute,
    Walked,
)
from companion.light.frame import duration_ms, mono, next_change, picture
from companion.table.scenes.scene import Meaning, Scene, Shot
from companion.table.scenes.turn_scenes import (
    count_scene,
    lay_scene,
    orient_scene,
    pay_scene,
    walk_scene,
)

STAYS_MS = 2000
"""How long a film stays with a last shot, which at the table stays until something is told."""
_COLUMNS = 4
_CAPTION = 30
_GAP = 10
_PAPER = (250, 247, 240)
_TEXT = (40, 32, 26)

AppliedAction = tuple[State, Action, State, tuple[Event, ...]]


@dataclass(frozen=True)
class Act:
    """A scene, the market it is shown over, and what to say of each of its shots."""

    market: State
    scene: Scene
    captions: tuple[str, ...]


def turns_of(record: Record) -> list[list[AppliedAction]]:
    """What was told, turn by turn: position, action, position after, what happened."""
    turns: list[list[AppliedAction]] = []
    state = record.start
    for action, after, events in record.replay():
        if not turns or state.begins_turn:
            turns.append([])
        turns[-1].append((state, action, after, events))
        state = after
    return turns


def acts_of_turn(record: Record, number: int) -> list[Act]:
    """What the table shows in turn `number`, counted from 1."""
    turns = turns_of(record)
    if not turns:
        raise SettingError("the record has no turn yet")
    if not 1 <= number <= len(turns):
        raise SettingError(f"there is no turn {number}: the record has 1 to {len(turns)}")
    path: tuple[Step, ...] = ()
    acts: list[Act] = []
    for state, action, after, events in turns[number - 1]:
        if isinstance(action, Rolled):
            acts.append(_preview(state))
            path = next(event.path for event in events if isinstance(event, Walked))
            acts.append(_arrival(after, path, action, events))
        elif isinstance(action, Lay):
            captions = (f"{_name(state)} lays a rug",)
            acts.append(Act(state, lay_scene(state, path, action.placement), captions))
            if after.begins_turn and not after.setup.pivots_last:
                acts.append(_preview(after))
        if after.is_over:
            scene = count_scene(after)
            acts.append(Act(after, scene, tuple(map(_count_caption, scene.shots))))
    return acts


def _name(state: State, player: int | None = None) -> str:
    return state.setup.name(state.mover if player is None else player)


def _count_caption(shot: Shot) -> str:
    (mark,) = shot.marks
    colour = mark.ink(0).name.lower()
    if mark.meaning is Meaning.NUMBER:
        return f"{colour} has {mark.number} in all"
    return f"{colour}: what is visible is counted"


def _preview(state: State) -> Act:
    caption = f"{_name(state)}, facing {state.facing.name.lower()}: where 1 to 4 lead"
    return Act(state, orient_scene(state), (caption,))


def _arrival(
    after: State, path: tuple[Step, ...], rolled: Rolled, events: tuple[Event, ...]
) -> Act:
    walked = f"{_name(after)} rolls {rolled.pips}: the path"
    for event in events:
        if isinstance(event, Tribute):
            owner = _name(after, event.owner)
            captions = (walked, f"{owner}'s region is counted", "the amount", "until it is paid")
            return Act(after, pay_scene(after, path, event), captions)
    return Act(after, walk_scene(after, path), (walked,))


# --- Pictures -----------------------------------------------------------------------------


def moments(scene: Scene) -> Iterator[int]:
    """For each shot, the time at which it shows most."""
    starts = [0, *accumulate(duration_ms(shot) for shot in scene.shots[:-1])]
    for shot, start in zip(scene.shots, starts, strict=True):
        alone = Scene((shot,))
        times = [0, *_changes(alone, STAYS_MS + duration_ms(shot))]
        best = max(times, key=lambda time: mono(picture(alone, time)).bit_count())
        yield start + best


def _changes(scene: Scene, until_ms: int) -> Iterator[int]:
    """The times at which the picture changes."""
    time = next_change(scene, 0)
    while time is not None and time < until_ms:
        yield time
        time = next_change(scene, time)


def draw_sheet(acts: list[Act], *, is_mono: bool) -> Image.Image:
    """The moments of a turn side by side, each with its caption."""
    panels = [
        (caption, _draw(act, time, is_mono=is_mono))
        for act in acts
        for caption, time in zip(act.captions, moments(act.scene), strict=True)
    ]
    width, height = panels[0][1].size
    rows = -(-len(panels) // _COLUMNS)
    columns = min(len(panels), _COLUMNS)
    size = columns * (width + _GAP) + _GAP, rows * (height + _CAPTION + _GAP) + _GAP
    sheet = Image.new("RGB", size, _PAPER)
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(17)
    for number, (caption, panel) in enumerate(panels):
        row, column = divmod(number, _COLUMNS)
        x = _GAP + column * (width + _GAP)
        y = _GAP + row * (height + _CAPTION + _GAP)
        draw.text((x + 2, y + 3), f"{number + 1}. {caption}", _TEXT, font)
        sheet.paste(panel, (x, y + _CAPTION))
    return sheet


def draw_film(acts: list[Act], *, is_mono: bool) -> tuple[list[Image.Image], list[int]]:
    """The light as it moves: every frame, and how long each stays, in milliseconds."""
    frames: list[Image.Image] = []
    lasts: list[int] = []
    for act in acts:
        end = sum(duration_ms(shot) for shot in act.scene.shots[:-1]) + STAYS_MS
        times = [0, *_changes(act.scene, end), end]
        for time, following in pairwise(times):
            frames.append(_draw(act, time, is_mono=is_mono))
            lasts.append(following - time)
    return frames, lasts


def _draw(act: Act, t_ms: int, *, is_mono: bool) -> Image.Image:
    image = shine(draw_board(act.market), picture(act.scene, t_ms), is_mono=is_mono)
    return image.resize((image.width // 2, image.height // 2), Image.Resampling.LANCZOS)
