"""What one viewer knows of a match: plain data that `game.view_for` builds from scratch."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from bot.engine.core import Prompt, Seat
from bot.games.coyote.rules.actions import Announced
from bot.games.coyote.rules.cards import Card
from bot.games.coyote.rules.editions import Rules
from bot.games.coyote.rules.highlights import Highlights
from bot.games.coyote.rules.results import Result


class Phase(StrEnum):
    """What the table waits for."""

    DEAL = "deal"
    BIDDING = "bidding"
    BETS = "bets"
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


class SeatView(NamedTuple):
    """One seat as the viewer sees it. `worn` and `covered` are None if the viewer may not see them."""

    seat: Seat
    living: bool
    withdrawn: bool
    tokens: int
    eyes: tuple[int, int]
    feathers: int
    """How many feathers it wears, covered ones included."""
    worn: tuple[Card, ...] | None
    opened: tuple[Card, ...]
    covered: tuple[Card, ...] | None


class CoyoteView(NamedTuple):
    """Everything that one viewer may know at this moment (rules, section 7)."""

    viewer: Seat | None
    rules: Rules
    phase: Phase
    number: int
    starter: Seat | None
    """Who opened this round or, between rounds, who opens the next; None if chance will decide."""
    shuffled: bool
    seats: tuple[SeatView, ...]
    turn: Seat | None
    direction: int
    bid: int | None
    bidder: Seat | None
    duty: Duty | None
    doubled: bool
    ladder: tuple[Announced, ...]
    used: tuple[tuple[Seat, str], ...]
    coins: tuple[tuple[str, int], ...]
    centre: Card | None
    """The centre card, for those who peeked at it in this round."""
    peeked: tuple[Seat, ...]
    coyote_holder: Seat | None
    coyote_used: bool
    coyote_card: Card | None
    """The card drawn with the Coyote card, for its player."""
    caller: Seat | None
    bettors: tuple[Seat, ...]
    """Who still has to bet."""
    own_bet: tuple[Seat | None] | None
    """Whom the viewer has bet on, in a tuple because that may be nobody; None before the bet."""
    pile: int
    discard: tuple[Card, ...]
    """Every card seen since the last shuffle."""
    returned: tuple[Card, ...]
    """Cards that went back under the pile in the middle of this round and that the viewer has not seen drawn since."""
    last: Result | None
    best: Highlights
    """The highlights of the rounds that have ended."""
    out: tuple[Seat, ...]
    winner: Seat | None
    prompt: Prompt | None
    """The question to this viewer, if there is one."""
