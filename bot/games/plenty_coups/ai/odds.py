"""Estimates how likely a move is to be answered: by a defence, a stronger raid, a proof of worth, an acceptance."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from bot.engine.core import Seat
from bot.games.plenty_coups.ai.position import Camp, Position, unseen_cards
from bot.games.plenty_coups.rules.cards import PROOFS, WARRIORS, Cards, Kind, Tribe
from bot.games.plenty_coups.rules.raid_out import RaidOut
from bot.games.plenty_coups.rules.view import PlentyCoupsView

_WILL_DEFEND: Final = 0.9
"""How likely a tribe is to drive a raid away if it can do so with one weapon."""
_WILL_DEFEND_TWICE: Final = 0.5
"""The same for two weapons, which costs the whole turn."""
_WILL_TAKE: Final = 0.8
"""How likely the target is to take the weapon that it needs from the offer; half as likely if others take first."""
_WILL_DISPLACE: Final = 0.25
"""How likely a tribe is to displace another tribe's raid if it holds a stronger warrior."""
_WILL_ACCEPT: Final = 0.7
"""How likely a tribe is to accept a proposal if it holds the right warrior."""
_WILL_CHANGE_ALLY: Final = 0.1
"""How likely a tribe is to give up an alliance for a proposal."""
_STRONGEST: Final = 4
"""No single card has a higher value."""


class Knowledge(NamedTuple):
    """What stays the same while an AI player thinks about one decision."""

    seat: Seat
    """The player who decides, for whom the AI thinks."""
    unseen: Cards
    """The cards that are out of sight, in canonical order."""
    weapons: tuple[int, ...]
    """How many unseen weapons have at least the value of the index."""
    warriors: tuple[int, ...]
    """How many unseen warriors have at least the value of the index."""
    proofs: int
    """How many unseen cards prove a tribe's worth."""
    left: tuple[Seat, ...]
    """The players who left: their tribes defend against nothing."""


def knowledge_of(view: PlentyCoupsView, seat: Seat, remembered: Mapping[Tribe, Cards]) -> Knowledge:
    """Collect from a view what a player can work with."""
    unseen = unseen_cards(view, remembered)
    weapons = [card.value for card in unseen if card.kind is Kind.WEAPON]
    warriors = [card.value for card in unseen if card.kind is Kind.WARRIOR]
    values = range(_STRONGEST + 2)
    return Knowledge(
        seat,
        unseen,
        tuple(sum(weapon >= value for weapon in weapons) for value in values),
        tuple(sum(warrior >= value for warrior in warriors) for value in values),
        sum(card in PROOFS for card in unseen),
        view.left,
    )


@lru_cache(maxsize=4096)
def at_least_one(draws: int, good: int, size: int) -> float:
    """Return the probability of a good card among some drawn from `size` cards."""
    none = 1.0
    for drawn in range(min(draws, size)):
        none *= max(0, size - good - drawn) / (size - drawn)
    return 1 - none


def controller(position: Position, camp: Camp, number: int) -> Seat | None:
    """Return who decides for a tribe in a round: for the third tribe of two players, the elder in odd rounds."""
    if camp.owner is not None:
        return camp.owner
    return position.camps[0 if number % 2 else -1].owner


def survival(position: Position, known: Knowledge, raid: RaidOut) -> float:
    """Return the probability that a raid stands until its tribe's next turn; 0 if that never comes."""
    count, chance = len(position.camps), 1.0
    for step in range(1, count + 1):
        number = position.round + (position.turn + step >= count)
        if number > position.options.last_round:
            return 0.0
        camp = position.camps[(position.turn + step) % count]
        if camp.tribe == raid.raider:
            break
        decider = controller(position, camp, number)
        if decider in known.left:
            continue
        if camp.tribe != raid.target:
            chance *= 1 if decider == known.seat else 1 - _displaces(known, camp, raid)
        elif camp.owner is not None or decider != known.seat:  # the third tribe need not defend against its controller
            chance *= 1 - _defends(position, known, raid, step)
    return chance


def _defends(position: Position, known: Knowledge, raid: RaidOut, step: int) -> float:
    """Return the probability that the target drives the raid away on its turn, `step` turns from now."""
    camp, value, size = position.camp(raid.target), raid.value, len(known.unseen)
    winter = position.round + (position.turn + step >= len(position.camps)) - position.options.rounds
    takes = 2 if winter <= 0 else 1 if winter == 1 else 0
    if value > _STRONGEST:
        return 0.0 if winter > 1 else _WILL_DEFEND_TWICE * _two_weapons(known, camp, takes)
    if any(card.kind is Kind.WEAPON and card.value >= value for card in camp.hand):
        return _WILL_DEFEND
    holds = at_least_one(camp.hidden, known.weapons[value], size)
    gets = 0.0
    if takes and any(card.kind is Kind.WEAPON and card.value >= value for card in position.offer):
        gets = _WILL_TAKE if step == 1 else _WILL_TAKE / 2
    elif takes:
        gets = _WILL_TAKE * at_least_one(2, known.weapons[value], size)
    return _WILL_DEFEND * (1 - (1 - holds) * (1 - gets))


def _two_weapons(known: Knowledge, camp: Camp, takes: int) -> float:
    """Return roughly the probability that a tribe has two weapons in its turn."""
    size, draws = len(known.unseen), camp.hidden + takes
    held = sum(card.kind is Kind.WEAPON for card in camp.hand)
    if held >= 2:
        return 1.0
    one = at_least_one(draws, known.weapons[0], size)
    if held:
        return one
    return one * at_least_one(draws - 1, known.weapons[0] - 1, size - 1) if size > 1 else 0.0


def _displaces(known: Knowledge, camp: Camp, raid: RaidOut) -> float:
    """Return the probability that another tribe puts a stronger raid in its place."""
    if raid.value > _STRONGEST:
        return 0.0
    stronger = known.warriors[raid.value + 1] + 1  # a warrior of the same value may get the bonus for its colour
    return _WILL_DISPLACE * at_least_one(camp.hidden + 1, stronger, len(known.unseen))


def proves(known: Knowledge, camp: Camp) -> float:
    """Return the probability that a disdained tribe can prove its worth."""
    if any(card in PROOFS for card in camp.hand):
        return 1.0
    return at_least_one(camp.hidden, known.proofs, len(known.unseen))


def accepts(known: Knowledge, target: Camp, proposer: Tribe) -> float:
    """Return the probability that a proposal is accepted in the target's next turn."""
    if target.bond is not None:
        return _WILL_CHANGE_ALLY
    fitting = sum(WARRIORS[proposer, value] in known.unseen for value in (1, 2, 3, 4))
    return _WILL_ACCEPT * at_least_one(target.hidden + 1, fitting, len(known.unseen))
