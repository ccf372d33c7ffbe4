"""Hypothesis profiles: few examples by default, more with `--all`, most with `--long`.

A test that needs more or fewer examples than others scales the profile's number:

    @settings(max_examples=examples(500))  # five times the default of 100

There are no deadlines: a busy machine must not make a test fail.
"""

from __future__ import annotations

from hypothesis import settings

DEFAULT_EXAMPLES = 100
PROFILES = {"quick": 15, "all": DEFAULT_EXAMPLES, "long": 10 * DEFAULT_EXAMPLES}
"""For `pytest --hypothesis-profile=NAME`: the number of examples of a test without its own."""
MIN_EXAMPLES = 5


def register_profiles() -> None:
    for name, count in PROFILES.items():
        # The default run has the same examples for everybody.
        is_deterministic = name == "quick"
        settings.register_profile(
            name, deadline=None, max_examples=count, derandomize=is_deterministic, print_blob=True
        )
    settings.load_profile("quick")


def examples(count: int) -> int:
    """`count`, scaled to the current profile, where 100 is the default."""
    return max(MIN_EXAMPLES, count * settings().max_examples // DEFAULT_EXAMPLES)
