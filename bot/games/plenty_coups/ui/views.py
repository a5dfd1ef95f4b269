"""Plenty Coups' views by who they are for, and what can be read from any of them."""

from __future__ import annotations

from typing import Final, NewType

from bot.engine.core import Seat
from bot.games.plenty_coups.rules.actions import AllyNeutral, DoubleRaid, Hunt, PlayerAction, Propose, Raid
from bot.games.plenty_coups.rules.cards import Card, Cards, Tribe
from bot.games.plenty_coups.rules.raid_out import RaidOut
from bot.games.plenty_coups.rules.view import CampView, PlentyCoupsView

PublicView = NewType("PublicView", PlentyCoupsView)
"""What a bystander knows."""
PrivateView = NewType("PrivateView", PlentyCoupsView)
"""What the player in `view.viewer` knows."""
OpenView = NewType("OpenView", PlentyCoupsView)
"""A match with nothing hidden, because no person plays any more."""

MOST_PRESTIGE: Final = 4
"""As many as a tribe has markers."""
LOWEST_WEAPON: Final = 2
"""No weapon is lower, so nobody is told to defend with a 1."""
HIGHEST_WEAPON: Final = 4
"""A higher attack takes two weapons."""


def camp_of(view: PlentyCoupsView, tribe: Tribe) -> CampView:
    """Return the camp of a tribe in play."""
    return next(camp for camp in view.camps if camp.tribe == tribe)


def living_seats(view: PlentyCoupsView) -> tuple[Seat, ...]:
    """Return the players who have not left."""
    owners = [camp.owner for camp in view.camps if camp.owner is not None and camp.owner not in view.left]
    return tuple(sorted(owners))


def own_camps(view: PlentyCoupsView) -> tuple[CampView, ...]:
    """Return the camps that the viewer decides for in this round, their own first."""
    mine = [camp for camp in view.camps if camp.controller == view.viewer and camp.hand is not None]
    return tuple(sorted(mine, key=lambda camp: camp.owner is None))


def is_nobodys(view: PlentyCoupsView) -> bool:
    """Return whether the tribe that is asked is the third of two players, which belongs to nobody (section 8)."""
    return view.actor is not None and camp_of(view, view.actor).owner is None


def is_winter(view: PlentyCoupsView) -> bool:
    """Return whether it is winter (section 7)."""
    return view.round > view.options.rounds


def is_deep_winter(view: PlentyCoupsView) -> bool:
    """Return whether nobody takes from the offer any more: winter's first round is over (section 7)."""
    return view.round > view.options.rounds + 1


def raid_on(view: PlentyCoupsView, tribe: Tribe) -> RaidOut | None:
    """Return the raid at a tribe's camp; there is at most one."""
    return next((raid for raid in view.raids if raid.target == tribe), None)


def player_ally(view: PlentyCoupsView, tribe: Tribe) -> CampView | None:
    """Return the camp that a tribe is allied to; None if it has no ally, or a neutral one."""
    bond = camp_of(view, tribe).bond
    return next((camp for camp in view.camps if bond is not None and camp.tribe == bond.tribe), None)


def may_give_freely(view: PlentyCoupsView) -> bool:
    """Return whether the tribe in turn still has its free gift: an ally who plays, and a card in both hands (4.5)."""
    if view.turn is None or view.free_gift_used:
        return False
    ally = player_ally(view, view.turn)
    return ally is not None and ally.hand_size > 0 and camp_of(view, view.turn).hand_size > 0


def attack_value(view: PlentyCoupsView, tribe: Tribe, warriors: Cards) -> int:
    """Return what a raid with these warriors is worth: 1 more in the tribe's own colour or its ally's (section 5)."""
    return sum(warrior.value for warrior in warriors) + is_at_home(view, tribe, warriors[0])


def is_at_home(view: PlentyCoupsView, tribe: Tribe, warrior: Card) -> bool:
    """Return whether a warrior has the tribe's own colour or its ally's."""
    bond = camp_of(view, tribe).bond
    return warrior.tribe == tribe or (bond is not None and warrior.tribe == bond.tribe)


def markers_for_coups(view: PlentyCoupsView, tribe: Tribe) -> int:
    """Count a tribe's markers at home with their raid side up: only raids with those allow a coup (section 2)."""
    out = sum(raid.raider == tribe and not raid.prestige_side for raid in view.raids)
    return MOST_PRESTIGE - camp_of(view, tribe).prestige - out


def may_use_two_weapons(view: PlentyCoupsView, tribe: Tribe) -> bool:
    """Return whether a tribe may defend with two weapons in its turn, the present or the next one (section 5)."""
    last = view.options.rounds + 1
    if tribe == view.turn:
        return view.round <= last and view.actions_left == (1 if is_winter(view) else 2)
    order = [camp.tribe for camp in view.camps]
    passed = view.turn is not None and order.index(tribe) < order.index(view.turn)
    return view.round + passed <= last


def is_too_late(view: PlentyCoupsView, action: PlayerAction) -> bool:
    """Return whether a move has no effect on the points any more, because the match ends first."""
    if view.round < view.options.last_round:
        return False
    match action:
        case Raid(_, _, target) | DoubleRaid(_, _, target):
            return raid_on(view, target) is None  # it may still drive off a raid that would have come home
        case Propose(_, tribe, target):
            raid = raid_on(view, tribe)
            return turns_until(view, target) + _place(view, tribe) >= len(view.camps) and (
                raid is None or raid.raider != target
            )
        case Hunt() | AllyNeutral():
            return True
        case _:
            return False


def _place(view: PlentyCoupsView, tribe: Tribe) -> int:
    return [camp.tribe for camp in view.camps].index(tribe)


def turns_until(view: PlentyCoupsView, tribe: Tribe) -> int:
    """Return how many turns lie ahead until this tribe's; 0 if it is in turn."""
    order = [camp.tribe for camp in view.camps]
    now = order.index(view.turn) if view.turn is not None else 0
    return (order.index(tribe) - now) % len(order)
