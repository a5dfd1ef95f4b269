"""The whole state of a match, hidden cards included. Only the rules read it; everyone else gets a view.

It is nested by what changes together: an action copies the turn, one or two camps and little else.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from bot.engine.core import Seat
from bot.engine.frozen import Frozen
from bot.games.plenty_coups.rules.best import Best
from bot.games.plenty_coups.rules.cards import Card, Cards, Tribe, ordered, without
from bot.games.plenty_coups.rules.events import Event
from bot.games.plenty_coups.rules.options import Options
from bot.games.plenty_coups.rules.raid_out import RaidOut
from bot.games.plenty_coups.rules.view import Phase, RoundSummary

MARKERS: Final = 4
"""How many markers a tribe has, and so the most prestige that it can have (R07)."""
OFFER: Final = 4
"""How many cards a full offer has."""
HAND: Final = 3
"""How many cards a tribe is dealt."""
MOST_UNDONE: Final = 6
"""How often a tribe may take something back in one turn, so that nobody gains time by going back and forth."""


class Turn(Frozen, frozen=True):
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


class Tally(Frozen, frozen=True):
    """What a tribe has done in this round, and what it had before (`TribeRound`)."""

    raids_home: int = 0
    horses_won: int = 0
    raids_repelled: int = 0
    repelled: Tribe | None = None
    coups: int = 0
    prestige_before: int = 0
    horses_before: int = 0


class Camp(Frozen, frozen=True):
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
    received: Card | None = None
    """The card that the last exchange of gifts brought; it may have left the hand since."""
    given: Card | None = None
    """The card that the tribe gave in its last exchange of gifts."""
    tally: Tally = Tally()
    best: Best = Best()

    def drop(self, *cards: Card) -> Camp:
        """Return the camp after these cards have left its hand."""
        return replace(self, hand=without(self.hand, *cards))

    def pick_up(self, *cards: Card) -> Camp:
        """Return the camp with these cards in its hand."""
        return replace(self, hand=ordered(self.hand + cards))


class Gift(Frozen, frozen=True):
    """A card that lies face down until the target has given one."""

    giver: Tribe
    target: Tribe
    card: Card


class Stock(Frozen, frozen=True):
    """The cards that no tribe has."""

    offer: Cards = ()
    pile: Cards = ()
    """Top first."""
    discards: Cards = ()
    """The latest last."""

    def discard(self, *cards: Card) -> Stock:
        """Return the stock with these cards added to the discards."""
        return replace(self, discards=self.discards + cards)


Camps: TypeAlias = dict[Tribe, Camp]
"""In turn order, the elder's first. Never changed in place."""
Raids: TypeAlias = dict[Tribe, RaidOut]
"""By target, since there is at most one raid on each; the oldest first. Never changed in place."""


class State(Frozen, frozen=True):
    """One match."""

    options: Options
    players: int
    starter: Seat | None
    """The elder; None until the dealer names one."""
    left: frozenset[Seat]
    """The players who left; default actions are taken for their tribes."""
    turn: Turn
    camps: Camps
    raids: Raids
    plain: int
    stock: Stock
    gift: Gift | None = None
    asked: int = 0
    """Counts the questions; also the id of the open one."""
    news: tuple[Event, ...] = ()
    """The public events of this turn and of the turn before it, the oldest first."""
    lately: tuple[Event, ...] = ()
    """What tribes did to each other in the turns before those of the news, since the last turn of the tribe in turn."""
    last_round: RoundSummary | None = None
    earlier: State | None = None
    """What an undo goes back to: the state before the last action, if that has revealed nothing."""
    undone: int = 0
    """How often the tribe in turn has taken something back in this turn."""

    @property
    def me(self) -> Camp:
        """The camp of the tribe in turn."""
        return self.camps[self.turn.tribe]

    @property
    def winter(self) -> bool:
        """Whether it is winter, the last three rounds (section 7)."""
        return self.turn.round > self.options.rounds

    @property
    def deep_winter(self) -> bool:
        """Whether it is one of the last two rounds, in which no cards are taken (section 7)."""
        return self.turn.round > self.options.rounds + 1

    def others(self) -> list[Camp]:
        """Return all camps but that of the tribe in turn."""
        me = self.turn.tribe
        return [camp for camp in self.camps.values() if camp.tribe is not me]

    def ally_of(self, camp: Camp) -> Camp | None:
        """Return the allied camp; None for a tribe that is alone or allied to a neutral colour."""
        bond = camp.bond
        return None if bond is None or bond.tribe is None else self.camps.get(bond.tribe)

    def suitor_of(self, target: Tribe) -> Camp | None:
        """Return the camp that proposes an alliance to the target."""
        for camp in self.camps.values():
            if camp.proposal is not None and camp.proposal.tribe is target:
                return camp
        return None

    def raids_of(self, raider: Tribe) -> list[RaidOut]:
        """Return the raids that this tribe has out, the oldest first."""
        return [raid for raid in self.raids.values() if raid.raider is raider]

    def with_camps(self, *camps: Camp) -> State:
        """Return the state with these camps in place of the same tribes' old ones."""
        changed = self.camps.copy()
        for camp in camps:
            changed[camp.tribe] = camp
        return replace(self, camps=changed)

    def with_turn(self, **changes: Any) -> State:
        """Return the state with these fields of the turn changed."""
        return replace(self, turn=replace(self.turn, **changes))

    def discard(self, *cards: Card) -> State:
        """Return the state with these cards added to the discards; the caller removes them from where they were."""
        return replace(self, stock=self.stock.discard(*cards))

    def controller(self, tribe: Tribe) -> Seat:
        """Return who decides for a tribe in this round: for the third, the elder in odd rounds (section 8; R22)."""
        owner = self.camps[tribe].owner
        if owner is not None:
            return owner
        elder, other = (camp.owner for camp in self.camps.values() if camp.owner is not None)
        return other if self.turn.round and self.turn.round % 2 == 0 else elder
