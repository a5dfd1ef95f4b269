"""The actions of Plenty Coups, and the reasons for a refusal.

Every action of a player names its tribe, because with two players one of them also decides for the third tribe
(section 8). Cards whose order does not matter are in canonical order.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple, TypeAlias

from bot.engine.core import Leave, Seat
from bot.games.plenty_coups.rules.cards import Card, Cards, Tribe


class Take(NamedTuple):
    """Take cards from the offer into the hand."""

    seat: Seat
    tribe: Tribe
    cards: Cards


class Breed(NamedTuple):
    """Discard a horse card and lead a horse from the plain to the herd."""

    seat: Seat
    tribe: Tribe


class Raid(NamedTuple):
    """Send one warrior to raid another tribe's camp."""

    seat: Seat
    tribe: Tribe
    target: Tribe
    warrior: Card


class DoubleRaid(NamedTuple):
    """Send two warriors of one colour on a raid, in the order in which they are played."""

    seat: Seat
    tribe: Tribe
    target: Tribe
    warriors: Cards


class Defend(NamedTuple):
    """Repel the raid on the tribe's own camp with one weapon."""

    seat: Seat
    tribe: Tribe
    weapon: Card


class DoubleDefend(NamedTuple):
    """Repel the raid on the tribe's own camp with two weapons."""

    seat: Seat
    tribe: Tribe
    cards: Cards


class StrikeCoup(NamedTuple):
    """Discard a stick for prestige, on return from a raid or in defence."""

    seat: Seat
    tribe: Tribe


class LayGift(NamedTuple):
    """Discard one card and lay another face down before another tribe."""

    seat: Seat
    tribe: Tribe
    target: Tribe
    discard: Card
    card: Card


class LayFreeGift(NamedTuple):
    """Lay a card face down before the ally."""

    seat: Seat
    tribe: Tribe
    card: Card


class Give(NamedTuple):
    """Answer a gift with a card, before seeing what was given."""

    seat: Seat
    tribe: Tribe
    card: Card


class Propose(NamedTuple):
    """Propose an alliance with a warrior of the target's colour."""

    seat: Seat
    tribe: Tribe
    target: Tribe
    card: Card


class Accept(NamedTuple):
    """Accept the target's proposal with a warrior of its colour."""

    seat: Seat
    tribe: Tribe
    target: Tribe
    card: Card


class AllyNeutral(NamedTuple):
    """Make an alliance with the neutral colour of this warrior."""

    seat: Seat
    tribe: Tribe
    card: Card


class Disdain(NamedTuple):
    """Lay a stick on another tribe."""

    seat: Seat
    tribe: Tribe
    target: Tribe


class Prove(NamedTuple):
    """Answer disdain by discarding a card that proves the tribe's worth."""

    seat: Seat
    tribe: Tribe
    card: Card


class Decline(NamedTuple):
    """Answer disdain by losing prestige."""

    seat: Seat
    tribe: Tribe


class Donate(NamedTuple):
    """Discard a card and give two horses to another tribe."""

    seat: Seat
    tribe: Tribe
    target: Tribe
    discard: Card


class Hunt(NamedTuple):
    """Discard a card and draw two."""

    seat: Seat
    tribe: Tribe
    discard: Card


class DiscardAfterHunt(NamedTuple):
    """Discard two cards after the hunt."""

    seat: Seat
    tribe: Tribe
    cards: Cards


class End(NamedTuple):
    """End the turn."""

    seat: Seat
    tribe: Tribe


class Undo(NamedTuple):
    """Take back what the tribe did last in this turn. Like leaving, it is never listed among the choices."""

    seat: Seat
    tribe: Tribe


class Deal(NamedTuple):
    """The dealer begins the match with the whole deck, top first.

    `starter` names the elder in a match for which none was chosen, else it is None.
    """

    seat: Seat
    order: Cards
    starter: Seat | None = None


class Shuffle(NamedTuple):
    """The dealer turns the discards into a new pile, top first, because a card is needed and none is left."""

    seat: Seat
    order: Cards


PlayerAction: TypeAlias = (
    Take
    | Breed
    | Raid
    | DoubleRaid
    | Defend
    | DoubleDefend
    | StrikeCoup
    | LayGift
    | LayFreeGift
    | Give
    | Propose
    | Accept
    | AllyNeutral
    | Disdain
    | Prove
    | Decline
    | Donate
    | Hunt
    | DiscardAfterHunt
    | End
)
Action: TypeAlias = PlayerAction | Undo | Leave | Deal | Shuffle


class Reason(StrEnum):
    """Why an action was refused."""

    MALFORMED = "malformed"
    """Not an action at all, or one with a field of the wrong type."""
    MATCH_OVER = "match_over"
    NOT_PLAYING = "not_playing"
    DEALERS_MOVE = "dealers_move"
    WRONG_ORDER = "wrong_order"
    WRONG_STARTER = "wrong_starter"
    NOT_YOUR_DECISION = "not_your_decision"
    NOT_NOW = "not_now"
    NO_ACTION_LEFT = "no_action_left"
    NEEDS_BOTH_ACTIONS = "needs_both_actions"
    NOT_IN_WINTER = "not_in_winter"
    NOTHING_TO_UNDO = "nothing_to_undo"
    """The tribe has done nothing yet in this turn, or its last action has brought something hidden to light."""
    UNDONE_TOO_OFTEN = "undone_too_often"
    ACTIONS_LEFT = "actions_left"
    WRONG_CARDS = "wrong_cards"
    NOT_OFFERED = "not_offered"
    NOT_HELD = "not_held"
    NEEDS_TWO_CARDS = "needs_two_cards"
    NO_OTHER_TRIBE = "no_other_tribe"
    EMPTY_PLAIN = "empty_plain"
    NO_MARKER_AT_HOME = "no_marker_at_home"
    ALLY = "ally"
    PROPOSAL_BETWEEN = "proposal_between"
    RAID_BETWEEN = "raid_between"
    TOO_WEAK = "too_weak"
    NOT_UNDER_RAID = "not_under_raid"
    NO_OCCASION = "no_occasion"
    EMPTY_HAND = "empty_hand"
    NO_ALLY = "no_ally"
    ALREADY_GIVEN = "already_given"
    TOO_FEW_PLAYERS = "too_few_players"
    ALLIED = "allied"
    PROPOSING = "proposing"
    NO_PROPOSAL = "no_proposal"
    PROPOSAL_TOO_LOW = "proposal_too_low"
    TOO_LOW = "too_low"
    ALREADY_DISDAINED = "already_disdained"
    PROVES_NOTHING = "proves_nothing"
    MUST_PROVE = "must_prove"
    """The options forbid a tribe to decline that can prove its worth."""
    TOO_FEW_HORSES = "too_few_horses"
    TOO_MANY_HORSES = "too_many_horses"
    UNDER_RAID = "under_raid"
