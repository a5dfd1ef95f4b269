"""Answers prompts in Plenty Coups for AI players, from their own seat's view alone."""

from __future__ import annotations

from math import exp
from random import Random
from typing import Final

from bot.ai_players.brains import Thought
from bot.ai_players.characters import BEGINNER, EXPERT, Character
from bot.engine.core import Prompt
from bot.games.plenty_coups.ai import remarks
from bot.games.plenty_coups.ai.answers import answers
from bot.games.plenty_coups.ai.beginner import hunch
from bot.games.plenty_coups.ai.memory import remembered
from bot.games.plenty_coups.ai.odds import knowledge_of
from bot.games.plenty_coups.ai.plans import Plan
from bot.games.plenty_coups.ai.position import position_of
from bot.games.plenty_coups.ai.temperaments import TEMPERAMENT_SETTINGS, overrated_by
from bot.games.plenty_coups.ai.worth import worth_of_one_point
from bot.games.plenty_coups.rules.actions import End, Hunt
from bot.games.plenty_coups.rules.view import PlentyCoupsView

_EXPERT_BREADTH: Final = 8
"""How many first moves an expert follows up to the end of the turn; a regular player thinks of one move at a time."""
_REGULAR_NOISE: Final = 0.1
"""By how many points a regular player misjudges a move."""


def think(view: PlentyCoupsView, prompt: Prompt, ai: Character, seed: int) -> Thought:
    """Answer the viewer's prompt. Pure: the same input gives the same thought."""
    rng = Random(seed)
    if ai.strength == BEGINNER:
        action = hunch(view, prompt, rng)
        return Thought(action, *remarks.of_beginner(view, action))
    temperament, expert = TEMPERAMENT_SETTINGS[ai.temperament], ai.strength == EXPERT
    recalled = remembered(view.news) if expert or temperament.remembers else {}
    position, known = position_of(view, recalled), knowledge_of(view, prompt.seat, recalled)
    found = answers(view, prompt, position, known, _EXPERT_BREADTH if expert else 0)
    if not found:
        return Thought(prompt.timeout)
    point = worth_of_one_point(position, known)
    noise = 0.0 if expert else _REGULAR_NOISE * temperament.noise
    chosen = max(
        found, key=lambda plan: plan.worth + (overrated_by(temperament, plan.action) + rng.gauss(0, noise)) * point
    )
    reason = remarks.of_move(view, position, known, chosen.action)
    return Thought(chosen.action, reason, _weight(chosen, found))


def _weight(chosen: Plan, found: list[Plan]) -> int:
    """Return by how many thousandths the move raised the chance to win, compared with a move that changes nothing."""
    idle = [plan.worth for plan in found if isinstance(plan.action, Hunt | End)]
    least = max(idle) if idle else min(plan.worth for plan in found)
    return max(0, round(1000 * (exp(chosen.worth) - exp(least))))
