"""Frames: what the 64 LEDs show at each moment of a scene.

A frame has an ink, or None, for each LED. The mono matrix lights every LED that has an ink, the RGB
matrix also shows the colour of the ink. So both move alike, and everything that differs on one
differs on the other.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate, repeat
from typing import NamedTuple

from companion.light.digits import code_leds, letter_leds, number_leds
from companion.light.motion import Motion, motion_of
from companion.table.scenes.scene import MATRIX, RAIL, Ink, Mark, Meaning, Scene, Shot

LedFrame = tuple[Ink | None, ...]
LEDS = MATRIX * MATRIX
DARK: LedFrame = (None,) * LEDS

REFUSAL_MS = 80
_REFUSAL_CHANGES_MS = (REFUSAL_MS, 2 * REFUSAL_MS, 3 * REFUSAL_MS)


class _Layer(NamedTuple):
    mark: Mark
    motion: Motion


class Timeline:
    """A scene over time. `t_ms` counts from the start of the scene."""

    def __init__(self, scene: Scene) -> None:
        self._shots = [_layers(shot.marks) for shot in scene.shots]
        self._starts_ms = [0, *accumulate(map(_duration_ms, self._shots[:-1]))]
        self._rail = _layers(scene.rail)

    def frame_at(self, t_ms: int, refused_ms: int | None = None) -> LedFrame:
        """The frame at a time, `refused_ms` after an input was refused."""
        index = self._shot_at(t_ms)
        leds: list[Ink | None] = list(DARK)
        for layers, layers_ms in (
            (self._shots[index], t_ms - self._starts_ms[index]),
            (self._rail, t_ms),
        ):
            lit_counts = [motion.lit_at(layers_ms) for _, motion in layers]
            for (mark, _), lit in zip(layers, lit_counts, strict=True):
                _draw(mark, lit, leds)
        if refused_ms is not None and _is_inverted(refused_ms):
            return tuple(_inverted(led, ink) for led, ink in enumerate(leds))
        return tuple(leds)

    def next_change(self, t_ms: int, refused_ms: int | None = None) -> int | None:
        """When the frame changes next; None if it stays as it is."""
        index = self._shot_at(t_ms)
        start_ms = self._starts_ms[index]
        times_ms = self._starts_ms[index + 1 : index + 2]
        for _, motion in self._shots[index]:
            if (change_ms := motion.next_change(t_ms - start_ms)) is not None:
                times_ms.append(start_ms + change_ms)
        for _, motion in self._rail:
            if (change_ms := motion.next_change(t_ms)) is not None:
                times_ms.append(change_ms)
        if refused_ms is not None:
            times_ms += [
                t_ms - refused_ms + time for time in _REFUSAL_CHANGES_MS if time > refused_ms
            ]
        return min(times_ms, default=None)

    def _shot_at(self, t_ms: int) -> int:
        return bisect_right(self._starts_ms, t_ms) - 1


def render_frame(scene: Scene, t_ms: int, refused_ms: int | None = None) -> LedFrame:
    """One frame of a scene. For many frames of one scene, keep its `Timeline`."""
    return Timeline(scene).frame_at(t_ms, refused_ms)


def next_change(scene: Scene, t_ms: int, refused_ms: int | None = None) -> int | None:
    """When the frame of a scene changes next; None if it stays as it is."""
    return Timeline(scene).next_change(t_ms, refused_ms)


def still_frame(scene: Scene) -> LedFrame:
    """The scene without motion: all marks of its last shot and of the rail."""
    leds: list[Ink | None] = list(DARK)
    for mark in (*scene.shots[-1].marks, *scene.rail):
        _draw(mark, len(mark.leds), leds)
    return tuple(leds)


def has_still_frame(scene: Scene) -> bool:
    """Whether the scene means the same without motion. A code shows two digits at a time."""
    return all(mark.meaning is not Meaning.CODE for mark in scene.shots[-1].marks)


def duration_ms(shot: Shot) -> int:
    """How long a shot lasts if another follows."""
    return _duration_ms(_layers(shot.marks))


def _layers(marks: Iterable[Mark]) -> tuple[_Layer, ...]:
    return tuple([_Layer(mark, motion_of(mark)) for mark in marks])


def _duration_ms(layers: tuple[_Layer, ...]) -> int:
    return max(layer.motion.duration_ms for layer in layers)


def _draw(mark: Mark, lit: int, leds: list[Ink | None]) -> None:
    """Draw the first `lit` LEDs of a mark, or pair `lit` of a code; numbers and letters whole.

    The dark LEDs of a mark hide the marks under it.
    """
    inks = mark.inks
    match mark.meaning:
        case Meaning.NUMBER:
            for led in number_leds(mark.number):
                leds[led] = inks[0]
        case Meaning.CODE:
            for led in code_leds(mark.letters, lit):
                leds[led] = inks[0]
        case Meaning.LETTERS:
            for index, letter in enumerate(letter_leds(mark.letters)):
                for led in letter:
                    leds[led] = mark.ink(index)
        case _:
            for led in mark.leds:
                leds[led] = None
            led_inks = inks if len(inks) > 1 else repeat(inks[0])
            for led, ink in zip(mark.leds[:lit], led_inks, strict=False):
                leds[led] = ink


def _is_inverted(refused_ms: int) -> bool:
    """Inverted twice for `REFUSAL_MS`, with a pause of the same length."""
    return refused_ms < 3 * REFUSAL_MS and refused_ms // REFUSAL_MS % 2 == 0


def _inverted(led: int, ink: Ink | None) -> Ink | None:
    if ink is not None:
        return None
    return Ink.ALARM if led in RAIL else Ink.WHITE


_LETTERS = {
    Ink.RED: "R",
    Ink.YELLOW: "Y",
    Ink.BLUE: "B",
    Ink.BROWN: "N",
    Ink.WHITE: "W",
    Ink.ALARM: "!",
    None: ".",
}


def frame_text(frame: LedFrame) -> str:
    """The frame as eight lines of text, one letter per LED."""
    rows = (frame[start : start + MATRIX] for start in range(0, LEDS, MATRIX))
    return "\n".join("".join(_LETTERS[ink] for ink in row) for row in rows)


def lit_bits(frame: LedFrame) -> int:
    """The lit LEDs as 64 bits, LED 0 (north-west) in the lowest."""
    return sum(1 << led for led, ink in enumerate(frame) if ink is not None)
