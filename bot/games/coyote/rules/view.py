"""Defines the view, all that one viewer knows of a match: plain data that `game.view_for` builds from scratch."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from bot.engine.core import Prompt, Seat
from bot.games.coyote.rules.actions import Announced
from bot.games.coyote.rules.cards import Card
from bot.games.coyote.rules.editions import Rules
from bot.games.coyote.rules.results import Result


class Phase(StrEnum):
    """What the table waits for."""

    DEAL = "deal"
    BIDDING = "bidding"
    BETS = "bets"
    CALLED = "called"
    """A call stands, and the reveal waits for people who guess along."""
    SHUFFLE = "shuffle"
    OVER = "over"


class Duty(StrEnum):
    """What the player in turn must do, if it is not an ordinary turn."""

    RAISE = "raise"
    """Raise, after a coin, a peek or the Coyote card."""
    AGAIN = "again"
    """In `tomahawk`: bid again after a change of direction."""
    OTHER = "other"
    """Name another number after "start again"."""
    ANSWER = "answer"
    """Raise or call, after having said "start again"."""
    ANNOUNCED = "announced"
    """In `tomahawk`: bid, after an announcement for this bid; more of them may be added."""
    CHOOSE = "choose"
    """In `feathers`: bid or sit out the round, after a right guess."""


class SeatView(NamedTuple):
    """One seat as the viewer sees it. `worn` and `covered` are None if the viewer may not see them."""

    seat: Seat
    living: bool
    withdrawn: bool
    """Whether it sits out the rest of the round, after a right guess."""
    tokens: int
    """How many coyote coins it has taken."""
    eyes: tuple[int, int]
    """In `peek`: how many open and closed eyes it has."""
    feathers: int
    """How many feathers it wears, covered ones included."""
    worn: tuple[Card, ...] | None
    opened: tuple[Card, ...]
    """Extra feathers that everybody sees."""
    covered: tuple[Card, ...] | None
    """Feathers that were replaced: they neither count nor act."""


class CoyoteView(NamedTuple):
    """Everything that one viewer may know at this moment (rules, section 7)."""

    viewer: Seat | None
    rules: Rules
    phase: Phase
    number: int
    """The round, from 1; 0 before the first deal."""
    starter: Seat | None
    """Who opened this round or, between rounds, who opens the next; None if chance will decide."""
    shuffled: bool
    """Whether all cards were shuffled before this round."""
    seats: tuple[SeatView, ...]
    turn: Seat | None
    direction: int
    """1 for clockwise, else -1."""
    bid: int | None
    bidder: Seat | None
    duty: Duty | None
    doubled: bool
    """Whether the loser of a call on the standing bid pays two coins."""
    collected: tuple[tuple[str, Seat | None], ...]
    """What the player in turn has announced for their next bid, with the players named."""
    ladder: tuple[Announced, ...]
    """The bids of this round."""
    used: tuple[tuple[Seat, str], ...]
    """Who used which announcement or picture coin in this round."""
    coins: tuple[tuple[str, int], ...]
    """How many picture coins of each kind are left."""
    centre: Card | None
    """The centre card, for those who peeked at it in this round."""
    peeked: tuple[Seat, ...]
    coyote_holder: Seat | None
    coyote_used: bool
    coyote_card: Card | None
    """The card drawn with the Coyote card, for its player."""
    caller: Seat | None
    """Who has called, until the reveal."""
    bettors: tuple[Seat, ...]
    """Who still has to bet."""
    own_bet: tuple[Seat | None] | None
    """The seat that the viewer has bet on, in a tuple because it may be None (nobody); None before the bet."""
    pile: int
    discard: tuple[Card, ...]
    """Every card seen since the last shuffle."""
    returned: tuple[Card, ...]
    """Cards that went back under the pile in the middle of this round and that the viewer has not seen drawn since."""
    last: Result | None
    out: tuple[Seat, ...]
    winner: Seat | None
    prompt: Prompt | None
    """The question to this viewer, if there is one."""
