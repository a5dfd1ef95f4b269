"""The games of the twin tests."""

from __future__ import annotations

from typing import Final

from tests.discord_ui.twin_game import TwinGame
from tests.games.coyote.twins import CoyoteTwins
from tests.games.plenty_coups.twins import PlentyCoupsTwins

TWIN_GAMES: Final[tuple[TwinGame, ...]] = (CoyoteTwins(), PlentyCoupsTwins())
