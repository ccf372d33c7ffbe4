"""Scripts that check what is visible and reachable on the page without scrolling."""

from __future__ import annotations

import pytest

from helpers.page.fonts import FONT_SETS

# Of these selectors, those partly off-screen or covered. Corners are probed a little inside: keys
# are round.
OUT_OF_REACH = """(selectors) => {
  const isThere = (node, x, y) => {
    const found = document.elementFromPoint(x, y);
    return found !== null && (node === found || node.contains(found) || found.contains(node));
  };
  const isReached = (node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    const beyond = left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
    if (beyond || left === right || top === bottom) return false;
    const [across, down] = [(right - left) / 5, (bottom - top) / 5];
    const xs = [left + across, (left + right) / 2, right - across];
    const ys = [top + down, (top + bottom) / 2, bottom - down];
    return xs.every((x) => ys.every((y) => isThere(node, x, y)));
  };
  return selectors.filter((one) => !Array.from(document.querySelectorAll(one)).every(isReached)
    || !document.querySelector(one));
}"""

# The text of keys whose text overflows.
OVERFLOWING_KEYS = """() => Array.from(document.querySelectorAll("#pad .key"))
  .filter((key) => key.scrollWidth > key.clientWidth || key.scrollHeight > key.clientHeight)
  .map((key) => key.textContent)"""

# Of these selectors, those visible and partly below the top edge of the pad.
BELOW_PAD_EDGE = """(selectors) => {
  const edge = document.querySelector("#pad").getBoundingClientRect().top;
  return selectors.filter((one) => Array.from(document.querySelectorAll(one))
    .some((node) => node.checkVisibility() && node.getBoundingClientRect().bottom > edge));
}"""

# Texts above the pad that are smaller than 12 px.
TOO_SMALL_TEXT = """() => Array.from(document.querySelectorAll(".now *, #payment :is(p, span)"))
  .filter((node) => node.checkVisibility() && node.textContent && !node.closest("svg"))
  .filter((node) => parseFloat(getComputedStyle(node).fontSize) < 12)
  .map((node) => `${node.className} "${node.textContent}"`)"""

PROMPT = ("#title", "#todo")
OK_AND_BACK = ("#pad .ok", "#pad .back")
DIRECTION_KEYS = ("#pad .north", "#pad .east", "#pad .south", "#pad .west")
NEEDED_TEXT = (*PROMPT, "#refused", "#payment")
"""All text that a player needs for the next press; the last two only if shown."""

# The widest fonts are the hardest test: they always run, the others with the long tests.
_FONTS = [
    name if name == "dejavu" else pytest.param(name, marks=pytest.mark.long) for name in FONT_SETS
]
IN_ALL_FONTS = pytest.mark.parametrize("fonts", _FONTS, indirect=True, scope="module")
"""For tests of what fits: run with each font set of tests/helpers/page/fonts.py."""
