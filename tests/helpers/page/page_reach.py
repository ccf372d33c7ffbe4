"""What somebody can see and touch on the page as it stands, without scrolling."""

from __future__ import annotations

import pytest

from helpers.page.fonts import FONT_SETS

# Of these selectors, those of which a part is beyond the screen or below something else. Corners
# are looked at a little inside: keys are round there.
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

# Keys whose words are wider or higher than they are, and the words.
WORDS_OVER_KEYS = """() => Array.from(document.querySelectorAll("#pad .key"))
  .filter((key) => key.scrollWidth > key.clientWidth || key.scrollHeight > key.clientHeight)
  .map((key) => key.textContent)"""

# Of these selectors, those that are shown and end below the upper edge of the buttons.
UNDER_PAD = """(selectors) => {
  const edge = document.querySelector("#pad").getBoundingClientRect().top;
  return selectors.filter((one) => Array.from(document.querySelectorAll(one))
    .some((node) => node.checkVisibility() && node.getBoundingClientRect().bottom > edge));
}"""

# Letters of words above the buttons that are smaller than 12 px.
TOO_SMALL_TO_READ = """() => Array.from(document.querySelectorAll(".now *, #payment :is(p, span)"))
  .filter((node) => node.checkVisibility() && node.textContent && !node.closest("svg"))
  .filter((node) => parseFloat(getComputedStyle(node).fontSize) < 12)
  .map((node) => `${node.className} "${node.textContent}"`)"""

WORDS = ("#title", "#todo")
KEYS = ("#pad .ok", "#pad .back")
WAYS = ("#pad .north", "#pad .east", "#pad .south", "#pad .west")
ASKED = (*WORDS, "#refused", "#payment")
"""All words that somebody needs for the next press; of the last two, what is shown."""

# The widest fonts are the hardest test: they are tried before every change, the others at night.
_FONTS = [
    name if name == "dejavu" else pytest.param(name, marks=pytest.mark.long) for name in FONT_SETS
]
IN_ALL_FONTS = pytest.mark.parametrize("fonts", _FONTS, indirect=True, scope="module")
"""For tests of what fits: once in each font set of tests/helpers/page/fonts.py."""
