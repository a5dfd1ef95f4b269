"""The games by name, and the one that is meant if none is named."""

from __future__ import annotations

from bot.engine.registry import RULES, main_game
from bot.games.registry import KITS


def test_the_main_game_is_the_first_kit() -> None:
    assert main_game() == KITS[0].name
    assert list(RULES)[: len(KITS)] == [kit.name for kit in KITS]
