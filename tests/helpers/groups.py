"""Groups of tests that need more than Python: pytest markers, chosen with `-m`.

`./marrakech test` leaves them all out; `./marrakech test --all` installs what they need
(tests/packages.txt) and runs them; `./marrakech test --long` adds those of the last group.
"""

from __future__ import annotations

GROUPS = {
    "browser": "the page in a real browser",
    "firmware": "the die pad's firmware, compiled and run in simavr",
    "fonts": "pictures with names in many scripts",
    "openscad": "the printed parts",
    "systemd": "the unit as systemd-analyze sees it",
    "system": "the service under a real systemd, in a container",
    "long": "the layout of the page in the fonts that are not the widest",
}
"""Each with what it tests."""
NEED_TOOLS = [name for name in GROUPS if name != "long"]
WITHOUT_TOOLS = f"not ({' or '.join(GROUPS)})"
"""For pytest's `-m`: the tests that need nothing but Python."""

BY_FIXTURE = {
    "browser": "browser",
    "picture_fonts": "fonts",
    **dict.fromkeys(("build", "library", "image", "program", "chip"), "firmware"),
}
"""Whoever uses such a fixture belongs to this group; other tests name theirs with a marker."""
