"""How a round ended: what everybody sees when the feathers come down. Plain data."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from bot.games.core import Seat
from bot.games.coyote.cards import Card
from bot.games.coyote.counting import Count


class Ending(StrEnum):
    """Why a round was over."""

    SHOWDOWN = "showdown"
    GUESS = "guess"
    """A wrong guess (R45)."""
    VOID = "void"
    """Everyone but one withdrew (R47)."""
    LEFT = "left"
    """Someone left (R59)."""


class Shown(NamedTuple):
    """All cards that one seat had in the round."""

    seat: Seat
    worn: tuple[Card, ...]
    opened: tuple[Card, ...]
    covered: tuple[Card, ...]


class SettledBet(NamedTuple):
    """A trickster's bet, once it is known who was right."""

    seat: Seat
    on: Seat | None
    right: bool


class Result(NamedTuple):
    """The end of one round, public in every part."""

    number: int
    ending: Ending
    shown: tuple[Shown, ...]
    centre: Card | None
    coyote_card: Card | None
    caller: Seat | None
    bidder: Seat | None
    bid: int | None
    counted: Count | None
    loser: Seat | None
    penalty: int
    eliminated: Seat | None
    next_starter: Seat | None
    bets: tuple[SettledBet, ...]
    night: bool
    """A night feather came to light: everything is shuffled before the next deal."""
