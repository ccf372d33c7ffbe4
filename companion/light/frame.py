"""Frames: what the 64 LEDs show at a moment of a scene.

A `Picture` has an ink or nothing for each LED. The mono matrix shows where there is ink, the RGB
matrix also which: so both move alike, and whatever can be told apart on the one can be on the
other.
"""

from __future__ import annotations

from companion.light.digits import code_leds, letter_leds, number_leds
from companion.light.motion import motion_of
from companion.table.scenes.scene import MATRIX, RAIL, Ink, Mark, Meaning, Scene, Shot

Picture = tuple[Ink | None, ...]
LEDS = MATRIX * MATRIX
DARK: Picture = (None,) * LEDS

REFUSAL_MS = 80
_REFUSAL_CHANGES = (REFUSAL_MS, 2 * REFUSAL_MS, 3 * REFUSAL_MS)


def picture(scene: Scene, t_ms: int, refused_ms: int | None = None) -> Picture:
    """What is lit `t_ms` after the scene began, and `refused_ms` after an input was refused."""
    shot, shot_ms = _shot_at(scene, t_ms)
    leds: list[Ink | None] = list(DARK)
    for mark in shot.marks:
        _draw(mark, shot_ms, leds)
    for mark in scene.rail:
        _draw(mark, t_ms, leds)
    if refused_ms is not None and _is_inverted(refused_ms):
        return tuple(_inverted(led, ink) for led, ink in enumerate(leds))
    return tuple(leds)


def still(scene: Scene) -> Picture:
    """The scene at rest: its last shot and the rail, whole, without motion."""
    leds: list[Ink | None] = list(DARK)
    for mark in (*scene.shots[-1].marks, *scene.rail):
        _light(mark, len(mark.leds), leds)
    return tuple(leds)


def can_rest(scene: Scene) -> bool:
    """Whether it says the same at rest: a code does not, which is never whole."""
    return all(mark.meaning is not Meaning.CODE for mark in scene.shots[-1].marks)


def next_change(scene: Scene, t_ms: int, refused_ms: int | None = None) -> int | None:
    """When the picture changes next, on the clock of `t_ms`; None if it stays as it is."""
    shot, shot_ms = _shot_at(scene, t_ms)
    began = t_ms - shot_ms
    times = [motion_of(mark).next_change(shot_ms) for mark in shot.marks]
    later = [began + time for time in times if time is not None]
    later += [
        time for mark in scene.rail if (time := motion_of(mark).next_change(t_ms)) is not None
    ]
    if shot is not scene.shots[-1]:
        later.append(began + duration_ms(shot))
    if refused_ms is not None:
        later += [t_ms - refused_ms + time for time in _REFUSAL_CHANGES if time > refused_ms]
    return min(later, default=None)


def duration_ms(shot: Shot) -> int:
    """How long a shot lasts if another follows."""
    return max(motion_of(mark).duration_ms for mark in shot.marks)


def _shot_at(scene: Scene, t_ms: int) -> tuple[Shot, int]:
    for shot in scene.shots[:-1]:
        lasts = duration_ms(shot)
        if t_ms < lasts:
            return shot, t_ms
        t_ms -= lasts
    return scene.shots[-1], t_ms


def _draw(mark: Mark, t_ms: int, leds: list[Ink | None]) -> None:
    """Over what is there already: a mark that is dark now hides what lies under it."""
    _light(mark, motion_of(mark).lit_at(t_ms), leds)


def _light(mark: Mark, lit: int, leds: list[Ink | None]) -> None:
    """Light the first LEDs of a mark, or this pair of a code; other signs are always whole."""
    if mark.meaning is Meaning.NUMBER:
        for led in number_leds(mark.number):
            leds[led] = mark.ink(0)
        return
    if mark.meaning is Meaning.CODE:
        for led in code_leds(mark.letters, lit):
            leds[led] = mark.ink(0)
        return
    if mark.meaning is Meaning.LETTERS:
        for index, sign in enumerate(letter_leds(mark.letters)):
            for led in sign:
                leds[led] = mark.ink(index)
        return
    for led in mark.leds:
        leds[led] = None
    for index, led in enumerate(mark.leds[:lit]):
        leds[led] = mark.ink(index)


def _is_inverted(refused_ms: int) -> bool:
    """Twice, 80 ms each, with as much between."""
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


def picture_text(shown: Picture) -> str:
    """The picture in eight lines, a letter for each ink; what tests and logs compare."""
    rows = (shown[start : start + MATRIX] for start in range(0, LEDS, MATRIX))
    return "\n".join("".join(_LETTERS[ink] for ink in row) for row in rows)


def mono(shown: Picture) -> int:
    """The picture in 64 bits, LED 0 (north-west) in the lowest."""
    return sum(1 << led for led, ink in enumerate(shown) if ink is not None)
