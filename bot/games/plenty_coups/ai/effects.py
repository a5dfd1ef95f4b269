"""The effects that moves share: prestige, raids that come home, alliances, cards that leave a hand."""

from __future__ import annotations

from typing import Any

from bot.games.plenty_coups.ai.position import MARKERS, Camp, Position
from bot.games.plenty_coups.rules.cards import Card, Cards, Tribe, without
from bot.games.plenty_coups.rules.raid_out import RaidOut


def spend(position: Position, **changes: Any) -> Position:
    """Return the position with one action spent, and these changes."""
    left = position.actions_left - 1
    return position._replace(actions_left=left, coups_open=0, defence_coup_open=False, **changes)


def drop(position: Position, *cards: Card) -> Camp:
    """Return the camp of the tribe in turn without these cards."""
    return position.me._replace(hand=without(position.me.hand, *cards))


def attack_value(camp: Camp, warriors: Cards) -> int:
    """Add up the warriors, plus 1 for the tribe's own or its ally's colour."""
    colour = warriors[0].tribe
    own = colour == camp.tribe or (camp.bond is not None and colour == camp.bond.tribe)
    return sum(warrior.value for warrior in warriors) + own


def raid_sides_at_home(position: Position, camp: Camp) -> int:
    """Count a tribe's markers at home with the raid side up."""
    sides_out = [raid.prestige_side for raid in position.raids if raid.raider == camp.tribe]
    return MARKERS - len(sides_out) - (camp.prestige - sum(sides_out))


def with_prestige(position: Position, camp: Camp, change: int) -> Position:
    """Return the position with this camp and its prestige changed by 1; a marker out on a raid may have to turn."""
    if not 0 <= camp.prestige + change <= MARKERS:
        return position._replace(camps=position.camps_with(camp))
    gains = change > 0
    raids = position.raids
    at_home = raid_sides_at_home(position, camp)
    if not gains:
        at_home = camp.prestige - sum(raid.prestige_side for raid in raids if raid.raider == camp.tribe)
    if not at_home:
        oldest = next(raid for raid in raids if raid.raider == camp.tribe and raid.prestige_side is not gains)
        raids = tuple(raid._replace(prestige_side=gains) if raid is oldest else raid for raid in raids)
    return position._replace(camps=position.camps_with(camp._replace(prestige=camp.prestige + change)), raids=raids)


def come_home(position: Position) -> Position:
    """Return the position after the raids of the tribe in turn have come home."""
    tribe = position.me.tribe
    home = [raid for raid in position.raids if raid.raider == tribe]
    for raid in home:
        position = take_horse(position, raid)
    away = tuple(raid for raid in position.raids if raid.raider != tribe)
    return position._replace(raids=away, coups_open=sum(not raid.prestige_side for raid in home))


def take_horse(position: Position, raid: RaidOut) -> Position:
    """Return the position after a raid has taken a horse, if there is one."""
    target = position.camp(raid.target)
    if not target.horses:
        return position
    position = position._replace(camps=position.camps_with(target._replace(horses=target.horses - 1)))
    raider = position.camp(raid.raider)
    return position._replace(camps=position.camps_with(raider._replace(horses=raider.horses + 1)))


def join(position: Position, proposer: Tribe, accepter: Camp, card: Card) -> Position:
    """Return the position after a proposal was accepted; `card` has already left the accepter's hand."""
    old = position.ally_of(accepter)
    if old is not None:
        position = position._replace(camps=position.camps_with(old._replace(bond=None)))
    accepter = accepter._replace(bond=card, proposal=None)
    position = position._replace(camps=position.camps_with(accepter))
    if position.options.accepter_gains:
        position = with_prestige(position, accepter, +1)
    camp = position.camp(proposer)
    return with_prestige(position, camp._replace(bond=camp.proposal, proposal=None), +1)
