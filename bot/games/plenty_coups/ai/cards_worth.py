"""Values herds and cards, in points. The numbers come from many matches between AI players."""

from __future__ import annotations

from functools import lru_cache
from math import exp
from typing import Final

from bot.games.plenty_coups.ai.effects import attack_value
from bot.games.plenty_coups.ai.position import MARKERS, Camp, Position
from bot.games.plenty_coups.rules.cards import HORSE, STICK, Card, Kind

PRESTIGE_TIE: Final = 0.02
"""Prestige breaks a tie, so it counts a little more than its point."""
_HORSES_WITHOUT_POINTS: Final = 5
"""Each horse beyond this number is a point."""
_WORTH_OF_GIVING: Final = 0.55
"""What giving two horses away brings: a point, minus the action, the card and the help for a rival."""
_HORSES_PER_ACTION: Final = 0.2
"""How many horses a tribe gains per action on average."""
_MOST_HORSES_TO_COME: Final = 6
"""Cap on the horses that a tribe is expected to gain before the end."""
_HIDDEN_CARD: Final = 0.3
"""What an unknown card is worth."""
_STICK: Final = 0.3
"""What a coup stick is worth while no raid is expected to come home and there is time, in points."""
_FURTHER_STICKS: Final = 0.6
"""The share of its worth that a stick keeps if there is another in the hand."""
_WEAPONS: Final = (0.0, 0.0, 0.16, 0.24, 0.5)
"""By value."""
_WARRIORS: Final = (0.0, 0.08, 0.14, 0.18, 0.42, 0.65)
"""By attack value: only two weapons together stop a 5."""
_WEIGHT_PER_CARD: Final = 0.85
"""The share of its worth for which the best card of a hand counts; the second best counts for its square, and so on."""
_UNPLAYABLE: Final = 0.03
"""What a card is worth that cannot be played: it can still be discarded in place of a better one."""
_FULL_WORTH_ACTIONS: Final = 6
"""With fewer actions to come, most cards are worth less."""


@lru_cache(maxsize=8192)
def herd_worth(horses: int, prestige: int, actions: int) -> float:
    """Return the points that a herd will bring, including horses gained in the actions to come."""
    if actions <= 0:
        return _points(horses, prestige)
    mean = _HORSES_PER_ACTION * actions
    chance, left, total = exp(-mean), 1.0, 0.0
    for more in range(_MOST_HORSES_TO_COME):  # horses gained follow a Poisson distribution
        total += chance * _best_use(horses + more, prestige, actions)
        left -= chance
        chance *= mean / (more + 1)
    return total + left * _best_use(horses + _MOST_HORSES_TO_COME, prestige, actions)


def _points(horses: int, prestige: int) -> float:
    """Return the points of a herd at the end; an empty one costs prestige."""
    if not horses:
        return -(1 + PRESTIGE_TIE) if prestige else 0.0
    return max(0.0, horses - _HORSES_WITHOUT_POINTS)


def _best_use(horses: int, prestige: int, actions: int) -> float:
    """Return the points of a herd if the best number of pairs is given away for prestige."""
    most = min(MARKERS - prestige, (horses - 1) // 2, actions)
    return max(
        _points(horses, prestige),
        *(
            _WORTH_OF_GIVING * given + max(0, horses - 2 * given - _HORSES_WITHOUT_POINTS)
            for given in range(1, most + 1)
        ),
        -1.0,
    )


def card_worth(position: Position, camp: Camp, card: Card, actions: int, coups: float = 0.0) -> float:
    """Return what a card is worth to a tribe that has some actions left and expects some raids to come home."""
    if actions <= 0:
        return 0.0
    time = min(1.0, actions / _FULL_WORTH_ACTIONS)
    if card == HORSE:
        if not position.plain:
            return _UNPLAYABLE
        before = herd_worth(camp.horses, camp.prestige, actions - 1)
        return max(_UNPLAYABLE, herd_worth(camp.horses + 1, camp.prestige, actions - 1) - before)
    if card == STICK:
        if camp.prestige == MARKERS:
            return _UNPLAYABLE
        strikes = min(1.0, coups)
        return strikes + (1 - strikes) * _STICK * time
    if card.kind is Kind.WEAPON:
        return _WEAPONS[card.value] * time
    return _WARRIORS[attack_value(camp, (card,))] * (time if actions > 1 else 0.1)


def hand_worth(position: Position, camp: Camp, actions: int, coups: float) -> float:
    """Return what a hand is worth: at most one card for each action to come."""
    if actions <= 0:
        return 0.0
    hidden = camp.hidden + (camp.disdained and camp.hidden + len(camp.hand) < 3)  # the lost card is replaced
    worths = [_HIDDEN_CARD * min(1.0, actions / _FULL_WORTH_ACTIONS)] * hidden
    sticks = 0
    for card in camp.hand:
        worth = card_worth(position, camp, card, actions, max(0.0, coups - sticks))
        if card == STICK:
            worth *= _FURTHER_STICKS if sticks else 1.0
            sticks += 1
        worths.append(worth)
    worths.sort(reverse=True)
    return sum(worth * _WEIGHT_PER_CARD**place for place, worth in enumerate(worths[:actions], 1))
