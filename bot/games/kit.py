"""The kit: everything that the bot asks of a game, as one typed record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bot.engine.core import Game

V = TypeVar("V")


@dataclass(frozen=True, kw_only=True)
class GameKit(Generic[V]):
    """A game, ready to be hosted. Generic over its view, so a checker sees a view handed to another game's screen."""

    rules: Game[Any, Any, V]

    @property
    def name(self) -> str:
        """The name under which the game is registered, and which tables and logs carry."""
        return self.rules.name
