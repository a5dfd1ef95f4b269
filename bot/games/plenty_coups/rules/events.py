"""The public events of a match: no event ever names a card that a player cannot see."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from bot.engine.core import Seat
from bot.games.plenty_coups.rules.cards import Card, Cards, Tribe
from bot.games.plenty_coups.rules.view import RaidOut


class Dealt(NamedTuple):
    """Everybody has three cards; the tribes are named in turn order, the elder's first."""

    tribes: tuple[Tribe, ...]


class OfferOpened(NamedTuple):
    """These cards were turned up to fill the offer."""

    cards: Cards


class OfferVoided(NamedTuple):
    """Three cards of the offer were alike, and all of it was discarded."""

    cards: Cards


class PileRenewed(NamedTuple):
    """The discards became the new pile."""

    cards: int


class TurnBegan(NamedTuple):
    """A tribe's turn began."""

    round: int
    tribe: Tribe


class TurnEnded(NamedTuple):
    """A tribe's turn ended."""

    tribe: Tribe


class StickLifted(NamedTuple):
    """The stick of disdain was discarded from the tribe, which drew `drawn` cards to make up for a lost one."""

    tribe: Tribe
    drawn: int


class ProposalDropped(NamedTuple):
    """A proposal ended: it ran out, was outbid or was cancelled by another alliance."""

    tribe: Tribe
    card: Card


class Taken(NamedTuple):
    """A tribe took cards from the offer."""

    tribe: Tribe
    cards: Cards


class RaidCameHome(NamedTuple):
    """A raid returned: because the raider's turn began, or because its target proposed an alliance."""

    raid: RaidOut
    horse: bool
    bought_off: bool


class RaidLost(NamedTuple):
    """A raid ended without a horse: another displaced it, or the match was over."""

    raid: RaidOut


class Bred(NamedTuple):
    """A horse joined the herd from the plain."""

    tribe: Tribe


class RaidLaunched(NamedTuple):
    """A tribe sent out a raid."""

    raid: RaidOut


class RaidRepelled(NamedTuple):
    """The target drove a raid away with these weapons."""

    raid: RaidOut
    weapons: Cards


class CoupStruck(NamedTuple):
    """A tribe struck a coup with a stick: if `on_return`, on return from a raid, else in defence."""

    tribe: Tribe
    on_return: bool


class PrestigeChanged(NamedTuple):
    """A tribe has this much prestige outside the herd now."""

    tribe: Tribe
    prestige: int


class GiftLaid(NamedTuple):
    """A card was laid face down before the target; `discard` is what it cost, None if it was free."""

    tribe: Tribe
    target: Tribe
    discard: Card | None


class GiftsExchanged(NamedTuple):
    """The target gave a card and took the gift."""

    tribe: Tribe
    target: Tribe


class AllianceProposed(NamedTuple):
    """A proposal stands until the proposer's next turn."""

    tribe: Tribe
    target: Tribe
    card: Card


class AllianceMade(NamedTuple):
    """Two tribes are allied; each card lies under its tribe's camp."""

    proposer: Tribe
    proposed: Card
    accepter: Tribe
    accepted: Card


class AllianceEnded(NamedTuple):
    """An alliance is over; a neutral colour is an ally too."""

    tribe: Tribe
    ally: Tribe


class NeutralAllianceMade(NamedTuple):
    """A tribe is allied to the neutral colour of this card."""

    tribe: Tribe
    card: Card


class Disdained(NamedTuple):
    """A stick lies on the target, which must answer."""

    tribe: Tribe
    target: Tribe


class WorthProved(NamedTuple):
    """The disdained tribe discarded this card and lost nothing else."""

    tribe: Tribe
    card: Card


class WorthNotProved(NamedTuple):
    """The disdained tribe declined."""

    tribe: Tribe


class HorsesGiven(NamedTuple):
    """A tribe gave two horses away."""

    tribe: Tribe
    target: Tribe
    discard: Card


class Hunted(NamedTuple):
    """A tribe discarded this card to go hunting."""

    tribe: Tribe
    discard: Card


class HuntEnded(NamedTuple):
    """The tribe discarded these cards after a hunt."""

    tribe: Tribe
    cards: Cards


class SeatLeft(NamedTuple):
    """A player left for good; default actions are taken for their tribe."""

    seat: Seat


class MatchEnded(NamedTuple):
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
    | SeatLeft
    | MatchEnded
)
Events: TypeAlias = list[Event]
"""What has happened so far within one action; every rule adds to it."""
