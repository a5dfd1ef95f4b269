"""Posts the end of a finished game in a channel again, because somebody wants to share it. It pings nobody."""

from __future__ import annotations

from typing import Final

from bot.discord_ui.drawing import draw_shared_end, table_texts
from bot.discord_ui.illustrator import Illustrator, Wanted
from bot.discord_ui.interactions.context import Context
from bot.engine.core import Rejected
from bot.host.model import Millis, Stage, Table
from bot.host.ports import Clock
from bot.host.tables import Tables
from bot.screens.presses import Press
from bot.screens.replay import without_hidden_names
from bot.screens.stats.queries import parse_step
from bot.stats.model import Ending
from bot.stats.reasons import StatsReason
from bot.store.ports import Statistics

SHARE_EVERY_MILLIS: Final = 60_000
"""Shortest time between two shared games in a channel. It is kept in memory only, so a restart resets it."""
_MAX_REMEMBERED_CHANNELS: Final = 1000
"""Cap on the channels whose last shared game is remembered; the oldest are forgotten first."""


class SharingHandlers:
    """Shares the ends of finished games, but not too often in one channel."""

    def __init__(self, statistics: Statistics, tables: Tables, illustrator: Illustrator, clock: Clock) -> None:
        self._statistics = statistics
        self._tables = tables
        self._illustrator = illustrator
        self._clock = clock
        self._shared: dict[int, Millis] = {}
        """When something was last shared in each channel, oldest first."""

    async def share(self, context: Context, press: Press) -> None:
        """Post the end of a game of this guild: the one that was played at a table, or the one with this number."""
        table = await context.table() if context.table_id is not None else await self._table_of(context, press)
        ending = await self._statistics.ending_with_highlights(table.id) if table.stage is Stage.OVER else None
        if ending is None:
            raise Rejected(StatsReason.STILL_PLAYED)
        self._note(context.interaction.channel_id or 0)
        await context.post(draw_shared_end(table, ending, context.user), self._picture(table, ending))

    def _picture(self, table: Table, ending: Ending) -> Wanted | None:
        """Return the picture of a game's end, without the names of people who opted out of statistics."""
        say = table_texts(table)
        shown = without_hidden_names(say, table, ending.game)
        return self._illustrator.final(say, shown, ending.events, shared=True)

    async def _table_of(self, context: Context, press: Press) -> Table:
        asked = parse_step(press.picked)
        if asked is None:
            raise Rejected(StatsReason.MISREAD)
        game = await self._statistics.game(context.guild, asked.game)
        if game is None:
            newest = (await self._statistics.history(context.guild, size=1)).games
            raise Rejected(StatsReason.NO_SUCH_GAME, game=asked.game, newest=newest or None)
        return await self._tables.get(game.table)

    def _note(self, channel: int) -> None:
        """Record that something is shared in a channel now; raise Rejected if it is too soon after the last time."""
        now = self._clock.now()
        before = self._shared.pop(channel, None)
        if before is not None and now - before < SHARE_EVERY_MILLIS:
            self._shared[channel] = before
            raise Rejected(StatsReason.JUST_SHARED)
        while len(self._shared) >= _MAX_REMEMBERED_CHANNELS:
            del self._shared[next(iter(self._shared))]
        self._shared[channel] = now
