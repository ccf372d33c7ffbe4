"""RGB values of the inks: different in hue and brightness, also for colour-blind players."""

from __future__ import annotations

from companion.table.scenes.scene import Ink

RGB: dict[Ink, tuple[int, int, int]] = {
    Ink.RED: (255, 40, 30),
    Ink.YELLOW: (255, 190, 0),
    Ink.BLUE: (40, 110, 255),
    Ink.BROWN: (190, 80, 10),
    Ink.WHITE: (255, 255, 255),
    Ink.ALARM: (255, 0, 0),
}
