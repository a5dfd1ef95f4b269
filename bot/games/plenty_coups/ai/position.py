"""A position as an AI player knows it: what its view shows, and how many cards are hidden from it.

Positions are small and quick to copy, because moves are tried out on them (`bot.games.plenty_coups.ai.moves`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from bot.engine.core import Seat
from bot.games.plenty_coups.rules.cards import DECK, STICK, Card, Cards, Tribe, ordered
from bot.games.plenty_coups.rules.options import Options
from bot.games.plenty_coups.rules.raid_out import RaidOut
from bot.games.plenty_coups.rules.view import CampView, PlentyCoupsView

MARKERS: Final = 4
"""How many markers a tribe has: the most prestige, and the most raids out."""


class Camp(NamedTuple):
    """One tribe, as far as the AI player knows it."""

    tribe: Tribe
    owner: Seat | None
    hand: Cards
    """The cards of its hand that are known."""
    hidden: int
    """How many other cards it holds."""
    horses: int
    prestige: int
    proposal: Card | None
    """The card with which it proposes an alliance to the tribe of that colour."""
    bond: Card | None
    """The card under its camp: it is allied to the tribe of that colour."""
    disdained: bool
    """Whether a stick of disdain lies on it."""


class Position(NamedTuple):
    """Where the match stands while a tribe has its turn."""

    camps: tuple[Camp, ...]
    """In turn order, the elder's first."""
    turn: int
    """The index of the tribe in turn among the camps."""
    round: int
    actions_left: int
    coups_open: int
    defence_coup_open: bool
    free_gift_used: bool
    raids: tuple[RaidOut, ...]
    plain: int
    """How many horses are left on the plain."""
    offer: Cards
    options: Options
    hoped_points: float = 0.0
    """The points that the tribe in turn expects from cards that it will have drawn by hunting."""

    @property
    def winter(self) -> bool:
        """Whether it is winter: a turn has one action, and few cards are taken."""
        return self.round > self.options.rounds

    @property
    def me(self) -> Camp:
        """The camp of the tribe in turn."""
        return self.camps[self.turn]

    def camp(self, tribe: Tribe) -> Camp:
        """Return the camp of a tribe in play."""
        return next(camp for camp in self.camps if camp.tribe == tribe)

    def camps_with(self, camp: Camp) -> tuple[Camp, ...]:
        """Return all camps, with this one in place of the same tribe's old one."""
        return tuple([camp if each.tribe == camp.tribe else each for each in self.camps])

    def raid_on(self, target: Tribe) -> RaidOut | None:
        """Return the raid on a camp."""
        for raid in self.raids:
            if raid.target == target:
                return raid
        return None

    def ally_of(self, camp: Camp) -> Camp | None:
        """Return the allied camp; None for a tribe that is alone or allied to a neutral colour."""
        if camp.bond is None:
            return None
        return next((each for each in self.camps if each.tribe == camp.bond.tribe), None)


def position_of(view: PlentyCoupsView, remembered: Mapping[Tribe, Cards]) -> Position:
    """Return the position that a view shows during somebody's turn; `remembered` are known cards in hidden hands."""
    camps = tuple(_camp_of(camp, remembered.get(camp.tribe, ())) for camp in view.camps)
    turn = next(place for place, camp in enumerate(camps) if camp.tribe == view.turn)
    return Position(
        camps,
        turn,
        view.round,
        view.actions_left,
        view.coups_open,
        view.defence_coup_open,
        view.free_gift_used,
        view.raids,
        view.plain,
        view.offer,
        view.options,
    )


def _camp_of(camp: CampView, remembered: Cards) -> Camp:
    known = remembered if camp.hand is None else camp.hand
    return Camp(
        camp.tribe,
        camp.owner,
        known,
        camp.hand_size - len(known),
        camp.horses,
        camp.prestige,
        camp.proposal,
        camp.bond,
        camp.disdained,
    )


def unseen_cards(view: PlentyCoupsView, remembered: Mapping[Tribe, Cards]) -> Cards:
    """Return the cards that are in the pile, in hidden hands or in a hidden gift."""
    seen = [*view.offer, *view.discards]
    for camp in view.camps:
        seen += remembered.get(camp.tribe, ()) if camp.hand is None else camp.hand
        seen += [card for card in (camp.proposal, camp.bond) if card is not None]
        seen += [STICK] * camp.disdained
    for raid in view.raids:
        seen += raid.warriors
    if view.gift is not None and view.gift.card is not None:
        seen.append(view.gift.card)
    rest = list(DECK)
    for card in seen:
        rest.remove(card)
    return ordered(rest)
