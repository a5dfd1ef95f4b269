"""What statistics say, as plain data: a finished match, somebody's totals, a page of a leaderboard, a head to head.

Whoever keeps out of statistics, and every AI, is nobody here: `user` is None, and no totals name them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from bot.engine.core import Seat
from bot.host.model import Millis, TableId, UserId

EVERY_EDITION: Final = ""
"""The edition of a board that counts all of Coyote's editions together."""
ALL_TIME: Final = "all"
DEFAULT_MINIMUM: Final = 5
"""So many games make one ranked, where the server says nothing else."""


class SeatRecord(NamedTuple):
    """What one seat did in a match. Who moved it, the player, the clock or a stand-in, makes no difference."""

    user: UserId | None
    """None: an AI's seat."""
    place: int = 0
    survived: int = 0
    """Rounds that came to their end with this seat still in the match."""
    taken: int = 0
    """Coins that it had to take; in `peek`, peek cards that it lost."""
    dealt: int = 0
    """Coins that others had to take from it: whose call or bid was right deals out what the other one takes."""
    calls: int = 0
    """Calls that came to the reveal."""
    calls_right: int = 0
    bids: int = 0
    """Numbers that it stood for, approvals included."""
    caught: int = 0
    """Bids that were called, and were too high."""
    exact: int = 0
    """Bids that were called, and were the total itself."""
    thought: Millis = 0
    """The player's own thinking time, over so many answers."""
    thoughts: int = 0

    @property
    def won(self) -> bool:
        """Whether the seat won, be it together with others."""
        return self.place == 1


class GameRecord(NamedTuple):
    """A match that was played to its end: everything that statistics know of it, read from its log alone."""

    game: str
    edition: str
    """The edition; for a game without editions its name."""
    variant: bool
    rounds: int
    started: Millis
    ended: Millis
    ai: bool
    """An AI has played in it, on a seat of its own or for somebody."""
    counts: bool
    """The house rules let it count."""
    seats: tuple[SeatRecord, ...]
    coins: tuple[tuple[Seat, Seat, int], ...] = ()
    """Who dealt out coins to whom, and how many."""


class By(StrEnum):
    """What a leaderboard is ordered by; the value is the column of the totals."""

    RATING = "rating"
    WINS = "wins"
    WIN_RATE = "win_rate"
    """In a thousand games."""
    CALLS_RIGHT = "calls_right"
    EXACT_HITS = "exact"
    COINS_DEALT = "dealt"
    LONGEST_RUN = "best_run"
    GAMES = "games"


class Board(NamedTuple):
    """What a leaderboard is about: one server, one edition, one period. Everything in it is counted from its games."""

    guild: int
    edition: str = EVERY_EDITION
    period: str = ALL_TIME
    """`ALL_TIME`, `month_of(…)` such as "2026-11", or `season_period(…)`."""


class Totals(NamedTuple):
    """Somebody's figures on one board."""

    games: int = 0
    wins: int = 0
    seconds: int = 0
    thirds: int = 0
    places: int = 0
    """The sum of all places."""
    rounds: int = 0
    survived: int = 0
    taken: int = 0
    dealt: int = 0
    calls: int = 0
    calls_right: int = 0
    bids: int = 0
    caught: int = 0
    exact: int = 0
    thought: Millis = 0
    thoughts: int = 0
    run: int = 0
    """Wins in a row until now."""
    best_run: int = 0
    rated: int = 0
    """Rated games: those with another person who keeps statistics."""
    mu: float = 0.0
    sigma: float = 0.0
    rating: int = 0
    """The number that is shown."""
    win_rate: int = 0
    """Wins in a thousand games."""

    @property
    def mean_place(self) -> float | None:
        """The average place; None before the first game."""
        return self.places / self.games if self.games else None

    @property
    def mean_thought(self) -> float | None:
        """The average thinking time in milliseconds; None if nothing was answered."""
        return self.thought / self.thoughts if self.thoughts else None


class Line(NamedTuple):
    """One line of a leaderboard."""

    rank: int | None
    """Equals share a rank; None: not ranked (yet)."""
    user: UserId
    score: int
    totals: Totals


class Page(NamedTuple):
    """One page of a leaderboard."""

    board: Board
    by: By
    number: int
    """From 1; a page beyond the last one is the last one."""
    pages: int
    """At least 1."""
    ranked: int
    """How many people are ranked."""
    minimum: int
    lines: tuple[Line, ...]
    own: Line | None = None
    """The line of whoever asks, on this page or not; its rank is None below the minimum or while they are hidden;
    None if they have played no game that counts here."""


class Rival(NamedTuple):
    """Somebody whom one has dealt out coins to, or taken them from."""

    user: UserId
    coins: int


class Point(NamedTuple):
    """The rating after one game."""

    number: int
    """The game's number in its server."""
    ended: Millis
    rating: int


class Card(NamedTuple):
    """Everything about one person on one board."""

    board: Board
    user: UserId
    totals: Totals
    """All zero if there is no game that counts."""
    rank: int | None
    """By rating; None: not ranked."""
    ranked: int
    minimum: int
    victim: Rival | None
    """Whom they have dealt out the most coins to; of equals, the one with the lower id."""
    nemesis: Rival | None
    """From whom they have taken the most."""
    curve: tuple[Point, ...]
    """The rating over time, oldest first, at most `CURVE` points; of the all-time board of the same edition."""
    off: bool
    """They keep out of statistics: what is here is theirs to see, and nobody else's."""


class Side(NamedTuple):
    """One of two who are compared."""

    user: UserId
    totals: Totals
    ahead: int
    """Games together in which this one had the better place."""
    dealt: int
    """Coins dealt out to the other one."""


class Versus(NamedTuple):
    """Two people, head to head."""

    board: Board
    games: int
    """Games together."""
    a: Side
    b: Side
    last: tuple[PastGame, ...]
    """Their newest games together, at most five."""


class PastSeat(NamedTuple):
    """A seat in the history."""

    seat: Seat
    user: UserId | None
    """None: an AI, or somebody who keeps out of statistics or was deleted."""
    ai: bool
    place: int
    rating: int | None
    """Over all editions, after the game; None: not rated."""
    name: str | None = None
    """An AI's; people have none here."""


class PastGame(NamedTuple):
    """A finished game."""

    number: int
    table: TableId
    game: str
    edition: str
    variant: bool
    rounds: int
    started: Millis
    ended: Millis
    ai: bool
    counted: bool
    """It is in the totals."""
    season: int
    seats: tuple[PastSeat, ...]
    """By seat."""


class Ending(NamedTuple):
    """A finished game, and what it did to ratings."""

    game: PastGame
    before: tuple[int | None, ...]
    """By seat: the rating before the game, over all editions; None: not rated."""


class History(NamedTuple):
    """One page of finished games, newest first."""

    number: int
    """From 1; a page beyond the last one is the last one."""
    pages: int
    games: int
    """How many there are."""
    lines: tuple[PastGame, ...]


class Season(NamedTuple):
    """A season of a server; the running one has not been closed."""

    number: int
    closed: Millis | None

    @property
    def period(self) -> str:
        """The period of its boards."""
        return season_period(self.number)


def season_period(number: int) -> str:
    """Return the period of a season's boards."""
    return f"season-{number}"
