"""Declares what statistics need from a game: which figures it counts, how, and which of them rank people.

Games, places, rounds, ratings and thinking times are counted for every game anyway. `bot.games.registry` fills
`FIGURES` from the games' kits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from bot.engine.core import Json, Seat
from bot.stats.moments import Highlight, Replayed

WHOLE_GAME: Final = ""
"""The edition of a board that counts all of a game's matches."""
RATING: Final = "rating"
SHARED_RANKINGS: Final = (RATING, "wins", "win_rate", "best_run", "games")
"""What the leaderboards of every game can be ordered by; each is a field of `Totals`."""
MOST_HIGHLIGHTS: Final = 3
"""How many moments of a match are offered before the others."""
NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,19}", re.ASCII)
"""How games, editions and figures are named: short enough for a button, and without a dot."""


class Counted(NamedTuple):
    """What a game's own counting found in one match."""

    rounds: int | None = None
    """None: as many as the rules say have ended (`Game.rounds_ended`)."""
    seats: Sequence[Mapping[str, int]] = ()
    """The figures of each seat by name; a missing figure is 0. Empty: no seat has any."""
    duels: tuple[tuple[Seat, Seat, int], ...] = ()
    """Who did something to whom, and how much of it: coins dealt, for example."""


def _count_nothing(_players: int, _events: Sequence[Any]) -> Counted:
    return Counted()


def _no_highlights(_match: Replayed) -> Sequence[Highlight]:
    return ()


def _no_edition(_options: Mapping[str, Json]) -> str:
    return WHOLE_GAME


@dataclass(frozen=True, kw_only=True)
class GameFigures:
    """What is counted in a game's matches in addition to the shared figures."""

    names: tuple[str, ...] = ()
    """The game's own figures. Each is a whole number that is added up from match to match."""
    count: Callable[[int, Sequence[Any]], Counted] = _count_nothing
    """Counts a match from its number of players and all its public events."""
    rankings: tuple[str, ...] = SHARED_RANKINGS
    """The figures, shared or its own, that leaderboards can be ordered by, in the order in which they are offered."""
    editions: tuple[str, ...] = ()
    """The editions that have boards of their own, in addition to those of the whole game."""
    edition_of: Callable[[Mapping[str, Json]], str] = _no_edition
    """Returns the edition that a match's options name; `WHOLE_GAME` if the game has no editions."""
    highlights: Callable[[Replayed], Sequence[Highlight]] = _no_highlights
    """Picks what is worth remembering of a finished match, the best first, at most `MOST_HIGHLIGHTS`."""

    def __post_init__(self) -> None:
        unknown = [by for by in self.rankings if by not in (*SHARED_RANKINGS, *self.names)]
        unfit = [name for name in (*self.names, *self.editions) if NAME.fullmatch(name) is None]
        if unknown or unfit:
            raise ValueError(f"no figures to rank by: {unknown}; not fit for a button: {unfit}")


GUESS_ALONG: Final = "guess-along"
"""The name under which the guesses of people who did not play are counted, in all games together."""
GUESSED: Final = "guessed"
GUESSED_RIGHT: Final = "guessed_right"
FIGURES: Final[dict[str, GameFigures]] = {
    GUESS_ALONG: GameFigures(names=(GUESSED, GUESSED_RIGHT), rankings=(GUESSED_RIGHT, GUESSED))
}
"""The figures of every game that the bot can host, by the game's name; and those of guessing along."""
_SHARED_ONLY: Final = GameFigures()


def figures_of(game: str) -> GameFigures:
    """Return what is counted in a game; only the shared figures if it is not registered."""
    return FIGURES.get(game, _SHARED_ONLY)
