"""What a store writes about a finished match, and reads again: everything that does not depend on the database."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from bot.engine.core import Seat
from bot.host.decision import Actor
from bot.host.model import Millis, TableId, UserId
from bot.stats.figures import GUESS_ALONG, WHOLE_GAME
from bot.stats.model import Board, GameRecord, Totals
from bot.stats.periods import boards_of
from bot.stats.record import Entry, Log, tally
from bot.stats.standings import Person, people_of

TOTALS: Final = Totals._fields
"""The columns of `totals` that `read_totals` reads, in their order."""
REBUILT_TABLES: Final = ("scores", "ladder", "pairs", "totals", "boards", "game_seats", "games")
"""Tables that a rebuild empties and fills again. All others are the log, or a person's decision."""
GAMES_PER_REPORT: Final = 50
"""Games that a rebuild counts between two reports of progress."""
_ACTORS: Final = {actor.value: actor for actor in Actor}
_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(dict[str, int]).decode


class End(NamedTuple):
    """A row of `ends`: a match that was played to its end."""

    nth: int
    table: TableId
    guild: int
    number: int
    off: int
    """The seats whose people opted out of statistics, as bits."""


class BoardRow(NamedTuple):
    """A row of `boards`."""

    id: int
    minimum: int
    ranked: int


def read_log(
    setup: str, users: Iterable[tuple[int, int]], entries: Iterable[tuple[Millis, str, str, Millis | None]]
) -> Log:
    """Return the log of a match: `entries` are the moment, the actor, the action as JSON and the thinking time."""
    return Log(
        {Seat(seat): UserId(user) for seat, user in users},
        json.loads(setup)["house"],
        [Entry(at, _ACTORS[actor], json.loads(action), thought) for at, actor, action, thought in entries],
    )


def read_totals(values: Sequence[Any]) -> Totals:
    """Return the totals that the columns `TOTALS` hold."""
    return Totals._make([*values[:-1], _decode(values[-1])])


def write_totals(totals: Totals) -> tuple[Any, ...]:
    """Return totals as the columns `TOTALS` hold them."""
    return (*totals[:-1], write_figures(totals.figures))


def write_figures(figures: Mapping[str, int]) -> str:
    """Return a game's own figures as the columns `figures` hold them."""
    return _encode(figures).decode()


class Match:
    """A finished match as it is counted; ValueError if its log does not lead to an end."""

    def __init__(self, end: End, log: Log, season: int) -> None:
        self.end = end
        self.season = season
        self.record: GameRecord = tally(log)
        self.people: list[Person] = people_of(self.record, end.off)
        self.counted = self.record.counts and bool(self.people)
        """Whether it is in the totals."""

    @property
    def boards(self) -> tuple[Board, ...]:
        """The boards on which it is counted."""
        return boards_of(self.record, self.end.guild, self.season) if self.counted else ()

    @property
    def guess_boards(self) -> tuple[Board, ...]:
        """The boards, shared by all games, for the guesses of people who did not play."""
        along = self.record._replace(game=GUESS_ALONG, edition=WHOLE_GAME)
        return boards_of(along, self.end.guild, self.season) if self.counted else ()

    def game_row(self) -> tuple[Any, ...]:
        """Return its row of `games`."""
        end, record = self.end, self.record
        return (
            end.nth,
            end.guild,
            end.number,
            end.table,
            record.game,
            record.edition,
            len(record.seats),
            record.rounds,
            record.started,
            record.ended,
            record.ai,
            self.counted,
            self.season,
        )

    def seat_rows(self, ratings: Mapping[Board, Mapping[Seat, int | None]]) -> list[tuple[Any, ...]]:
        """Return its rows of `game_seats`; `ratings` are those after the match, by board."""
        end, record = self.end, self.record
        overall = ratings.get(Board(end.guild, record.game), {})
        edition = ratings.get(Board(end.guild, record.game, record.edition), {}) if record.edition else {}
        return [
            (
                end.nth,
                seat,
                None if end.off >> seat & 1 else played.user,
                end.guild,
                played.user is None,
                played.place,
                played.thought,
                played.thoughts,
                overall.get(Seat(seat)),
                edition.get(Seat(seat)),
                write_figures(played.figures),
            )
            for seat, played in enumerate(record.seats)
        ]
