"""Plays like a beginner: knows what each verb is good for, but not when, and never counts cards or plans ahead."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from bot.engine.core import Prompt
from bot.games.plenty_coups.rules.actions import (
    Accept,
    AllyNeutral,
    Breed,
    Decline,
    Defend,
    DiscardAfterHunt,
    Disdain,
    Donate,
    DoubleDefend,
    DoubleRaid,
    End,
    Give,
    Hunt,
    LayFreeGift,
    LayGift,
    Propose,
    Prove,
    Raid,
    StrikeCoup,
    Take,
)
from bot.games.plenty_coups.rules.cards import HORSE, STICK, Card, Kind
from bot.games.plenty_coups.rules.view import PlentyCoupsView

VERB_APPEAL: Final[Mapping[type, float]] = {
    StrikeCoup: 1.0,
    Breed: 0.7,
    Defend: 0.7,
    Raid: 0.6,
    Accept: 0.5,
    Prove: 0.5,
    DoubleRaid: 0.2,
    DoubleDefend: 0.2,
    Hunt: 0.2,
    LayFreeGift: 0.2,
    Propose: 0.2,
    AllyNeutral: 0.1,
    Disdain: 0.1,
    Donate: 0.1,
    Decline: 0.0,
    LayGift: 0.0,
    End: 0.0,
}
"""How much each verb appeals to a beginner. A verb that is not listed never competes with another."""
_VERB_NOISE: Final = 0.4
"""Standard deviation of the random amount added to a verb's appeal."""
_CARD_NOISE: Final = 1.5
"""Standard deviation of the random amount added to the appeal of cards; a warrior 3 appeals 1 more than a warrior 2."""


def hunch(view: PlentyCoupsView, prompt: Prompt, rng: Random) -> Any:
    """Answer the prompt like somebody who learned the rules five minutes ago."""
    verbs: dict[Any, list[Any]] = {}
    for choice in prompt.choices:
        verbs.setdefault(choice.verb, []).append(choice)
    verb = max(verbs, key=lambda each: VERB_APPEAL.get(each, 0.0) + rng.gauss(0, _VERB_NOISE))
    actions = [action for choice in verbs[verb] for action in choice.actions(prompt.seat)]
    if prompt.seat in (camp.owner for camp in view.camps if camp.tribe != view.turn):  # playing the third tribe
        mine = next(camp.tribe for camp in view.camps if camp.owner == prompt.seat)
        actions = [action for action in actions if getattr(action, "target", None) != mine] or actions
    return max(actions, key=lambda action: _action_appeal(view, action) + rng.gauss(0, _CARD_NOISE))


def _action_appeal(view: PlentyCoupsView, action: Any) -> float:
    """Return how good an action's cards and target look to a beginner, who keeps high cards and raids large herds."""
    match action:
        case Take(_, _, cards):
            return sum(map(_card_appeal, cards))
        case Raid(_, _, target, warrior):
            return warrior.value + _horses(view, target)
        case DoubleRaid(_, _, target, _):
            return _horses(view, target)
        case DiscardAfterHunt(_, _, cards) | DoubleDefend(_, _, cards):
            return -sum(map(_card_appeal, cards))
        case Hunt(_, _, card) | Give(_, _, card) | LayFreeGift(_, _, card) | Prove(_, _, card) | Defend(_, _, card):
            return -_card_appeal(card)
        case LayGift(_, _, _, discard, card):
            return -_card_appeal(discard) - _card_appeal(card)
        case Donate(_, _, _, discard):
            return -_card_appeal(discard)
        case _:
            return 0.0


def _card_appeal(card: Card) -> float:
    """Return how much a beginner wants a card."""
    if card in (HORSE, STICK):
        return 3.0
    return card.value - (0.5 if card.kind is Kind.WEAPON else 0.0)


def _horses(view: PlentyCoupsView, tribe: Any) -> int:
    return next(camp.horses for camp in view.camps if camp.tribe == tribe)
