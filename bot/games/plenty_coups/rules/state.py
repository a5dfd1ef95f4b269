"""The whole state of a match, hidden cards included. Only the rules read it; everyone else gets a view.

It is nested by what changes together: an action copies the turn, one or two camps and little else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from bot.engine.core import Seat
from bot.games.plenty_coups.rules.cards import Card, Cards, Tribe, ordered, without
from bot.games.plenty_coups.rules.view import Phase, RaidOut

MARKERS: Final = 4
"""How many markers a tribe has, and so the most prestige that it can have (R07)."""
OFFER: Final = 4
"""How many cards a full offer has."""
HAND: Final = 3
"""How many cards a tribe is dealt."""
LAST_NORMAL_ROUND: Final = 9
LAST_ROUND: Final = 12


class Turn(NamedTuple):
    """Where the match stands; nearly every action makes a new one."""

    round: int
    tribe: Tribe
    phase: Phase
    actor: Tribe
    """The tribe that must decide; in the phases `gift` and `disdain`, not the one in turn."""
    actions_left: int = 0
    coups_open: int = 0
    """Coups on return that are still possible (section 4.3)."""
    defence_coup_open: bool = False
    """The first action was a defence that a coup may follow (section 5, Strike a coup)."""
    free_gift_used: bool = False
    draws: int = 0
    """Cards that the tribe must still draw, in the phases `replace` and `track`."""
    voided: int = 0
    """How many offers in a row have been replaced (R28)."""


class Camp(NamedTuple):
    """What one tribe has."""

    tribe: Tribe
    owner: Seat | None
    """None for the third tribe in a match of two players."""
    hand: Cards = ()
    horses: int = 0
    prestige: int = 0
    """Its markers with the prestige side up, at home or on raids."""
    proposal: Card | None = None
    """The card of an open proposal, which is made to the tribe of its colour (section 5, Propose)."""
    bond: Card | None = None
    """The card under the camp. Its colour is the ally: a tribe in play or a neutral colour."""
    disdained: bool = False

    def drop(self, *cards: Card) -> Camp:
        """Return the camp after these cards have left its hand."""
        return self._replace(hand=without(self.hand, *cards))

    def pick_up(self, *cards: Card) -> Camp:
        """Return the camp with these cards in its hand."""
        return self._replace(hand=ordered(self.hand + cards))


class Gift(NamedTuple):
    """A card that lies face down until the target has given one."""

    giver: Tribe
    target: Tribe
    card: Card


class Stock(NamedTuple):
    """The cards that no tribe has."""

    offer: Cards = ()
    pile: Cards = ()
    """Top first."""
    discards: Cards = ()
    """The latest last."""


class State(NamedTuple):
    """One match."""

    players: int
    starter: Seat | None
    """The elder; None until the dealer names one."""
    left: frozenset[Seat]
    """The players who left; default actions are taken for their tribes."""
    turn: Turn
    camps: Mapping[Tribe, Camp]
    """In turn order, the elder's first. Never changed in place."""
    raids: tuple[RaidOut, ...]
    """The oldest first."""
    plain: int
    stock: Stock
    gift: Gift | None = None
    asked: int = 0
    """Counts the questions; also the id of the open one."""

    @property
    def me(self) -> Camp:
        """The camp of the tribe in turn."""
        return self.camps[self.turn.tribe]

    @property
    def winter(self) -> bool:
        """Whether it is winter: rounds 10 to 12 (section 7)."""
        return self.turn.round > LAST_NORMAL_ROUND

    def others(self) -> tuple[Camp, ...]:
        """Return all camps but that of the tribe in turn."""
        return tuple(camp for camp in self.camps.values() if camp.tribe != self.turn.tribe)

    def ally_of(self, camp: Camp) -> Camp | None:
        """Return the allied camp; None for a tribe that is alone or allied to a neutral colour."""
        return self.camps.get(camp.bond.tribe) if camp.bond and camp.bond.tribe is not None else None

    def suitor_of(self, target: Tribe) -> Camp | None:
        """Return the camp that proposes an alliance to the target."""
        return next((camp for camp in self.camps.values() if camp.proposal and camp.proposal.tribe == target), None)

    def raid_on(self, target: Tribe) -> RaidOut | None:
        """Return the raid on the target's camp; there is at most one."""
        return next((raid for raid in self.raids if raid.target == target), None)

    def raids_of(self, raider: Tribe) -> tuple[RaidOut, ...]:
        """Return the raids that this tribe has out, the oldest first."""
        return tuple(raid for raid in self.raids if raid.raider == raider)

    def raids_between(self, one: Tribe, other: Tribe) -> bool:
        """Tell whether one of the two raids the other."""
        return any((raid.raider, raid.target) in ((one, other), (other, one)) for raid in self.raids)

    def with_camps(self, *camps: Camp) -> State:
        """Return the state with these camps in place of the same tribes' old ones."""
        return self._replace(camps={**self.camps, **{camp.tribe: camp for camp in camps}})

    def with_turn(self, **changes: object) -> State:
        """Return the state with these fields of the turn changed."""
        return self._replace(turn=self.turn._replace(**changes))  # type: ignore[arg-type]

    def discard(self, *cards: Card) -> State:
        """Return the state with these cards added to the discards; the caller removes them from where they were."""
        stock = self.stock
        return self._replace(stock=stock._replace(discards=stock.discards + cards))

    def controller(self, tribe: Tribe) -> Seat:
        """Return who decides for a tribe in this round: for the third, the elder in odd rounds (section 8; R22)."""
        owner = self.camps[tribe].owner
        if owner is not None:
            return owner
        elder, other = (camp.owner for camp in self.camps.values() if camp.owner is not None)
        return other if self.turn.round and self.turn.round % 2 == 0 else elder
