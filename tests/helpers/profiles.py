"""How many examples hypothesis tries: a few by default, many with `--all`, most with `--long`.

A test that needs more or fewer than others says how many of the usual hundred it wants:

    @settings(max_examples=examples(500))

No example has a deadline: a busy machine is not a fault.
"""

from __future__ import annotations

from hypothesis import settings

USUAL = 100
PROFILES = {"quick": 15, "all": USUAL, "long": 10 * USUAL}
"""`pytest --hypothesis-profile=NAME`: how many examples a test tries that asks for no number."""
FEWEST = 5


def register_profiles() -> None:
    for name, count in PROFILES.items():
        # Everybody who runs the default tests runs the same ones.
        is_fixed = name == "quick"
        settings.register_profile(
            name, deadline=None, max_examples=count, derandomize=is_fixed, print_blob=True
        )
    settings.load_profile("quick")


def examples(count: int) -> int:
    """So many, where the usual test tries a hundred."""
    return max(FEWEST, count * settings().max_examples // USUAL)
