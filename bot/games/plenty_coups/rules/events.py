"""The public events of a match: no event ever names a card that a player cannot see."""

from __future__ import annotations

from typing import TypeAlias

from bot.engine.core import Seat
from bot.engine.frozen import Frozen
from bot.games.plenty_coups.rules.cards import Card, Cards, Tribe
from bot.games.plenty_coups.rules.raid_out import RaidOut


class Dealt(Frozen, frozen=True):
    """Everybody has three cards; the tribes are named in turn order, the elder's first."""

    tribes: tuple[Tribe, ...]
    owners: tuple[Seat | None, ...]
    """Whose tribes they are; None for the third tribe of two players."""


class OfferOpened(Frozen, frozen=True):
    """These cards were turned up to fill the offer."""

    cards: Cards


class OfferVoided(Frozen, frozen=True):
    """Three cards of the offer were alike, and all of it was discarded."""

    cards: Cards


class PileRenewed(Frozen, frozen=True):
    """The discards became the new pile."""

    cards: int


class TurnBegan(Frozen, frozen=True):
    """A tribe's turn began."""

    round: int
    tribe: Tribe


class TurnEnded(Frozen, frozen=True):
    """A tribe's turn ended."""

    tribe: Tribe


class StickLifted(Frozen, frozen=True):
    """The stick of disdain was discarded from the tribe, which drew `drawn` cards to make up for a lost one."""

    tribe: Tribe
    drawn: int


class ProposalDropped(Frozen, frozen=True):
    """A proposal ended: it ran out, was outbid or was cancelled by another alliance."""

    tribe: Tribe
    card: Card


class Taken(Frozen, frozen=True):
    """A tribe took cards from the offer."""

    tribe: Tribe
    cards: Cards


class RaidCameHome(Frozen, frozen=True):
    """A raid returned: because the raider's turn began, or because its target proposed an alliance."""

    raid: RaidOut
    horse: bool
    bought_off: bool


class RaidLost(Frozen, frozen=True):
    """A raid ended without a horse: another displaced it, or the match was over."""

    raid: RaidOut


class Bred(Frozen, frozen=True):
    """A horse joined the herd from the plain."""

    tribe: Tribe


class RaidLaunched(Frozen, frozen=True):
    """A tribe sent out a raid."""

    raid: RaidOut


class RaidRepelled(Frozen, frozen=True):
    """The target drove a raid away with these weapons."""

    raid: RaidOut
    weapons: Cards


class CoupStruck(Frozen, frozen=True):
    """A tribe struck a coup with a stick: if `on_return`, on return from a raid, else in defence."""

    tribe: Tribe
    on_return: bool


class PrestigeChanged(Frozen, frozen=True):
    """A tribe has this much prestige outside the herd now."""

    tribe: Tribe
    prestige: int
    turned: RaidOut | None = None
    """The raid whose marker was turned for it, as it is now; None if a marker at home was."""


class GiftLaid(Frozen, frozen=True):
    """A card was laid face down before the target; `discard` is what it cost, None if it was free."""

    tribe: Tribe
    target: Tribe
    discard: Card | None


class GiftsExchanged(Frozen, frozen=True):
    """The target gave a card and took the gift."""

    tribe: Tribe
    target: Tribe


class AllianceProposed(Frozen, frozen=True):
    """A proposal stands until the proposer's next turn."""

    tribe: Tribe
    target: Tribe
    card: Card


class AllianceMade(Frozen, frozen=True):
    """Two tribes are allied; each card lies under its tribe's camp."""

    proposer: Tribe
    proposed: Card
    accepter: Tribe
    accepted: Card


class AllianceEnded(Frozen, frozen=True):
    """An alliance is over; a neutral colour is an ally too."""

    tribe: Tribe
    ally: Tribe


class NeutralAllianceMade(Frozen, frozen=True):
    """A tribe is allied to the neutral colour of this card."""

    tribe: Tribe
    card: Card


class Disdained(Frozen, frozen=True):
    """A stick lies on the target, which must answer."""

    tribe: Tribe
    target: Tribe


class WorthProved(Frozen, frozen=True):
    """The disdained tribe discarded this card and lost nothing else."""

    tribe: Tribe
    card: Card


class WorthNotProved(Frozen, frozen=True):
    """The disdained tribe declined."""

    tribe: Tribe


class HorsesGiven(Frozen, frozen=True):
    """A tribe gave two horses away."""

    tribe: Tribe
    target: Tribe
    discard: Card


class Hunted(Frozen, frozen=True):
    """A tribe discarded this card to go hunting."""

    tribe: Tribe
    discard: Card


class HuntEnded(Frozen, frozen=True):
    """The tribe discarded these cards after a hunt."""

    tribe: Tribe
    cards: Cards


class Undone(Frozen, frozen=True):
    """A tribe took back what it did last; `events` is what had happened through it."""

    tribe: Tribe
    events: tuple[Event, ...]


class SeatLeft(Frozen, frozen=True):
    """A player left for good; default actions are taken for their tribe."""

    seat: Seat


class MatchEnded(Frozen, frozen=True):
    """The match is over."""

    winners: tuple[Seat, ...]


Event: TypeAlias = (
    Dealt
    | OfferOpened
    | OfferVoided
    | PileRenewed
    | TurnBegan
    | TurnEnded
    | StickLifted
    | ProposalDropped
    | Taken
    | RaidCameHome
    | RaidLost
    | Bred
    | RaidLaunched
    | RaidRepelled
    | CoupStruck
    | PrestigeChanged
    | GiftLaid
    | GiftsExchanged
    | AllianceProposed
    | AllianceMade
    | AllianceEnded
    | NeutralAllianceMade
    | Disdained
    | WorthProved
    | WorthNotProved
    | HorsesGiven
    | Hunted
    | HuntEnded
    | Undone
    | SeatLeft
    | MatchEnded
)
Events: TypeAlias = list[Event]
"""What has happened so far within one action; every rule adds to it."""
