"""Counts the figures of a Coyote match from its public events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from bot.engine.core import Json, Seat
from bot.games.coyote.highlights import find_highlights
from bot.games.coyote.rules.actions import Announced, RoundEnded, SeatLeft
from bot.games.coyote.rules.editions import DEFAULT_EDITION, EDITIONS
from bot.games.coyote.rules.results import Ending, Result
from bot.stats.figures import Counted, GameFigures

SURVIVED: Final = "survived"
"""Rounds that ended with this seat still in the match."""
TAKEN: Final = "taken"
"""Coins that the seat had to take; in the edition `peek`, peek cards that it lost."""
DEALT: Final = "dealt"
"""Coins that others had to take because this seat's call or bid was right."""
CALLS: Final = "calls"
"""Calls that led to a reveal."""
CALLS_RIGHT: Final = "calls_right"
"""Of those, calls that were right."""
BIDS: Final = "bids"
"""Numbers that the seat announced or approved."""
CAUGHT: Final = "caught"
"""Bids that were called and were too high."""
EXACT: Final = "exact"
"""Bids that were called and matched the total exactly."""

_SHOWDOWN: Final = Ending.SHOWDOWN


def count(players: int, events: Sequence[Any]) -> Counted:
    """Count rounds, the figures of every seat, and who dealt coins to whom."""
    seats: list[Counter[str]] = [Counter() for _ in range(players)]
    coins: Counter[tuple[Seat, Seat]] = Counter()
    living = set(range(players))
    rounds = 0
    for event in events:
        match event:
            case Announced():
                seats[event.seat][BIDS] += 1
            case SeatLeft():  # comes before the end of the round, which may be void because of it
                living.discard(event.seat)
            case RoundEnded(result):
                rounds += 1
                _settle(result, seats, coins)
                if result.eliminated is not None:
                    living.discard(result.eliminated)
                for seat in living:
                    seats[seat][SURVIVED] += 1
            case _:
                pass
    return Counted(rounds, seats, tuple((*pair, number) for pair, number in sorted(coins.items())))


def _settle(result: Result, seats: Sequence[Counter[str]], coins: Counter[tuple[Seat, Seat]]) -> None:
    """Count who was right and who pays. A coin for a wrong guess counts as dealt by nobody."""
    loser = result.loser
    if loser is not None:
        seats[loser][TAKEN] += result.penalty
    if result.ending is not _SHOWDOWN:
        return
    caller, bidder = result.caller, result.bidder
    if caller is None or bidder is None or loser is None or result.counted is None:
        raise ValueError("a reveal without a duel")
    winner = bidder if loser == caller else caller
    seats[winner][DEALT] += result.penalty
    coins[winner, loser] += result.penalty
    seats[caller][CALLS] += 1
    seats[caller][CALLS_RIGHT] += winner == caller
    seats[bidder][CAUGHT] += loser == bidder
    seats[bidder][EXACT] += result.bid == result.counted.total


def edition_of(options: Mapping[str, Json]) -> str:
    """Return the edition that a match was played in."""
    edition: str = options.get("edition", DEFAULT_EDITION)
    return edition


FIGURES: Final = GameFigures(
    names=(SURVIVED, TAKEN, DEALT, CALLS, CALLS_RIGHT, BIDS, CAUGHT, EXACT),
    count=count,
    rankings=("rating", "wins", "win_rate", CALLS_RIGHT, EXACT, DEALT, "best_run", "games"),
    editions=tuple(EDITIONS),
    edition_of=edition_of,
    highlights=find_highlights,
)
