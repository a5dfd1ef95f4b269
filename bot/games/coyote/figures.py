"""Coyote's own figures, from the public events of a match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from bot.engine.core import Seat
from bot.games.coyote.rules.actions import Announced, RoundEnded, SeatLeft
from bot.games.coyote.rules.results import Ending, Result
from bot.stats.model import SeatRecord

_SHOWDOWN: Final = Ending.SHOWDOWN
Coins = tuple[tuple[Seat, Seat, int], ...]


def count(seats: Sequence[SeatRecord], events: Sequence[Any]) -> tuple[int, Sequence[SeatRecord], Coins]:
    """Return the number of rounds, the seats with all their figures, and who dealt out coins to whom."""
    found: list[Counter[str]] = [Counter() for _ in seats]
    coins: Counter[tuple[Seat, Seat]] = Counter()
    living = set(range(len(seats)))
    rounds = 0
    for event in events:
        match event:
            case Announced():
                found[event.seat]["bids"] += 1
            case SeatLeft():  # comes before the end of the round that it makes void
                living.discard(event.seat)
            case RoundEnded(result):
                rounds += 1
                _settle(result, found, coins)
                if result.eliminated is not None:
                    living.discard(result.eliminated)
                for seat in living:
                    found[seat]["survived"] += 1
            case _:
                pass
    counted = [seat._replace(**dict[str, Any](figures)) for seat, figures in zip(seats, found, strict=True)]
    return rounds, counted, tuple((*pair, number) for pair, number in sorted(coins.items()))


def _settle(result: Result, found: Sequence[Counter[str]], coins: Counter[tuple[Seat, Seat]]) -> None:
    """Count who was right and who pays. A wrong guess is paid to nobody."""
    loser = result.loser
    if loser is not None:
        found[loser]["taken"] += result.penalty
    if result.ending is not _SHOWDOWN:
        return
    caller, bidder = result.caller, result.bidder
    if caller is None or bidder is None or loser is None or result.counted is None:
        raise ValueError("a reveal without a duel")
    winner = bidder if loser == caller else caller
    found[winner]["dealt"] += result.penalty
    coins[winner, loser] += result.penalty
    found[caller]["calls"] += 1
    found[caller]["calls_right"] += winner == caller
    found[bidder]["caught"] += loser == bidder
    found[bidder]["exact"] += result.bid == result.counted.total
