"""Hypothesis profiles: numbers of examples, no deadlines."""

from __future__ import annotations

import pytest
from helpers.profiles import MIN_EXAMPLES, PROFILES, examples
from hypothesis import settings


@pytest.mark.parametrize("name", PROFILES)
def test_no_profile_has_a_deadline(name: str) -> None:
    assert settings.get_profile(name).deadline is None


def test_only_the_default_profile_is_deterministic() -> None:
    fixed = [name for name in PROFILES if settings.get_profile(name).derandomize]
    assert fixed == ["quick"]


def test_examples_are_scaled_to_the_profile() -> None:
    default = settings().max_examples
    assert examples(100) == max(MIN_EXAMPLES, default)
    assert examples(200) == 2 * default
    assert examples(0) == MIN_EXAMPLES
