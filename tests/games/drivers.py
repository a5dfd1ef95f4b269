"""The games that the shared end-to-end tests play; a driver says how."""

from __future__ import annotations

from typing import Final

from tests.e2e.driver import Driver
from tests.games.coyote.driver import CoyoteDriver
from tests.games.plenty_coups.driver import PlentyCoupsDriver

COYOTE: Final = CoyoteDriver()
PLENTY_COUPS: Final = PlentyCoupsDriver()
DRIVERS: Final[tuple[Driver, ...]] = (COYOTE, PLENTY_COUPS)
