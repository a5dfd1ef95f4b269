"""How AI players play each game: one function per game, which `bot.games.registry` takes from the games' kits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from bot.ai_players.characters import Character
from bot.engine.core import Prompt

V = TypeVar("V")

Reason: TypeAlias = tuple[str, dict[str, str]]
"""A text key and the text's slots."""


class Thought(NamedTuple):
    """What an AI player does, and why."""

    action: Any
    """A legal answer to the prompt."""
    reason: Reason | None = None
    """What the AI player says about the move after the reveal; None if it says nothing."""


Brain: TypeAlias = Callable[[V, Prompt, Character, int], Thought]
"""Answers a prompt from its seat's view, the character and a seed. Pure: the same input gives the same thought.

A brain must be a function at the top level of its module. It is handed to the process that thinks by name, and what its
module imports is all that this process ever learns about the game.
"""

BRAINS: Final[dict[str, Brain[Any]]] = {}
"""The brains by the name of their game. AI players cannot sit down at a game that is not here."""
