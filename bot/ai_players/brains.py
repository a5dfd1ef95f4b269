"""Holds the brain of each game: the function that plays for AI players, taken from the game's kit by the registry."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from bot.ai_players.characters import Character
from bot.engine.core import Prompt

V = TypeVar("V")

Reason: TypeAlias = tuple[str, dict[str, str]]
"""A text's key, and the values for its slots."""


class Thought(NamedTuple):
    """What an AI player decided to do, and why."""

    action: Any
    """A legal answer to the prompt."""
    reason: Reason | None = None
    """What the AI player says about the move after the reveal; None if it says nothing."""


Brain: TypeAlias = Callable[[V, Prompt, Character, int], Thought]
"""Answers a prompt from its seat's view, the character and a seed. Pure: the same input gives the same thought.

A brain must be a function at the top level of its module: the brain process is told its name and imports that module,
which is all that it ever learns about the game.
"""

BRAINS: Final[dict[str, Brain[Any]]] = {}
"""The brains by the name of their game. AI players cannot join a game that is missing here."""
