"""What one viewer knows of a match: plain data that `game.view_for` builds from scratch."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from bot.engine.core import Outcome, Prompt, Seat
from bot.games.plenty_coups.rules.cards import Card, Cards, Tribe


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


class RaidOut(NamedTuple):
    """A raid that is out, at another tribe's camp (section 2)."""

    raider: Tribe
    target: Tribe
    warriors: Cards
    """In the order in which they were played."""
    value: int
    """The attack value, fixed when the raid sets out (R30)."""
    prestige_side: bool
    """Whether the raider's marker lies with its prestige side up."""


class Score(NamedTuple):
    """What a tribe has at the end (section 9)."""

    outside: int
    herd: int
    total: int
    """The sum of both allies' points if they are added."""


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
    """1 to 12; 0 before the first turn."""
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
