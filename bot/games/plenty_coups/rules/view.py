"""What one viewer knows of a match: plain data that `game.view_for` builds from scratch."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from bot.engine.core import Outcome, Prompt, Seat
from bot.games.plenty_coups.rules.best import Best
from bot.games.plenty_coups.rules.cards import Card, Cards, Tribe
from bot.games.plenty_coups.rules.events import Event
from bot.games.plenty_coups.rules.options import Options
from bot.games.plenty_coups.rules.raid_out import RaidOut


class Phase(StrEnum):
    """What the table waits for. It waits in those marked "by itself" only while the dealer must shuffle."""

    DEAL = "deal"
    START = "start"
    """By itself: a turn begins."""
    REPLACE = "replace"
    """By itself: the tribe draws a card for the one that disdain has cost it."""
    TAKE = "take"
    ACT = "act"
    TRACK = "track"
    """By itself: the hunter draws."""
    HUNT = "hunt"
    GIFT = "gift"
    DISDAIN = "disdain"
    REFILL = "refill"
    """By itself: the offer is filled after a turn."""
    OVER = "over"


class NotAdded(StrEnum):
    """Why no ally's points are added to a tribe's own at the end (section 9, step 4)."""

    NO_ALLY = "no_ally"
    NEUTRAL_ALLY = "neutral_ally"
    LOW_PRESTIGE = "low_prestige"
    """The tribe itself has less than 2 prestige; its ally has enough."""
    ALLY_LOW_PRESTIGE = "ally_low_prestige"
    BOTH_LOW_PRESTIGE = "both_low_prestige"


class Score(NamedTuple):
    """What a tribe has at the end, and how it adds up (section 9)."""

    outside: int
    """Prestige, after the loss for an empty herd."""
    herd: int
    """Points for horses beyond the fifth."""
    total: int
    """The sum of both allies' points if they are added, else `own`."""
    before_penalty: int
    """Prestige before the loss for an empty herd; equal to `outside` if nothing was lost."""
    own: int
    """`outside` and `herd` together."""
    ally: Tribe | None
    """The colour that the tribe is allied to, in play or neutral."""
    not_added: NotAdded | None
    """Why the ally's points are not added; None if they are."""
    place: int | None
    """None for the third tribe of two players, which is not ranked (R36)."""


class TribeRound(NamedTuple):
    """What a round has brought one tribe."""

    tribe: Tribe
    raids_home: int = 0
    """Raids of this tribe that came home, including those that were bought off."""
    horses_won: int = 0
    """Horses that these raids brought."""
    raids_repelled: int = 0
    """Raids on this tribe's camp that it has driven away."""
    repelled: Tribe | None = None
    """The tribe whose raid it drove away; None if it was none, or if that was not kept."""
    coups: int = 0
    prestige_before: int = 0
    """At the beginning of the round."""
    prestige: int = 0
    """At the end of the round; the last round does not include the loss for an empty herd."""
    horses_before: int = 0
    horses: int = 0


class RoundSummary(NamedTuple):
    """What a round has brought, for each tribe in turn order."""

    round: int
    tribes: tuple[TribeRound, ...]


class CampView(NamedTuple):
    """One tribe as the viewer sees it."""

    tribe: Tribe
    owner: Seat | None
    """Whose tribe it is; the third tribe of two players is nobody's."""
    controller: Seat
    """Who decides for it in this round."""
    hand: Cards | None
    """None if it is hidden from the viewer."""
    hand_size: int
    received: Card | None
    """The card of this hand that an exchange of gifts has lately brought; None if it is hidden from the viewer."""
    given: Card | None
    """The card that the viewer's own tribe gave for it; None for everybody else."""
    horses: int
    herd_points: int
    prestige: int
    proposal: Card | None
    """The card with which it proposes an alliance to the tribe of that colour."""
    bond: Card | None
    """The card under its camp: it is allied to the tribe of that colour."""
    disdained: bool
    score: Score | None
    """None until the match is over."""
    best: Best
    """What is worth remembering of it; a present alliance counts up to now."""


class GiftView(NamedTuple):
    """An unfinished gift. `card` is None for everybody but the giver."""

    giver: Tribe
    target: Tribe
    card: Card | None


class PlentyCoupsView(NamedTuple):
    """Everything one viewer may know (section 10)."""

    viewer: Seat | None
    phase: Phase
    round: int
    """1 to 12, fewer if the options say so; 0 before the first turn."""
    turn: Tribe | None
    """The tribe in turn; None before the first turn and after the match."""
    actor: Tribe | None
    """The tribe that must decide now; None if no tribe must."""
    actions_left: int
    coups_open: int
    """How many coups on return are still possible."""
    defence_coup_open: bool
    free_gift_used: bool
    camps: tuple[CampView, ...]
    """In turn order, the elder's first."""
    raids: tuple[RaidOut, ...]
    """The oldest first."""
    gift: GiftView | None
    plain: int
    offer: Cards
    pile: int
    """How many cards the pile has."""
    discards: Cards
    left: tuple[Seat, ...]
    """The players who left."""
    prompt: Prompt | None
    """The viewer's own question."""
    outcome: Outcome | None
    news: tuple[Event, ...]
    """The public events of this turn and of the turn before it, the oldest first."""
    lately: tuple[Event, ...]
    """The public events between tribes before those of the news, since the last turn of the tribe in turn."""
    last_round: RoundSummary | None
    """The last round that has ended; None in the first round."""
    may_undo: bool
    """Whether the tribe that must decide can take back what it did last."""
    options: Options
