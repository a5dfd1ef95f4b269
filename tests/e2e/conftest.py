"""Shared fixtures of the end-to-end tests."""

import pytest

from tests.e2e.driver import Driver
from tests.games.drivers import DRIVERS


@pytest.fixture(params=DRIVERS, ids=lambda driver: driver.name)
def driver(request: pytest.FixtureRequest) -> Driver:
    """Run the test once for every game."""
    found: Driver = request.param
    return found
