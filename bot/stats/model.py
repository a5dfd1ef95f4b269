"""The statistics as plain data: finished matches, a person's totals, pages of leaderboards, comparisons.

AIs and people who opted out of statistics have no name here: their `user` is None, and they have no totals.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from bot.engine.core import Seat
from bot.host.model import Millis, TableId, UserId
from bot.stats.figures import SHARED_RANKINGS, WHOLE_GAME
from bot.stats.moments import Highlight

ALL_TIME: Final = "all"
"""The period of a board that counts all matches, whenever they ended."""
DEFAULT_MINIMUM_GAMES: Final = 5
"""Games that a person must have finished to be ranked, unless the guild's house rules set another number."""
NO_FIGURES: Final[Mapping[str, int]] = MappingProxyType({})


class SeatRecord(NamedTuple):
    """What one seat did in a match, no matter whether the player, the clock or a stand-in moved it."""

    user: UserId | None
    """None: an AI's seat."""
    place: int = 0
    """If an AI finished the match for somebody, at best the place that they had when they went."""
    thought: Millis = 0
    """The player's own thinking time, summed over all answers."""
    thoughts: int = 0
    """The number of those answers."""
    figures: Mapping[str, int] = NO_FIGURES
    """The game's own figures by name; a missing figure is 0."""

    @property
    def won(self) -> bool:
        """Whether the seat won, alone or together with others."""
        return self.place == 1


class GameRecord(NamedTuple):
    """A match that was played to its end: everything that statistics know of it, read from its log alone."""

    game: str
    edition: str
    """`WHOLE_GAME` for a game without editions."""
    rounds: int
    started: Millis
    ended: Millis
    ai: bool
    """An AI played in it, in a seat of its own or for a person."""
    counts: bool
    """The house rules let it count."""
    seats: tuple[SeatRecord, ...]
    duels: tuple[tuple[Seat, Seat, int], ...] = ()
    """Who did something to whom, and how much of it; see `Counted.duels`."""


class Board(NamedTuple):
    """One guild, one game, one edition, one period: the matches that are counted together."""

    guild: int
    game: str
    edition: str = WHOLE_GAME
    period: str = ALL_TIME
    """`ALL_TIME`, `month_of(…)` such as "2026-11", or `season_period(…)`."""


class Totals(NamedTuple):
    """A person's figures on one board."""

    games: int = 0
    wins: int = 0
    seconds: int = 0
    thirds: int = 0
    places: int = 0
    """The sum of all places."""
    rounds: int = 0
    thought: Millis = 0
    thoughts: int = 0
    run: int = 0
    """Wins in a row until now."""
    best_run: int = 0
    rated: int = 0
    """Rated games: those with at least one other person who is counted."""
    mu: float = 0.0
    sigma: float = 0.0
    rating: int = 0
    """The number that people see."""
    win_rate: int = 0
    """Wins per thousand games."""
    figures: Mapping[str, int] = NO_FIGURES
    """The game's own figures by name."""

    @property
    def mean_place(self) -> float | None:
        """The average place; None before the first game."""
        return self.places / self.games if self.games else None

    @property
    def mean_thought(self) -> float | None:
        """The average thinking time in milliseconds; None if nothing was answered."""
        return self.thought / self.thoughts if self.thoughts else None

    def own(self, name: str) -> int:
        """Return one of the game's own figures, 0 if it was never counted."""
        return self.figures.get(name, 0)

    def score(self, by: str) -> int:
        """Return the figure that a leaderboard is ordered by."""
        score: int = getattr(self, by) if by in SHARED_RANKINGS else self.own(by)
        return score


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
    by: str
    """The figure that it is ordered by."""
    number: int
    """From 1; a page beyond the last one is the last one."""
    pages: int
    """At least 1."""
    ranked: int
    """How many people are ranked."""
    minimum: int
    lines: tuple[Line, ...]
    own: Line | None = None
    """The asker's own line, on this page or not. Its rank is None below the minimum or while they are hidden.
    No line at all if they have played no game that counts here."""


class Rival(NamedTuple):
    """An opponent, and how much one of the two did to the other; see `Counted.duels`."""

    user: UserId
    amount: int


class Point(NamedTuple):
    """The rating after one game."""

    number: int
    """The game's number in its guild."""
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
    """To whom they did the most in duels; of equals, the one with the lower id."""
    nemesis: Rival | None
    """Who did the most to them."""
    curve: tuple[Point, ...]
    """The rating over time on the all-time board of the same edition, oldest first."""
    opted_out: bool
    """They opted out of statistics: only they themselves may see this card."""


class Side(NamedTuple):
    """One of the two people who are compared."""

    user: UserId
    totals: Totals
    ahead: int
    """Games together in which this person had the better place."""
    given: int
    """How much this person did to the other in duels; see `Counted.duels`."""


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
    """None: an AI, or a person who opted out of statistics or was deleted."""
    ai: bool
    place: int
    rating: int | None
    """On the board of the whole game, after this match; None: not rated."""
    name: str | None = None
    """An AI's; people have none here."""


class PastGame(NamedTuple):
    """A finished game."""

    number: int
    table: TableId
    game: str
    edition: str
    """`WHOLE_GAME` for a game without editions."""
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
    """By seat: the rating before it, on the board of the whole game; None: not rated."""
    highlights: tuple[Highlight, ...] = ()
    """What the game found worth remembering (`GameFigures.highlights`)."""
    events: tuple[object, ...] = ()
    """All public events of the match, in order."""


class History(NamedTuple):
    """One page of finished games, newest first."""

    number: int
    """From 1; a page beyond the last one is the last one."""
    pages: int
    games: int
    """How many there are."""
    lines: tuple[PastGame, ...]


class Season(NamedTuple):
    """A season of a guild; the running one has not been closed."""

    number: int
    closed: Millis | None

    @property
    def period(self) -> str:
        """The period of its boards."""
        return season_period(self.number)


def season_period(number: int) -> str:
    """Return the period of a season's boards."""
    return f"season-{number}"
