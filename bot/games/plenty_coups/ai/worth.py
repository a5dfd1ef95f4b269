"""Values a position for a player: how likely they are to win, from the points that every tribe can expect."""

from __future__ import annotations

from math import exp, log1p
from typing import Final

from bot.games.plenty_coups.ai.cards_worth import PRESTIGE_TIE, hand_worth, herd_worth
from bot.games.plenty_coups.ai.odds import Knowledge, survival
from bot.games.plenty_coups.ai.position import MARKERS, Position

_HORSE_TIE: Final = 0.004
"""Horses break a tie of points and prestige, so they count a little more than their points."""
_HIDDEN_STICK_CHANCE: Final = 0.4
"""How likely a tribe with a hidden hand is to hold a stick when its raid comes home."""
_ALLIANCE_BONUS: Final = 0.1
"""What an alliance is worth besides the ally's points: warriors of the ally's colour are stronger."""
_FULL_BONUS_ACTIONS: Final = 8
"""With fewer actions to come than this, the bonus is smaller."""
_ACTIONS_PER_PRESTIGE: Final = 6
"""About how many actions a tribe needs to gain one prestige."""
_LEAST_SPREAD: Final = 0.35
"""How far the final lead may be from the expected one when no actions are left."""
_SPREAD_PER_ACTION: Final = 0.1
"""How much further it may be for each action to come."""
_HOPELESS_LEAD: Final = 30.0
"""Behind by more spreads than this, `exp` is not needed, and might overflow."""


def actions_to_come(position: Position, place: int) -> int:
    """Count the actions that a tribe has in its turns after the present one."""
    first = position.round + (place <= position.turn)
    normal, last = position.options.rounds, position.options.last_round
    return 2 * max(0, normal - first + 1) + max(0, last - max(first, normal + 1) + 1)


def _spread(position: Position, place: int) -> float:
    """Return how many points a lead may still change by."""
    return _LEAST_SPREAD + _SPREAD_PER_ACTION * actions_to_come(position, place)


def worth(position: Position, known: Knowledge) -> float:
    """Return roughly the logarithm of the AI player's chance to win."""
    return sum([-log1p(exp(-lead)) if lead > -_HOPELESS_LEAD else lead for lead in _leads(position, known)])


def worth_of_one_point(position: Position, known: Knowledge) -> float:
    """Return how much one more point would add to the worth: next to nothing in a match that is won."""
    slope = sum([1 / (1 + exp(max(-_HOPELESS_LEAD, lead))) for lead in _leads(position, known)])
    return slope / _spread(position, _my_place(position, known))


def _my_place(position: Position, known: Knowledge) -> int:
    return next(place for place, camp in enumerate(position.camps) if camp.owner == known.seat)


def _leads(position: Position, known: Knowledge) -> list[float]:
    """Return the AI player's lead over each rival, measured in spreads."""
    camps = position.camps
    points = expected_points(position, known)
    points[position.turn] += position.hoped_points
    mine = _my_place(position, known)
    ally = position.ally_of(camps[mine])
    my_points, spread = _with_ally(position, points, mine), _spread(position, mine)
    return [
        (my_points - _with_ally(position, points, place)) / spread
        for place, camp in enumerate(camps)
        if place != mine and camp is not ally and camp.owner is not None and camp.owner not in known.left
    ]


def expected_points(position: Position, known: Knowledge) -> list[float]:
    """Return the points that each tribe may expect at the end, without its ally's."""
    camps = position.camps
    actions = [actions_to_come(position, place) for place in range(len(camps))]
    points = [
        camp.prestige * (1 + PRESTIGE_TIE) + camp.horses * _HORSE_TIE + herd_worth(camp.horses, camp.prestige, left)
        for camp, left in zip(camps, actions, strict=True)
    ]
    coups = [0.0] * len(camps)
    places = {camp.tribe: place for place, camp in enumerate(camps)}
    for raid in position.raids:
        chance = survival(position, known, raid)
        raider, target = places[raid.raider], places[raid.target]
        if not raid.prestige_side:
            coups[raider] += chance
        if camps[target].horses:
            points[raider] += chance * _worth_of_horse(position, actions, raider, +1)
            points[target] += chance * _worth_of_horse(position, actions, target, -1)
    for place, camp in enumerate(camps):
        points[place] += hand_worth(position, camp, actions[place], coups[place])
        if camp.hidden and camp.prestige < MARKERS:
            points[place] += _HIDDEN_STICK_CHANCE * coups[place]
        if camp.bond is not None:
            points[place] += _ALLIANCE_BONUS * min(1.0, actions[place] / _FULL_BONUS_ACTIONS)
    return points


def _worth_of_horse(position: Position, actions: list[int], place: int, change: int) -> float:
    """Return how the expected points of a tribe change with one more or one fewer horse."""
    camp, left = position.camps[place], actions[place]
    after = herd_worth(camp.horses + change, camp.prestige, left)
    return after - herd_worth(camp.horses, camp.prestige, left)


def _with_ally(position: Position, points: list[float], place: int) -> float:
    """Add the ally's points, weighted by the chance that both reach the two prestige that this takes."""
    camps = position.camps
    ally = position.ally_of(camps[place])
    if ally is None:
        return points[place]
    other = next(each for each, camp in enumerate(camps) if camp is ally)
    return points[place] + points[other] * _reaches_two(position, place) * _reaches_two(position, other)


def _reaches_two(position: Position, place: int) -> float:
    """Return how likely a tribe is to have two prestige at the end."""
    missing = 2 - position.camps[place].prestige
    if missing <= 0:
        return 1.0
    return min(0.95, actions_to_come(position, place) / (_ACTIONS_PER_PRESTIGE * missing))
