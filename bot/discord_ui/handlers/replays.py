"""Shows finished games step by step: always privately, only this guild's, and drawn from views alone."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from bot.discord_ui.drawing import fitting
from bot.discord_ui.interactions.context import Context
from bot.engine.core import Rejected
from bot.host.model import Stage, TableId
from bot.host.tables import Tables
from bot.screens.game import SCREENS
from bot.screens.layout import PrivateScreen
from bot.screens.presses import Press
from bot.screens.replay import frame_of, replay_screen, without_hidden_names
from bot.screens.stats.queries import ReplayStep, parse_step
from bot.stats.model import PastGame
from bot.stats.reasons import StatsReason
from bot.stats.replay import Replay
from bot.store.ports import Statistics

MAX_CACHED_REPLAYS: Final = 16
"""How many of the most recently watched replays are kept in memory."""


class ReplayHandlers:
    """Shows finished games, and remembers those that are being watched."""

    def __init__(self, statistics: Statistics, tables: Tables) -> None:
        self._statistics = statistics
        self._tables = tables
        self._cache: OrderedDict[TableId, Replay] = OrderedDict()

    def forget(self) -> None:
        """Drop all remembered replays, because someone who may be in them deleted their data."""
        self._cache.clear()

    async def watch(self, context: Context, at: ReplayStep) -> None:
        """Open a replay."""
        await context.tell(await self._draw(context, at))

    async def go_to(self, context: Context, press: Press) -> None:
        """Go to another step, round or seat's view; pressed at a table, open the replay of its game."""
        if context.table_id is not None:
            await self.watch(context, ReplayStep(await self._number_of_game(context)))
            return
        at = parse_step(press.picked)
        if at is None:
            raise Rejected(StatsReason.MISREAD)
        if press.id.prompt:
            await context.change(await self._draw(context, at))
        else:
            await self.watch(context, at)

    async def _number_of_game(self, context: Context) -> int:
        """Return the number of the game that was played at a table."""
        table = await context.table()
        ending = await self._statistics.ending(table.id) if table.stage is Stage.OVER else None
        if ending is None:
            raise Rejected(StatsReason.STILL_PLAYED)
        return ending.game.number

    async def _draw(self, context: Context, at: ReplayStep) -> PrivateScreen:
        game = await self._statistics.game(context.guild, at.game)
        if game is None:
            newest = (await self._statistics.history(context.guild, size=1)).games
            raise Rejected(StatsReason.NO_SUCH_GAME, game=at.game, newest=newest or None)
        screens = SCREENS.get(game.game)
        if screens is None or screens.replay is None:
            raise Rejected(StatsReason.NO_REPLAY)
        replay = await self._replay(context, game)
        table = await self._tables.get(game.table)
        if replay is None or table.stage is not Stage.OVER:
            raise Rejected(StatsReason.STILL_PLAYED)
        context.game = game.game
        shown, frame = without_hidden_names(context.say, table, game), frame_of(replay, game, at)
        return fitting(context.say, lambda say: replay_screen(say, shown, frame))

    async def _replay(self, context: Context, game: PastGame) -> Replay | None:
        """Return the replay of a game. It is cached, because each step that a viewer takes is a new interaction."""
        replay = self._cache.pop(game.table, None) or await self._statistics.replay(context.guild, game.number)
        if replay is not None:
            self._cache[game.table] = replay
            while len(self._cache) > MAX_CACHED_REPLAYS:
                self._cache.popitem(last=False)
        return replay
