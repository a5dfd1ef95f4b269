"""Defines the result of a round: everything that is public at the reveal."""

from __future__ import annotations

from enum import StrEnum
from itertools import chain

from bot.engine.core import Seat
from bot.engine.frozen import Frozen
from bot.games.coyote.rules.cards import Card
from bot.games.coyote.rules.counting import Count


class Ending(StrEnum):
    """Why a round ended."""

    SHOWDOWN = "showdown"
    GUESS = "guess"
    """A wrong guess (R45)."""
    VOID = "void"
    """Everyone but one withdrew (R47)."""
    LEFT = "left"
    """Someone left (R59)."""


class Spread(Frozen, frozen=True):
    """All cards in play in a round. The tuples are by seat; a seat that is out has none."""

    worn: tuple[tuple[Card, ...], ...]
    opened: tuple[tuple[Card, ...], ...]
    """Extra feathers of `feathers`, which everybody sees."""
    covered: tuple[tuple[Card, ...], ...]
    """Feathers that were replaced: they neither count nor act (R12)."""
    centre: Card | None = None
    beside: Card | None = None
    """The card drawn with the Coyote card."""

    def counting(self) -> tuple[Card, ...]:
        """Return the cards that count: worn, open, centre and the Coyote card's, but not covered ones."""
        in_sight = tuple(chain(*self.worn, *self.opened))
        if self.centre is None:
            return in_sight
        return (*in_sight, self.centre) if self.beside is None else (*in_sight, self.centre, self.beside)


class SettledBet(Frozen, frozen=True):
    """A trickster's bet, once it is known who was right."""

    seat: Seat
    on: Seat | None
    right: bool


class Result(Frozen, frozen=True):
    """How one round ended; all of it is public."""

    number: int
    ending: Ending
    cards: Spread
    caller: Seat | None = None
    bidder: Seat | None = None
    bid: int | None = None
    counted: Count | None = None
    loser: Seat | None = None
    penalty: int = 0
    eliminated: Seat | None = None
    next_starter: Seat | None = None
    bets: tuple[SettledBet, ...] = ()
    night: bool = False
    """Whether a night feather came to light: then everything is shuffled before the next deal."""
    opened: tuple[Seat, ...] = ()
    """`peek`: who opened an eye, by winning the challenge or by a right bet."""
    closed: tuple[Seat, ...] = ()
    """`peek`: who closed an eye by a wrong bet."""
    named: Card | None = None
    """The face that a wrong guess named."""
