"""Groups of tests that need more than Python: pytest markers, selected with `-m`.

`./marrakech test` runs none of them. `./marrakech test --all` installs what they need
(tests/packages.txt) and runs all but `long`, which `./marrakech test --long` adds.
"""

from __future__ import annotations

GROUPS = {
    "browser": "the page in a real browser",
    "firmware": "the die pad's firmware, compiled and run in simavr",
    "fonts": "pictures with names in many scripts",
    "openscad": "the printed parts",
    "systemd": "the unit, checked by systemd-analyze",
    "system": "the service under a real systemd, in a container",
    "long": "the layout of the page in more fonts",
}
"""Name and description."""
NEED_TOOLS = [name for name in GROUPS if name != "long"]
WITHOUT_TOOLS = f"not ({' or '.join(GROUPS)})"
"""For pytest's `-m`: the tests that need only Python."""

BY_FIXTURE = {
    "browser": "browser",
    "picture_fonts": "fonts",
    **dict.fromkeys(("build", "library", "image", "program", "chip"), "firmware"),
}
"""Tests that use this fixture belong to this group. Other tests have a marker."""
