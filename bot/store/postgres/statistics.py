"""The statistics as the rest of the bot asks for them. Every question is one short read of maintained totals."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Protocol, TypeVar

from bot.host.model import Millis, TableId, UserId
from bot.stats.figures import RATING
from bot.stats.model import Board, Card, Ending, History, Page, PastGame, Season, Versus
from bot.stats.record import Log
from bot.stats.replay import Replay
from bot.store.pages import ranked_after, with_highlights
from bot.store.ports import LINES_PER_PAGE
from bot.store.postgres import history as past
from bot.store.postgres import leaderboards, standings
from bot.store.postgres.connections import Connection
from bot.store.postgres.counting import read_log

T = TypeVar("T")


class Access(Protocol):
    """How statistics reach the database; `PostgresStore` implements it."""

    async def look(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Run a function that only reads."""

    async def fetch(self, sql: str, *values: Any) -> list[Any]:
        """Return the rows of one statement that only reads."""

    def work(self, work: Callable[[Connection], Awaitable[None]]) -> asyncio.Future[None]:
        """Run a function in a transaction."""


class Statistics:
    """What was counted of finished games. Nothing here knows of a running one."""

    def __init__(self, access: Access) -> None:
        self._access = access

    async def leaderboard(
        self,
        board: Board,
        by: str = RATING,
        page: int = 1,
        *,
        asker: UserId | None = None,
        minimum: int | None = None,
        size: int = LINES_PER_PAGE,
    ) -> Page:
        """Return one page. `minimum` is the number of games that the guild's house rules ask for; None: as before."""
        look = partial(leaderboards.page, board=board, by=by, number=page, size=size, asker=asker)
        return await ranked_after(minimum, partial(self._access.look, look), partial(self._set_minimum, board))

    async def _set_minimum(self, board: Board, minimum: int) -> bool:
        """Decide again who is ranked on this board alone: most of a guild's boards are never looked at again."""
        row = await self._access.look(partial(standings.find_board, board=board))
        if row is not None:
            await self._access.work(partial(standings.mark, board=row.id, minimum=minimum))
        return row is not None

    async def card(self, board: Board, user: UserId, *, minimum: int | None = None) -> Card:
        """Return everything about one person; `minimum` as for the leaderboard."""
        look = partial(leaderboards.card, board=board, user=user)
        return await ranked_after(minimum, partial(self._access.look, look), partial(self._set_minimum, board))

    async def versus(self, board: Board, a: UserId, b: UserId) -> Versus:
        """Compare two people."""
        return await self._access.look(partial(leaderboards.versus, board=board, a=a, b=b))

    async def have_met(self, guild: int, a: UserId, b: UserId) -> bool:
        """Return whether two people have finished a counted game together."""
        return await self._access.look(partial(leaderboards.have_met, guild=guild, a=a, b=b))

    async def history(
        self, guild: int, page: int = 1, *, user: UserId | None = None, size: int = LINES_PER_PAGE
    ) -> History:
        """Return one page of finished games, newest first: the guild's, or one person's."""
        return await self._access.look(partial(past.history, guild=guild, number=page, size=size, user=user))

    async def game(self, guild: int, number: int) -> PastGame | None:
        """Return a finished game by its number in the guild."""
        return await self._access.look(partial(past.game, guild=guild, number=number))

    async def ending(self, table: TableId) -> Ending | None:
        """Return the game that was played at a table, and how it changed ratings; None if it is not finished."""
        return await self._access.look(partial(past.ending, table=table))

    async def ending_with_highlights(self, table: TableId) -> Ending | None:
        """Return the same together with the match's highlights and events, for which its log is replayed."""
        found = await self.ending(table)
        return None if found is None else with_highlights(found, await self._replay(table))

    async def replay(self, guild: int, number: int) -> Replay | None:
        """Return a finished game to step through; None if there is none with this number."""
        found = await self.game(guild, number)
        return None if found is None else await self._replay(found.table)

    async def _replay(self, table: TableId) -> Replay:
        written = await self._access.look(partial(read_log, table=table))
        return await asyncio.to_thread(_replayed, written)

    async def finished(self, user: UserId, game: str, most: int) -> int:
        """Return how many matches of a game somebody has finished on any server, counting up to `most`."""
        sql = (
            "SELECT count(*) FROM (SELECT 1 FROM game_seats JOIN games USING (nth)"
            " WHERE user_id = $1 AND game = $2 LIMIT $3) AS those"
        )
        ((count,),) = await self._access.fetch(sql, user, game, most)
        return int(count)

    async def guilds_of(self, user: UserId, most: int) -> tuple[int, ...]:
        """Return the guilds in which somebody has finished games, the last one first."""
        sql = "SELECT guild FROM game_seats WHERE user_id = $1 GROUP BY guild ORDER BY max(nth) DESC LIMIT $2"
        return tuple(guild for (guild,) in await self._access.fetch(sql, user, most))

    async def editions(self, guild: int) -> tuple[tuple[str, str], ...]:
        """Return the games and editions that have boards in a guild, `WHOLE_GAME` among the editions."""
        sql = "SELECT game, edition FROM boards WHERE guild = $1 AND period = 'all' ORDER BY game, edition"
        return tuple((game, edition) for game, edition in await self._access.fetch(sql, guild))

    async def months(self, guild: int) -> tuple[str, ...]:
        """Return the months in which a guild has played, newest first."""
        sql = "SELECT DISTINCT period FROM boards WHERE guild = $1 AND period ~ '^[0-9]' ORDER BY period DESC"
        return tuple(period for (period,) in await self._access.fetch(sql, guild))

    async def seasons(self, guild: int) -> tuple[Season, ...]:
        """Return the seasons, newest first: the first one is running, the others are closed."""
        return await self._access.look(partial(past.seasons, guild=guild))

    async def close_season(self, guild: int, now: Millis, number: int | None = None) -> Season:
        """Close the running season and return it; its boards stay as they are, and the next one begins empty.

        With a `number`, only if that season is running; the last closed season is returned either way.
        """
        await self._access.work(partial(past.close_season, guild=guild, now=now, number=number))
        return (await self.seasons(guild))[1]

    async def has_games(self, guild: int, period: str) -> bool:
        """Return whether anything was counted in a period."""
        sql = "SELECT 1 FROM boards WHERE guild = $1 AND period = $2 LIMIT 1"
        return bool(await self._access.fetch(sql, guild, period))

    async def is_opted_out(self, user: UserId) -> bool:
        """Return whether a person opted out of statistics."""
        return bool(await self._access.fetch("SELECT 1 FROM users WHERE id = $1 AND stats_off", user))

    async def set_opted_out(self, user: UserId, opted_out: bool) -> None:
        """Opt a person out of statistics, or in again. Games in between are never counted for them."""
        await self._access.work(partial(standings.set_opted_out, user=user, opted_out=opted_out))

    async def set_absent(self, guild: int, user: UserId, now: Millis, *, absent: bool = True) -> None:
        """Record whether a person has left the guild; its boards leave out those who have."""
        await self._access.work(partial(standings.set_absent, guild=guild, user=user, now=now, absent=absent))

    async def absent_since(self, guild: int, before: Millis, most: int) -> tuple[UserId, ...]:
        """Return absent people who were last looked for before a moment, the longest ago first."""
        sql = "SELECT user_id FROM absent WHERE guild = $1 AND at < $2 ORDER BY at LIMIT $3"
        return tuple(UserId(user) for (user,) in await self._access.fetch(sql, guild, before, most))


def _replayed(written: Log) -> Replay:
    """Replay a match and find its highlights, in a thread: reckoning every bid takes some milliseconds."""
    replay = Replay(written)
    _ = replay.highlights
    return replay
