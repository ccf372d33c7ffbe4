"""Fixtures for the tests of the doctor."""

from __future__ import annotations

import pytest
from helpers.system.healthy_pi import HealthyPi


@pytest.fixture
def machine(tmp_path_factory: pytest.TempPathFactory) -> HealthyPi:
    return HealthyPi(tmp_path_factory.mktemp("machine"))
