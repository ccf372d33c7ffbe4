"""Pictures of a turn in a game record: a sheet of still pictures, or an animation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

from PIL import Image, ImageDraw, ImageFont

from companion.drawing.leds import draw_leds
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
from companion.light.frame import duration_ms, lit_bits, next_change, render_frame
from companion.table.scenes.scene import Meaning, Scene, Shot
from companion.table.scenes.turn_scenes import (
    count_scene,
    lay_scene,
    orient_scene,
    pay_scene,
    walk_scene,
)

LAST_SHOT_MS = 2000
"""How long the last shot of a scene is shown. At the table it stays until the next input."""
_COLUMNS = 4
_CAPTION_HEIGHT = 30
_GAP = 10
_PAPER = (250, 247, 240)
_TEXT = (40, 32, 26)

AppliedAction = tuple[State, Action, State, tuple[Event, ...]]


@dataclass(frozen=True)
class CaptionedScene:
    """A scene, the market below it, and a caption for each of its shots."""

    market: State
    scene: Scene
    captions: tuple[str, ...]


def actions_by_turn(record: Record) -> list[list[AppliedAction]]:
    """The actions of each turn: state before, action, state after, events."""
    turns: list[list[AppliedAction]] = []
    state = record.start
    for action, after, events in record.replay():
        if not turns or state.is_turn_start:
            turns.append([])
        turns[-1].append((state, action, after, events))
        state = after
    return turns


def scenes_of_turn(record: Record, number: int) -> list[CaptionedScene]:
    """The scenes that the table shows in turn `number`, counted from 1."""
    turns = actions_by_turn(record)
    if not turns:
        raise SettingError("the record has no turn yet")
    if not 1 <= number <= len(turns):
        raise SettingError(f"there is no turn {number}: the record has 1 to {len(turns)}")
    path: tuple[Step, ...] = ()
    scenes: list[CaptionedScene] = []
    for state, action, after, events in turns[number - 1]:
        if isinstance(action, Rolled):
            scenes.append(_preview(state))
            path = next(event.path for event in events if isinstance(event, Walked))
            scenes.append(_arrival(after, path, action, events))
        elif isinstance(action, Lay):
            captions = (f"{_name(state)} lays a rug",)
            scenes.append(CaptionedScene(state, lay_scene(state, path, action.placement), captions))
            if after.is_turn_start and not after.setup.is_pivot_last:
                scenes.append(_preview(after))
        if after.is_over:
            scene = count_scene(after)
            scenes.append(CaptionedScene(after, scene, tuple(map(_count_caption, scene.shots))))
    return scenes


def _name(state: State, player: int | None = None) -> str:
    return state.setup.name(state.mover if player is None else player)


def _count_caption(shot: Shot) -> str:
    (mark,) = shot.marks
    colour = mark.ink(0).name.lower()
    if mark.meaning is Meaning.NUMBER:
        return f"{colour} has {mark.number} in all"
    return f"{colour}: what is visible is counted"


def _preview(state: State) -> CaptionedScene:
    caption = f"{_name(state)}, facing {state.facing.name.lower()}: where 1 to 4 lead"
    return CaptionedScene(state, orient_scene(state), (caption,))


def _arrival(
    after: State, path: tuple[Step, ...], rolled: Rolled, events: tuple[Event, ...]
) -> CaptionedScene:
    walked = f"{_name(after)} rolls {rolled.pips}: the path"
    for event in events:
        if isinstance(event, Tribute):
            owner = _name(after, event.owner)
            captions = (walked, f"{owner}'s region is counted", "the amount", "until it is paid")
            return CaptionedScene(after, pay_scene(after, path, event), captions)
    return CaptionedScene(after, walk_scene(after, path), (walked,))


# --- Pictures -----------------------------------------------------------------------------


def brightest_times(scene: Scene) -> Iterator[int]:
    """For each shot, the time at which most LEDs are lit."""
    starts = [0, *accumulate(duration_ms(shot) for shot in scene.shots[:-1])]
    for shot, start in zip(scene.shots, starts, strict=True):
        alone = Scene((shot,))
        times = [0, *_changes(alone, LAST_SHOT_MS + duration_ms(shot))]
        best = max(times, key=lambda time: lit_bits(render_frame(alone, time)).bit_count())
        yield start + best


def _changes(scene: Scene, until_ms: int) -> Iterator[int]:
    """The times at which the frame changes."""
    time = next_change(scene, 0)
    while time is not None and time < until_ms:
        yield time
        time = next_change(scene, time)


def draw_sheet(scenes: list[CaptionedScene], *, is_mono: bool) -> Image.Image:
    """A still picture of each shot, side by side, with captions."""
    panels = [
        (caption, _draw(scene, time, is_mono=is_mono))
        for scene in scenes
        for caption, time in zip(scene.captions, brightest_times(scene.scene), strict=True)
    ]
    width, height = panels[0][1].size
    rows = -(-len(panels) // _COLUMNS)
    columns = min(len(panels), _COLUMNS)
    size = columns * (width + _GAP) + _GAP, rows * (height + _CAPTION_HEIGHT + _GAP) + _GAP
    sheet = Image.new("RGB", size, _PAPER)
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(17)
    for number, (caption, panel) in enumerate(panels):
        row, column = divmod(number, _COLUMNS)
        x = _GAP + column * (width + _GAP)
        y = _GAP + row * (height + _CAPTION_HEIGHT + _GAP)
        draw.text((x + 2, y + 3), f"{number + 1}. {caption}", _TEXT, font)
        sheet.paste(panel, (x, y + _CAPTION_HEIGHT))
    return sheet


def draw_animation(
    scenes: list[CaptionedScene], *, is_mono: bool
) -> tuple[list[Image.Image], list[int]]:
    """The frames of the scenes, and the duration of each in milliseconds."""
    frames: list[Image.Image] = []
    durations: list[int] = []
    for scene in scenes:
        end = sum(duration_ms(shot) for shot in scene.scene.shots[:-1]) + LAST_SHOT_MS
        times = [0, *_changes(scene.scene, end), end]
        for time, following in pairwise(times):
            frames.append(_draw(scene, time, is_mono=is_mono))
            durations.append(following - time)
    return frames, durations


def _draw(scene: CaptionedScene, t_ms: int, *, is_mono: bool) -> Image.Image:
    image = draw_leds(draw_board(scene.market), render_frame(scene.scene, t_ms), is_mono=is_mono)
    return image.resize((image.width // 2, image.height // 2), Image.Resampling.LANCZOS)
