"""The whole state of a match, hidden cards included. Only the rules read it; everyone else gets a view.

It is nested by what changes together, so that a bid copies the bidding and nothing else.
"""

from __future__ import annotations

from functools import lru_cache

from bot.engine.core import DEALER, Seat
from bot.engine.frozen import Frozen, WrittenOnce
from bot.games.coyote.rules.actions import Announced, PlayerAction, Reveal
from bot.games.coyote.rules.cards import Card
from bot.games.coyote.rules.editions import COINS, Rules
from bot.games.coyote.rules.results import Result, Spread
from bot.games.coyote.rules.view import Duty, Phase


class Bidding(Frozen, frozen=True):
    """How the bidding of this round stands; every bid makes a new one."""

    direction: int = 1
    turn: Seat = DEALER
    """Whose turn it is, or who has called; DEALER between rounds."""
    bid: int | None = None
    bidder: Seat = DEALER
    """Who answers for the standing bid; DEALER while there is none."""
    above: int | None = None
    """The number that the standing bid had to beat; None if it opened the round."""
    duty: Duty | None = None
    doubled: bool = False
    approved: bool = False
    """The standing bid was approved, and nobody has raised it since."""
    looked: bool = False
    """The player in turn has peeked in this turn."""
    asker: Seat = DEALER
    """Who said "start again" and gets the turn back."""
    used: tuple[tuple[Seat, str], ...] = ()
    """Who used which announcement or picture coin in this round."""
    ladder: tuple[Announced, ...] = ()
    collected: tuple[tuple[str, Seat | None], ...] = ()
    """What the player in turn has announced for their next bid, with the players named."""


class Round(WrittenOnce, frozen=True):
    """The cards of this round and what was done with them."""

    number: int
    starter: Seat
    active: tuple[Seat, ...]
    """Living seats that have not withdrawn, clockwise."""
    cards: Spread
    coins: tuple[int, ...]
    """The picture coins that are left, in the order of `COINS`."""
    shuffled: bool = False
    peeked: tuple[Seat, ...] = ()
    returned: tuple[Card, ...] = ()
    """The discard that was shuffled under the pile in the middle of this round: everybody had seen these cards."""
    drawn: tuple[tuple[Seat, Card], ...] = ()
    """Which of them were drawn since, each with the seat that cannot see it, or DEALER if it lies open."""
    shown: tuple[Seat, ...] = ()
    """Seats that guessed their own feather right, so that it lies open."""


@lru_cache
def no_round(seats: int) -> Round:
    """Return the empty round that stands between two rounds."""
    bare: tuple[tuple[Card, ...], ...] = ((),) * seats
    return Round(0, DEALER, (), Spread(bare, bare, bare), (0,) * len(COINS))


class Match(WrittenOnce, frozen=True):
    """What lasts longer than a round."""

    living: tuple[Seat, ...]
    tokens: tuple[int, ...]
    eyes: tuple[tuple[int, int], ...]
    """Open and closed eyes, by seat."""
    rounds: int
    """How many rounds have begun."""
    pile: tuple[Card, ...]
    """Top first."""
    discard: tuple[Card, ...]
    out: tuple[Seat, ...] = ()
    """Seats that are out, in the order in which they went out."""
    coyote_holder: Seat | None = None
    starter: Seat | None = None
    """Who opens the next round; None if the first deal decides by chance."""
    shuffle_due: bool = False
    last: Result | None = None
    """How the last round ended."""


class State(Frozen, frozen=True):
    """A match of Coyote."""

    rules: Rules
    phase: Phase
    asked: int
    """Counts the questions; the number of the open one is its prompt's id."""
    match: Match
    round: Round
    bidding: Bidding
    bets: tuple[tuple[Seat, Seat | None], ...] = ()
    pending: PlayerAction | Reveal | None = None
    """The action that waits for the dealer to shuffle the discard."""
