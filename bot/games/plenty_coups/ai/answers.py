"""What the possible answers to a question are worth."""

from __future__ import annotations

from typing import Any, Final

from bot.engine.core import Prompt
from bot.games.plenty_coups.ai.effects import with_prestige
from bot.games.plenty_coups.ai.odds import Knowledge
from bot.games.plenty_coups.ai.plans import Plan, after_discarding, after_taking, best_worth, plans
from bot.games.plenty_coups.ai.position import Position
from bot.games.plenty_coups.ai.worth import worth
from bot.games.plenty_coups.rules.actions import Decline, Give
from bot.games.plenty_coups.rules.cards import ordered, without
from bot.games.plenty_coups.rules.view import GiftView, Phase, PlentyCoupsView

_TAKE_BREADTH: Final = 3
"""How many first moves are followed up for each choice of cards to take."""


def answers(view: PlentyCoupsView, prompt: Prompt, position: Position, known: Knowledge, breadth: int) -> list[Plan]:
    """Return the answers that a sensible player would consider, each with what it is worth."""
    if view.phase is Phase.ACT:
        return [plan for plan in plans(position, known, breadth) if prompt.allows(plan.action)]
    return [
        Plan(_judge(view, position, known, action, breadth), action)
        for choice in prompt.choices
        for action in choice.actions(prompt.seat)
    ]


def _judge(view: PlentyCoupsView, position: Position, known: Knowledge, action: Any, breadth: int) -> float:
    match view.phase:
        case Phase.TAKE:
            return best_worth(after_taking(position, action.cards), known, min(breadth, _TAKE_BREADTH))
        case Phase.HUNT:
            return best_worth(after_discarding(position, action.cards), known, breadth)
        case Phase.GIFT if view.gift is not None:
            return worth(_after_giving(position, view.gift, action), known)
        case _:
            return worth(_after_disdain(position, action), known)


def _after_giving(position: Position, gift: GiftView, action: Give) -> Position:
    """Return the position after a gift was answered with a card."""
    giver, target = position.camp(gift.giver), position.camp(gift.target)
    target = target._replace(hand=without(target.hand, action.card))
    if gift.card is None:
        target = target._replace(hidden=target.hidden + 1)
    else:
        target = target._replace(hand=ordered((*target.hand, gift.card)))
    giver = giver._replace(hand=ordered((*giver.hand, action.card)))
    position = position._replace(camps=position.camps_with(giver))
    return position._replace(camps=position.camps_with(target))


def _after_disdain(position: Position, action: Any) -> Position:
    """Return the position after a disdained tribe proved its worth or declined."""
    camp = position.camp(action.tribe)
    if isinstance(action, Decline):
        return with_prestige(position, camp, -1)
    return position._replace(camps=position.camps_with(camp._replace(hand=without(camp.hand, action.card))))
