"""Looks ahead to the end of the turn: what each move is worth if the best move follows."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from bot.games.plenty_coups.ai.cards_worth import card_worth
from bot.games.plenty_coups.ai.effects import come_home, join, with_prestige
from bot.games.plenty_coups.ai.ideas import ideas
from bot.games.plenty_coups.ai.moves import after
from bot.games.plenty_coups.ai.odds import Knowledge, accepts, controller, proves
from bot.games.plenty_coups.ai.position import Position
from bot.games.plenty_coups.ai.worth import actions_to_come, worth
from bot.games.plenty_coups.rules.actions import Disdain, Hunt, LayGift, Propose
from bot.games.plenty_coups.rules.cards import PROOFS, Card, Cards, faces_of, ordered, without

_FIRST_DRAW: Final = 0.7
"""The share of its worth for which the first card of a hunt counts: it takes time to play it."""
_SECOND_DRAW: Final = 0.5
"""The same for the second card."""


class Plan(NamedTuple):
    """A move, and what the position is worth after it."""

    worth: float
    action: Any


def plans(position: Position, known: Knowledge, breadth: int) -> list[Plan]:
    """Return moves of the tribe in turn, the best first.

    The `breadth` moves that look best at first sight are followed up to the end of the turn; with 0, none are.
    """
    found = [Plan(_judge(position, known, action), action) for action in ideas(position, known)]
    found.sort(key=lambda plan: -plan.worth)
    if breadth and position.actions_left > 1:
        found = [Plan(_judge(position, known, plan.action, follow=True), plan.action) for plan in found[:breadth]]
        found.sort(key=lambda plan: -plan.worth)
    return found


def best_worth(position: Position, known: Knowledge, breadth: int) -> float:
    """Return what a position is worth if the best moves follow in this turn."""
    if not position.actions_left:
        return worth(position, known)
    return max((plan.worth for plan in plans(position, known, breadth)), default=worth(position, known))


def after_taking(position: Position, cards: Cards) -> Position:
    """Return the position after the tribe in turn took cards and its raids came home."""
    me = position.me._replace(hand=ordered((*position.me.hand, *cards)))
    return come_home(position._replace(camps=position.camps_with(me), offer=without(position.offer, *cards)))


def after_discarding(position: Position, cards: Cards) -> Position:
    """Return the position after the tribe in turn discarded cards."""
    me = position.me._replace(hand=without(position.me.hand, *cards))
    return position._replace(camps=position.camps_with(me))


def swapped(position: Position, target: Any, given: Card, returned: Card) -> Position:
    """Return the position after a gift, when the tribe that answers it has a known hand and gives a known card."""
    other, me = position.camp(target), position.me
    other = other._replace(hand=ordered((*without(other.hand, returned), given)))
    me = me._replace(hand=ordered((*me.hand, returned)), hidden=me.hidden - 1)
    position = position._replace(camps=position.camps_with(other))
    return position._replace(camps=position.camps_with(me))


def _judge(position: Position, known: Knowledge, action: Any, *, follow: bool = False) -> float:
    """Return what a move is worth: on its own or, with `follow`, together with the best move after it."""

    def value(reached: Position) -> float:
        if follow and reached.actions_left:
            return max(_judge(reached, known, each) for each in ideas(reached, known))
        return worth(reached, known)

    reached = after(position, action)
    match action:
        case Hunt():
            return value(reached._replace(hoped_points=reached.hoped_points + _gain_from_hunt(reached, known)))
        case Propose():
            target = reached.camp(action.target)
            pact = join(reached, action.tribe, target._replace(hidden=max(0, target.hidden - 1)), action.card)
            gain = worth(pact, known) - worth(reached, known)
            return value(reached) + accepts(known, target, action.tribe) * gain
        case Disdain():
            target = reached.camp(action.target)
            declined = value(with_prestige(reached, target, -1))
            chance = proves(known, target) if target.prestige else 0.0
            if not chance:
                return declined
            proof = next((card for card in target.hand if card in PROOFS), None)
            without_proof = target._replace(hidden=target.hidden - 1)
            if proof is not None:
                without_proof = target._replace(hand=without(target.hand, proof))
            proved = value(reached._replace(camps=reached.camps_with(without_proof)))
            if controller(reached, target, reached.round) == known.seat:  # the same player answers
                return max(declined, proved)
            return chance * proved + (1 - chance) * declined
        case LayGift():  # `ideas` has only gifts that the same player answers, so both hands are known
            answers = faces_of(reached.camp(action.target).hand)
            return max(value(swapped(reached, action.target, action.card, card)) for card in answers)
        case _:
            return value(reached)


def _gain_from_hunt(position: Position, known: Knowledge) -> float:
    """Return how many points two drawn cards add on average, each replacing one of the poorest in the hand."""
    me = position.me
    actions = actions_to_come(position, position.turn) + position.actions_left
    held = sorted(card_worth(position, me, card, actions) for card in me.hand)
    if not known.unseen or not held:
        return 0.0
    worths = {card: card_worth(position, me, card, actions) for card in set(known.unseen)}
    gain = 0.0
    for card in known.unseen:
        gain += _FIRST_DRAW * max(0.0, worths[card] - held[0])
        if len(held) > 1:
            gain += _SECOND_DRAW * max(0.0, worths[card] - held[1])
    return gain / len(known.unseen)
