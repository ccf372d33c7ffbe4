"""How many examples property tests try, and that they have no deadline."""

from __future__ import annotations

import pytest
from helpers.profiles import FEWEST, PROFILES, examples
from hypothesis import settings


@pytest.mark.parametrize("name", PROFILES)
def test_no_profile_has_a_deadline(name: str) -> None:
    assert settings.get_profile(name).deadline is None


def test_only_the_default_is_the_same_every_time() -> None:
    fixed = [name for name in PROFILES if settings.get_profile(name).derandomize]
    assert fixed == ["quick"]


def test_a_test_gets_its_share_of_the_profile() -> None:
    usual = settings().max_examples
    assert examples(100) == max(FEWEST, usual)
    assert examples(200) == 2 * usual
    assert examples(0) == FEWEST
