"""Holds each game's brain, the function that plays for AI players. `bot.games.registry` fills it from the kits."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
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
    """What the AI player says about the move as soon as it may (`ReasonTiming`); None if it says nothing."""
    weight: int = 0
    """How much the move mattered, in any unit: only the reasons with the most weight are given after the match."""


class ReasonTiming(Enum):
    """When the AI players of a game give the reasons for their moves, which may speak of hidden cards."""

    EACH_ROUND = auto()
    """With the reveal that ends a round: each seat explains its last move."""
    AT_THE_END = auto()
    """When the match is over: each seat explains its weightiest moves."""


Brain: TypeAlias = Callable[[V, Prompt, Character, int], Thought]
"""Answers a prompt from its seat's view, the character and a seed. Pure: the same input gives the same thought.

A brain must be a function at the top level of its module: the brain process is told its name and imports that module,
which is all that it ever learns about the game.
"""

BRAINS: Final[dict[str, Brain[Any]]] = {}
"""Each game's brain, by the game's name. AI players cannot join a game that is missing here."""
REASON_TIMINGS: Final[dict[str, ReasonTiming]] = {}
"""When each game's AI players give their reasons, by the game's name."""
