"""What the statistics ask of a game: which figures it counts, how, and which of them rank people.

Every game has games, places, rounds, ratings and thinking times without saying anything. `bot.games.registry` fills
`FIGURES` from the games' kits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from bot.engine.core import Json, Seat

WHOLE_GAME: Final = ""
"""The edition of a board that counts all of a game's matches."""
RATING: Final = "rating"
SHARED_RANKINGS: Final = (RATING, "wins", "win_rate", "best_run", "games")
"""What the leaderboards of every game can be ordered by; each is a field of `Totals`."""
NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,19}", re.ASCII)
"""How games, editions and figures are named: short enough for a button, and without a dot."""


class Counted(NamedTuple):
    """What a game's own counting found in one match."""

    rounds: int | None = None
    """None: as many as the rules say have ended (`Game.ended`)."""
    seats: Sequence[Mapping[str, int]] = ()
    """The figures of each seat by name; a missing figure is 0. Empty: no seat has any."""
    duels: tuple[tuple[Seat, Seat, int], ...] = ()
    """What one seat did to another, and how much of it: coins dealt, say, by whom and to whom."""


def _count_nothing(_players: int, _events: Sequence[Any]) -> Counted:
    return Counted()


def _no_edition(_options: Mapping[str, Json]) -> str:
    return WHOLE_GAME


@dataclass(frozen=True, kw_only=True)
class GameFigures:
    """What is counted of a game's matches beside the shared figures."""

    names: tuple[str, ...] = ()
    """The game's own figures. Each is a whole number that is added up from match to match."""
    count: Callable[[int, Sequence[Any]], Counted] = _count_nothing
    """Counts a match from its number of players and all its public events."""
    rankings: tuple[str, ...] = SHARED_RANKINGS
    """The figures, shared or its own, that leaderboards can be ordered by, in the order in which they are offered."""
    editions: tuple[str, ...] = ()
    """The editions that have boards of their own beside those of the whole game."""
    edition_of: Callable[[Mapping[str, Json]], str] = _no_edition
    """Returns the edition that a match's options name; `WHOLE_GAME` if the game has no editions."""

    def __post_init__(self) -> None:
        unknown = [by for by in self.rankings if by not in (*SHARED_RANKINGS, *self.names)]
        unfit = [name for name in (*self.names, *self.editions) if NAME.fullmatch(name) is None]
        if unknown or unfit:
            raise ValueError(f"no figures to rank by: {unknown}; not fit for a button: {unfit}")


FIGURES: Final[dict[str, GameFigures]] = {}
"""The figures of every game that the bot can host, by the game's name."""
_SHARED_ONLY: Final = GameFigures()


def figures_of(game: str) -> GameFigures:
    """Return what is counted of a game; shared figures only if it is not registered."""
    return FIGURES.get(game, _SHARED_ONLY)
